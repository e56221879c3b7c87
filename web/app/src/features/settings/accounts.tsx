// Accounts: who signs in with a password, and what they may do.

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Users from "lucide-react/icons/users";
import { useState } from "react";
import { api, done } from "../../api/client";
import { formErrors } from "../../api/form-errors";
import { upTo, useMe } from "../../api/permissions";
import { me } from "../../api/queries";
import type { Account, NewAccount, Scope } from "../../api/schema";
import { ScopeBadge, useScopes } from "../../components/people/scope";
import { useTranslation } from "../../i18n";
import { day } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Badge } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Collection, CreateForm, Entries, Entry } from "./collection";
import { PasswordForm } from "./password";
import { RemoveConfirmation } from "./remove-confirmation";

const accounts = queryOptions({ queryKey: ["accounts"], queryFn: () => done(api.GET("/api/v1/accounts")) });

export default function Accounts() {
  const { t } = useTranslation();
  return (
    <Collection
      title={t("settings.part.accounts")}
      lead={t("settings.accounts.lead")}
      need="owner"
      add={t("settings.accounts.new")}
      form={(close) => <Make onDone={close} />}
      list={(busy) => <List busy={busy} />}
    />
  );
}

function Make({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const alone = useMe()?.signed_in_by === "local";
  const scopes = useScopes(upTo("owner"));
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [scope, setScope] = useState<Scope>(alone ? "owner" : "speak");
  const making = useMutation({
    mutationFn: (body: NewAccount) => done(api.POST("/api/v1/accounts", { body })),
    onSuccess: async (account) => {
      notify({ text: t("settings.accounts.made", { name: account.name }) });
      onDone();
      await queries.invalidateQueries({ queryKey: accounts.queryKey });
      if (alone) {
        // From now on all users have to sign in, including the creator of the account.
        await queries.resetQueries({ queryKey: me.queryKey });
      }
    },
  });
  const { at, rest } = formErrors(making.error, ["name", "password", "scope"]);
  // A mistyped password of the only account would lock its owner out.
  const differs = alone && again !== "" && again !== password;
  const submit = () => {
    if (!differs) {
      making.mutate({ name: name.trim(), password, scope });
    }
  };
  return (
    <CreateForm
      title={t("settings.accounts.new")}
      action={t("settings.accounts.make")}
      error={rest}
      busy={making.isPending}
      onSubmit={submit}
      onCancel={onDone}
    >
      {alone && (
        <p className="rounded-xl bg-warn-soft px-3 py-2 text-dense text-ink sm:col-span-2">
          {t("settings.accounts.first")}
        </p>
      )}
      <Field
        label={t("signin.name")}
        hint={t("settings.accounts.name_hint")}
        error={at.name}
        className={alone ? "sm:col-span-2" : undefined}
      >
        <TextInput
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
          maxLength={50}
          required
          autoFocus
        />
      </Field>
      <Field label={t("signin.password")} hint={t("settings.password.hint")} error={at.password}>
        <TextInput
          type="password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="new-password"
          minLength={8}
          required
        />
      </Field>
      {alone ? (
        <Field
          label={t("settings.accounts.again")}
          error={differs ? t("settings.accounts.differs") : undefined}
        >
          <TextInput
            type="password"
            value={again}
            onChange={(event) => setAgain(event.currentTarget.value)}
            autoComplete="new-password"
            required
          />
        </Field>
      ) : (
        <Field label={t("settings.accounts.scope")} error={at.scope}>
          <Select value={scope} onChange={setScope} choices={scopes} />
        </Field>
      )}
    </CreateForm>
  );
}

/** The accounts; `busy`: one is being created, so the empty state is not shown. */
function List({ busy }: { busy: boolean }) {
  const { t } = useTranslation();
  const asked = useQuery(accounts);
  const [leaving, setLeaving] = useState<Account>();
  const [other, setOther] = useState<Account>();
  const who = useMe();
  const isOwn = (one: Account) =>
    who?.signed_in_by === "session" && one.name.toLowerCase() === who.name.toLowerCase();
  return (
    <>
      <Entries
        asked={asked}
        label={t("settings.part.accounts")}
        none={
          busy
            ? null
            : {
                icon: <Users size={26} aria-hidden />,
                title: t("settings.accounts.none"),
                text: t("settings.accounts.none_text"),
              }
        }
      >
        {(one) => (
          <Entry
            key={one.name}
            head={
              <>
                <span className="font-medium">{one.name}</span>
                <ScopeBadge scope={one.scope} />
                {isOwn(one) && <Badge tone="good">{t("talk.you")}</Badge>}
              </>
            }
            facts={t("settings.accounts.when", { made: day(one.created_at), changed: day(one.updated_at) })}
          >
            <div className="flex gap-2">
              <Button size="small" onClick={() => setOther(one)}>
                {t("settings.password.change")}
              </Button>
              <Button size="small" look="danger" onClick={() => setLeaving(one)}>
                {t("ui.delete")}
              </Button>
            </div>
          </Entry>
        )}
      </Entries>
      {leaving && (
        <RemoveConfirmation
          title={t("settings.accounts.remove_title", { name: leaving.name })}
          text={t("settings.accounts.remove_text")}
          action={t("ui.delete")}
          run={() =>
            done(api.DELETE("/api/v1/accounts/{name}", { params: { path: { name: leaving.name } } }))
          }
          said={t("settings.accounts.removed", { name: leaving.name })}
          list={accounts.queryKey}
          onOver={() => setLeaving(undefined)}
        />
      )}
      <Dialog
        open={other !== undefined}
        onOpenChange={() => setOther(undefined)}
        title={t("settings.password.title", { name: other?.name ?? "" })}
        description={t("settings.password.lead")}
      >
        {other && <PasswordForm name={other.name} own={isOwn(other)} onDone={() => setOther(undefined)} />}
      </Dialog>
    </>
  );
}
