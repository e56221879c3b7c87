// Permissions of the user, so that a page shows what can be done and explains what cannot.

import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { useStore } from "../store/store";
import { me } from "./queries";
import type { CurrentUser as Me, Scope } from "./schema";
import { sessionHint } from "./session-hint";

const ORDER: Scope[] = ["read", "speak", "manage", "owner"];

/** Whether a scope includes another one: `owner` includes all of them. */
export function holds(have: Scope, need: Scope): boolean {
  return ORDER.indexOf(have) >= ORDER.indexOf(need);
}

/** The scopes that a user with this one may grant, the smallest first. */
export function upTo(have: Scope): Scope[] {
  return ORDER.filter((scope) => holds(have, scope));
}

/** Whether the page in sight needs no session: an invitation, a shared result. */
export const NeedsNoSession = createContext(false);

/** The request for the user. Where no session is needed, it is made only when this browser is known to have one. */
export function useAskedMe() {
  const hint = useStore(sessionHint);
  const enabled = !useContext(NeedsNoSession) || hint;
  // After a refusal the request is not repeated by each part of the page that is drawn.
  return useQuery({ ...me, enabled, retryOnMount: false });
}

/** The user; `undefined` while unknown, or when not signed in. */
export function useMe(): Me | undefined {
  return useAskedMe().data;
}

/** Whether the user has this scope. `false` while the user is unknown. */
export function usePermission(scope: Scope): boolean {
  const who = useMe();
  return who !== undefined && holds(who.scope, scope);
}

/** Whether the user may create meetings; a guest has only one. `undefined` while the user is unknown. */
export function useCanCreateMeetings(): boolean | undefined {
  const who = useMe();
  return who && who.meeting == null && holds(who.scope, "manage");
}
