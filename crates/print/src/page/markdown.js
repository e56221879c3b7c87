// A small Markdown for texts that others wrote. It makes nodes and never parses HTML, so that
// no text can become anything but text; only http and https become links.

/** An element with attributes and children; a child that is text stays text. */
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  // One by one: a call takes only so many arguments.
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null) node.append(child);
  }
  return node;
}

function anchor(href, text) {
  if (!/^https?:\/\//i.test(href)) return document.createTextNode(text);
  return make("a", { href, rel: "noopener noreferrer nofollow", target: "_blank" }, text);
}

const SPECIAL = /[`*~![h\\]/gu;
const ADDRESS = /https?:\/\/[^\s<>"'`，。；：！？、）】》」』]+/uy;
const REFERENCES = /\[m\d+(?:, m\d+)*\]/uy;
const ESCAPED = /[!-/:-@[-`{-~]/u;
const WORD = /[\w*]/u;
const BLANK = /\s/u;

/** What a regular expression finds right here. */
function here(expression, text, at) {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}

/**
 * Where things end that begin in a line. Each is looked for once over the whole line, however often it is begun:
 * what was not found behind a place is not behind a later one either.
 */
function ends(text) {
  const next = new Map();
  const missing = new Map();
  /** The next of these signs, at or behind a place. */
  const find = (sign, at) => {
    let known = next.get(sign);
    if (known === undefined || (known >= 0 && known < at)) {
      known = text.indexOf(sign, at);
      next.set(sign, known);
    }
    return known;
  };
  /** The next pair that closes: right behind a letter, and not within a longer run of asterisks. */
  const pair = (mark, from) => {
    if ((missing.get(mark) ?? Infinity) <= from) return -1;
    for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
      if (!BLANK.test(text[at - 1]) && !(mark === "**" && text[at + 2] === "*")) return at;
    }
    missing.set(mark, from);
    return -1;
  };
  let runs;
  /** The next run of exactly so many backticks. */
  const ticks = (count, from) => {
    if (!runs) {
      runs = new Map();
      for (const run of text.matchAll(/`+/gu)) {
        const places = runs.get(run[0].length) ?? { at: 0, all: [] };
        places.all.push(run.index);
        runs.set(run[0].length, places);
      }
    }
    const places = runs.get(count);
    while (places && places.at < places.all.length && places.all[places.at] < from) places.at++;
    return places?.all[places.at] ?? -1;
  };
  const addresses = new Map();
  /** The address in parentheses behind the end of a link's words. */
  const address = (close) => {
    if (!addresses.has(close)) addresses.set(close, here(/\([^\s()]+\)/uy, text, close + 1));
    return addresses.get(close);
  };
  return { find, pair, ticks, address };
}

/** An address without the signs that end a sentence. */
function withoutStops(url) {
  let end = url.length;
  while (end > 0 && ".,;:!?)]".includes(url[end - 1])) end--;
  return url.slice(0, end);
}

