// A meeting's password: set, changed, taken away.

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { formErrors } from "../../api/form-errors";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Field, TextInput } from "../../ui/field";
import { Badge, ErrorNotice, Waiting } from "../../ui/surface";
import { notify, notifyError } from "../../ui/toast";
import { useUnsaved } from "../../ui/unsaved";
import { lock, useLock } from "./access";

/** Says whether there is a password, and changes that. */
export function MeetingPassword({ id }: { id: string }) {
  const { t } = useTranslation();
  const asked = useQuery(lock(id));
  const locking = useLock(id);
  const opening = useLock(id);
  const [password, setPassword] = useState("");
  useUnsaved(password !== "");
  const [sure, setSure] = useState(false);
  const { at, rest } = formErrors(locking.error, ["password"]);
  const locked = asked.data === true;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    locking.mutate(password, {
      onSuccess: () => {
        setPassword("");
        locking.reset();
        notify({ text: t("join.locked_now"), more: t("join.locked_more") });
      },
    });
  };
  const open = () =>
    opening.mutate(null, {
      onSuccess: () => notify({ text: t("join.open_now") }),
      onError: notifyError,
      onSettled: () => setSure(false),
    });
  return (
    <section aria-labelledby="invite-lock">
      <h3 id="invite-lock" className="flex items-center gap-2 text-body font-semibold">
        {t("join.meeting_password")}
        {asked.data !== undefined && (
          <Badge tone={locked ? "calm" : "plain"}>
            {locked ? t("join.has_password") : t("join.has_none")}
          </Badge>
        )}
      </h3>
      <p className="mt-1 text-dense text-ink-2">{t("join.lock_lead")}</p>
      {asked.isPending && <Waiting className="p-3" />}
      {asked.error && <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />}
      {asked.data !== undefined && (
        <form onSubmit={submit} className="mt-2 flex flex-col gap-2">
          {rest != null && <ErrorNotice error={rest} compact />}
          <Field label={locked ? t("join.other_password") : t("join.new_password")} error={at.password}>
            <div className="flex flex-wrap gap-2">
              <TextInput
                type="password"
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
                autoComplete="new-password"
                maxLength={200}
                required
                className="min-w-0 flex-1 basis-48"
              />
              <Button type="submit" busy={locking.isPending}>
                {locked ? t("join.change_password") : t("join.set_password")}
              </Button>
              {locked && (
                <Button look="danger" onClick={() => setSure(true)}>
                  {t("join.remove_password")}
                </Button>
              )}
            </div>
          </Field>
        </form>
      )}
      <Confirm
        open={sure}
        onOpenChange={setSure}
        title={t("join.remove_password_title")}
        text={t("join.remove_password_text")}
        action={t("join.remove_password")}
        danger
        busy={opening.isPending}
        onConfirm={open}
      />
    </section>
  );
}
