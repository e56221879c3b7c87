// Parts of the page that are fetched when they are first wanted, and again when that failed.

import { type ComponentType, lazy } from "react";
import { problemOf } from "../api/client";
import i18n from "../i18n";
import { retry } from "./retry";
import { notify } from "./toast";

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
