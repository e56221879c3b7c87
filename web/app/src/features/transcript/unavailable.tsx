// The placeholder of a meeting that cannot be shown: missing, locked, signed out, failed.

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { ProblemError, unreachable } from "../../api/client";
import { me } from "../../api/queries";
import { useTranslation, withSettingsTexts } from "../../i18n";
import { useMeeting, useMeetingStore } from "../../meeting/hooks";
import type { Status } from "../../meeting/snapshot";
import { MenuButton } from "../../shell/menu-button";
import { ButtonLink } from "../../ui/button";
import { lazily } from "../../ui/lazily";
import { Empty, ErrorNotice, Waiting } from "../../ui/surface";

const Enter = lazily(() => withSettingsTexts(import("../../components/people/password-entry")));

interface Props {
  id: string;
  status: Exclude<Status, "ready">;
}

/** The placeholder while there is no meeting to show. */
export function Unavailable(props: Props) {
  return (
    <>
      <header className="px-2 pt-1.5">
        <MenuButton />
      </header>
      <Instead {...props} />
    </>
  );
}

function Instead({ id, status }: Props) {
  const { t } = useTranslation();
  const store = useMeetingStore();
  switch (status) {
    case "loading":
      return <Waiting text={t("talk.loading")} className="flex-1" />;
    case "missing":
      return (
        <Empty
          title={t("talk.missing_title")}
          action={<ButtonLink to="/meetings">{t("talk.to_meetings")}</ButtonLink>}
        >
          {t("talk.missing_text")}
        </Empty>
      );
    case "locked":
      return (
        <Suspense fallback={<Waiting />}>
          <Enter id={id} onEntered={() => store.retryNow()} />
        </Suspense>
      );
    case "signed_out":
      return <SignedOut />;
    case "failed":
      return <Failed />;
  }
}

/** The interval between two tries to reach a server that does not answer, in milliseconds. */
const AGAIN = 5_000;

/**
 * The session may only have run out: it is renewed once, and only when that is refused one has to sign in. A server that does not
 * answer has refused nothing: it is asked again.
 */
function SignedOut() {
  const { t } = useTranslation();
  const store = useMeetingStore();
  const queries = useQueryClient();
  const router = useRouter();
  const [failure, setFailure] = useState<unknown>();
  const [tries, setTries] = useState(0);
  const again = () => setTries((before) => before + 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks once more
  useEffect(() => {
    const next = router.latestLocation.href;
    // Another request may have led there in the meantime.
    if (next.startsWith("/sign-in")) {
      return;
    }
    let gone = false;
    let later: ReturnType<typeof setTimeout> | undefined;
    queries
      .fetchQuery({ ...me, staleTime: 0 })
      .then(() => store.retryNow())
      .catch((error: unknown) => {
        if (error instanceof ProblemError && (error.status === 401 || error.status === 403)) {
          return router.navigate({ to: "/sign-in", search: { next } });
        }
        if (!gone) {
          setFailure(error);
          later = setTimeout(again, AGAIN);
        }
      });
    return () => {
      gone = true;
      clearTimeout(later);
    };
  }, [store, queries, router, tries]);
  return failure === undefined ? (
    <Waiting text={t("talk.signing_in")} className="flex-1" />
  ) : (
    <div className="mx-auto w-full max-w-2xl p-6">
      <ErrorNotice error={failure} onRetry={again} />
    </div>
  );
}

function Failed() {
  const store = useMeetingStore();
  const problem = useMeeting((shown) => shown.problem);
  const error = new ProblemError(problem === null || problem.status === 0 ? unreachable() : problem);
  return (
    <div className="mx-auto w-full max-w-2xl p-6">
      <ErrorNotice error={error} onRetry={() => store.retryNow()} />
    </div>
  );
}
