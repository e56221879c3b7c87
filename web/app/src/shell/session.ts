// Sign-in and sign-out: the data of the previous user is forgotten.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { api, done, ProblemError } from "../api/client";
import { me } from "../api/queries";
import { keepGuest, keepSessionHint } from "../api/session-hint";
import { copyFromServer } from "../preferences/preferences";
import { notifyError } from "../ui/toast";

/** The page to open after signing in: one of ours only. */
export function pathOnThisServer(next: string | undefined): string {
  if (!next?.startsWith("/")) {
    return "/";
  }
  const origin = window.location.origin;
  const url = URL.canParse(next, origin) ? new URL(next, origin) : undefined;
  const path = url?.origin === origin ? url.pathname + url.search + url.hash : "/";
  // Two slashes name another host when they are read once more.
  return path.startsWith("/sign-in") || path.startsWith("//") ? "/" : path;
}

/** Starts the session of another user. */
export async function startSession(queries: QueryClient): Promise<void> {
  keepSessionHint(true);
  await forgetUser(queries);
  // A page that needs no session may not have asked for the user before.
  await queries.fetchQuery(me).catch(() => undefined);
}

/** Forgets the data of the previous user. */
async function forgetUser(queries: QueryClient): Promise<void> {
  queries.getMutationCache().clear();
  copyFromServer(null);
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== me.queryKey[0] });
  await queries.resetQueries({ queryKey: me.queryKey });
}

/** Signs out, here and wherever else this session's tokens are. A guest leaves the meeting. */
export function useSignOut() {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async () => {
      const next = guestAddress(queries);
      if (next !== undefined) {
        // The meeting is put away first: still open, it would ask for what the guest has no access to any more.
        keepSessionHint(false);
        await router.navigate({ to: "/sign-in", search: { next, was: "left" }, replace: true });
      }
      await done(api.DELETE("/api/v1/sessions")).catch((error: unknown) => {
        // A session that is over already has nothing left to end.
        if (!(error instanceof ProblemError && error.status === 401)) {
          throw error;
        }
      });
    },
    onSuccess: () => {
      // Messages and forms of the previous user are deleted.
      sessionStorage.clear();
      keepSessionHint(false);
      if (guestAddress(queries) === undefined) {
        router.history.push("/sign-in");
        keepGuest(null);
      }
      void forgetUser(queries);
    },
    onError: (error) => {
      const next = guestAddress(queries);
      if (next !== undefined) {
        keepSessionHint(true);
        router.history.replace(next);
      }
      notifyError(error);
    },
  });
}

/** The address of a guest's meeting. */
function guestAddress(queries: QueryClient): string | undefined {
  const meeting = queries.getQueryData(me.queryKey)?.meeting;
  return meeting == null ? undefined : `/m/${meeting}`;
}
