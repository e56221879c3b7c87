// A meeting with a password: who knows it takes part as a guest.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, done } from "../../api/client";
import { formErrors } from "../../api/form-errors";
import { useMe } from "../../api/permissions";
import { useTranslation } from "../../i18n";
import { LanguageButton } from "../../shell/language";
import { startSession } from "../../shell/session";
import { Button } from "../../ui/button";
import { Field, TextInput } from "../../ui/field";
import { AccessRefused } from "./access-refused";
import { arrive } from "./arrive";
import { useCountdown } from "./countdown";

interface Props {
  /** The meeting. */
  id: string;
  /** Called after entry: the meeting can be loaded again. */
  onEntered: () => void;
}

/** Asks for a name and the meeting's password. */
export default function PasswordEntry({ id, onEntered }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const who = useMe();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const entering = useMutation({
    mutationFn: () =>
      done(
        api.POST("/api/v1/meetings/{id}/enter", {
          params: { path: { id } },
          body: { name: name.trim(), password, tokens: false },
        }),
      ),
    onSuccess: async ({ session }) => {
      await startSession(queries);
      await arrive(id, session.scope);
      onEntered();
    },
  });
  const wait = useCountdown(entering.error);
  const { at, rest } = formErrors(entering.error, ["name", "password"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wait === 0 && !entering.isPending) {
      entering.mutate();
    }
  };
  return (
    <form onSubmit={submit} className="mx-auto flex w-full max-w-sm flex-col gap-4 px-4 py-10">
      <div>
        <div className="flex items-start justify-between gap-2">
          <h1 className="text-h2 font-semibold">{t("join.enter_title")}</h1>
          <LanguageButton />
        </div>
        <p className="mt-1 text-dense text-ink-2">{t("join.enter_lead")}</p>
        {who?.signed_in_by === "session" && (
          <p className="mt-2 text-dense text-ink-2">{t("join.instead", { name: who.name })}</p>
        )}
      </div>
      {rest != null && <AccessRefused error={rest} />}
      <Field label={t("join.password")} error={at.password} required>
        <TextInput
          type="password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="off"
          required
          maxLength={200}
        />
      </Field>
      <Field label={t("join.name")} hint={t("join.name_hint")} error={at.name} required>
        <TextInput
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="nickname"
          required
          maxLength={50}
        />
      </Field>
      <Button type="submit" look="primary" busy={entering.isPending} disabled={wait > 0}>
        {wait > 0 ? t("signin.wait", { seconds: wait }) : t("join.enter")}
      </Button>
    </form>
  );
}
