// The formats and the rules as the server describes them (`fixtures/formats`), without asking it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { queries } from "../../app/src/api/queries";
import type { RuleCatalogue } from "../../app/src/api/schema";
import { learnFormats } from "../../app/src/components/rules/rules";

const kept = (language: string): RuleCatalogue =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../../fixtures/formats/${language}.json`), "utf8"));

/** The list in each language. */
export const FORMAT_LISTS = { en: kept("en"), zh: kept("zh") };

/** The page has fetched the list in both languages. */
export function haveFormats(): void {
  queries.setQueryData(["formats", "en"], FORMAT_LISTS.en);
  queries.setQueryData(["formats", "zh"], FORMAT_LISTS.zh);
  learnFormats(FORMAT_LISTS.zh);
}
