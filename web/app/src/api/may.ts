// What whoever asks may do, so that a page shows what can be done and says why the rest cannot.

import { useQuery } from "@tanstack/react-query";
import { me } from "./queries";
import type { CurrentUser as Me, Scope } from "./schema";

const ORDER: Scope[] = ["read", "speak", "manage", "owner"];

/** Whether a scope holds what another one asks for: `owner` holds all of them. */
export function holds(have: Scope, need: Scope): boolean {
  return ORDER.indexOf(have) >= ORDER.indexOf(need);
}

/** The scopes that somebody with this one may hand on, the smallest first. */
export function upTo(have: Scope): Scope[] {
  return ORDER.filter((scope) => holds(have, scope));
}

/** Who asks; nothing while that is not known, or when nobody is signed in. */
export function useMe(): Me | undefined {
  // Whoever was refused once is not asked for again by each part of the page that is drawn.
  return useQuery({ ...me, retryOnMount: false }).data;
}

/** Whether whoever asks may do what needs this scope. `false` while it is not known who asks. */
export function useMay(scope: Scope): boolean {
  const who = useMe();
  return who !== undefined && holds(who.scope, scope);
}

/** Whether whoever asks may hold new meetings; a guest has but one. Nothing while it is not known who asks. */
export function useMayHold(): boolean | undefined {
  const who = useMe();
  return who && who.meeting == null && holds(who.scope, "manage");
}
