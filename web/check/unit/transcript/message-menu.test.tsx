// The actions on a message: others are mentioned, one's own seat is not.

import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { MessageMenu } from "../../../app/src/features/transcript/message-menu";
import { TalkPlace } from "../../../app/src/features/transcript/place";
import { standing, talkOf } from "./table";

test.each([true, false])(
  "mentioning is offered where there is somebody to mention (%s)",
  async (mentionable) => {
    render(
      <TalkPlace talk={talkOf(standing([]))}>
        <MessageMenu seq={1} id="m1" name="Lin" text="words" mentionable={mentionable} />
      </TalkPlace>,
    );
    await userEvent.click(screen.getByRole("button"));
    await screen.findAllByRole("menuitem");
    expect(document.querySelectorAll("[role=menuitem] .lucide-at-sign")).toHaveLength(mentionable ? 1 : 0);
    cleanup();
  },
);
