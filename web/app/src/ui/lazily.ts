// Parts of the page that are fetched when they are first wanted, and again when that failed.

import { type ComponentType, lazy, useEffect, useReducer, useState } from "react";
import { problemOf } from "../api/client";
import i18n from "../i18n";
import { retry } from "./retry";
import { notify, notifyError } from "./toast";

/** A part that is fetched when it is first drawn. It is waited for while it cannot be, and all else stays as it is. */
// biome-ignore lint/suspicious/noExplicitAny: as React has it; every component fits
export function lazily<T extends ComponentType<any>>(fetch: () => Promise<{ default: T }>) {
  return lazy(() => retry(fetch, tellToReload));
}

function tellToReload(error: unknown): void {
  const { detail, hint } = problemOf(error);
  const action = { label: i18n.t("problem.reload"), onSelect: () => location.reload() };
  notify({ bad: true, text: detail, more: hint, action });
}

/** Something that is fetched when it is wanted. */
export interface Demand<T> {
  /** Fetches it; once. */
  load: () => Promise<T>;
  /** The loaded module. */
  known?: T;
}

/** Something to be fetched when it is wanted. */
export function onDemand<T>(fetch: () => Promise<T>): Demand<T> {
  let loading: Promise<T> | undefined;
  const demand: Demand<T> = {
    load: () => {
      loading ??= fetch().then((known) => {
        demand.known = known;
        return known;
      });
      // The next use tries again.
      loading.catch(() => {
        loading = undefined;
      });
      return loading;
    },
  };
  return demand;
}

/**
 * Loads a module once it is wanted, and keeps it from then on. When that fails, the user is told, and `giveUp`
 * cancels the request.
 */
export function useDemand<T>(demand: Demand<T>, wanted: boolean, giveUp: () => void): T | undefined {
  const [ever, setEver] = useState(wanted);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  if (wanted && !ever) {
    setEver(true);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new request is a new attempt
  useEffect(() => {
    if (!wanted || demand.known) {
      return;
    }
    let here = true;
    demand.load().then(
      () => here && redraw(),
      (error: unknown) => {
        if (here) {
          notifyError(error);
          giveUp();
        }
      },
    );
    return () => {
      here = false;
    };
  }, [demand, wanted]);
  return ever ? demand.known : undefined;
}
