// Announcements for screen readers: all speakers, also when lines arrive together.

import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LiveRegion } from "../../../app/src/features/transcript/live-region";
import { setLanguage } from "../../../app/src/i18n";
import { is } from "../../../app/src/meeting/event-types";
import { isInTranscript } from "../../../app/src/meeting/transcript-events";
import { goldens } from "../meeting/logs";
import { draw, standing } from "./table";

const events = goldens().find(({ name }) => name === "en/consensus.jsonl")?.events ?? [];
const told = events.filter(isInTranscript);
const messages = told.filter((event) => is(event, "agent_message"));
const names = messages.slice(-2).map((event) => event.payload.message.name);
/** The transcript as it stood before the last but one who spoke. */
const before = told.filter((event) => event.seq < (messages.at(-2)?.seq ?? 0));

afterEach(async () => {
  vi.useRealTimers();
  await setLanguage("zh-CN");
});

test.each([
  { language: "zh-CN" as const, said: `${names.join("、")}发言完毕` },
  { language: "en" as const, said: `${names.join(", ")} have spoken` },
])("both who spoke are named where a line followed them: $language", async ({ language, said }) => {
  await setLanguage(language);
  expect(told.at(-1)?.type).not.toBe("agent_message");
  const source = standing(before);
  await draw(source, <LiveRegion />);
  expect(screen.getByRole("status").textContent).toBe("");
  vi.useFakeTimers();
  source.put({ lines: told });
  act(() => vi.runAllTimers());
  expect(screen.getByRole("status").textContent).toBe(said);
});
