// The formats and the rules as the server describes them, in the language of the page.

import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api, done } from "../../api/client";
import { queries } from "../../api/queries";
import type { RuleCatalogue, RuleUnitView } from "../../api/schema";
import i18n, { useTranslation } from "../../i18n";
import { count } from "../../shell/formatting";
import { SCORE_SCALE } from "../ballot/vote";
import { learnFormats, type RuleField } from "./rules";

/** The list in a language of the page. */
const formatsIn = (language: string) => {
  const lang = language === "en" ? "en" : "zh";
  return queryOptions({
    queryKey: ["formats", lang],
    queryFn: async (): Promise<RuleCatalogue> => {
      const list = await done(api.GET("/api/v1/formats", { params: { query: { lang } } }));
      learnFormats(list);
      return list;
    },
    // They are those of the program.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
};

/** Fetches the list. While another language is fetched, the texts stay as they are. */
export function useRuleCatalogue() {
  const { i18n } = useTranslation();
  return useQuery({ ...formatsIn(i18n.language), placeholderData: keepPreviousData }, queries);
}

/** Fetches the list for what is not drawn. */
export async function fetchRuleCatalogue(): Promise<void> {
  await queries.ensureQueryData(formatsIn(i18n.language));
}

const NONE: RuleCatalogue = {
  formats: [],
  groups: [],
  fields: [],
  clauses: [],
  modes: [],
  score_scale: SCORE_SCALE,
};

/** The list on a page that has waited for it. */
export function useFormats(): RuleCatalogue {
  return useRuleCatalogue().data ?? NONE;
}

/** The field at a path, with its texts. */
export function useRuleField(path: string): RuleField | undefined {
  return useFormats().fields.find((field) => field.path === path);
}

/** A number with its unit: `3 minutes`, `1 minute`. */
export function amountOf(n: number, unit: RuleUnitView | null): string {
  return unit ? `${count(n)} ${n === 1 ? unit.one : unit.other}` : count(n);
}

/** The least and the most of a number, in the unit in which it is shown: whole seconds, a share in hundredths. */
export function rangeOf({ type, minimum, maximum, unit }: RuleField): { min: number; max: number } {
  const [least, most] = [minimum ?? 0, maximum ?? 0];
  if (type === "share") {
    return { min: least * 100, max: most * 100 };
  }
  const scale = unit?.scale ?? 1;
  const [min, max] = [least / scale, most / scale];
  return unit?.name === "money" ? { min, max } : { min: Math.ceil(min), max: Math.floor(max) };
}
