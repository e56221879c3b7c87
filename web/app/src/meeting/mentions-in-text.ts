// Mentions in a text, by the core's rules (`crates/core/src/policy/mention.rs`): names are compared without
// case and however their letters are composed, and a name that continues as a longer word is another name.
// `fixtures/mentions.json` holds both to the same answers.

/** A mention: where the `@` stands, where the name ends, and the name. */
interface Call {
  from: number;
  to: number;
  name: string;
}

const SIGNS = /[@＠﹫]/g;
/** Invisible characters. */
const HIDDEN = /[\u2028\u2029\u2800\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/gu;
const MARKS = /^["“”「」『』]/;
const QUOTES: Record<string, string> = { '"': '"', "“": "”", "「": "」", "『": "』" };

const WORD = /^[\p{Alphabetic}\p{N}\p{M}_‿⁀⁔]$/u;
const MARK = /^\p{M}$/u;
const ALPHABETIC = /^\p{Alphabetic}$/u;
const KATAKANA = /^[\p{Script=Katakana}ー]$/u;
const HANGUL = /^\p{Script=Hangul}$/u;
/** Written without spaces between words. */
const RUNS_ON =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}]$/u;

/** Whether a character is a letter, a digit, a mark on one, or joins words into one. */
export function isWord(letter: string): boolean {
  return WORD.test(letter);
}

/** Whether a mention may follow this character directly. */
export function mayTouch(letter: string): boolean {
  return RUNS_ON.test(letter) || KATAKANA.test(letter) || HANGUL.test(letter);
}

/**
 * The form in which two texts are compared: composed alike, without case, without invisible characters, blanks
 * as one space. A zero-width space ends a word and counts as a space.
 */
export function folded(text: string): string {
  const seen = text.replaceAll("\u200b", " ").replace(HIDDEN, "").normalize("NFKC");
  // Letter by letter: a sigma at the end of a word is a sigma.
  const small = Array.from(seen, (letter) => letter.toUpperCase().toLowerCase()).join("");
  return small.normalize("NFKC").replace(HIDDEN, "").normalize("NFC").replace(/\s+/g, " ");
}

/** Names as they are compared, the longest first. */
type Names = readonly { name: string; folded: string }[];

/** Names to look for. */
export function namesToCall(names: readonly string[]): Names {
  return names
    .map((name) => ({ name, folded: folded(name) }))
    .filter((one) => one.folded.trim() !== "")
    .toSorted((a, b) => b.folded.length - a.folded.length);
}

/** The mentions in a text without code, in order, with repetitions; quotations contain none. */
export function callsIn(text: string, names: Names): Call[] {
  const calls: Call[] = [];
  const quoted = quotations(text);
  let at = 0;
  for (const sign of text.matchAll(SIGNS)) {
    while ((quoted[at]?.to ?? Infinity) <= sign.index) {
      at++;
    }
    const within = (quoted[at]?.from ?? Infinity) <= sign.index;
    if (!within && mayCall(text, sign.index)) {
      const call = callAt(text, sign.index, names);
      if (call) {
        calls.push(call);
      }
    }
  }
  return calls;
}

/** Whether an `@` may start a mention: not as in ada@example.org. */
function mayCall(text: string, sign: number): boolean {
  let before = "";
  for (let at = sign; at > 0 && before === ""; ) {
    const letter = letterBefore(text, at);
    at -= letter.length;
    before = lastOf(folded(letter));
  }
  return before === "" || !isWord(before) || mayTouch(before);
}

function letterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && at > 1 ? text.slice(at - 2, at) : text.slice(at - 1, at);
}

const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** The largest length of a name, invisible characters included. */
const FARTHEST = 400;

/** The mention behind the sign here. */
function callAt(text: string, sign: number, names: Names): Call | undefined {
  const mark = MARKS.exec(text.slice(sign + 1, sign + 2))?.[0] ?? "";
  const start = sign + 1 + mark.length;
  const rest = text.slice(start, start + FARTHEST);
  const ends: { to: number; read: string }[] = [];
  let read = "";
  for (const { segment, index } of segments.segment(rest)) {
    read = folded(read + segment);
    const known = names.filter((one) => one.folded.startsWith(read) || one.folded === read.trimEnd());
    if (known.length === 0 && read !== "") {
      break;
    }
    ends.push({ to: index + segment.length, read });
  }
  for (const { to, read: name } of ends.toReversed()) {
    const found = names.find((one) => one.folded === name);
    if (found && (mark ? MARKS.test(rest.slice(to)) : endsBetween(lastOf(name), nextOf(rest, to)))) {
      return { from: sign, to: start + to + (mark ? 1 : 0), name: found.name };
    }
  }
  return undefined;
}

/** The next visible character, in its compared form. */
function nextOf(rest: string, from: number): string {
  for (const { segment } of segments.segment(rest.slice(from, from + 16))) {
    const [first] = folded(segment);
    if (first !== undefined) {
      return first;
    }
  }
  return "";
}

function lastOf(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? "";
}

/**
 * Whether a word may end between these two: at a Unicode word boundary. A sign between two letters, as in
 * `Ben's`, ends a name, too.
 */
function endsBetween(last: string, next: string): boolean {
  if (next === "" || last === "") {
    return true;
  }
  if (MARK.test(next)) {
    return false;
  }
  return (
    !isWord(last) ||
    !isWord(next) ||
    RUNS_ON.test(last) ||
    RUNS_ON.test(next) ||
    KATAKANA.test(last) !== KATAKANA.test(next) ||
    (ALPHABETIC.test(next) && HANGUL.test(last) !== HANGUL.test(next))
  );
}

/** The quotations, line by line. The quotation marks of a name, right behind the `@`, do not count. */
function quotations(text: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    // A mark that nothing closes is looked for once, not again from each mark that opens.
    const unpaired = new Set<string>();
    for (let at = 0; at < line.length; at++) {
      const open = line.charAt(at);
      const close = QUOTES[open];
      if (close === undefined || unpaired.has(open)) {
        continue;
      }
      const to = line.indexOf(close, at + 1);
      if (to < 0) {
        unpaired.add(open);
        continue;
      }
      if (!/[@＠﹫]/.test(line.charAt(at - 1))) {
        found.push({ from: start + at, to: start + to + 1 });
      }
      at = to;
    }
    start = end + 1;
  }
  return found;
}
