// A transcript that is replayed leaves the keys of the replay to the replay, however often it begins anew.

import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test, vi } from "vitest";
import { ReplayControls } from "../../../app/src/features/replay/controls";
import { marksOf } from "../../../app/src/features/replay/marks";
import { Transcript } from "../../../app/src/features/transcript/transcript";
import { shortcutsInSight, startKeys } from "../../../app/src/shell/keys";
import { goldens } from "../meeting/logs";
import { draw, standing } from "../transcript/table";

const log = goldens().find(({ name }) => name === "zh/consensus.jsonl")?.events ?? [];

beforeAll(() => {
  startKeys();
  vi.stubGlobal("fetch", async () => Response.json({}));
});

test("brackets and End seek after the transcript has begun anew", async () => {
  const seek = vi.fn<(seq: number) => Promise<void>>().mockResolvedValue();
  const still = { play: () => {}, pause: () => {}, step: async () => {}, skipWait: () => {} };
  const source = standing(log);
  // What comes last has the keys: here the transcript, as after a leap.
  await draw(
    source,
    <>
      <ReplayControls
        store={{ ...still, seek }}
        marks={marksOf(log)}
        standing={{ position: 40, last: log.length, playing: false, at_ms: 1 }}
      />
      <Transcript still />
    </>,
  );
  for (const key of ["]", "[", "End"]) {
    fireEvent.keyDown(document.body, { key });
  }
  expect(seek).toHaveBeenCalledTimes(3);
  expect(source.jumps).toEqual([]);
  const keys = shortcutsInSight.get().flatMap(({ shortcuts }) => shortcuts.map((one) => one.keys));
  expect(keys).toContain("j");
  expect(keys.filter((one) => one === "]")).toHaveLength(1);
});

test("Space plays after a speed was chosen, at that speed", async () => {
  const play = vi.fn();
  await draw(
    standing(log),
    <ReplayControls
      store={{ play, pause: () => {}, seek: async () => {}, step: async () => {}, skipWait: () => {} }}
      marks={[]}
      standing={{ position: 40, last: log.length, playing: false, at_ms: 1 }}
    />,
  );
  const four = screen.getByRole("button", { name: "4×" });
  await userEvent.click(four);
  expect(document.activeElement).toBe(four);
  fireEvent.keyDown(four, { key: " " });
  await vi.waitFor(() => expect(play).toHaveBeenCalledExactlyOnceWith(4));
});
