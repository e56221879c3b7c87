// TeX of a participant as MathML nodes. Temml reads it; of its tree only known elements, attributes and values are
// taken, and whatever is large, deep or defines something is not read at all.

import { createElement, type ReactNode } from "react";
import temml from "temml";
import "./tex.css";

/** Letters of a formula. */
const LONGEST = 4_000;
/** Groups within each other in the source. */
const DEEPEST = 24;
/** Replacements of Temml's own abbreviations. */
const EXPANSIONS = 400;
/** Nodes of a formula, and how deep they lie. */
const NODES = 4_000;
const LEVELS = 120;

/** Definitions, which can double without end, and what names addresses, classes or looks. */
const REFUSED =
  /\\(?:[gex]?def|let|futurelet|global|long|(?:re)?newcommand|(?:re)?newenvironment|providecommand|DeclareMathOperator|href|url|includegraphics|class|cssId|id|style|data|html\w*|tag|label|e?ref|ce|pu)(?![A-Za-z])/;

const ELEMENTS = new Set(
  "math mi mn mo ms mtext mspace mrow mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd mstyle mpadded mphantom menclose".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "displaystyle scriptlevel mathvariant mathsize stretchy fence separator form lspace rspace largeop movablelimits accent accentunder symmetric minsize maxsize linethickness width height depth voffset columnalign columnspacing rowspacing columnlines rowlines notation columnspan rowspan".split(
    " ",
  ),
);
const STYLES = new Set(
  "padding paddingTop paddingRight paddingBottom paddingLeft border borderTop borderRight borderBottom borderLeft textAlign fontWeight mathDepth width".split(
    " ",
  ),
);
const CLASSES = new Set(
  "tml-left tml-right tml-cancel tml-xcancel tml-overline tml-underline tml-fbox upstrike downstrike sout menclose".split(
    " ",
  ),
);
const VALUE = /^[\w.,%+ -]{1,60}$/;

/** A node of Temml's tree. */
interface TreeNode {
  type?: string;
  text?: string;
  children?: TreeNode[];
  attributes?: Record<string, unknown>;
  classes?: string[];
  style?: Record<string, unknown>;
}

/** The formula, or nothing when it is no TeX, or too much. */
export function mathml(tex: string, display: boolean): ReactNode | undefined {
  if (tex.length > LONGEST || REFUSED.test(tex) || isDeep(tex)) {
    return undefined;
  }
  try {
    const options = {
      displayMode: display,
      throwOnError: true,
      maxExpand: EXPANSIONS,
      maxSize: [20, 100] as [number, number],
    };
    const tree: TreeNode = temml.__renderToMathMLTree(tex, options);
    return tree.type === "math" ? node(tree, { nodes: 0 }, 0, 0) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether groups lie too deep, which is counted and not read. */
function isDeep(tex: string): boolean {
  let depth = 0;
  for (const [sign] of tex.matchAll(/\\(?:begin|end|left|right|[^a-zA-Z])|[{}]/g)) {
    depth += sign === "{" || sign === "\\begin" || sign === "\\left" ? 1 : 0;
    depth -= (sign === "}" || sign === "\\end" || sign === "\\right") && depth > 0 ? 1 : 0;
    if (depth > DEEPEST) {
      return true;
    }
  }
  return false;
}

function node(tree: TreeNode, count: { nodes: number }, level: number, key: number): ReactNode {
  count.nodes += 1;
  if (count.nodes > NODES || level > LEVELS) {
    throw new Error("too large");
  }
  if (tree.text !== undefined) {
    return tree.text;
  }
  const children = (tree.children ?? []).map((child, at) => node(child, count, level + 1, at));
  if (tree.type === undefined) {
    return children;
  }
  if (!ELEMENTS.has(tree.type)) {
    throw new Error(`no element of a formula: ${tree.type}`);
  }
  const attributes: Record<string, unknown> = { key };
  for (const [name, value] of Object.entries(tree.attributes ?? {})) {
    if (ATTRIBUTES.has(name) && VALUE.test(String(value))) {
      attributes[name] = String(value);
    }
  }
  const style = Object.entries(tree.style ?? {}).filter(
    ([name, value]) => STYLES.has(name) && VALUE.test(String(value)),
  );
  if (style.length > 0) {
    attributes.style = Object.fromEntries(style);
  }
  const classes = (tree.classes ?? []).filter((one) => CLASSES.has(one));
  if (classes.length > 0) {
    attributes.className = classes.join(" ");
  }
  if (tree.type === "math") {
    attributes.display = tree.attributes?.display === "block" ? "block" : "inline";
  }
  return createElement(tree.type, attributes as object, ...children);
}
