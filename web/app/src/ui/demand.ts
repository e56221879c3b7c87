// Parts of the page that are fetched when they are first wanted, and again when that failed.

import { useEffect, useReducer, useState } from "react";
import { notifyTrouble } from "./toast";

/** Something that is fetched when it is wanted. */
export interface Demand<T> {
  /** Fetches it; once. */
  load: () => Promise<T>;
  /** What was fetched. */
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
      // Whoever wants it next tries again.
      loading.catch(() => {
        loading = undefined;
      });
      return loading;
    },
  };
  return demand;
}

/**
 * What is fetched once it is wanted, and stays from then on. When it cannot be fetched, the person is told, and
 * `giveUp` takes the wish back.
 */
export function useDemand<T>(demand: Demand<T>, wanted: boolean, giveUp: () => void): T | undefined {
  const [ever, setEver] = useState(wanted);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  if (wanted && !ever) {
    setEver(true);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new wish is a new try, whoever takes it back
  useEffect(() => {
    if (!wanted || demand.known) {
      return;
    }
    let here = true;
    demand.load().then(
      () => here && redraw(),
      (error: unknown) => {
        if (here) {
          notifyTrouble(error);
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
