// The estimate of a meeting, requested while the user fills in the form.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, done } from "../api/client";
import { bodyOf } from "./create-meeting";
import type { MeetingFile } from "./write-meeting-file";

/** How long the form has to stay unchanged before a request. */
export const ESTIMATE_DEBOUNCE_MS = 700;

/** One scenario. */
export interface EstimateScenario {
  calls: number;
  rounds: number;
  tokens: number;
  /** The known part of the cost, in millionths; undefined when no price is known. */
  cost: number | undefined;
  /** All of the cost is known. */
  priced: boolean;
}

/** The estimate: lowest, likely, highest. */
export interface Estimate {
  currency: string;
  least: EstimateScenario;
  likely: EstimateScenario;
  most: EstimateScenario;
  /** Whether the rules set no end. */
  open: boolean;
  /** Models without a known price. */
  unpriced: string[];
  /** Models whose web searches have no known price. */
  unpricedSearches: string[];
  /** The models that were chosen because none was named. */
  chosen: ChosenModel[];
  /** Providers that gave no list of models, and so no seat. */
  leftOut: string[];
}

/** The reasons for choosing a model. */
const MODEL_REASONS = ["variable", "usual", "first", "family", "strong", "largest"] as const;

/** A model that was chosen. */
interface ChosenModel {
  model: string;
  part: "seats" | "lead";
  because: (typeof MODEL_REASONS)[number];
}

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};
const count = (value: unknown) => (typeof value === "number" ? value : 0);

function course(value: unknown): EstimateScenario {
  const one = fields(value);
  return {
    calls: count(one.calls),
    rounds: count(one.rounds),
    tokens: count(one.tokens),
    cost: typeof one.known_cost_micros === "number" ? one.known_cost_micros : undefined,
    priced: one.all_prices_known === true,
  };
}

function chosenModel(value: unknown, part: ChosenModel["part"]): ChosenModel[] {
  const { provider, model, because } = fields(value);
  const why = MODEL_REASONS.find((one) => one === because);
  return typeof provider === "string" && typeof model === "string" && why
    ? [{ model: `${provider}/${model}`, part, because: why }]
    : [];
}

/**
 * The scenario with each of its numbers as the bound of all scenarios: a budget may end the most expensive one after fewer
 * calls than the likely one makes.
 */
function bound(
  own: EstimateScenario,
  all: readonly EstimateScenario[],
  pick: (...of: number[]) => number,
): EstimateScenario {
  const of = (read: (one: EstimateScenario) => number) => pick(...all.map(read));
  const costs = all.flatMap(({ cost }) => cost ?? []);
  return {
    ...own,
    calls: of((one) => one.calls),
    rounds: of((one) => one.rounds),
    tokens: of((one) => one.tokens),
    cost: own.cost === undefined ? undefined : pick(...costs),
  };
}

/** Reads the server's estimate. */
export function readEstimate(answer: unknown): Estimate {
  const all = fields(answer);
  const likely = fields(all.likely);
  const [least, most] = [course(all.least), course(all.most)];
  const courses = [least, course(likely), most];
  const shares = Array.isArray(likely.shares) ? likely.shares.map(fields) : [];
  const chosen = fields(all.chosen);
  const inTurn = Array.isArray(chosen.in_turn) ? chosen.in_turn : [];
  const leftOut = Array.isArray(chosen.left_out) ? chosen.left_out : [];
  const names = (of: Record<string, unknown>[]) => [
    ...new Set(of.map((one) => one.runner).filter((one) => typeof one === "string")),
  ];
  const unpriced = shares.filter((one) => typeof one.cost_micros !== "number");
  const bySearch = (one: Record<string, unknown>) => one.unpriced_searches === true;
  return {
    currency: typeof all.currency === "string" ? all.currency : "USD",
    least: bound(least, courses, Math.min),
    likely: course(likely),
    most: bound(most, courses, Math.max),
    open: fields(all.most).open_ended === true,
    chosen: [...inTurn.flatMap((one) => chosenModel(one, "seats")), ...chosenModel(chosen.lead, "lead")],
    leftOut: leftOut.filter((one) => typeof one === "string"),
    unpriced: names(unpriced.filter((one) => !bySearch(one))),
    unpricedSearches: names(unpriced.filter(bySearch)),
  };
}

/** A value that follows once nothing has changed for a while. */
function useDebouncedForm<T>(value: T, ms = ESTIMATE_DEBOUNCE_MS): T {
  const [calm, setCalm] = useState(value);
  useEffect(() => {
    const later = setTimeout(() => setCalm(value), ms);
    return () => clearTimeout(later);
  }, [value, ms]);
  return calm;
}

/** The estimate of this meeting. No request is made while the file is not `ready`. */
export function useEstimate(file: MeetingFile, ready: boolean) {
  // The words of the background weigh too, so the whole file is the key.
  const text = useDebouncedForm(JSON.stringify(file));
  return useQuery({
    queryKey: ["estimate", text],
    queryFn: async ({ signal }) =>
      readEstimate(
        await done(api.POST("/api/v1/meetings/estimate", { signal, ...bodyOf(JSON.parse(text)) })),
      ),
    enabled: ready && text === JSON.stringify(file),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
}
