// The few phrases that a view carries in the meeting's own language, as the core words them. The page speaks its
// reader's language instead, from its own texts.
import type { Actor, Language, MeetingOutcome } from "../../api/schema";
import type { View } from "../view";
import { personName } from "./at-table";

const PHASES: Record<View["phase"]["phase"] | "paused", Record<Language, string>> = {
  blank: { zh: "草稿", en: "draft" },
  draft: { zh: "草稿", en: "draft" },
  paused: { zh: "已暂停", en: "paused" },
  preparation: { zh: "准备中", en: "preparing" },
  discussion: { zh: "讨论中", en: "discussion" },
  summary: { zh: "总结中", en: "summing up" },
  ballot: { zh: "表决中", en: "ballot" },
  facilitation: { zh: "收敛中", en: "facilitation" },
  closing: { zh: "撰写结论", en: "closing" },
  ended: { zh: "已结束", en: "ended" },
};

const CONVERGED = {
  artifacts: { zh: "交付物齐备，讨论收敛", en: "converged: the artifacts are there" },
  few_open_points: { zh: "分歧与未决问题已足够少，讨论收敛", en: "converged: few points are left open" },
  stable_recommendation: { zh: "建议不再变化，讨论收敛", en: "converged: recommendations no longer change" },
};

const BUDGETS = {
  tokens: { zh: "token", en: "token" },
  cost: { zh: "费用", en: "money" },
  wall_time: { zh: "时间", en: "time" },
};

/** The phase in words. */
export function phaseText(v: View): string {
  const phase = v.phase.phase;
  const begun = phase !== "blank" && phase !== "draft";
  return PHASES[v.pause && begun ? "paused" : phase][v.language];
}

/** The outcome, or the one it is closing with, in a sentence. */
export function outcomeText(
  v: Pick<View, "language" | "people">,
  outcome: MeetingOutcome,
  ended?: { by: Actor; note: string } | null,
): string {
  const pick = (zh: string, en: string) => (v.language === "zh" ? zh : en);
  if (
    ended &&
    (outcome.outcome === "completed" || (outcome.outcome === "aborted" && outcome.reason === "user"))
  ) {
    const who = ended.by.kind === "person" ? personName(v, ended.by) : pick("用户", "a person");
    const note = ended.note && pick(`：${ended.note}`, `: ${ended.note}`);
    return pick(`由 ${who} 结束`, `ended by ${who}`) + note;
  }
  switch (outcome.outcome) {
    case "accepted": {
      const number = outcome.ballot.slice(1);
      return pick(`第 ${number} 次表决通过`, `accepted by ballot ${number}`);
    }
    case "completed":
      return pick("讨论完成", "the discussion is complete");
    case "converged":
      return CONVERGED[outcome.by][v.language];
    case "aborted":
      switch (outcome.reason) {
        case "round_limit":
          return pick("达到轮次上限，未达成一致", "the round limit was reached without consensus");
        case "budget": {
          const name = BUDGETS[outcome.budget][v.language];
          return pick(`${name}预算已用尽，未达成一致`, `the ${name} budget was used up without consensus`);
        }
        case "user":
          if (!outcome.note) return pick("由用户结束", "ended by the user");
          return pick(`由用户结束：${outcome.note}`, `ended by the user: ${outcome.note}`);
        case "nobody_left":
          return pick("所有参会者都已离开", "nobody is left at the table");
      }
  }
}
