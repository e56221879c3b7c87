// Webhooks: addresses to which turns and events are pushed, with their secrets, tests and delivery logs.

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import WebhookIcon from "lucide-react/icons/webhook";
import { useState } from "react";
import { api, done } from "../../api/client";
import { formErrors } from "../../api/form-errors";
import type { NewWebhookRequest, Webhook } from "../../api/schema";
import { ShownOnce } from "../../components/people/shown-once";
import { useMaker } from "../../components/speaker/actor-name";
import { useTranslation } from "../../i18n";
import { EVENT_TYPES } from "../../meeting/transcript-events";
import { moment } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Field, TextInput } from "../../ui/field";
import { MultiCombobox } from "../../ui/multi-combobox";
import { Badge } from "../../ui/surface";
import { notify, notifyError } from "../../ui/toast";
import { Switch } from "../../ui/toggles";
import { Collection, CreateForm, Entries, Entry } from "./collection";
import { ALL_KINDS, eventKind } from "./event-kinds";
import { MeetingChoice } from "./meeting-choice";
import { RemoveConfirmation } from "./remove-confirmation";
import { DeliveryLog } from "./webhook-log";

/** One's own webhooks; all of them for the owner. */
const webhooks = queryOptions({ queryKey: ["webhooks"], queryFn: () => done(api.GET("/api/v1/webhooks")) });

/** A secret that is shown this once, and the address that it is for. */
interface Shown {
  secret: string;
  url: string;
  /** Until when the one before is good. */
  until?: string | null;
}

export default function Webhooks() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Shown>();
  return (
    <Collection
      title={t("settings.part.webhooks")}
      lead={t("settings.webhooks.lead")}
      need="manage"
      add={t("settings.webhooks.new")}
      secret={
        shown && (
          <ShownOnce
            label={t("settings.webhooks.secret", { url: shown.url })}
            note={
              shown.until
                ? t("settings.webhooks.rotated_note", { when: moment(shown.until) })
                : t("settings.webhooks.secret_note")
            }
            value={shown.secret}
            onDone={() => setShown(undefined)}
          />
        )
      }
      form={(close) => (
        <Make
          onMade={(made) => {
            setShown(made);
            close();
          }}
          onCancel={close}
        />
      )}
      list={(busy) => <List busy={busy} onSecret={setShown} />}
    />
  );
}

/** The kinds that are chosen: all of them take the place of some, and some that of all. */
function chosenKinds(before: readonly string[], next: string[]): string[] {
  if (!next.includes(ALL_KINDS)) {
    return next;
  }
  return before.includes(ALL_KINDS) ? next.filter((kind) => kind !== ALL_KINDS) : [ALL_KINDS];
}

