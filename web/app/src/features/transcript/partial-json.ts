// Answers that are written as JSON, as they are read while they come: the words without the signs.

/** Keys whose values are for the record, not to be read. */
const SILENT = new Set(["kind", "id", "ids", "answered", "changed_by", "builds_on", "owner", "type"]);
/** Fields by which the JSON that closes a speech is known. */
const STANCE =
  "position|confidence|changed|changed_by|claims|answered|ideas|risks|open_questions|agenda_done|memory";
/** The JSON that closes a speech, also without a fence. */
const CLOSING = new RegExp(
  `\\n[ \\t]*(?:(?:\`{3,}|~{3,})(?:[ \\t]*json)?\\s*)?\\{\\s*"(?:${STANCE})"[\\s\\S]*$`,
  "i",
);
/** What may be its beginning: it waits for what follows. */
const PERHAPS_CLOSING =
  /\n[ \t]*(?:`{1,2}|~{1,2}|(?:`{3,}|~{3,})(?:[ \t]*(?:j|js|jso|json))?\s*(?:\{\s*(?:"[a-z_]*)?)?|\{\s*(?:"[a-z_]*)?)$/i;
const BEGINS = /^\s*(?:(?:`{3,}|~{3,})(?:[ \t]*json)?\s*)?\{/i;
/** A beginning of which nobody knows yet what it is: a fence, or an object up to its first key. */
const PERHAPS_BEGINS = /^\s*(?:(?:`+|~+)(?:[ \t]*(?:j|js|jso|json))?\s*)?(?:\{\s*(?:"[a-z_]*"?)?)?$/i;
/** The fields of a structured speech: its words, and what goes to the record or stays with the participant. */
const WORDS = "statement";
const BESIDE = "recommendation|confidence|changed_by|claims|risks|open_questions|memory";
const STRUCTURED = new RegExp(`^[^{]*\\{\\s*"(?:${WORDS}|${BESIDE})"`);
const STRING = /"((?:[^"\\]|\\.)*)("?)(\s*:)?/gs;

/**
 * A text to read: of a structured speech that is still written its words, which may come last; of another object its words as
 * paragraphs and points; else the text itself, without the JSON that closes it.
 */
export function readableText(text: string): string {
  if (PERHAPS_BEGINS.test(text)) {
    return "";
  }
  if (!BEGINS.test(text)) {
    return text.replace(CLOSING, "").replace(PERHAPS_CLOSING, "");
  }
  const structured = STRUCTURED.test(text);
  let key = "";
  const words: string[] = [];
  for (const [, inside = "", end, colon] of text.matchAll(STRING)) {
    if (end !== "" && colon) {
      key = inside;
    } else if (structured) {
      if (key === WORDS) {
        return unescaped(inside);
      }
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
