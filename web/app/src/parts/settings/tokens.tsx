// Tokens: what programs show to be let in. Made here, shown once, taken back.

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import KeyRound from "lucide-react/icons/key-round";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, done } from "../../api/client";
import { upTo, useMe } from "../../api/may";
import type { CreatedToken as MadeToken, NewToken, Scope, TokenView } from "../../api/schema";
import { ago, moment } from "../../shell/zone";
import { Button } from "../../ui/button";
import { Field, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Badge, Card, Empty, Trouble, Waiting } from "../../ui/surface";
import { ShownOnce } from "../people/once";
import { placed } from "../people/placed";
import { ScopeBadge, useScopes } from "../people/scope";
import { MeetingChoice } from "./meeting-choice";
import { LIST, Part, ROW } from "./part";
import { Sure } from "./sure";

/** One's own tokens; all of them for the owner. */
const tokens = queryOptions({ queryKey: ["tokens"], queryFn: () => done(api.GET("/api/v1/tokens")) });

export default function Tokens() {
  const { t } = useTranslation();
  const [made, setMade] = useState<MadeToken>();
  const [making, setMaking] = useState(false);
  return (
    <Part
      title={t("settings.part.tokens")}
      lead={t("settings.tokens.lead")}
      need="manage"
      actions={
        !making &&
        !made && (
          <Button look="primary" onClick={() => setMaking(true)}>
            {t("settings.tokens.new")}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-5">
        {made && (
          <ShownOnce
            label={t("settings.tokens.made", { name: made.name })}
            note={t("settings.tokens.made_note")}
            value={made.token}
            onDone={() => setMade(undefined)}
          />
        )}
        {making && (
          <Make
            onMade={(token) => {
              setMade(token);
              setMaking(false);
            }}
            onCancel={() => setMaking(false)}
          />
        )}
        <List busy={making || made !== undefined} />
      </div>
    </Part>
  );
}

const DAYS = ["30", "90", "365", "never"] as const;

function Make({ onMade, onCancel }: { onMade: (made: MadeToken) => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const who = useMe();
  const scopes = useScopes(upTo(who?.scope ?? "read"));
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Scope>("read");
  const [days, setDays] = useState<(typeof DAYS)[number]>("90");
  const [meeting, setMeeting] = useState<string | null>(null);
  const making = useMutation({
    mutationFn: (body: NewToken) => done(api.POST("/api/v1/tokens", { body })),
    onSuccess: (token) => {
      onMade(token);
      void queries.invalidateQueries({ queryKey: tokens.queryKey });
    },
  });
  const { at, rest } = placed(making.error, ["name", "scope", "meeting", "expires_in_days"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires_in_days = days === "never" ? null : Number(days);
    making.mutate({ name: name.trim(), scope, meeting, expires_in_days });
  };
  return (
    <Card className="p-4" aria-label={t("settings.tokens.new")}>
      <form onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
        {rest != null && (
          <div className="sm:col-span-2">
            <Trouble error={rest} compact />
          </div>
        )}
        <Field
          label={t("settings.tokens.name")}
          hint={t("settings.tokens.name_hint")}
          error={at.name}
          required
        >
          <TextInput
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={100}
            required
            autoFocus
          />
        </Field>
        <Field label={t("settings.tokens.scope")} hint={t("settings.tokens.scope_hint")} error={at.scope}>
          <Select value={scope} onChange={setScope} choices={scopes} />
        </Field>
        <Field label={t("settings.tokens.expires")} error={at.expires_in_days}>
          <Select
            value={days}
            onChange={setDays}
            choices={DAYS.map((value) => ({ value, label: t(`settings.tokens.days.${value}`) }))}
          />
        </Field>
        <Field
          label={t("settings.tokens.meeting")}
          hint={t("settings.tokens.meeting_hint")}
          error={at.meeting}
        >
          <MeetingChoice value={meeting} onChange={setMeeting} />
        </Field>
        <div className="flex gap-2 sm:col-span-2">
          <Button type="submit" look="primary" busy={making.isPending}>
            {t("settings.tokens.make")}
          </Button>
          <Button look="quiet" onClick={onCancel}>
            {t("ui.cancel")}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** The tokens; `busy`: one is being created, so the empty state is not shown. */
function List({ busy }: { busy: boolean }) {
  const { t } = useTranslation();
  const asked = useQuery(tokens);
  const [taking, setTaking] = useState<TokenView>();
  if (asked.isPending) {
    return <Waiting />;
  }
  if (asked.error) {
    return <Trouble error={asked.error} onRetry={() => void asked.refetch()} />;
  }
  if (asked.data.items.length === 0) {
    return busy ? null : (
      <Empty icon={<KeyRound size={26} aria-hidden />} title={t("settings.tokens.none")}>
        {t("settings.tokens.none_text")}
      </Empty>
    );
  }
  return (
    <>
      <ul className={LIST} aria-label={t("settings.part.tokens")}>
        {asked.data.items.map((one) => (
          <Row key={one.id} one={one} onTake={() => setTaking(one)} />
        ))}
      </ul>
      {taking && (
        <Sure
          title={t("settings.tokens.take_title", { name: taking.name })}
          text={t("settings.tokens.take_text")}
          action={t("join.take_back")}
          run={() => done(api.DELETE("/api/v1/tokens/{token}", { params: { path: { token: taking.id } } }))}
          said={t("settings.tokens.taken", { name: taking.name })}
          list={tokens.queryKey}
          onOver={() => setTaking(undefined)}
        />
      )}
    </>
  );
}

function Row({ one, onTake }: { one: TokenView; onTake: () => void }) {
  const { t } = useTranslation();
  const over = one.expires_at != null && Date.parse(one.expires_at) <= Date.now();
  return (
    <li className={ROW}>
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 text-dense text-ink">
          <span className="font-medium">{one.name}</span>
          <code className="text-meta text-ink-3">{one.prefix}…</code>
          <ScopeBadge scope={one.scope} />
          {one.meeting && <Badge>{t("settings.tokens.one_meeting", { id: one.meeting })}</Badge>}
          {over && <Badge tone="warn">{t("settings.tokens.over")}</Badge>}
        </p>
        <p className="text-meta text-ink-3">
          {t("settings.tokens.by", { by: one.by, when: moment(one.created_at) })} ·{" "}
          {one.used_at == null
            ? t("settings.tokens.unused")
            : t("settings.tokens.used", { when: ago(one.used_at) })}{" "}
          ·{" "}
          {one.expires_at == null
            ? t("settings.tokens.days.never")
            : t("join.until", { when: moment(one.expires_at) })}
        </p>
      </div>
      <Button size="small" look="danger" onClick={onTake}>
        {t("join.take_back")}
      </Button>
    </li>
  );
}
