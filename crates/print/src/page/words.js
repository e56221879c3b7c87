// What the page itself says. The texts come with it from the catalogue, in the language of the meeting.

/** `broken-at` as `brokenAt`. */
const camel = (name) => name.replace(/[-_](\w)/gu, (_, letter) => letter.toUpperCase());

/** The texts by name. One with gaps, `{name}`, is a function of what fills them. */
function wordsOf(given) {
  const words = {};
  for (const [name, text] of Object.entries(given)) {
    words[camel(name)] = /\{\w+\}/u.test(text)
      ? (fields) => text.replace(/\{(\w+)\}/gu, (gap, field) => String(fields[field] ?? gap))
      : text;
  }
  return words;
}

/** A round by its number; the first one is blind. */
const roundName = (words, n) => (n === 0 ? words.blindRound : words.round({ n }));
