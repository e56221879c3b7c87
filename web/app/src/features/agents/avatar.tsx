// The mark of an agent: one or two letters in a colour of its own.

import type { RunnerSpec } from "../../api/schema";
import { initials, shapeOf } from "../../meeting/names";
import { HUES, hueOf } from "../../meeting/speaker-colours";
import { cx } from "../../ui/classes";

/** Draws it; `at` is its place in the library. */
export function AgentAvatar({ name, runner, at }: { name: string; runner: RunnerSpec; at: number }) {
  const hue = hueOf(`p${(at % HUES.length) + 1}`);
  const square = shapeOf(runner) === "square";
  return (
    <span
      aria-hidden
      style={{ "--hue": hue } as React.CSSProperties}
      className={cx(
        "voice flex size-10 shrink-0 items-center justify-center bg-voice-fill text-dense font-semibold text-voice-ink",
        square ? "rounded-lg" : "rounded-full",
      )}
    >
      {initials(name || "?")}
    </span>
  );
}
