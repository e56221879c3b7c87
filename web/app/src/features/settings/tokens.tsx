// Tokens: what programs show to be let in. Made here, shown once, taken back.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import KeyRound from "lucide-react/icons/key-round";
import { useState } from "react";
import { api, done } from "../../api/client";
import { serverNow } from "../../api/clock";
import { formErrors } from "../../api/form-errors";
import { upTo, useMe } from "../../api/permissions";
import type { AccessToken, CreatedToken as MadeToken, NewToken, Scope } from "../../api/schema";
import { ScopeBadge, useScopes } from "../../components/people/scope";
import { ShownOnce } from "../../components/people/shown-once";
import { useMaker } from "../../components/speaker/actor-name";
import { useTranslation } from "../../i18n";
import { ago, moment } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Field, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Badge } from "../../ui/surface";
import { Collection, CreateForm, Entries, Entry } from "./collection";
import { MeetingChoice } from "./meeting-choice";
import { tokens } from "./queries";
import { RemoveConfirmation } from "./remove-confirmation";

export default function Tokens() {
  const { t } = useTranslation();
  const [made, setMade] = useState<MadeToken>();
  return (
    <Collection
      title={t("settings.part.tokens")}
      lead={t("settings.tokens.lead")}
      need="manage"
      add={t("settings.tokens.new")}
      secret={
        made && (
          <ShownOnce
            label={t("settings.tokens.made", { name: made.name })}
            note={t("settings.tokens.made_note")}
            value={made.token}
            onDone={() => setMade(undefined)}
          />
        )
      }
      form={(close) => (
        <Make
          onMade={(token) => {
            setMade(token);
            close();
          }}
          onCancel={close}
        />
      )}
      list={(busy) => <List busy={busy} />}
    />
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
  const { at, rest } = formErrors(making.error, ["name", "scope", "meeting", "expires_in_days"]);
  const submit = () => {
    const expires_in_days = days === "never" ? null : Number(days);
    making.mutate({ name: name.trim(), scope, meeting, expires_in_days });
  };
  return (
    <CreateForm
      title={t("settings.tokens.new")}
      action={t("settings.tokens.make")}
      error={rest}
      busy={making.isPending}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Field label={t("settings.tokens.name")} hint={t("settings.tokens.name_hint")} error={at.name} required>
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
      <Field label={t("settings.tokens.meeting")} hint={t("settings.tokens.meeting_hint")} error={at.meeting}>
        <MeetingChoice value={meeting} onChange={setMeeting} />
      </Field>
    </CreateForm>
  );
}

/** The tokens; `busy`: one is being created, so the empty state is not shown. */
function List({ busy }: { busy: boolean }) {
  const { t } = useTranslation();
  const asked = useQuery(tokens);
  const [taking, setTaking] = useState<AccessToken>();
  return (
    <>
      <Entries
        asked={asked}
        label={t("settings.part.tokens")}
        none={
          busy
            ? null
            : {
                icon: <KeyRound size={26} aria-hidden />,
                title: t("settings.tokens.none"),
                text: t("settings.tokens.none_text"),
              }
        }
      >
        {(one) => <Row key={one.id} one={one} onTake={() => setTaking(one)} />}
      </Entries>
      {taking && (
        <RemoveConfirmation
          title={t("settings.tokens.take_title", { name: taking.name })}
          text={t("settings.tokens.take_text")}
          action={t("settings.tokens.revoke")}
          run={() => done(api.DELETE("/api/v1/tokens/{token}", { params: { path: { token: taking.id } } }))}
          said={t("settings.tokens.taken", { name: taking.name })}
          list={tokens.queryKey}
          onOver={() => setTaking(undefined)}
        />
      )}
    </>
  );
}

function Row({ one, onTake }: { one: AccessToken; onTake: () => void }) {
  const { t } = useTranslation();
  const maker = useMaker();
  const over = one.expires_at != null && Date.parse(one.expires_at) <= serverNow();
  return (
    <Entry
      head={
        <>
          <span className="font-medium">{one.name}</span>
          <code className="text-meta text-ink-3">{one.prefix}…</code>
          <ScopeBadge scope={one.scope} />
          {one.meeting && <Badge>{t("settings.one_meeting", { id: one.meeting })}</Badge>}
          {over && <Badge tone="warn">{t("settings.tokens.over")}</Badge>}
        </>
      }
      facts={[
        t("settings.created", { by: maker(one.by), when: moment(one.created_at) }),
        one.used_at == null
          ? t("settings.tokens.unused")
          : t("settings.tokens.used", { when: ago(one.used_at) }),
        one.expires_at == null
          ? t("settings.tokens.days.never")
          : t("join.until", { when: moment(one.expires_at) }),
      ].join(" · ")}
    >
      <Button size="small" look="danger" onClick={onTake}>
        {t("settings.tokens.revoke")}
      </Button>
    </Entry>
  );
}
