// The state of the connection to the server, while it is not up.

import Check from "lucide-react/icons/check";
import CloudOff from "lucide-react/icons/cloud-off";
import Hourglass from "lucide-react/icons/hourglass";
import RefreshCw from "lucide-react/icons/refresh-cw";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { serverNow } from "../../api/clock";
import type { Problem, ProviderWait } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { pauseAfter } from "../../components/meeting-page/provider-pause";
import { useMeetingActions } from "../../components/meeting-page/start-pause-resume";
import { useTranslation } from "../../i18n";
import { is } from "../../meeting/event-types";
import { useMeeting, useMeetingStore } from "../../meeting/hooks";
import type { Snapshot } from "../../meeting/snapshot";
import { clock, span } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";

/** A short silence is nothing to speak of. */
const NOTICE_AFTER_MS = 1_500;

/** How long after reconnecting all missed events have arrived. */
const SETTLED_MS = 800;
/** How long the notice about a restored connection stays. */
const BACK_MS = 6_000;

/** Says what is wrong with the connection, and since when; and that it is back. While all is well it says nothing. */
export function ConnectionBar() {
  const { t } = useTranslation();
  const store = useMeetingStore();
  const connection = useMeeting((shown) => shown.connection);
  const since = useMeeting((shown) => shown.since);
  const problem = useMeeting((shown) => shown.journalProblem);
  const wait = useMeeting((shown) => shown.view?.provider_wait);
  const ready = useMeeting((shown) => shown.status === "ready");
  const late = useLate(connection === "connecting", since);
  const back = useBack(connection, ready);
  const damage = useMeeting((shown) => shown.view?.damage ?? null);
  const outdated = useMeeting((shown) => shown.outdated);
  if (!ready) {
    return null;
  }
  if (outdated) {
    return (
      <Bar tone="warn" icon={<RefreshCw size={14} aria-hidden />}>
        <span data-testid="outdated" className="min-w-48 flex-1 sm:flex-none">
          {t("talk.outdated")}
        </span>
        <Button size="small" onClick={() => location.reload()}>
          {t("problem.reload")}
        </Button>
      </Bar>
    );
  }
  if (damage) {
    const { event, last_seq: last } = damage;
    return (
      <Bar tone="warn" icon={<TriangleAlert size={14} aria-hidden />}>
        {t("talk.damaged", { event, count: Math.max(last, event) - event + 1 })}
      </Bar>
    );
  }
  if (connection === "lost") {
    return (
      <Bar tone="warn" icon={<CloudOff size={14} aria-hidden />}>
        <span className="min-w-48 flex-1 sm:flex-none">{t("talk.lost", { since: clock(since, true) })}</span>
        <NextTry />
        <Button size="small" onClick={() => store.retryNow()}>
          <RefreshCw size={13} aria-hidden />
          {t("talk.retry_now")}
        </Button>
      </Bar>
    );
  }
  if (connection === "connecting" && late) {
    return (
      <Bar tone="plain" icon={<RefreshCw size={14} aria-hidden />}>
        {t("talk.connecting")}
      </Bar>
    );
  }
  if (problem?.type?.endsWith("quarantined")) {
    return <Quarantined problem={problem} />;
  }
  if (problem) {
    return (
      <Bar tone="warn" icon={<TriangleAlert size={14} aria-hidden />}>
        {t("talk.journal_problem")} {problem.detail}
      </Bar>
    );
  }
  if (wait) {
    return <ProviderWaits wait={wait} />;
  }
  if (back) {
    return (
      <Bar tone="good" icon={<Check size={14} aria-hidden />}>
        {back.missed === "far"
          ? t("talk.reconnected_far")
          : back.missed === 0
            ? t("talk.reconnected_quiet")
            : t("talk.reconnected", { count: back.missed })}
        {back.restarted && ` ${t("talk.reconnected_restarted")}`}
      </Bar>
    );
  }
  return null;
}

