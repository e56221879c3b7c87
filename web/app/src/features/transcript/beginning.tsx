// The beginning of a record on its card, as Markdown; the whole of it is in the side panel.

import { Markdown } from "../../markdown";
import { closed } from "../../markdown/parse";
import { useMeeting } from "../../meeting/hooks";

const LINES = 6;
const CHARACTERS = 240;

/** The first lines of a text. */
export function Beginning({ text }: { text: string }) {
  const lang = useMeeting((shown) => shown.view?.language);
  return (
    <div className="text-dense text-ink-2" data-testid="beginning">
      <Markdown text={beginningOf(text)} lang={lang} />
    </div>
  );
}

/** The first half of a character that takes two units, where the other was cut off. */
const HALF = /[\uD800-\uDBFF]$/;

/** A text up to the end of a line or of a sentence; what is left out is marked. */
export function beginningOf(text: string): string {
  const whole = text.trim();
  const kept: string[] = [];
  let [lines, left] = [0, CHARACTERS];
  for (const line of whole.split("\n")) {
    if (lines === LINES || left <= 0) {
      break;
    }
    // A line alone may be a whole text.
    kept.push(line.length > left ? `${line.slice(0, left).replace(HALF, "").trimEnd()}…` : line);
    lines += line.trim() === "" ? 0 : 1;
    left -= line.length;
  }
  const begun = kept.join("\n").trimEnd();
  if (begun === whole) {
    return whole;
  }
  return closed(begun.endsWith("…") ? begun : `${begun}\n\n…`);
}
