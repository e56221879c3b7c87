// The choices of a person with an account: fetched from the server, and changed there.

import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, done, ProblemError } from "../api/client";
import { useAskedMe } from "../api/permissions";
import { queries } from "../api/queries";
import type { CurrentUser, PersonSettingsChange } from "../api/schema";
import { choose, copyFromServer, isKeptOnServer, type Preferences } from "../preferences/preferences";
import { notifyError } from "../ui/toast";

/** How often another device's changes are looked for while the page is in sight; also whenever it comes into sight. */
const LOOK_MS = 60_000;

/** What the server keeps for the user. */
export const ownSettings = queryOptions({
  queryKey: ["own-settings"],
  queryFn: () => done(api.GET("/api/v1/me/settings")),
  retry: false,
});

/** Whether the server keeps the choices of this user: not those of guests and programs. */
function isKept(who: CurrentUser): boolean {
  return who.meeting == null && who.signed_in_by !== "token";
}

/** Applies what the server keeps for the user, and what changes there. */
export function useOwnSettings(): void {
  const { data: who, error } = useAskedMe();
  const signedOut = error instanceof ProblemError && error.status === 401;
  const kept = useQuery({
    ...ownSettings,
    enabled: who !== undefined && isKept(who),
    refetchInterval: LOOK_MS,
    refetchOnWindowFocus: "always",
    retryOnMount: false,
  }).data;
  useEffect(() => {
    if (signedOut || (who && !isKept(who))) {
      copyFromServer(null);
    } else if (who && kept) {
      copyFromServer(kept);
    }
  }, [signedOut, who, kept]);
}

// One after the other, so that the last choice is the one that stays.
let sending: Promise<unknown> = Promise.resolve();
let unsent = 0;

/** Makes a choice: it holds here at once, and on the server where the user's choices are kept there. */
export function prefer(change: Partial<Preferences>): void {
  choose(change);
  if (!isKeptOnServer()) {
    return;
  }
  unsent += 1;
  sending = sending
    .then(() => send(change))
    .finally(() => {
      unsent -= 1;
    });
}

async function send(change: Partial<Preferences>): Promise<void> {
  await queries.cancelQueries({ queryKey: ownSettings.queryKey });
  try {
    // What is left out stays as it is.
    const body = change as PersonSettingsChange;
    const settings = await done(api.PATCH("/api/v1/me/settings", { body }));
    if (unsent === 1) {
      queries.setQueryData(ownSettings.queryKey, settings);
    }
  } catch (error) {
    notifyError(error);
    // What the server has holds.
    const kept = queries.fetchQuery({ ...ownSettings, staleTime: 0 });
    await kept.then(copyFromServer).catch(() => undefined);
  }
}
