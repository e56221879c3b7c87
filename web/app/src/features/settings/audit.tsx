// The audit log of this server: who did what, when, and from where.

import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { api, done } from "../../api/client";
import type { AuditEntry as AuditLine } from "../../api/schema";
import i18n, { useTranslation } from "../../i18n";
import { clock, day } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Field, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Badge, Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { MeetingChoice } from "./meeting-choice";
import { Part } from "./section";

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
      <section
        className="overflow-x-auto rounded-2xl border border-line bg-raised"
        tabIndex={0}
        aria-label={t("settings.audit.table")}
      >
        <table className="w-full min-w-xl text-left text-dense">
          <thead>
            <tr className="border-b border-line text-meta text-ink-3 [&_th]:px-3 [&_th]:py-2 [&_th]:font-normal">
              <th scope="col">{t("settings.audit.when")}</th>
              <th scope="col">{t("settings.audit.who")}</th>
              <th scope="col">{t("settings.audit.action")}</th>
              <th scope="col">{t("settings.audit.answer")}</th>
              <th scope="col">{t("settings.audit.address")}</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {lines.map((line, at) => (
              <Line key={`${line.happened_at} ${at}`} line={line} />
            ))}
          </tbody>
        </table>
      </section>
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

/** The details beside the status, as a line. */
export function detailOf(detail: AuditLine["detail"]): { status?: number; rest: string } {
  const all: [string, unknown][] = typeof detail === "object" && detail ? Object.entries(detail) : [];
  const status = all.find(([name]) => name === "status")?.[1];
  const others = all.filter(([name, value]) => name !== "status" && value !== null);
  const say = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return {
    status: typeof status === "number" ? status : undefined,
    rest: others.map(([name, value]) => `${name}: ${say(value)}`).join(" · "),
  };
}

/** An action in words: `meetings.pause.post` paused a meeting. Empty for an action that this page has no words for. */
export function didOf(action: string): string {
  return i18n.find(`settings.audit.did.${action.replace(/\W/g, "_")}`) ?? "";
}

function Line({ line }: { line: AuditLine }) {
  const { t } = useTranslation();
  const { status, rest } = detailOf(line.detail);
  return (
    <tr className="align-top [&_td]:px-3 [&_td]:py-2">
      <td className="whitespace-nowrap tabular-nums">
        {day(line.happened_at)} <span className="text-ink-3">{clock(line.happened_at, true)}</span>
      </td>
      <td className="whitespace-nowrap">
        {line.by.replace(/^user:/, "") || <span className="text-ink-3">{t("settings.audit.nobody")}</span>}
      </td>
      <td>
        {didOf(line.action)} <code className="text-meta text-ink-3">{line.action}</code>
        {line.meeting && (
          <Link
            to="/m/$id"
            params={{ id: line.meeting }}
            className="ml-2 text-meta text-accent underline underline-offset-2"
          >
            {t("settings.audit.to_meeting")}
          </Link>
        )}
        {rest && <span className="block text-meta text-ink-3">{rest}</span>}
      </td>
      <td>
        {status !== undefined && (
          <Badge tone={status < 400 ? "good" : "bad"}>
            {status < 400 ? t("settings.audit.done") : t("settings.audit.refused")} {status}
          </Badge>
        )}
      </td>
      <td className="text-meta whitespace-nowrap text-ink-3">{line.address}</td>
    </tr>
  );
}
