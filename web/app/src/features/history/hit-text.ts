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
  /!?\[(?=[^\]]*\]\()/g,
  /\]\([^)\s]*\)/g,
  // Not in a product, `3 * 4`, nor within a name, `max_rounds`.
  /(?<![\s\d])\*+|\*+(?!\s|\d*\s)/g,
  /(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])/gu,
];

/** The pieces without those signs; a sign may begin in one piece and end in another. */
export function plainPieces(pieces: readonly Piece[]): Piece[] {
  const text = pieces.map((piece) => piece.text).join("");
  const kept = Array.from({ length: text.length }, () => true);
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
      .filter((_, index) => kept[from + index])
      .join("");
    return left === "" ? [] : [{ text: left, hit }];
  });
}
