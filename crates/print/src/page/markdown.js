// Texts that others wrote, set by the marks that came with them (`marks.rs` says what they are). It makes nodes and never
// parses HTML, so that no text can become anything but text; only http and https become links.

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

function anchor(href, inner) {
  if (!/^https?:\/\//i.test(href)) return make("span", {}, inner);
  return make("a", { href, rel: "noopener noreferrer nofollow", target: "_blank" }, inner);
}

/** The marks on a text, by the text. A text without marks is paragraphs. */
const MARKS = new Map();

/** How many lines of each attached file are shown. */
const FILES = new Map();

/** Where each claim, message and call of a tool is shown: the id of the element. */
const SHOWN = new Map();

/** Reads the marks of a record: those on its result, and those on the texts of its events; and which files there are. */
function readMarks(record, events) {
  for (const { type, payload } of events) {
    readTargets(payload);
    if (type !== "file_attached") continue;
    const { id, text } = payload.file;
    const read = record.texts?.[id] ?? text?.excerpt;
    FILES.set(id, read === undefined ? 0 : read.split("\n").length);
  }
  if (record.report_marks) MARKS.set(below(record.report), record.report_marks);
  for (const [place, pointer, marks] of record.marks) {
    const text = pointer.slice(1).split("/").reduce((value, key) => value?.[key], events[place]);
    if (typeof text === "string") MARKS.set(text, marks);
  }
}

/** Reads to what of an event others may refer: its message, the claims in it, the objection of a vote, a call. */
function readTargets({ message_id: message, stance, objection, call }) {
  if (message) SHOWN.set(message, message);
  if (call) SHOWN.set(call, call);
  if (objection) SHOWN.set(objection.id, objection.id);
  for (const claim of stance?.claims ?? []) SHOWN.set(claim.id, restsOnSomething(claim) ? claim.id : message);
}

/** Whether a claim names evidence; such a claim is shown below its message. */
const restsOnSomething = (claim) => Boolean(claim.evidence?.length || claim.citations?.length);

/** What stands below the first line. */
const below = (text) => text.slice(text.indexOf("\n") + 1);

/** A text's blocks; `level` is what its first heading counts as. */
function blocks(text, level = 3) {
  const marks = MARKS.get(text);
  if (marks) return marks.map((mark) => block(mark, text, level));
  // Line by line: no expression over the whole text, which a text of blanks could make slow.
  const paragraphs = [[]];
  for (const line of text.split("\n")) {
    if (line.trim()) paragraphs.at(-1).push(line);
    else paragraphs.push([]);
  }
  const filled = paragraphs.filter((lines) => lines.length);
  return filled.map((lines) => make("p", {}, linked(lines.join("\n").trim())));
}

/** A text that stands in a line. */
function inline(text) {
  const marks = MARKS.get(text);
  return marks?.length === 1 && marks[0][0] === "p" ? parts(marks[0], 1, text) : linked(text);
}

function block(mark, text, level) {
  const [sort, first] = mark;
  const inner = (from) => mark.slice(from).map((one) => block(one, text, level));
  switch (sort) {
    case "l": return parts(mark, 1, text);
    case "h": return make(`h${Math.min(6, first + level - 1)}`, {}, parts(mark, 2, text));
    case "c": return make("pre", { tabindex: "0" }, make("code", {}, letters(mark, 1, text).replace(/\n$/u, "")));
    case "q": return make("blockquote", {}, inner(1));
    case "u": return make("ul", {}, mark.slice(1).map((one) => item(one, text, level)));
    case "o": return make("ol", { start: first === 1 ? undefined : first }, mark.slice(2).map((one) => item(one, text, level)));
    case "t": return table(first, mark.slice(2), text);
    case "r": return make("hr");
    default: return make("p", {}, parts(mark, 1, text));
  }
}

function item([task, ...inner], text, level) {
  const sign = task === 1 ? "☐" : "☑";
  const box = task ? [make("span", { class: "box", role: "img", "aria-label": sign }, sign), " "] : [];
  return make("li", { class: task ? "task" : undefined }, box, inner.map((one) => block(one, text, level)));
}

function table(sides, [head, ...rest], text) {
  const row = (tag, cells) =>
    make("tr", {}, cells.map((cell, i) => make(tag, { class: sides[i] === "e" ? "number" : undefined }, parts(cell, 0, text))));
  const body = make("tbody", {}, rest.map((cells) => row("td", cells)));
  return make("div", { class: "table", tabindex: "0" }, make("table", {}, make("thead", {}, row("th", head)), body));
}

const FRAMES = { b: "strong", i: "em", s: "s" };

/** The nodes of a line: its marks from a place on. Within a link nothing else is one. */
function parts(marks, from, text, inLink = false) {
  const nodes = [];
  for (let at = from; at < marks.length; at++) {
    const part = marks[at];
    if (typeof part === "number") nodes.push(...linked(text.slice(part, marks[++at]), inLink));
    else if (typeof part === "string") nodes.push(...linked(part, inLink));
    else if (part[0] === "k") nodes.push(make("code", {}, letters(part, 1, text)));
    else if (part[0] === "m") nodes.push(formula(part[1]));
    else if (part[0] !== "a") nodes.push(make(FRAMES[part[0]], {}, parts(part, 1, text, inLink)));
    else if (inLink) nodes.push(...parts(part, 2, text, true));
    else {
      const inner = parts(part, 2, text, true);
      nodes.push(anchor(part[1], inner.length ? inner : [part[1]]));
    }
  }
  return nodes;
}

/** A formula: an element of MathML, its attributes, and its children. */
function formula([tag, attributes, ...children]) {
  const node = document.createElementNS("http://www.w3.org/1998/Math/MathML", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  for (const child of children) node.append(typeof child === "string" ? child : formula(child));
  if (tag !== "math") return node;
  const wide = attributes.display === "block";
  return make("span", { class: wide ? "formula wide" : "formula", tabindex: wide ? "0" : undefined }, node);
}

/** The letters of a line without its frames. */
function letters(marks, from, text) {
  let said = "";
  for (let at = from; at < marks.length; at++) {
    const part = marks[at];
    said += typeof part === "number" ? text.slice(part, marks[++at]) : typeof part === "string" ? part : "";
  }
  return said;
}

const FOUND = /\n|\[[cmt]\d{1,6}(?:\s*[,，、]\s*[cmt]\d{1,6})*\]|\[f\d+(?:#[^\]\s]{1,20})?\]|(?<![\w-])f\d+#L?\d+(?:[-–—]L?\d+)?|https?:\/\/[^\s<>"'`，。；：！？、）】》」』]+/gu;

/** A text with its line ends, references to messages and addresses. */
function linked(text, inLink = false) {
  const nodes = [];
  let copied = 0;
  for (const { 0: found, index } of text.matchAll(FOUND)) {
    let made = make("br");
    let length = found.length;
    if (found !== "\n") {
      if (inLink) continue;
      const href = withoutStops(found);
      const cites = /^\[?f\d/.test(found);
      made = cites ? citation(found) : found[0] === "[" ? references(found) : anchor(href, [href]);
      if (found[0] !== "[" && !cites) length = href.length;
    }
    nodes.push(text.slice(copied, index), made);
    copied = index + length;
  }
  nodes.push(text.slice(copied));
  return nodes.filter((node) => node !== "");
}

/** An address without the signs that end a sentence. */
function withoutStops(url) {
  let end = url.length;
  while (end > 0 && ".,;:!?)]".includes(url[end - 1])) end--;
  return url.slice(0, end);
}

/** A citation of an attached file leads to its lines; what names no file of the meeting is text like any other. */
function citation(text) {
  const [, file, first] = /(f\d+)(?:#L?(\d+))?/.exec(text);
  if (!FILES.has(file)) return text;
  const lines = FILES.get(file);
  const known = first !== undefined && Number(first) >= 1 && Number(first) <= lines;
  return make("a", { href: known ? `#${file}-L${Number(first)}` : `#${file}`, class: "ref" }, text);
}

/** `[m3, c7]` leads to the message and to the claim, or to the message that raised it; what nobody said is text. */
function references(text) {
  const parts = text.split(/([cmt]\d+)/u);
  const links = parts.map((part) => SHOWN.has(part) ? make("a", { href: `#${SHOWN.get(part)}`, class: "ref" }, part) : part);
  return make("span", { class: "refs" }, links);
}
