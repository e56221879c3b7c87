// Changes a password: one's own, or as the owner that of any account.

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, done } from "../../api/client";
import { formErrors } from "../../api/form-errors";
import { useCountdown } from "../../components/people/countdown";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, TextInput } from "../../ui/field";
import { ErrorNotice } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { useUnsaved } from "../../ui/unsaved";

interface Props {
  name: string;
  /** Whether it is one's own: then the present password is asked for. */
  own: boolean;
  onDone: () => void;
}

/** Asks for another password and sets it. */
export function PasswordForm({ name, own, onDone }: Props) {
  const { t } = useTranslation();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const setting = useMutation({
    mutationFn: () =>
      done(
        api.PUT("/api/v1/accounts/{name}/password", {
          params: { path: { name } },
          body: { password, current: own ? current : null },
        }),
      ),
    onSuccess: () => {
      notify({ text: t("settings.password.done", { name }), more: t("settings.password.done_more") });
      onDone();
    },
  });
  // Once it is set, one's own session ends, and the sign-in is loaded in place of the page.
  useUnsaved(current + password !== "" && (setting.isIdle || setting.isError));
  const { at, rest } = formErrors(setting.error, ["current", "password"]);
  const wait = useCountdown(setting.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setting.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {rest != null && <ErrorNotice error={rest} compact />}
      {own && (
        <Field label={t("settings.password.current")} error={at.current}>
          <TextInput
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            required
          />
        </Field>
      )}
      <Field label={t("settings.password.new")} hint={t("settings.password.hint")} error={at.password}>
        <TextInput
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          minLength={8}
          required
        />
      </Field>
      <div>
        <Button type="submit" look="primary" busy={setting.isPending} disabled={wait > 0}>
          {wait > 0 ? t("signin.wait", { seconds: wait }) : t("settings.password.do")}
        </Button>
      </div>
    </form>
  );
}

/** One's own password; changing it signs out all sessions, this one included. */
export function OwnPassword({ name }: { name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-6">
      <Button onClick={() => setOpen(true)}>{t("settings.password.change")}</Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t("settings.password.change")}
        description={t("settings.password.own_lead")}
      >
        <PasswordForm
          name={name}
          own
          onDone={() =>
            void navigate({ to: "/sign-in", search: { next: "/settings/sessions" }, reloadDocument: true })
          }
        />
      </Dialog>
    </div>
  );
}
