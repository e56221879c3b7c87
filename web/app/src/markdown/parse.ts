// Markdown into a tree, as the server's exports read it: tables, task lists, and emphasis beside Chinese signs.

import type { Link, Nodes, Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmAutolinkLiteralFromMarkdown } from "mdast-util-gfm-autolink-literal";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly";
import { gfmStrikethroughCjkFriendly } from "micromark-extension-cjk-friendly-gfm-strikethrough";
import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import remend from "remend";
import { boundedMarkdown, shallow } from "./bounded";
import { formulaOf, restored, withFormulas } from "./formulas";

/** The tree of a text. Total: text that is no Markdown is a paragraph. A formula is a span of code (`formulaOf`). */
export function parse(text: string): Root {
  const written = withFormulas(boundedMarkdown(text));
  const root = fromMarkdown(written, {
    extensions: [
      cjkFriendlyExtension(),
      gfmStrikethroughCjkFriendly(),
      gfmTable(),
      gfmTaskListItem(),
      gfmAutolinkLiteral(),
    ],
    mdastExtensions: [
      gfmStrikethroughFromMarkdown(),
      gfmTableFromMarkdown(),
      gfmTaskListItemFromMarkdown(),
      gfmAutolinkLiteralFromMarkdown(),
    ],
  });
  if (written.includes("\ufdd1")) {
    restore(root);
  }
  return shallow(root);
}

/** Takes the signs of formulas out of what was read as anything but a span of code. */
function restore(root: Root): void {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if ("children" in node) {
      open.push(...node.children);
    }
    if ("value" in node && !(node.type === "inlineCode" && formulaOf(node.value))) {
      node.value = restored(node.value);
    }
    if ("url" in node) {
      node.url = restored(node.url);
    }
    if ("alt" in node && node.alt) {
      node.alt = restored(node.alt);
    }
  }
}

const STOPS = /[‘-…、。《-】！-／：-？].*/su;

/** A bare URL ends at a Chinese character, because people put no space before it; the rest is text again. */
export function ended({ url, children }: Link): { url: string; said: RootContent[]; after: RootContent[] } {
  const [said] = children;
  const rest = said?.type === "text" && url.endsWith(said.value) ? STOPS.exec(said.value) : null;
  const [after] = rest ? parse(rest[0]).children : [];
  if (!rest || after?.type !== "paragraph") {
    return { url, said: children, after: [] };
  }
  return {
    url: url.slice(0, -rest[0].length),
    said: [{ type: "text", value: rest.input.slice(0, rest.index) }],
    after: after.children,
  };
}

/** The text with open marks at its end closed, so that it reads well while it is being written. */
export function closed(text: string): string {
  return remend(text, { linkMode: "text-only", images: false, htmlTags: false, katex: false });
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** A text cut at blank lines outside of code, so that only its last block is parsed again while it grows. */
export function blocks(text: string): string[] {
  const found: string[] = [];
  let block: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (mark && (fence === undefined || (mark.startsWith(fence) && line.trim() === mark))) {
      fence = fence === undefined ? mark : undefined;
    }
    if (fence === undefined && line.trim() === "" && block.length > 0) {
      found.push(block.join("\n"));
      block = [];
    } else if (line.trim() !== "" || fence !== undefined) {
      block.push(line);
    }
  }
  return block.length > 0 ? [...found, block.join("\n")] : found;
}

/** A link that may be followed, or nothing. */
export function followable(url: string): string | undefined {
  try {
    const read = new URL(url);
    return ["http:", "https:", "mailto:"].includes(read.protocol) ? read.href : undefined;
  } catch {
    return undefined;
  }
}
