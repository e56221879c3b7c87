// Settings of the running server: its log, and its limits.

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, done } from "../../api/client";
import { formErrors } from "../../api/form-errors";
import type { ServerSettings } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { count } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Field, NumberInput, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Badge, ErrorNotice, Waiting } from "../../ui/surface";
import { notify, notifyError } from "../../ui/toast";
import { Backups } from "./backups";
import { Part } from "./section";
import { changeOf, LIMITS, LIMITS_AT_START, type Limit, unitOf } from "./server-form";

const settings = queryOptions({ queryKey: ["settings"], queryFn: () => done(api.GET("/api/v1/settings")) });

/** Sends a change as it is: `null` takes one back, what is left out stays. */
function patch(change: object): Promise<ServerSettings> {
  // The limits of the document are all of them; a change holds some.
  const body = { body: { log: null, limits: null }, bodySerializer: () => JSON.stringify(change) };
  return done(api.PATCH("/api/v1/settings", body));
}

export default function Server() {
  const { t } = useTranslation();
  return (
    <Part title={t("settings.part.server")} lead={t("settings.server.lead")} need="owner">
      <Loaded />
    </Part>
  );
}

function Loaded() {
  // What somebody else has changed meanwhile does not take the place of what is being typed.
  const asked = useQuery({ ...settings, refetchOnWindowFocus: false, refetchOnReconnect: false });
  if (asked.isPending) {
    return <Waiting />;
  }
  if (!asked.data) {
    return (
      <>
        <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} />
        <Backups />
      </>
    );
  }
  // What stands below the form comes with it, so that nothing moves.
  return (
    <>
      <Form key={JSON.stringify(asked.data)} now={asked.data} />
      <Backups />
    </>
  );
}

const inUnits = (name: Limit, value: number | null) => (value === null ? null : value / unitOf(name));

const LEVELS = ["debug", "info", "warning", "error", "critical"] as const;

function Form({ now }: { now: ServerSettings }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [log, setLog] = useState(now.log);
  const [limits, setLimits] = useState<Record<Limit, number | null>>({ ...LIMITS, ...now.limits });
  const [back, setBack] = useState(false);
  const plain = LEVELS.some((level) => level === log);
  const [own, setOwn] = useState(!plain);
  const change = changeOf(now, log, limits);
  const dirty = Object.keys(change).length > 0;
  const take = (next: ServerSettings) => queries.setQueryData(settings.queryKey, next);

  const saving = useMutation({
    mutationFn: () => patch(change),
    onSuccess: (next) => {
      take(next);
      notify({ text: t("settings.server.saved") });
    },
  });
  const taking = useMutation({
    mutationFn: () => patch({ log: null, limits: null }),
    onSuccess: (next) => {
      take(next);
      notify({ text: t("settings.server.taken") });
    },
    onError: notifyError,
    onSettled: () => setBack(false),
  });
  const names = Object.keys(LIMITS).filter((name): name is Limit => name in LIMITS);
  const { at, rest } = formErrors(saving.error, ["log", ...names.map((name) => `limits/${name}`)]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-8">
      {rest != null && <ErrorNotice error={rest} compact />}
      <Field
        label={t("settings.server.log")}
        hint={own ? t("settings.server.log_own_hint") : t("settings.server.log_hint")}
        error={at.log}
        className="max-w-md"
      >
        {own ? (
          <TextInput
            value={log}
            onChange={(event) => setLog(event.currentTarget.value)}
            spellCheck={false}
            className="font-mono"
          />
        ) : (
          <Select
            value={log}
            onChange={(next) => (next === "own" ? setOwn(true) : setLog(next))}
            choices={[
              ...LEVELS.map((value) => ({
                value: value as string,
                label: t(`settings.server.level.${value}`),
              })),
              { value: "own", label: t("settings.server.log_own") },
            ]}
          />
        )}
      </Field>
      <fieldset>
        <legend className="text-h3 font-semibold">{t("settings.server.limits")}</legend>
        <p className="mb-3 text-dense text-ink-2">{t("settings.server.limits_lead")}</p>
        <ul className="divide-y divide-line rounded-2xl border border-line bg-raised">
          {names.map((name) => (
            <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 basis-64">
                <p className="flex flex-wrap items-center gap-2 text-dense text-ink">
                  {t(`settings.limit.${name}`)}
                  {LIMITS_AT_START.includes(name) && (
                    <Badge tone="calm">{t("settings.server.at_start")}</Badge>
                  )}
                </p>
                <p className="text-meta text-ink-3">
                  {t("settings.server.first", { value: count(LIMITS[name] / unitOf(name)) })}
                </p>
                {at[`limits/${name}`] && (
                  <p role="alert" className="text-meta text-bad">
                    {at[`limits/${name}`]}
                  </p>
                )}
              </div>
              <NumberInput
                label={t(`settings.limit.${name}`)}
                value={inUnits(name, limits[name])}
                onChange={(value) =>
                  setLimits({ ...limits, [name]: value === null ? null : Math.round(value * unitOf(name)) })
                }
                min={name === "running_meetings_per_account" ? 0 : 1}
                className="shrink-0"
              />
            </li>
          ))}
        </ul>
      </fieldset>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={saving.isPending} disabled={!dirty}>
          {t("ui.save")}
        </Button>
        <Button look="quiet" onClick={() => setBack(true)}>
          {t("settings.server.take_back")}
        </Button>
      </div>
      <Confirm
        open={back}
        onOpenChange={setBack}
        title={t("settings.server.take_title")}
        text={t("settings.server.take_text")}
        action={t("settings.server.take_back")}
        busy={taking.isPending}
        onConfirm={() => taking.mutate()}
      />
    </form>
  );
}
