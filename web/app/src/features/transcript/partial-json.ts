// Answers that are written as JSON, as they are read while they come: the words without the signs.

/** Keys whose values are for the record, not to be read. */
const SILENT = new Set(["kind", "id", "ids", "answered", "changed_by", "builds_on", "owner", "type"]);
const BEGINS = /^\s*(?:```(?:json)?\s*)?\{/;
const STRING = /"((?:[^"\\]|\\.)*)("?)(\s*:)?/gs;

/** A text to read: of an object that is still written, its words as paragraphs and points; else the text itself. */
export function readableText(text: string): string {
  if (!BEGINS.test(text)) {
    return text;
  }
  let key = "";
  const words: string[] = [];
  for (const [, inside = "", end, colon] of text.matchAll(STRING)) {
    if (end !== "" && colon) {
      key = inside;
    } else if (!SILENT.has(key) && inside.trim() !== "") {
      words.push(unescaped(inside));
    }
  }
  const [first, ...rest] = words;
  return first === undefined ? "" : [first, ...rest.map((one) => `- ${one}`)].join("\n");
}

/** The words of a string that may break off within a sign. */
function unescaped(inside: string): string {
  try {
    const read: unknown = JSON.parse(
      `"${inside.replace(/\n/g, "\\n").replace(/\\(?:u[0-9a-f]{0,3})?$/i, "")}"`,
    );
    return typeof read === "string" ? read : inside;
  } catch {
    return inside;
  }
}
