// Agents that connect themselves: a token for one, the lines for its editor, and those that have registered.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Copy from "lucide-react/icons/copy";
import Plug from "lucide-react/icons/plug";
import { useState } from "react";
import { api, done } from "../../api/client";
import { formErrors } from "../../api/form-errors";
import { agents } from "../../api/queries";
import type { AgentEntry, CreatedToken, LivePresence, NewToken } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { ago } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { copy } from "../../ui/copy";
import { Field, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Badge, type Tone } from "../../ui/surface";
import { CreateForm, Entries, Entry } from "./collection";
import { CLIENTS, type ClientName, FILES, lines, NO_TOKEN } from "./connect-lines";
import { useLocaleNames } from "./locale-names";
import { tokens } from "./queries";
import { Part } from "./section";

export default function Connect() {
  const { t } = useTranslation();
  const [made, setMade] = useState<CreatedToken>();
  return (
    <Part title={t("settings.part.connect")} lead={t("settings.connect.lead")} need="manage">
      <div className="flex flex-col gap-6">
        <Make made={made} onMade={setMade} />
        <Lines token={made?.token} />
        <section aria-labelledby="connected-agents">
          <h3 id="connected-agents" className="mb-2 text-dense font-semibold">
            {t("settings.connect.agents")}
          </h3>
          <Registered />
        </section>
      </div>
    </Part>
  );
}

const DUTIES = ["speak", "manage"] as const;
type Duty = (typeof DUTIES)[number];

function Make({ made, onMade }: { made: CreatedToken | undefined; onMade: (made: CreatedToken) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Duty>("speak");
  const making = useMutation({
    mutationFn: (body: NewToken) => done(api.POST("/api/v1/tokens", { body })),
    onSuccess: (token) => {
      onMade(token);
      void queries.invalidateQueries({ queryKey: tokens.queryKey });
    },
  });
  const { at, rest } = formErrors(making.error, ["name", "agent", "scope"]);
  return (
    <CreateForm
      title={t("settings.connect.new")}
      action={t("settings.tokens.make")}
      error={rest}
      busy={making.isPending}
      onSubmit={() => making.mutate({ name: name.trim(), agent: name.trim(), scope })}
      created={
        made && (
          <p role="status" className="text-dense text-ink-2">
            {t("settings.connect.made", { name: made.name })}
          </p>
        )
      }
    >
      <Field
        label={t("settings.connect.name")}
        hint={t("settings.connect.name_hint")}
        error={at.name ?? at.agent}
        required
      >
        <TextInput
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={50}
          required
        />
      </Field>
      <Field label={t("settings.connect.duty")} error={at.scope}>
        <Select
          value={scope}
          onChange={setScope}
          choices={DUTIES.map((value) => ({ value, label: t(`settings.connect.duties.${value}`) }))}
        />
      </Field>
    </CreateForm>
  );
}

/** The lines for one editor, with the address of this server and the token when there is one. */
function Lines({ token }: { token: string | undefined }) {
  const { t, i18n } = useTranslation();
  const [client, setClient] = useState<ClientName>("claude");
  const text = lines(client, window.location.origin, token ?? NO_TOKEN, i18n.language);
  const file = FILES[client];
  return (
    <section aria-labelledby="connect-lines" className="flex flex-col gap-3">
      <h3 id="connect-lines" className="text-dense font-semibold">
        {t("settings.connect.lines")}
      </h3>
      <Field label={t("settings.connect.client")}>
        <Select
          value={client}
          onChange={setClient}
          choices={CLIENTS.map((value) => ({ value, label: t(`settings.connect.clients.${value}`) }))}
        />
      </Field>
      <p className="text-dense text-ink-2">
        {[
          file === null
            ? t("settings.connect.run")
            : t(client === "codex" ? "settings.connect.into_codex" : "settings.connect.into", { file }),
          ...(token === undefined ? [t("settings.connect.no_token")] : []),
        ].join(i18n.language === "en" ? " " : "")}
      </p>
      <div className="flex flex-col items-end gap-1 rounded-xl border border-line bg-sunken p-2 sm:flex-row sm:items-start">
        <pre
          tabIndex={0}
          data-testid="connect-lines"
          className="w-full min-w-0 flex-1 overflow-x-auto p-2 font-mono text-meta text-ink"
        >
          {text}
        </pre>
        <Button size="small" className="shrink-0" onClick={() => void copy(text)}>
          <Copy size={14} aria-hidden />
          {t("ui.copy")}
        </Button>
      </div>
      <p className="measure text-dense text-ink-2">{t("settings.connect.then")}</p>
    </section>
  );
}

const TONE: Record<LivePresence, Tone> = { online: "good", busy: "warn", offline: "plain" };

function Registered() {
  const { t } = useTranslation();
  const listed = useQuery({ ...agents, refetchInterval: 10_000 });
  return (
    <Entries
      asked={listed}
      label={t("settings.connect.agents")}
      only={(agent) => agent.profile != null}
      none={{
        icon: <Plug size={26} aria-hidden />,
        title: t("settings.connect.none"),
        text: t("settings.connect.none_text"),
      }}
    >
      {(agent) => <Row key={agent.id} agent={agent} />}
    </Entries>
  );
}

function Row({ agent }: { agent: AgentEntry }) {
  const { t } = useTranslation();
  const { language, zone } = useLocaleNames();
  const { profile, presence, last_seen_at: seen } = agent;
  const there = presence ?? "offline";
  return (
    <Entry
      head={
        <>
          <span className="font-medium">{agent.name}</span>
          <Badge tone={TONE[there]}>{t(`settings.connect.presence.${there}`)}</Badge>
          <span className="text-ink-3">{agent.role.name}</span>
          {profile?.capabilities.map((one) => (
            <Badge key={one}>{one}</Badge>
          ))}
        </>
      }
      text={agent.role.description}
      facts={[
        there !== "offline"
          ? ""
          : seen === null
            ? t("settings.connect.unseen")
            : t("settings.connect.seen", { when: ago(seen) }),
        profile?.language && language(profile.language),
        profile?.time_zone && zone(profile.time_zone),
      ]
        .filter(Boolean)
        .join(" · ")}
    />
  );
}
