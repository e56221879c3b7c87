// A speaker's mark: letters in its colour, in a shape by its kind.

import type { CSSProperties } from "react";
import type { ParticipantId } from "../../api/schema";
import { initials, type Shape, shapeAt } from "../../meeting/names";
import { hueOf } from "../../meeting/speaker-colours";
import type { View } from "../../meeting/view";
import { cx } from "../../ui/classes";
import { nameOf } from "../meeting-page/context";

/** Colours what is inside as this speaker's. */
export function voice(hue: number): { className: string; style: CSSProperties } {
  return { className: "voice", style: { "--hue": hue } as CSSProperties };
}

const SHAPE: Record<Shape, string> = {
  circle: "rounded-full",
  square: "rounded-md",
  hexagon: "[clip-path:polygon(25%_3%,75%_3%,100%_50%,75%_97%,25%_97%,0_50%)]",
  ring: "rounded-full ring-2 ring-voice-line ring-offset-2 ring-offset-paper",
};

/** The mark of a participant. It stands beside the name, so it is not read aloud. */
export function Avatar({ view, id, small }: { view: View; id: ParticipantId; small?: boolean }) {
  return <Letters name={nameOf(view, id)} hue={hueOf(id)} shape={shapeAt(view, id)} small={small} />;
}

/** The mark of the facilitator. */
export function FacilitatorAvatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className={cx(
        "m-0.5 flex size-6 shrink-0 items-center justify-center bg-sunken text-[11px] font-semibold text-ink-2",
        "rounded-full ring-2 ring-line-strong ring-offset-2 ring-offset-paper",
      )}
    >
      {initials(name)}
    </span>
  );
}

function Letters({ name, hue, shape, small }: { name: string; hue: number; shape: Shape; small?: boolean }) {
  const { className, style } = voice(hue);
  const size = small
    ? "size-5 text-[10px]"
    : shape === "ring"
      ? "m-0.5 size-6 text-[11px]"
      : "size-7 text-[12px]";
  return (
    <span
      aria-hidden
      style={style}
      className={cx(
        className,
        "flex shrink-0 items-center justify-center bg-voice-fill font-semibold text-voice-ink select-none",
        size,
        SHAPE[shape],
      )}
    >
      {initials(name)}
    </span>
  );
}

/** A name in its speaker's colour, with its mark. */
export function Named({ view, id }: { view: View; id: ParticipantId }) {
  const { className, style } = voice(hueOf(id));
  return (
    <span
      className={cx(className, "inline-flex max-w-full shrink-0 items-center gap-1.5 align-bottom")}
      style={style}
    >
      <Avatar view={view} id={id} small />
      <span className="font-medium text-voice-name">{nameOf(view, id)}</span>
    </span>
  );
}
