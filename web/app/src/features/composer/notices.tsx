// Notices above the composer: the present effect of a message, and messages that are being sent.

import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useEffect } from "react";
import { useMe } from "../../api/permissions";
import { useTranslation } from "../../i18n";
import { personName } from "../../meeting/fold/people-at-table";
import { useMeeting } from "../../meeting/hooks";
import { isHostOf, peopleHost } from "../../meeting/host";
import { excerpt } from "../../meeting/references";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";
import type { Sending } from "./outbox";
import type { useSending } from "./use-sending";

/** Before something is said: what it does to a ballot that is open, and who answers where a host gives the floor. */
export function Notices({ command, typed }: { command: boolean; typed: boolean }) {
  const { t } = useTranslation();
  const voting = useMeeting((shown) => shown.view?.ballots.at(-1)?.state === "open");
  const rule = useMeeting((shown) => shown.view?.rules.decision.on_steering ?? "interrupt");
  const own = useMe()?.person;
  const hosted = useMeeting(({ view }) => view !== null && view.state !== "draft" && peopleHost(view));
  const otherHost = useMeeting(({ view }) =>
    view?.host_person && !isHostOf(view, own)
      ? personName(view, view.host_person, t("talk.actor_person_too"))
      : null,
  );
  if (command) {
    return null;
  }
  if (voting && typed) {
    return rule === "interrupt" ? (
      <p role="status" className="mb-1.5 flex gap-1.5 px-1 text-meta text-warn">
        <TriangleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
        {t("talk.interrupts")}
      </p>
    ) : (
      <p role="status" className="mb-1.5 px-1 text-meta text-ink-3">
        {t("talk.queues")}
      </p>
    );
  }
  return hosted ? (
    <p className="mb-1.5 px-1 text-meta text-ink-3">
      {otherHost === null ? t("talk.hosted") : t("talk.hosted_by", { name: otherHost })}
    </p>
  ) : null;
}

interface Props {
  sending: ReturnType<typeof useSending>;
  /** Puts words that could not be sent back into the box. */
  onTakeBack: (content: string) => void;
  /** The box is empty. */
  free: boolean;
}

/** Words that have not appeared yet. */
export function UnsentMessages({ sending, onTakeBack, free }: Props) {
  return (
    <ul className="flex flex-col gap-1">
      {sending.all.map((one) => (
        <OneOnItsWay key={one.key} one={one} sending={sending} onTakeBack={onTakeBack} free={free} />
      ))}
    </ul>
  );
}

function OneOnItsWay({ one, sending, onTakeBack, free }: Props & { one: Sending }) {
  const { t } = useTranslation();
  const { problem } = one;
  useEffect(() => {
    if (problem) {
      document.getElementById(`sending-${one.key}`)?.focus();
    }
  }, [problem, one.key]);
  return (
    <li className="mb-1 rounded-xl bg-sunken px-3 py-1.5 text-meta text-ink-2">
      <p className="truncate">{excerpt(one.content, 120)}</p>
      {problem || one.left ? (
        <div role="alert" className="flex flex-wrap items-center gap-2">
          <span className={cx("min-w-0 flex-1", problem ? "text-bad" : "text-warn")}>
            {problem
              ? `${t("talk.not_sent")} ${problem.detail || problem.title} ${problem.hint ?? ""}`
              : t("talk.left_sending")}
          </span>
          <Button id={`sending-${one.key}`} size="small" onClick={() => sending.again(one)}>
            {t("problem.retry")}
          </Button>
          <Button
            size="small"
            look="quiet"
            disabled={!free}
            onClick={() => {
              onTakeBack(one.content);
              sending.drop(one.key);
            }}
          >
            {t("talk.take_back")}
          </Button>
        </div>
      ) : (
        <p className="text-ink-3">{t("talk.sending")}</p>
      )}
    </li>
  );
}
