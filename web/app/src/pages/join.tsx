// Joining a meeting by invitation, without an account.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { api, done, ProblemError } from "../api/client";
import { formErrors } from "../api/form-errors";
import { useAskedMe } from "../api/permissions";
import type { StartedSession as Begun, InvitationPreviewView } from "../api/schema";
import { AccessRefused } from "../components/people/access-refused";
import { arrive } from "../components/people/arrive";
import { useCountdown } from "../components/people/countdown";
import { EntryFrame } from "../components/people/entry-frame";
import { useTranslation } from "../i18n";
import { startSession } from "../shell/session";
import { Button } from "../ui/button";
import { Field, TextInput } from "../ui/field";
import { Empty, Waiting } from "../ui/surface";
import { notify } from "../ui/toast";

const route = getRouteApi("/join/$code");

/** Who makes invitations where nobody signs in. */
const OWNER = "owner";

/** The code is kept here for as long as the page is there; the address forgets it at once. */
const TAKEN = "-";

export default function JoinPage() {
  const { code: shown } = route.useParams();
  const navigate = useNavigate();
  const [code, setCode] = useState(shown === TAKEN ? "" : shown);
  useEffect(() => {
    if (shown !== TAKEN) {
      setCode(shown);
      void navigate({ to: "/join/$code", params: { code: TAKEN }, replace: true });
    }
  }, [shown, navigate]);
  return code === "" ? <NoCode /> : <Invited code={code} />;
}

/** A guest has used their code, and is at their meeting; anybody else needs the link once more. */
function NoCode() {
  const { t } = useTranslation();
  const asked = useAskedMe();
  if (asked.data?.meeting != null) {
    return (
      <>
        <Waiting />
        <Navigate to="/m/$id" params={{ id: asked.data.meeting }} replace />
      </>
    );
  }
  if (asked.isLoading) {
    return <Waiting />;
  }
  return (
    <EntryFrame title={t("join.title")}>
      <Empty title={t("join.no_code")}>{t("join.no_code_text")}</Empty>
    </EntryFrame>
  );
}

function Invited({ code }: { code: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const welcome = async ({ session, seat }: Begun) => {
    await startSession(queries);
    const may = preview.data?.is_over
      ? t("join.is_over")
      : session.scope === "read"
        ? t("join.may_read")
        : t("join.may_speak");
    const more = seat?.problem
      ? t("join.not_seated", { why: seat.problem.detail })
      : seat?.name
        ? t("join.seated", { name: seat.name })
        : may;
    // With a seat one is at the table as a participant.
    if (session.meeting && !preview.data?.is_over && !(seat?.name && !seat.problem)) {
      await arrive(session.meeting, session.scope);
    }
    notify({ text: t("join.welcome", { name: session.name }), more });
    await navigate(
      session.meeting
        ? { to: "/m/$id", params: { id: session.meeting }, replace: true }
        : { to: "/", replace: true },
    );
  };
  const joining = useMutation({
    mutationFn: () =>
      done(api.POST("/api/v1/join", { body: { code, name: name.trim() || null, tokens: false } })),
    onSuccess: welcome,
  });
  const preview = useQuery({
    queryKey: ["invitation", code],
    queryFn: () => done(api.POST("/api/v1/join/preview", { body: { code } })),
    retry: false,
    // An invitation that was just used may be over.
    enabled: !joining.isPending && !joining.isSuccess,
    // Once it is used, there may be nothing left to show.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const wait = useCountdown(joining.error);
  // What is wrong with a name that the invitation sets has no field to stand at.
  const { at, rest } = formErrors(joining.error, preview.data?.name == null ? ["name"] : []);
  const isOver = (error: unknown) => error instanceof ProblemError && error.status === 404;
  const gone = isOver(joining.error) || isOver(preview.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wait === 0 && !joining.isPending) {
      joining.mutate();
    }
  };
  if (gone) {
    return (
      <EntryFrame title={t("join.gone")} lead={t("join.gone_text")}>
        <Link to="/sign-in" className="text-accent underline underline-offset-2">
          {t("join.to_sign_in")}
        </Link>
      </EntryFrame>
    );
  }
  if (preview.isPending) {
    return <Waiting />;
  }
  const shown = preview.data;
  const who = shown?.caller;
  return (
    <EntryFrame
      title={shown && fitsHeading(shown.title) ? t("join.to", { title: shown.title }) : t("join.title")}
      lead={shown ? <Invitation shown={shown} /> : t("join.lead")}
      foot={
        <>
          <p className="font-medium text-ink">{t("join.what_title")}</p>
          <ul className="mt-1 list-disc pl-4">
            <li>{t("join.what_meeting")}</li>
            <li>{t("join.what_see")}</li>
            <li>{t("join.what_kept")}</li>
          </ul>
        </>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {who && !joining.isPending && !joining.isSuccess && (
          <p className="rounded-xl bg-warn-soft px-3 py-2 text-dense text-ink">
            {who.signed_in_by === "local" ? t("join.alone") : t("join.instead", { name: who.name })}
          </p>
        )}
        {rest != null && <AccessRefused error={rest} />}
        {shown?.name == null && (
          <Field
            label={t("join.name")}
            hint={shown ? t("join.name_hint") : t("join.name_hint_invited")}
            error={at.name}
          >
            <TextInput
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              autoComplete="nickname"
              maxLength={50}
              autoFocus
            />
          </Field>
        )}
        <Button type="submit" look="primary" size="large" busy={joining.isPending} disabled={wait > 0}>
          {wait > 0 ? t("signin.wait", { seconds: wait }) : t("join.do")}
        </Button>
      </form>
    </EntryFrame>
  );
}

/** Whether a title is short enough for a heading; a meeting without one has its topic for it. */
function fitsHeading(title: string): boolean {
  return [...title].length <= 60;
}

/** To what one is invited, by whom, and as what. */
function Invitation({ shown }: { shown: InvitationPreviewView }) {
  const { t } = useTranslation();
  const { title, topic, by, name, scope, seat } = shown;
  const part =
    seat == null
      ? t(scope === "read" ? "join.as_reader" : "join.as_speaker")
      : seat.role === ""
        ? t("join.as_person")
        : t("join.as_seat", { role: seat.role });
  const from = by === OWNER ? t("join.by_owner") : t("join.by_name", { name: by });
  return (
    <>
      {(topic !== title || !fitsHeading(title)) && (
        <span className="mb-2 line-clamp-6 block whitespace-pre-line text-ink">{topic}</span>
      )}
      <span className="block">{from}</span>
      <span className="block">{shown.is_over ? t("join.is_over") : part}</span>
      <span className="mt-2 block">{name == null ? t("join.lead") : t("join.named", { name })}</span>
    </>
  );
}
