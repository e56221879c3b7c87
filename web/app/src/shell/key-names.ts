// Keys as they are labelled on a keyboard.

import { MOD } from "./keys";

const ARROWS: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

/** The keys of a shortcut, one after the other: `g h` are G and H, `G` is Shift G. */
export function keyNames(keys: string): string[] {
  return keys.split(" ").map((key) =>
    (ARROWS[key] ?? key)
      .replace("mod+", `${MOD} `)
      .replace(/^[A-Z]$/, (letter) => `Shift ${letter}`)
      .replace(/\b[a-z]$/, (letter) => letter.toUpperCase()),
  );
}
