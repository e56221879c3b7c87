// The user's sessions, and how to end one.

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, done } from "../../api/client";
import { useMe } from "../../api/permissions";
import type { Session } from "../../api/schema";
import { ScopeBadge } from "../../components/people/scope";
import { useTranslation } from "../../i18n";
import { ago, moment } from "../../shell/formatting";
import { useSignOut } from "../../shell/session";
import { Button } from "../../ui/button";
import { Badge, Waiting } from "../../ui/surface";
import { notify, notifyError } from "../../ui/toast";
import { Entries, Entry } from "./collection";
import { OwnPassword } from "./password";
import { Part } from "./section";

/** One's own sessions. */
const sessions = queryOptions({
  queryKey: ["sessions"],
  queryFn: () => done(api.GET("/api/v1/sessions")),
});

export default function Sessions() {
  const { t } = useTranslation();
  const who = useMe();
  const leaving = useSignOut();
  const guest = who?.meeting != null;
  if (who === undefined) {
    return <Waiting />;
  }
  if (who.signed_in_by !== "session") {
    return (
      <Part title={t("settings.part.sessions")}>
        <p className="measure text-dense text-ink-2">
          {who.signed_in_by === "local" ? t("settings.sessions.alone") : t("settings.sessions.token")}
        </p>
      </Part>
    );
  }
  return (
    <Part
      title={t("settings.part.sessions")}
      lead={
        guest
          ? t("settings.sessions.guest", { name: who.name })
          : t("settings.sessions.lead", { name: who.name })
      }
      actions={
        <Button busy={leaving.isPending} onClick={() => leaving.mutate()}>
          {guest ? t("shell.leave") : t("shell.sign_out")}
        </Button>
      }
    >
      {who.meeting && (
        <p className="mb-4">
          <Link
            to="/m/$id"
            params={{ id: who.meeting }}
            className="text-dense text-accent underline underline-offset-2"
          >
            {t("settings.sessions.to_meeting")}
          </Link>
        </p>
      )}
      <List />
      {!guest && <OwnPassword name={who.name} />}
    </Part>
  );
}

function List() {
  const { t } = useTranslation();
  const asked = useQuery(sessions);
  return (
    <Entries asked={asked} label={t("settings.part.sessions")} none={null}>
      {(one) => <Row key={one.id} one={one} />}
    </Entries>
  );
}

/** Browsers as they name themselves, those first that also name others. */
const BROWSERS = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" };

/** A browser and its system, out of what it says of itself; the whole text when nothing is known of it. */
export function browser(agent: string): string {
  const found = Object.entries(BROWSERS).find(([word]) => agent.includes(`${word}/`));
  if (!found) {
    return agent;
  }
  const [word, name] = found;
  const version = new RegExp(`${word}/(\\d+)`).exec(agent)?.[1] ?? "";
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0].replace("Mac OS X", "macOS");
  return [`${name} ${version}`.trim(), system].filter(Boolean).join(" · ");
}

function Row({ one }: { one: Session }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: () =>
      done(api.DELETE("/api/v1/sessions/{session}", { params: { path: { session: one.id } } })),
    onSuccess: () => {
      notify({ text: t("settings.sessions.ended") });
      return queries.invalidateQueries({ queryKey: sessions.queryKey });
    },
    onError: notifyError,
  });
  return (
    <Entry
      head={
        <>
          <span title={one.agent}>{browser(one.agent) || t("settings.sessions.unknown")}</span>
          {one.here && <Badge tone="good">{t("settings.sessions.here")}</Badge>}
          <ScopeBadge scope={one.scope} />
        </>
      }
      facts={t("settings.sessions.when", {
        since: moment(one.created_at),
        used: ago(one.used_at),
        address: one.address,
      })}
    >
      {!one.here && (
        <Button size="small" look="danger" busy={ending.isPending} onClick={() => ending.mutate()}>
          {t("settings.sessions.end")}
        </Button>
      )}
    </Entry>
  );
}
