// The outcome of a meeting in a list, in a few words.

import type { Translate } from "../../i18n";
import type { Tone } from "../../ui/surface";

/** An outcome as a list writes it (`accepted`, `aborted(round_limit)`, `aborted(budget: tokens)`) in a few words. */
export function rowOutcome(t: Translate, written: string): { text: string; tone: Tone } {
  const [, kind = written, reason = ""] = /^(\w+)(?:\((.*)\))?$/.exec(written) ?? [];
  switch (kind) {
    case "accepted":
      return { text: t("history.outcome.accepted"), tone: "good" };
    case "converged":
      return { text: t("history.outcome.converged"), tone: "good" };
    case "completed":
      return { text: t("history.outcome.completed"), tone: "plain" };
    default:
      return { text: t(abortKey(reason)), tone: "warn" };
  }
}

function abortKey(reason: string) {
  if (reason.startsWith("round_limit")) return "history.outcome.round_limit";
  if (reason.startsWith("user")) return "history.outcome.user";
  if (reason.startsWith("nobody_left")) return "history.outcome.nobody_left";
  if (/budget|tokens|cost|wall/.test(reason)) return "history.outcome.budget";
  return "history.outcome.aborted";
}
