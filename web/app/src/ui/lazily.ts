// Parts of the page that are fetched when they are first wanted, and again when that failed.

import { type ComponentType, lazy } from "react";
import { problemOf } from "../api/client";
import i18n, { allTexts, meetingTexts } from "../i18n";
import { retry } from "./retry";
import { notify } from "./toast";

/**
 * A part that is fetched when it is first drawn, with its texts. It is waited for while it cannot be, and all else stays as
 * it is.
 */
// biome-ignore lint/suspicious/noExplicitAny: as React has it; every component fits
export function lazily<T extends ComponentType<any>>(
  fetch: () => Promise<{ default: T }>,
  /** Whether it says no more than the first page does, or a meeting. */
  says: keyof typeof TEXTS = "all",
) {
  return lazy(() => retry(async () => (await Promise.all([fetch(), TEXTS[says]()]))[0], tellToReload));
}

const TEXTS = { first: () => undefined, meeting: meetingTexts, all: allTexts };

function tellToReload(error: unknown): void {
  const { detail, hint } = problemOf(error);
  const action = { label: i18n.t("problem.reload"), onSelect: () => location.reload() };
  notify({ bad: true, text: detail, more: hint, action });
}
