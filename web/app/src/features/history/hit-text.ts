// The plain text of a search hit: without the signs of Markdown, and with the marks in their places.

import type { SnippetPart as Piece } from "../../api/schema";

/** Signs that are not words, wherever in the text they stand. A link leaves what it is called by. */
const SIGNS: readonly RegExp[] = [
  /(?<=^|\n)[ \t]*(?:[-+*]|>+)[ \t]+/g,
  /(?<=^|\s)#{1,6}[ \t]+/g,
  /`+/g,
  /~~/g,
  /\|?[ \t]*:?-{3,}:?[ \t]*\|?/g,
  /\|/g,
  // Which claims and messages are meant, of which nothing else is seen here.
  /[ \t]?\[[cm]\d+(?:[,，、][ \t]*[cm]\d+)*\](?=[.,;:。，；：])/g,
  /\[[cm]\d+(?:[,，、][ \t]*[cm]\d+)*\][ \t]*/g,
  // Of one that is cut off where the text begins or ends.
  /(?<=^…)[cm]?\d*(?:[,，、][ \t]*[cm]\d+)*\](?!\()[ \t]*/g,
  /[ \t]?\[[cm]?\d*(?:[,，、][ \t]*[cm]?\d*)*(?=…$)/g,
  /!?\[(?=[^\]]*\]\()/g,
  /\]\([^)\s]*\)/g,
  // Not in a product, `3 * 4`, nor within a name, `max_rounds`.
  /(?<![\s\d])\*+|\*+(?!\s|\d*\s)/g,
  /(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])/gu,
];

/** A point of a list with the number of its claim: what was a line of its own stands in the middle of the text here. */
const POINTS = /(?<=^|\s|…)[-*+][ \t]+\[c\d+\][ \t]+/g;

/** The pieces without those signs; a sign may begin in one piece and end in another. */
export function plainPieces(pieces: readonly Piece[]): Piece[] {
  const text = pieces.map((piece) => piece.text).join("");
  const kept = Array.from({ length: text.length }, () => true);
  const points = new Set<number>();
  for (const { index, 0: found } of text.matchAll(POINTS)) {
    kept.fill(false, index, index + found.length);
    if (text.slice(0, index).trim() !== "") {
      points.add(index);
    }
  }
  for (const sign of SIGNS) {
    for (const found of text.matchAll(sign)) {
      kept.fill(false, found.index, found.index + found[0].length);
    }
  }
  let at = 0;
  return pieces.flatMap(({ text: whole, hit }) => {
    const from = at;
    at += whole.length;
    const left = whole
      .split("")
      .map((sign, index) => (points.has(from + index) ? "· " : kept[from + index] ? sign : ""))
      .join("");
    return left === "" ? [] : [{ text: left, hit }];
  });
}
