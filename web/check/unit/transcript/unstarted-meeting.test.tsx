// A meeting that has not started lists its participants and their runners, in the words of the page.

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import UnstartedMeeting from "../../../app/src/features/transcript/unstarted-meeting";
import { setLanguage } from "../../../app/src/i18n";
import { goldens } from "../meeting/logs";
import { draw, standing } from "./table";

afterEach(() => setLanguage("zh-CN"));

test("the temperament of a simulated participant is said in the language of the page, also after it changed; that they are simulated, the head says once", async () => {
  const events = goldens().find((one) => one.name === "zh/consensus.jsonl")?.events ?? [];
  const source = standing(
    events.slice(
      0,
      events.findIndex((event) => event.type === "meeting_started"),
    ),
  );
  const { container } = await draw(source, <UnstartedMeeting />);
  expect(screen.getAllByText("固执").length).toBeGreaterThan(0);
  expect(container.textContent).not.toMatch(/模拟|simulated/);
  cleanup();
  await setLanguage("en");
  await draw(source, <UnstartedMeeting />);
  expect(screen.getAllByText("Stubborn").length).toBeGreaterThan(0);
});
