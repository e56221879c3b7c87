// Bounds for Markdown of foreign origin, so that parsing takes linear time and a limited depth. Ordinary text
// meets none of these bounds; where one is met, all words stay.

import type { Nodes, Parents, Root } from "mdast";

/** Lists and quotations within each other. */
const CONTAINERS = 12;
/** Emphasis and links within each other. */
const DEPTH = 32;
/** The same sign in a row. */
const RUN = 32;
/** Longer texts are read piece by piece. */
const PIECE = 6_000;
/** Cells of a row. */
const CELLS = 100;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MARKER = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;
const LEADING = 40;
const EMPHASIS = /([*_~])\1{31,}/g;
const STOPS = /[?!.,:;'")\]]{33,}/g;

/** The same text with what is nested or repeated beyond all use made plain. */
export function boundedMarkdown(text: string): string {
  let fence: string | undefined;
  const lines = text.split("\n").map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      fence = mark?.startsWith(fence) && line.trim() === mark ? undefined : fence;
      return line;
    }
    const withoutDeepLevels = unnested(line);
    // A backtick later in the line makes it a code span.
    if (mark && !(mark.startsWith("`") && line.trim().slice(mark.length).includes("`"))) {
      fence = mark;
      return withoutDeepLevels;
    }
    return unrepeated(withoutDeepLevels);
  });
  return lines.join("\n");
}

/** A line without the markers of lists and quotations that are too deep. */
function unnested(line: string): string {
  let end = 0;
  let kept = 0;
  for (let count = 0; ; count++) {
    MARKER.lastIndex = end;
    const marker = MARKER.exec(line);
    if (!marker) {
      break;
    }
    end += marker[0].length;
    kept = count < CONTAINERS ? end : kept;
  }
  const blanks = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  const from = blanks > LEADING ? blanks - LEADING : 0;
  return kept === end ? line.slice(from) : `${line.slice(from, kept)} ${line.slice(end).trimStart()}`;
}

function unrepeated(line: string): string {
  if (line.length <= RUN) {
    return line;
  }
  // A rule across the page is one sign over and over.
  const bare = /^[ \t]*([*_])(?:[ \t]*\1)*[ \t]*$/.test(line);
  const emphasis = bare ? line : line.replace(EMPHASIS, (run) => run.replace(/./g, "\\$&"));
  const stops = emphasis.replace(STOPS, (run) => run.replace(new RegExp(`.{${RUN}}`, "g"), "$&\u200b"));
  const cells = stops.split("|").length;
  return cells > CELLS && /^[|\s:-]+$/.test(stops) ? stops.replaceAll("|", "\\|") : stops;
}

/** A long text cut where lines end, each piece to be read by itself; code stays whole. */
export function pieces(text: string): string[] {
  if (text.length <= PIECE) {
    return [text];
  }
  const found: string[] = [];
  let piece: string[] = [];
  let length = 0;
  let fence: string | undefined;
  const cut = () => {
    if (piece.length > 0) {
      found.push(piece.join("\n"));
    }
    piece = [];
    length = 0;
  };
  for (const line of text.split("\n").flatMap(short)) {
    const mark = FENCE.exec(line)?.[1];
    const within = fence !== undefined;
    if (mark && (fence === undefined || (mark.startsWith(fence) && line.trim() === mark))) {
      fence = fence === undefined ? mark : undefined;
    }
    // At a blank line as soon as it is half full, so that few paragraphs are cut.
    const full = length + line.length > PIECE || (length > PIECE / 2 && line.trim() === "");
    if (!within && full) {
      cut();
    }
    piece.push(line);
    length += line.length + 1;
  }
  cut();
  return found;
}

/** A line that is longer than a piece, in several. */
function short(line: string): string[] {
  if (line.length <= PIECE) {
    return [line];
  }
  const found: string[] = [];
  for (let from = 0; from < line.length; ) {
    const last = line.lastIndexOf(" ", from + PIECE);
    let to = from + PIECE >= line.length ? line.length : last > from + PIECE / 2 ? last : from + PIECE;
    // Do not split a surrogate pair.
    to -= /[\ud800-\udbff]/.test(line.charAt(to - 1)) && to < line.length ? 1 : 0;
    found.push(line.slice(from, to));
    from = to;
  }
  return found;
}

/** The tree without its deepest levels: their elements are dropped, and their text stays. */
export function shallow(root: Root): Root {
  const open: { node: Parents; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (depth >= DEPTH) {
      node.children = wordsOf(node) as typeof node.children;
      continue;
    }
    for (const child of node.children) {
      if ("children" in child) {
        open.push({ node: child, depth: depth + 1 });
      }
    }
  }
  return root;
}

/** All text below a node, in order, as what may stand in that node. */
function wordsOf(node: Parents): Nodes[] {
  const open: Nodes[] = [...node.children].reverse();
  let words = "";
  for (let next = open.pop(); next; next = open.pop()) {
    if ("children" in next) {
      open.push(...[...next.children].reverse());
      words += next.type === "paragraph" || next.type === "tableCell" ? " " : "";
    } else {
      words += "value" in next ? next.value : "alt" in next ? (next.alt ?? "") : " ";
    }
  }
  const text: Nodes = { type: "text", value: words };
  const paragraph: Nodes = { type: "paragraph", children: [text] };
  switch (node.type) {
    case "root":
    case "blockquote":
    case "listItem":
    case "footnoteDefinition":
      return [paragraph];
    case "list":
      return [{ type: "listItem", children: [paragraph] }];
    case "table":
      return [{ type: "tableRow", children: [{ type: "tableCell", children: [text] }] }];
    case "tableRow":
      return [{ type: "tableCell", children: [text] }];
    default:
      return [text];
  }
}
