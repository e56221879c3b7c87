// A meeting that has not started lists its participants and their runners, in the words of the page.

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import UnstartedMeeting from "../../../app/src/features/transcript/unstarted-meeting";
import { setLanguage } from "../../../app/src/i18n";
import { goldens } from "../meeting/logs";
import { draw, standing } from "./table";

afterEach(() => setLanguage("zh-CN"));

test("what answers for somebody is said in the language of the page, also after it changed", async () => {
  const events = goldens().find((one) => one.name === "zh/consensus.jsonl")?.events ?? [];
  const source = standing(
    events.slice(
      0,
      events.findIndex((event) => event.type === "meeting_started"),
    ),
  );
  const { container } = await draw(source, <UnstartedMeeting />);
  expect(screen.getAllByText(/^模拟 · /).length).toBeGreaterThan(2);
  expect(container.textContent).not.toContain("simulated");
  cleanup();
  await setLanguage("en");
  await draw(source, <UnstartedMeeting />);
  expect(screen.getAllByText(/^Simulated · /).length).toBeGreaterThan(2);
});
