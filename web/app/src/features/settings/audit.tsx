// The audit log of this server: who did what, when, and from where.

import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { api, done } from "../../api/client";
import type { AuditEntry as AuditLine } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { clock, day } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Field, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Badge, Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { detailOf, didOf, fromOf } from "./audit-words";
import { MeetingChoice } from "./meeting-choice";
import { LIST, Part } from "./section";

/** Common filters; a dot at the end matches a prefix. */
const ACTIONS = [
  "",
  "sign_in.",
  "sign_in.refused",
  "guest.",
  "meetings.",
  "tokens.",
  "accounts.",
  "providers.",
  "agents.",
  "settings.",
] as const;

const SINCE = ["all", "1", "7", "30"] as const;

interface Filter {
  who: string;
  action: string;
  meeting: string | null;
  from: number | undefined;
}

export default function Audit() {
  const { t } = useTranslation();
  const [who, setWho] = useState("");
  const [action, setAction] = useState<(typeof ACTIONS)[number]>("");
  const [meeting, setMeeting] = useState<string | null>(null);
  const [since, setSince] = useState<{ days: (typeof SINCE)[number]; from?: number }>({ days: "all" });
  const name = useDeferredValue(who.trim());
  const choose = (days: (typeof SINCE)[number]) =>
    setSince({ days, from: days === "all" ? undefined : Date.now() - Number(days) * 86_400_000 });
  return (
    <Part title={t("settings.part.audit")} lead={t("settings.audit.lead")} need="owner">
      <div className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Field label={t("settings.audit.who")}>
          <TextInput
            type="search"
            value={who}
            onChange={(event) => setWho(event.currentTarget.value)}
            placeholder={t("settings.audit.anybody")}
          />
        </Field>
        <Field label={t("settings.audit.action")}>
          <Select
            value={action}
            onChange={setAction}
            choices={ACTIONS.map((value) => ({
              value,
              label: t(`settings.audit.actions.${actionKey(value)}`),
            }))}
          />
        </Field>
        <Field label={t("settings.audit.meeting")}>
          <MeetingChoice value={meeting} onChange={setMeeting} />
        </Field>
        <Field label={t("settings.audit.since")}>
          <Select
            value={since.days}
            onChange={choose}
            choices={SINCE.map((value) => ({ value, label: t(`settings.audit.days.${value}`) }))}
          />
        </Field>
      </div>
      <Lines filter={{ who: name, action, meeting, from: since.from }} />
    </Part>
  );
}

/** The word under which an action of the filter is named. */
function actionKey<T extends (typeof ACTIONS)[number]>(action: T) {
  const keys = {
    "": "all",
    "sign_in.": "sign_in",
    "sign_in.refused": "refused",
    "guest.": "guest",
    "meetings.": "meetings",
    "tokens.": "tokens",
    "accounts.": "accounts",
    "providers.": "providers",
    "agents.": "agents",
    "settings.": "settings",
  } as const;
  return keys[action];
}

function Lines({ filter }: { filter: Filter }) {
  const { t } = useTranslation();
  const asked = useInfiniteQuery({
    queryKey: ["audit", filter],
    queryFn: ({ pageParam }) =>
      done(
        api.GET("/api/v1/audit", {
          params: {
            query: {
              // A person is `user:ada` in the log; `ada` is what one types.
              by: filter.who ? (filter.who.includes(":") ? filter.who : `user:${filter.who}`) : undefined,
              action: filter.action || undefined,
              meeting: filter.meeting ?? undefined,
              from: filter.from,
              cursor: pageParam,
            },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  if (asked.isPending) {
    return <Waiting />;
  }
  if (asked.error && !asked.data) {
    return <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} />;
  }
  const lines = asked.data?.pages.flatMap((page) => page.items) ?? [];
  if (lines.length === 0) {
    const filtered = filter.who !== "" || filter.action !== "" || filter.meeting !== null || filter.from;
    return filtered ? (
      <Empty title={t("settings.audit.none")}>{t("settings.audit.none_text")}</Empty>
    ) : (
      <Empty title={t("settings.audit.empty")}>{t("settings.audit.empty_text")}</Empty>
    );
  }
  return (
    <>
      <ul className={LIST} aria-label={t("settings.audit.list")}>
        {lines.map((line, at) => (
          <Line key={`${line.happened_at} ${at}`} line={line} />
        ))}
      </ul>
      {asked.error && <ErrorNotice error={asked.error} compact />}
      {asked.hasNextPage && (
        <div className="mt-3 text-center">
          <Button busy={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
            {t("settings.audit.older")}
          </Button>
        </div>
      )}
    </>
  );
}

/** The columns beside each other; on a phone what was done stands above who did it, and when. */
const COLUMNS =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 px-4 py-3 text-dense lg:grid-cols-[11rem_7rem_minmax(0,1fr)_auto]";

function Line({ line }: { line: AuditLine }) {
  const { t } = useTranslation();
  const { status, rest } = detailOf(line.detail);
  const did = didOf(line.action);
  return (
    <li className={COLUMNS}>
      <div className="col-span-2 row-start-2 flex flex-wrap gap-x-3 text-meta lg:contents lg:text-dense">
        <p className="order-2 whitespace-nowrap text-ink-3 tabular-nums lg:order-none lg:text-ink">
          {day(line.happened_at)} <span className="text-ink-3">{clock(line.happened_at, true)}</span>
        </p>
        <p className="min-w-0 break-words">
          {line.by.replace(/^user:/, "") || <span className="text-ink-3">{t("settings.audit.nobody")}</span>}
        </p>
      </div>
      <div className="row-start-1 min-w-0 lg:row-auto">
        <p className="break-words">
          {did || <code className="text-meta">{line.action}</code>}
          {line.meeting && (
            <Link
              to="/m/$id"
              params={{ id: line.meeting }}
              className="ml-2 text-meta text-accent underline underline-offset-2"
            >
              {t("settings.audit.to_meeting")}
            </Link>
          )}
        </p>
        <p className="text-meta break-words text-ink-3">
          {[rest, fromOf(line.address)].filter(Boolean).join(" · ")}
          {did && (
            <>
              {" · "}
              <code>{line.action}</code>
            </>
          )}
        </p>
      </div>
      <p className="row-start-1 lg:row-auto">{status !== undefined && <Answer status={status} />}</p>
    </li>
  );
}

/** How it ended: done, refused by the server, or failed in it. */
function Answer({ status }: { status: number }) {
  const { t } = useTranslation();
  // 499: it was broken off, by the caller or by the end of the program.
  const how = status < 400 ? "done" : status < 499 ? "refused" : "failed";
  return <Badge tone={how === "done" ? "good" : "bad"}>{t(`settings.audit.${how}`, { status })}</Badge>;
}
