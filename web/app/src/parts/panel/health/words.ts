// A sentence that came in both languages, in that of the page.

import { useTranslation } from "react-i18next";
import type { Words } from "./shape";

/** Picks the sentence of the page's language. */
export function usePick(): (words: Words) => string {
  const { i18n } = useTranslation();
  return (words) => (i18n.language.startsWith("zh") ? words.zh : words.en);
}
