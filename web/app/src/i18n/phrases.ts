// Texts in events and of a meeting's health: codes of the program's own catalogue with their fields, in the page's
// language, or words that somebody wrote.

import { FluentBundle, FluentNumber, FluentResource } from "@fluent/bundle";
import i18n from "i18next";
import { useTranslation } from "react-i18next";

/** A text of the catalogue by its code, as the interface describes it. */
interface CatalogueMessage {
  args?: Record<string, unknown>;
  code: string;
}

/** A text: a code, or words that somebody wrote. */
type Phrase = CatalogueMessage | { text: string };

const bundles = new Map<string, FluentBundle>();

/** Knows the texts of a file of the catalogue in a language. */
export function addPhrases(language: string, source: string): void {
  // The marks of direction would travel into what people copy.
  const bundle = bundles.get(language) ?? new FluentBundle(language, { useIsolating: false });
  bundle.addResource(new FluentResource(source));
  bundles.set(language, bundle);
}

/** A phrase in a language. */
export function phraseIn(language: string, phrase: Phrase | null | undefined): string {
  if (!phrase) return "";
  return "text" in phrase ? phrase.text : message(language, phrase);
}

/** Says phrases in the language of the page. */
export function usePhrase(): (phrase: Phrase | null | undefined) => string {
  const { i18n } = useTranslation();
  return (phrase) => phraseIn(i18n.language, phrase);
}

/** The text of a message. One that this page does not know is its code with its fields. */
function message(language: string, { code, args = {} }: CatalogueMessage): string {
  const bundle = bundles.get(language);
  const pattern = bundle?.getMessage(code)?.value;
  if (!bundle || !pattern) {
    const fields = Object.entries(args).map(([name, value]) => `${name}: ${text(language, value)}`);
    return fields.length > 0 ? `${code} (${fields.join("; ")})` : code;
  }
  const fields = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === "number" ? new FluentNumber(value, { useGrouping: false }) : text(language, value),
  ]);
  return bundle.formatPattern(pattern, Object.fromEntries(fields), []);
}

function text(language: string, value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((one) => text(language, one)).join(i18n.t("ui.comma", { lng: language }));
  }
  return isMessage(value) ? message(language, value) : String(value);
}

function isMessage(value: unknown): value is CatalogueMessage {
  return typeof value === "object" && value !== null && "code" in value && typeof value.code === "string";
}
