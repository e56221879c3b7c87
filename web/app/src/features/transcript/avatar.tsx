// The display of a speaker: the name and a mark with letters, whose shape shows its kind and whose colour shows
// who it is.

import type { CSSProperties } from "react";
import { initials } from "../../meeting/names";
import { cx } from "../../ui/classes";
import type { Person } from "./people";

declare module "react" {
  interface CSSProperties {
    "--hue"?: number;
  }
}

const HEXAGON: CSSProperties = { clipPath: "polygon(50% 0, 95% 25%, 95% 75%, 50% 100%, 5% 75%, 5% 25%)" };

/** The colours of a speaker for the elements inside: the class and the style. */
export function voice(person: Person): { className: string; style?: CSSProperties } {
  return person.hue === null ? { className: "" } : { className: "voice", style: { "--hue": person.hue } };
}

/** The mark of a speaker. It stands beside the name, so it is not read aloud. */
export function Avatar({ person, small }: { person: Person; small?: boolean }) {
  const colours = voice(person);
  const shape = {
    circle: "rounded-full",
    square: "rounded-md",
    hexagon: "",
    ring: "rounded-full border-2 border-current bg-transparent",
  }[person.shape];
  return (
    <span
      aria-hidden
      style={{ ...colours.style, ...(person.shape === "hexagon" ? HEXAGON : undefined) }}
      className={cx(
        "inline-flex shrink-0 items-center justify-center font-medium select-none",
        small ? "size-5 text-[0.625rem]" : "size-8 text-meta",
        person.hue === null ? "bg-line text-ink-2" : "bg-voice-fill text-voice-ink",
        shape,
        colours.className,
      )}
    >
      {initials(person.name)}
    </span>
  );
}

/** The name of a speaker in its colour. */
export function Name({ person, className }: { person: Person; className?: string }) {
  const colours = voice(person);
  return (
    <span
      style={colours.style}
      className={cx(
        colours.className,
        person.hue === null ? "text-ink" : "text-voice-name",
        "font-medium",
        className,
      )}
    >
      {person.name}
    </span>
  );
}
