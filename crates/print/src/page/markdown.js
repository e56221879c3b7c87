// A small Markdown for texts that others wrote. It makes nodes and never parses HTML, so that
// no text can become anything but text; only http and https become links.

/** An element with attributes and children; a child that is text stays text. */
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
  return node;
}

const INLINE = new RegExp([
  "(?<code>(`+)(?!`)(?<inner>[^]*?[^`])\\2(?!`))",
  "(?<strong>\\*\\*(?=\\S)(?<bold>[^]+?)(?<=\\S)\\*\\*(?!\\*))",
  "(?<em>(?<![\\w*])\\*(?=[^\\s*])(?<slant>[^*\\n]+?)(?<=\\S)\\*(?![\\w*]))",
  "(?<strike>~~(?=\\S)(?<gone>[^]+?)(?<=\\S)~~)",
  "(?<link>!?\\[(?<label>[^\\]\\n]*)\\]\\((?<href>[^\\s()]+)\\))",
  "(?<url>https?:\\/\\/[^\\s<>\"'`，。；：！？、）】》」』]+)",
  "(?<refs>\\[m\\d+(?:, m\\d+)*\\])",
  "(?<escape>\\\\(?<literal>[!-\\/:-@\\[-`{-~]))",
].join("|"), "gu");

function anchor(href, text) {
  if (!/^https?:\/\//i.test(href)) return document.createTextNode(text);
  return make("a", { href, rel: "noopener noreferrer nofollow", target: "_blank" }, text);
}

/** A line's nodes. */
function inline(text, depth = 0) {
  if (depth > 6) return [text];
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const g = match.groups;
    nodes.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    if (g.code) nodes.push(make("code", {}, g.inner));
    else if (g.strong) nodes.push(make("strong", {}, inline(g.bold, depth + 1)));
    else if (g.em) nodes.push(make("em", {}, inline(g.slant, depth + 1)));
    else if (g.strike) nodes.push(make("s", {}, inline(g.gone, depth + 1)));
    else if (g.link) nodes.push(anchor(g.href, g.label || g.href));
    else if (g.url) {
      const href = g.url.replace(/[.,;:!?)\]]+$/u, "");
      nodes.push(anchor(href, href), g.url.slice(href.length));
    } else if (g.refs) nodes.push(references(match[0]));
    else nodes.push(g.literal);
  }
  nodes.push(text.slice(at));
  return nodes.filter((node) => node !== "");
}

/** `[m3, m7]` leads to the messages. */
function references(text) {
  const ids = text.slice(1, -1).split(", ");
  const links = ids.flatMap((id, i) => [i ? ", " : "[", make("a", { href: `#${id}`, class: "ref" }, id)]);
  return make("span", { class: "refs" }, links, "]");
}

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/u;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/u;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/u;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/u;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/u;

/** A text's blocks; `level` is what its first heading counts as. */
function blocks(text, level = 3, depth = 0) {
  const lines = text.replace(/\r\n?/gu, "\n").split("\n");
  const made = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const fence = line.match(FENCE);
    const heading = line.match(HEADING);
    if (!line.trim()) at++;
    else if (fence) {
      const body = [];
      for (at++; at < lines.length && !lines[at].trim().startsWith(fence[1]); at++) body.push(lines[at]);
      at++;
      made.push(make("pre", { tabindex: "0" }, make("code", {}, body.join("\n"))));
    } else if (heading) {
      const tag = `h${Math.min(6, heading[1].length + level - 1)}`;
      made.push(make(tag, {}, inline(heading[2])));
      at++;
    } else if (RULE.test(line)) {
      made.push(make("hr"));
      at++;
    } else if (/^\s*>/u.test(line)) {
      const body = [];
      for (; at < lines.length && /^\s*>/u.test(lines[at]); at++) body.push(lines[at].replace(/^\s*> ?/u, ""));
      made.push(make("blockquote", {}, depth > 4 ? body.join("\n") : blocks(body.join("\n"), level, depth + 1)));
    } else if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "") && lines[at + 1].includes("-")) {
      const rows = [];
      const sides = cells(lines[at + 1]).map((cell) => (cell.endsWith(":") ? "end" : "start"));
      rows.push(lines[at]);
      for (at += 2; at < lines.length && lines[at].includes("|"); at++) rows.push(lines[at]);
      made.push(table(rows.map(cells), sides));
    } else if (ITEM.test(line)) {
      const body = [];
      for (; at < lines.length && (ITEM.test(lines[at]) || /^\s+\S/u.test(lines[at])); at++) body.push(lines[at]);
      made.push(list(body, level, depth));
    } else {
      const body = [line.trim()];
      for (at++; at < lines.length && lines[at].trim() && !starts(lines[at]); at++) body.push(lines[at].trim());
      const nodes = inline(body.join("\n")).flatMap(broken);
      made.push(make("p", {}, nodes));
    }
  }
  return made;
}

const starts = (line) => FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || /^\s*>/u.test(line);

/** Speech keeps its line ends. */
function broken(node) {
  if (typeof node !== "string") return [node];
  return node.split("\n").flatMap((line, i) => (i ? [make("br"), line] : [line]));
}

const cells = (line) =>
  line.trim().replace(/^\||(?<!\\)\|$/gu, "").split(/(?<!\\)\|/u).map((cell) => cell.trim().replaceAll("\\|", "|"));

function table(rows, sides) {
  const row = (tag, cells) =>
    make("tr", {}, cells.map((cell, i) => make(tag, { class: sides[i] === "end" ? "number" : undefined }, inline(cell))));
  const [head, ...rest] = rows;
  const body = make("tbody", {}, rest.map((cells) => row("td", cells)));
  return make("div", { class: "table", tabindex: "0" }, make("table", {}, make("thead", {}, row("th", head)), body));
}

/** Items by how far they are indented; what is indented deeper belongs to the item before it. */
function list(lines, level, depth) {
  const [, indent, mark] = lines[0].match(ITEM);
  const items = [];
  for (const line of lines) {
    const item = line.match(ITEM);
    if (item && (item[1].length <= indent.length || !items.length)) items.push([item[3]]);
    else items[items.length - 1].push(line.slice(Math.min(indent.length + 2, line.search(/\S/u))));
  }
  const made = items.map(([first, ...rest]) => {
    const box = first.match(/^\[([ xX])\]\s+(.*)$/u);
    const head = box
      ? [make("span", { class: "box", role: "img", "aria-label": box[1] === " " ? "☐" : "☑" }, box[1] === " " ? "☐" : "☑"), " ", inline(box[2])]
      : inline(first);
    const inner = rest.length && depth < 5 ? blocks(rest.join("\n"), level, depth + 1) : rest.join("\n");
    return make("li", { class: box ? "task" : undefined }, head.flat(), inner);
  });
  return make(/\d/u.test(mark) ? "ol" : "ul", { start: /^\d/u.test(mark) && parseInt(mark, 10) !== 1 ? parseInt(mark, 10) : undefined }, made);
}
