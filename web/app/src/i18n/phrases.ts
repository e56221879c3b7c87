// Texts in events and of a meeting's health: codes of the program's own catalogue with their fields, in the page's
// language, or words that somebody wrote.

import i18n, { catalogueIn, useTranslation } from ".";
import type { Pattern } from "./catalogue";
import { formOf, type Language } from "./text";

/** A text of the catalogue by its code, as the interface describes it. */
interface CatalogueMessage {
  args?: Record<string, unknown>;
  code: string;
}

/** A text: a code, or words that somebody wrote. */
type Phrase = CatalogueMessage | { text: string };

/** A phrase in a language. */
export function phraseIn(language: Language, phrase: Phrase | null | undefined): string {
  if (!phrase) return "";
  return "text" in phrase ? phrase.text : message(language, phrase);
}

/** Says phrases in the language of the page. */
export function usePhrase(): (phrase: Phrase | null | undefined) => string {
  const { i18n } = useTranslation();
  return (phrase) => phraseIn(i18n.language, phrase);
}

/** The text of a message. One that this page does not know is its code with its fields. */
function message(language: Language, { code, args = {} }: CatalogueMessage): string {
  const pattern = catalogueIn(language)[code];
  if (pattern === undefined) {
    const fields = Object.entries(args).map(([name, value]) => `${name}: ${text(language, value)}`);
    return fields.length > 0 ? `${code} (${fields.join("; ")})` : code;
  }
  return filled(language, pattern, args);
}

function filled(language: Language, pattern: Pattern, args: Record<string, unknown>): string {
  if (typeof pattern === "string") return pattern;
  const parts = pattern.map((part) => {
    if (typeof part === "string") return part;
    if ("field" in part) return part.field in args ? text(language, args[part.field]) : `{$${part.field}}`;
    const value = args[part.by];
    const forms = [String(value), typeof value === "number" ? formOf(language, value) : ""];
    const chosen = part.of.find(([form]) => forms.includes(form)) ?? part.of.at(-1);
    return chosen ? filled(language, chosen[1], args) : "";
  });
  return parts.join("");
}

function text(language: Language, value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((one) => text(language, one)).join(i18n.find("ui.comma", language));
  }
  return isMessage(value) ? message(language, value) : String(value);
}

function isMessage(value: unknown): value is CatalogueMessage {
  return typeof value === "object" && value !== null && "code" in value && typeof value.code === "string";
}