/** A line's nodes. The work grows as the line does. */
function inline(text, depth = 0) {
  if (depth > 6) return [text];
  const nodes = [];
  const { find, pair, ticks, address } = ends(text);
  /** What begins here, and how long it is; nothing when the sign is only a sign. */
  const begun = (at) => {
    const sign = text[at];
    const before = at > 0 ? text[at - 1] : " ";
    if (sign === "\\") {
      return ESCAPED.test(text[at + 1] ?? "") ? [text[at + 1], 2] : [];
    }
    if (sign === "h") {
      const url = here(ADDRESS, text, at);
      if (!url) return [];
      const href = withoutStops(url);
      return [[anchor(href, href), url.slice(href.length)], url.length];
    }
    if (sign === "`") {
      const count = here(/`+/uy, text, at).length;
      const end = ticks(count, at + count);
      if (end < 0) return [text.slice(at, at + count), count];
      return [make("code", {}, text.slice(at + count, end)), end + count - at];
    }
    if (sign === "*" || sign === "~") {
      const mark = sign + sign;
      if (text.startsWith(mark, at) && text[at + 2] !== undefined && !BLANK.test(text[at + 2])) {
        const end = pair(mark, at + 3);
        const tag = sign === "*" ? "strong" : "s";
        if (end >= 0) return [make(tag, {}, inline(text.slice(at + 2, end), depth + 1)), end + 2 - at];
      }
      if (sign === "~" || WORD.test(before) || /[\s*]/u.test(text[at + 1] ?? " ")) return [];
      const end = find("*", at + 1);
      const line = find("\n", at + 1);
      if (end < at + 2 || (line >= 0 && line < end) || BLANK.test(text[end - 1])) return [];
      if (WORD.test(text[end + 1] ?? " ")) return [];
      return [make("em", {}, inline(text.slice(at + 1, end), depth + 1)), end + 1 - at];
    }
    // A link, or a picture, which is a link here, too.
    const open = sign === "!" ? at + 1 : at;
    if (text[open] !== "[") return [];
    const close = find("]", open);
    const line = find("\n", open);
    const href = close >= 0 && !(line >= 0 && line < close) ? address(close) : undefined;
    if (href) {
      return [anchor(href.slice(1, -1), text.slice(open + 1, close) || href.slice(1, -1)), close + 1 + href.length - at];
    }
    const refs = sign === "[" ? here(REFERENCES, text, at) : undefined;
    return refs ? [references(refs), refs.length] : [];
  };
  let copied = 0;
  SPECIAL.lastIndex = 0;
  for (let match = SPECIAL.exec(text); match; match = SPECIAL.exec(text)) {
    const at = match.index;
    const [node, length] = begun(at);
    if (length) {
      nodes.push(text.slice(copied, at), ...[node].flat());
      copied = at + length;
    }
    // What is within was read meanwhile, by the same expression.
    SPECIAL.lastIndex = at + (length || 1);
  }
  nodes.push(text.slice(copied));
  return nodes.filter((node) => node !== "");
}

/** `[m3, m7]` leads to the messages. */
function references(text) {
  const ids = text.slice(1, -1).split(", ");
  const links = ids.flatMap((id, i) => [i ? ", " : "[", make("a", { href: `#${id}`, class: "ref" }, id)]);
  return make("span", { class: "refs" }, links, "]");
}

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/u;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/u;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/u;

/** How deep a heading is, and its words; nothing when the line is none. */
function headingOf(line) {
  const marks = /^\s{0,3}(#{1,6})\s/u.exec(line);
  if (!marks) return undefined;
  let words = line.slice(marks[0].length).trim();
  let end = words.length;
  while (end > 0 && words[end - 1] === "#") end--;
  words = words.slice(0, end).trimEnd();
  return { depth: marks[1].length, words };
}

/** Whether a line parts the head of a table from its rows. */
function divides(line) {
  let bare = line.trim();
  if (!bare.includes("-")) return false;
  if (bare.startsWith("|")) bare = bare.slice(1);
  if (bare.endsWith("|")) bare = bare.slice(0, -1);
  return bare.split("|").every((cell) => /^:?-+:?$/u.test(cell.trim()));
}

/** A text's blocks; `level` is what its first heading counts as. */
function blocks(text, level = 3, depth = 0) {
  const lines = text.replace(/\r\n?/gu, "\n").split("\n");
  const made = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const fence = line.match(FENCE);
    const heading = headingOf(line);
    if (!line.trim()) at++;
    else if (fence) {
      const body = [];
      for (at++; at < lines.length && !lines[at].trim().startsWith(fence[1]); at++) body.push(lines[at]);
      at++;
      made.push(make("pre", { tabindex: "0" }, make("code", {}, body.join("\n"))));
    } else if (heading) {
      const tag = `h${Math.min(6, heading.depth + level - 1)}`;
      made.push(make(tag, {}, inline(heading.words)));
      at++;
    } else if (RULE.test(line)) {
      made.push(make("hr"));
      at++;
    } else if (/^\s*>/u.test(line)) {
      const body = [];
      for (; at < lines.length && /^\s*>/u.test(lines[at]); at++) body.push(lines[at].replace(/^\s*> ?/u, ""));
      made.push(make("blockquote", {}, depth > 4 ? body.join("\n") : blocks(body.join("\n"), level, depth + 1)));
    } else if (line.includes("|") && divides(lines[at + 1] ?? "")) {
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

const starts = (line) => FENCE.test(line) || headingOf(line) !== undefined || ITEM.test(line) || /^\s*>/u.test(line);

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
