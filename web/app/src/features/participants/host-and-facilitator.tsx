// The moderator and the facilitator.

import { nameOf, useTable } from "../../components/meeting-page/context";
import { Avatar, FacilitatorAvatar } from "../../components/speaker/avatar";
import { runnerLabelIn } from "../../components/speaker/runner-label";
import { useTranslation } from "../../i18n";
import { short } from "../../shell/formatting";

/** The moderator, when it is a participant and not the person who asked. */
export function HostRow() {
  const { t } = useTranslation();
  const { view } = useTable();
  if (view.moderator.type !== "agent") {
    return null;
  }
  return (
    <div className="flex items-center gap-2.5 px-2 py-1.5">
      <Avatar view={view} id={view.moderator.id} />
      <div className="min-w-0">
        <div className="text-dense break-words">{nameOf(view, view.moderator.id)}</div>
        <div className="text-meta text-ink-3">{t("table.rail.host")}</div>
      </div>
    </div>
  );
}

/** The facilitator. */
export function FacilitatorRow() {
  const { t } = useTranslation();
  const { view } = useTable();
  const facilitator = view.facilitator;
  const name = t("table.rail.facilitator");
  const task = Object.keys(view.calls).find((one) => !/^(speak|vote):/.test(one));
  const what = task?.split(":")[0];
  if (!facilitator) {
    return <p className="px-2 text-meta text-ink-3">{t("table.rail.no_facilitator")}</p>;
  }
  return (
    <div className="flex items-center gap-2.5 px-2 py-1.5">
      <FacilitatorAvatar name={name} />
      <div className="min-w-0">
        <div className="text-dense break-words">{name}</div>
        <div className="text-meta break-words text-ink-3">
          {isTask(what) ? (
            <span className="text-calm">{t(`table.task.${what}`)}</span>
          ) : (
            `${runnerLabelIn(view, facilitator.runner)} · ${short(tokens(view.facilitator_spent.usage))}`
          )}
        </div>
      </div>
    </div>
  );
}

const TASKS = [
  "summarize",
  "facilitate",
  "conclude",
  "intake",
  "team",
  "evaluate",
  "invite",
  "minutes",
  "artifact",
] as const;

function isTask(what: string | undefined): what is (typeof TASKS)[number] {
  const known: readonly (string | undefined)[] = TASKS;
  return known.includes(what);
}

/** All tokens that were used. */
export function tokens(usage: { input_tokens: number; output_tokens: number }): number {
  return usage.input_tokens + usage.output_tokens;
}
