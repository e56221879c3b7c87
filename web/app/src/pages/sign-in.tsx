// Sign-in with name and password; with a meeting's password only, entry as a guest.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, done, ProblemError } from "../api/client";
import { formErrors } from "../api/form-errors";
import { useAskedMe } from "../api/permissions";
import { sessionHint } from "../api/session-hint";
import { AccessRefused } from "../components/people/access-refused";
import { useCountdown } from "../components/people/countdown";
import { EntryFrame } from "../components/people/entry-frame";
import PasswordEntry from "../components/people/password-entry";
import { useTranslation } from "../i18n";
import { pathOnThisServer, startSession, useSignOut } from "../shell/session";
import { useStore } from "../store/store";
import { Button } from "../ui/button";
import { Field, TextInput } from "../ui/field";
import { Waiting } from "../ui/surface";

const route = getRouteApi("/sign-in");

export default function SignInPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const asked = useAskedMe();
  const signedIn = useStore(sessionHint);
  const { next: wanted, was } = route.useSearch();
  const next = pathOnThisServer(wanted);
  const [guest, setGuest] = useState(false);
  const meeting = /^\/m\/([^/?#]+)/.exec(next)?.[1];
  const go = () => router.history.replace(next);

  // Who was a guest knows where they stand without a request that would be refused.
  if (was !== undefined && !signedIn) {
    return (
      <EntryFrame title={t(`signin.${was}_over`)} lead={t(`signin.${was}_over_lead`)}>
        <Link to="/sign-in" search={{ next: wanted }} className="text-accent underline underline-offset-2">
          {t("join.to_sign_in")}
        </Link>
      </EntryFrame>
    );
  }
  // Only the first time: typed text stays when the sign-in state is checked again.
  if (!asked.isFetched) {
    return <Waiting />;
  }
  if (asked.data) {
    return (
      <Inside
        name={asked.data.name}
        way={asked.data.signed_in_by}
        guest={asked.data.meeting != null}
        onGo={go}
      />
    );
  }
  if (meeting && guest) {
    return (
      <>
        <PasswordEntry id={meeting} onEntered={go} />
        <p className="text-center">
          <Button look="quiet" onClick={() => setGuest(false)}>
            {t("signin.with_account")}
          </Button>
        </p>
      </>
    );
  }
  if (asked.error instanceof ProblemError && asked.error.sort === "token-needed") {
    return (
      <EntryFrame title={t("signin.token_title")} lead={t("signin.token_lead")}>
        <TokenForm onSignedIn={go} />
      </EntryFrame>
    );
  }
  return (
    <EntryFrame
      title={t("signin.title")}
      lead={next === "/" ? t("signin.lead") : t("signin.lead_next")}
      foot={
        <>
          <p>{t("signin.no_account")}</p>
          {meeting && (
            <Button look="quiet" className="mt-2 -ml-3.5" onClick={() => setGuest(true)}>
              {t("signin.with_meeting_password")}
            </Button>
          )}
        </>
      }
    >
      <Form onSignedIn={go} />
    </EntryFrame>
  );
}

function Form({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const signing = useMutation({
    mutationFn: () =>
      done(api.POST("/api/v1/sessions", { body: { name: name.trim(), password, tokens: false } })),
    onSuccess: async () => {
      await startSession(queries);
      onSignedIn();
    },
    onError: () => setPassword(""),
  });
  const wait = useCountdown(signing.error);
  const { at, rest } = formErrors(signing.error, ["name", "password"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wait === 0 && !signing.isPending) {
      signing.mutate();
    }
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {rest != null && <AccessRefused error={rest} hint={t("signin.wrong_hint")} />}
      <Field label={t("signin.name")} error={at.name}>
        <TextInput
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
        />
      </Field>
      <Field label={t("signin.password")} error={at.password}>
        <TextInput
          type="password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
        />
      </Field>
      <Button type="submit" look="primary" size="large" busy={signing.isPending} disabled={wait > 0}>
        {wait > 0 ? t("signin.wait", { seconds: wait }) : t("signin.do")}
      </Button>
    </form>
  );
}

function TokenForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [token, setToken] = useState("");
  const signing = useMutation({
    mutationFn: () => done(api.POST("/api/v1/sessions/local", { body: { token: token.trim() } })),
    onSuccess: async () => {
      await startSession(queries);
      onSignedIn();
    },
  });
  const { at, rest } = formErrors(signing.error, ["token"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!signing.isPending) {
      signing.mutate();
    }
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {rest != null && <AccessRefused error={rest} />}
      <Field label={t("signin.token")} error={at.token}>
        <TextInput
          type="password"
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          autoComplete="off"
          autoFocus
          required
        />
      </Field>
      <Button type="submit" look="primary" size="large" busy={signing.isPending}>
        {t("signin.do")}
      </Button>
    </form>
  );
}

interface InsideProps {
  name: string;
  way: "local" | "session" | "token";
  guest: boolean;
  onGo: () => void;
}

function Inside({ name, way, guest, onGo }: InsideProps) {
  const { t } = useTranslation();
  const leaving = useSignOut();
  const text = way === "local" ? t("signin.alone") : t("signin.inside", { name });
  return (
    <EntryFrame title={t("signin.inside_title")} lead={text}>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={onGo}>
          {t("signin.go_on")}
        </Button>
        {way === "session" && (
          <Button busy={leaving.isPending} onClick={() => leaving.mutate()}>
            {guest ? t("shell.leave") : t("shell.sign_out")}
          </Button>
        )}
      </div>
    </EntryFrame>
  );
}
