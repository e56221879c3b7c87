// The display of a speaker, everywhere: the name, and a mark with letters whose shape shows its kind and whose colour shows
// who it is.

import type { CSSProperties } from "react";
import { initials, type Shape } from "../../meeting/names";
import { cx } from "../../ui/classes";

declare module "react" {
  interface CSSProperties {
    "--hue"?: number;
  }
}

/** What is needed to show a speaker. */
export interface SpeakerLook {
  name: string;
  /** Degrees on the wheel; none for people and the facilitator. */
  hue: number | null;
  shape: Shape;
}

/** The colours of a speaker for the elements inside: the class and the style. */
export function voice(hue: number | null | undefined): { className: string; style?: CSSProperties } {
  return hue == null ? { className: "" } : { className: "voice", style: { "--hue": hue } };
}

const SHAPE: Record<Shape, string> = {
  circle: "rounded-full",
  square: "rounded-[25%]",
  hexagon: "[clip-path:polygon(25%_3%,75%_3%,100%_50%,75%_97%,25%_97%,0_50%)]",
  ring: "rounded-full ring-2 ring-current ring-inset",
};

const SIZE = {
  tiny: "size-4.5 text-[0.625rem]",
  small: "size-5 text-[0.625rem]",
  medium: "size-7 text-meta",
  large: "size-8 text-meta",
};

interface MarkProps {
  speaker: SpeakerLook;
  size?: keyof typeof SIZE;
}

/** The mark of a speaker. It stands beside the name, so it is not read aloud. */
export function SpeakerMark({ speaker: { name, hue, shape }, size = "large" }: MarkProps) {
  const { className, style } = voice(hue);
  return (
    <span
      aria-hidden
      style={style}
      className={cx(
        "inline-flex shrink-0 items-center justify-center leading-none font-semibold select-none",
        SIZE[size],
        SHAPE[shape],
        hue === null ? "bg-line text-ink-2" : "bg-voice-fill text-voice-ink",
        className,
      )}
    >
      {initials(name)}
    </span>
  );
}

/** The name of a speaker in its colour. */
export function SpeakerName({ speaker, className }: { speaker: SpeakerLook; className?: string }) {
  const colours = voice(speaker.hue);
  return (
    <span
      style={colours.style}
      className={cx(
        colours.className,
        speaker.hue === null ? "text-ink" : "text-voice-name",
        "font-medium",
        className,
      )}
    >
      {speaker.name}
    </span>
  );
}

/** The mark and the name. */
export function SpeakerTag({ speaker, size = "small" }: MarkProps) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle">
      <SpeakerMark speaker={speaker} size={size} />
      <SpeakerName speaker={speaker} className="min-w-0 break-words" />
    </span>
  );
}