/** The meeting failed again and again: what helps, and the way to have it tried once more. */
function Quarantined({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  const { id, may } = useTable();
  const meetingActions = useMeetingActions();
  return (
    <Bar tone="warn" icon={<TriangleAlert size={14} aria-hidden />}>
      <span className="min-w-48 flex-1 sm:flex-none">
        {problem.detail} {problem.hint}
      </span>
      {may.manage && (
        <a
          href={`/api/v1/meetings/${encodeURIComponent(id)}/diagnostics`}
          download={`quorate-diagnostics-${id}.json`}
          title={t("talk.diagnostics_title")}
          data-testid="diagnostics"
          className="underline underline-offset-4"
        >
          {t("talk.diagnostics")}
        </a>
      )}
      {may.manage && (
        <Button size="small" disabled={meetingActions.busy} onClick={() => void meetingActions.resume()}>
          <RefreshCw size={13} aria-hidden />
          {t("talk.resume_stopped")}
        </Button>
      )}
    </Bar>
  );
}

/** The wait while no provider is reachable: its name, the time of the next attempt, and where it may be tried now, how. */
function ProviderWaits({ wait }: { wait: ProviderWait }) {
  const { t } = useTranslation();
  const { may } = useTable();
  const meetingActions = useMeetingActions();
  const { by, until } = useMeeting(providerPause, isSamePause);
  // Before the time that a provider asked for, it would refuse again.
  const isClosed = useIsBefore(until) && by === "provider";
  const values = { names: wait.waiting_for.join(t("ui.comma")), at: clock(wait.next_try_at, true) };
  return (
    <Bar tone="warn" icon={<Hourglass size={14} aria-hidden />}>
      <span className="min-w-48 flex-1 sm:flex-none">
        {t(isClosed ? "talk.provider_closed" : "talk.provider_waits", values)}
      </span>
      {may.manage && !isClosed && (
        <Button size="small" disabled={meetingActions.busy} onClick={() => void meetingActions.resume()}>
          <RefreshCw size={13} aria-hidden />
          {t("talk.retry_now")}
        </Button>
      )}
    </Bar>
  );
}

/** Until when the provider for which the meeting waits is not asked, in milliseconds since 1970, and who wants that. */
interface PauseUntil {
  by: "provider" | "quorate" | undefined;
  until: number;
}

function providerPause({ lines }: Snapshot): PauseUntil {
  const begun = lines.findLast((line) => is(line, "provider_wait_started"));
  if (!begun || !is(begun, "provider_wait_started")) {
    return { by: undefined, until: 0 };
  }
  const pause = pauseAfter(begun.payload.detail);
  return { by: pause?.by, until: pause ? begun.ts_ms + pause.seconds * 1_000 : 0 };
}

function isSamePause(one: PauseUntil, other: PauseUntil): boolean {
  return one.by === other.by && one.until === other.until;
}

/** Whether a time of the server is still to come. */
function useIsBefore(until: number): boolean {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    setNow(serverNow());
    const timer = setTimeout(() => setNow(serverNow()), Math.max(0, until - serverNow()));
    return () => clearTimeout(timer);
  }, [until]);
  return now < until;
}

/** The countdown to the next attempt. */
function NextTry() {
  const { t } = useTranslation();
  const at = useMeeting((shown) => shown.nextTry);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = at === null ? undefined : setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [at]);
  const left = at === null ? 0 : Math.ceil((at - now) / 1_000);
  return (
    <span aria-hidden className="tabular-nums">
      {left > 0 ? t("talk.lost_next", { span: span(left * 1_000) }) : t("talk.lost_trying")}
    </span>
  );
}

/** The result of a restored connection. */
interface Back {
  /** The number of missed lines; `far` when they are not loaded. */
  missed: number | "far";
  restarted: boolean;
}

/** The notice after a loss of the connection, for a while. */
function useBack(connection: Snapshot["connection"], ready: boolean): Back | null {
  const store = useMeetingStore();
  const [back, setBack] = useState<Back | null>(null);
  const lostAt = useRef<number | null>(null);
  useEffect(() => {
    if (ready && connection === "lost") {
      lostAt.current ??= store.snapshot().view?.last_seq ?? null;
    }
    setBack(null);
    const from = lostAt.current;
    if (from === null || (connection !== "live" && connection !== "over")) {
      return;
    }
    const told = setTimeout(() => {
      lostAt.current = null;
      setBack(missedSince(store.snapshot(), from));
    }, SETTLED_MS);
    const gone = setTimeout(() => setBack(null), SETTLED_MS + BACK_MS);
    return () => {
      clearTimeout(told);
      clearTimeout(gone);
    };
  }, [store, connection, ready]);
  return back;
}

function missedSince({ lines, hasOlder, hasNewer }: Snapshot, seq: number): Back {
  const missed = lines.filter((line) => line.seq > seq);
  const far = hasNewer || (hasOlder && missed.length === lines.length);
  return {
    missed: far ? "far" : missed.length,
    restarted: missed.some((line) => line.type === "recovered"),
  };
}

function useLate(waiting: boolean, since: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!waiting) {
      return;
    }
    const timer = setTimeout(() => setLate(true), Math.max(0, since + NOTICE_AFTER_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [waiting, since]);
  return waiting && late;
}

const TONES = {
  warn: "bg-warn-soft text-warn",
  plain: "bg-sunken text-ink-2",
  good: "bg-good-soft text-good",
};

function Bar({
  tone,
  icon,
  children,
}: {
  tone: "warn" | "plain" | "good";
  icon: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      role="status"
      className={cx(
        "flex min-h-9 shrink-0 flex-wrap items-center justify-center gap-2 px-4 py-1 text-meta",
        TONES[tone],
      )}
    >
      {icon}
      {children}
    </div>
  );
}