function Make({ onMade, onCancel }: { onMade: (made: Shown) => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [url, setUrl] = useState("");
  const [agent, setAgent] = useState("");
  const [events, setEvents] = useState<string[]>([]);
  const [meeting, setMeeting] = useState<string | null>(null);
  const making = useMutation({
    mutationFn: (body: NewWebhookRequest) => done(api.POST("/api/v1/webhooks", { body })),
    onSuccess: (made) => {
      onMade(made);
      void queries.invalidateQueries({ queryKey: webhooks.queryKey });
    },
  });
  const { at, rest } = formErrors(making.error, ["url", "agent", "events", "meeting"]);
  const submit = () => {
    const named = agent.trim() === "" ? null : agent.trim();
    making.mutate({ url: url.trim(), agent: named, events, meeting });
  };
  return (
    <CreateForm
      title={t("settings.webhooks.new")}
      action={t("settings.webhooks.make")}
      error={rest}
      busy={making.isPending}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Field
        label={t("settings.webhooks.url")}
        hint={t("settings.webhooks.url_hint")}
        error={at.url}
        required
        className="sm:col-span-2"
      >
        <TextInput
          type="url"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          maxLength={2000}
          required
          autoFocus
        />
      </Field>
      <Field label={t("settings.webhooks.agent")} hint={t("settings.webhooks.agent_hint")} error={at.agent}>
        <TextInput value={agent} onChange={(event) => setAgent(event.currentTarget.value)} maxLength={50} />
      </Field>
      <Field
        label={t("settings.webhooks.events")}
        hint={t("settings.webhooks.events_hint")}
        error={at.events}
      >
        <MultiCombobox
          value={events}
          onChange={(next) => setEvents(chosenKinds(events, next))}
          placeholder={t("settings.webhooks.events_find")}
          choices={[ALL_KINDS, ...EVENT_TYPES].map((value) => ({
            value,
            label: eventKind(value),
            ...(value !== ALL_KINDS && { note: value }),
          }))}
        />
      </Field>
      <Field
        label={t("settings.webhooks.meeting")}
        hint={t("settings.webhooks.meeting_hint")}
        error={at.meeting}
      >
        <MeetingChoice value={meeting} onChange={setMeeting} />
      </Field>
    </CreateForm>
  );
}

/** The webhooks; `busy`: one is being created, so the empty state is not shown. */
function List({ busy, onSecret }: { busy: boolean; onSecret: (shown: Shown) => void }) {
  const { t } = useTranslation();
  const asked = useQuery({ ...webhooks, refetchInterval: 10_000 });
  const [deleting, setDeleting] = useState<Webhook>();
  return (
    <>
      <Entries
        asked={asked}
        label={t("settings.part.webhooks")}
        none={
          busy
            ? null
            : {
                icon: <WebhookIcon size={26} aria-hidden />,
                title: t("settings.webhooks.none"),
                text: t("settings.webhooks.none_text"),
              }
        }
      >
        {(one) => <Row key={one.id} one={one} onSecret={onSecret} onDelete={() => setDeleting(one)} />}
      </Entries>
      {deleting && (
        <RemoveConfirmation
          title={t("settings.webhooks.delete_title")}
          text={t("settings.webhooks.delete_text", { url: deleting.url })}
          action={t("ui.delete")}
          run={() => done(api.DELETE("/api/v1/webhooks/{id}", { params: { path: { id: deleting.id } } }))}
          said={t("settings.webhooks.deleted")}
          list={webhooks.queryKey}
          onOver={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

/** Whether nobody is left in whose name it acts: whoever enables it takes it over. */
function ownerless({ disabled_because }: Webhook): boolean {
  return ["token_revoked", "token_expired", "account_deleted"].includes(disabled_because ?? "");
}

interface RowProps {
  one: Webhook;
  onSecret: (shown: Shown) => void;
  onDelete: () => void;
}

function Row({ one, onSecret, onDelete }: RowProps) {
  const { t } = useTranslation();
  const maker = useMaker();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const params = { path: { id: one.id } };
  const again = () => queries.invalidateQueries({ queryKey: webhooks.queryKey });
  const enabling = useMutation({
    mutationFn: (enabled: boolean) => done(api.PATCH("/api/v1/webhooks/{id}", { params, body: { enabled } })),
    onError: notifyError,
    onSettled: again,
  });
  const testing = useMutation({
    mutationFn: () => done(api.POST("/api/v1/webhooks/{id}/test", { params })),
    onSuccess: (result) => {
      const ms = result.latency_ms;
      const text = result.ok
        ? t("settings.webhooks.test_ok", { status: result.status, ms })
        : t("settings.webhooks.test_failed", { error: result.error });
      notify({ text, bad: !result.ok });
      void queries.invalidateQueries({ queryKey: ["webhooks", one.id] });
    },
    onError: notifyError,
    onSettled: again,
  });
  const rotating = useMutation({
    // The secret is handed on and not kept with the request.
    mutationFn: async () => {
      const made = await done(api.POST("/api/v1/webhooks/{id}/secret", { params, body: {} }));
      onSecret({ secret: made.secret, url: one.url, until: made.previous_expires_at });
    },
    onError: notifyError,
  });
  return (
    <Entry
      head={
        <>
          <span className="font-medium break-all">{one.url}</span>
          {one.disabled_because != null && (
            <Badge tone="bad">{t(`settings.webhooks.because.${one.disabled_because}`)}</Badge>
          )}
          {one.enabled && one.resumes_at != null && (
            <Badge tone="warn">{t("settings.webhooks.paused", { when: moment(one.resumes_at) })}</Badge>
          )}
          {one.meeting != null && <Badge>{t("settings.one_meeting", { id: one.meeting })}</Badge>}
          {one.off_record && one.events.length > 0 && <Badge>{t("settings.webhooks.off_record")}</Badge>}
        </>
      }
      text={[
        one.turns && one.agent != null && t("settings.webhooks.turns_of", { agent: one.agent }),
        one.events.length > 0 &&
          (one.events.includes(ALL_KINDS)
            ? t("settings.webhooks.all_events")
            : t("settings.webhooks.events_of", { events: one.events.map(eventKind).join(t("ui.comma")) })),
      ]
        .filter(Boolean)
        .join(" · ")}
      facts={t("settings.created", { by: maker(one.by), when: moment(one.created_at) })}
    >
      <Switch
        label={t("settings.webhooks.enabled")}
        hint={ownerless(one) ? t("settings.webhooks.take_over") : undefined}
        checked={one.enabled}
        onChange={(enabled) => enabling.mutate(enabled)}
        disabled={enabling.isPending}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={testing.isPending} onClick={() => testing.mutate()}>
          {t("settings.webhooks.test")}
        </Button>
        <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t("settings.webhooks.log")}
        </Button>
        <Button size="small" busy={rotating.isPending} onClick={() => rotating.mutate()}>
          {t("settings.webhooks.rotate")}
        </Button>
        <Button size="small" look="danger" onClick={onDelete}>
          {t("ui.delete")}
        </Button>
      </div>
      {open && <DeliveryLog id={one.id} />}
    </Entry>
  );
}
