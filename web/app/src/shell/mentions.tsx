// Unread mentions of the user, on every page: how many there are.

import { useQuery } from "@tanstack/react-query";
import { mentions } from "../api/mentions";
import { useMe } from "../api/permissions";

/** More unread ones are not counted in figures. */
const COUNTED = 99;

/** The number of unread mentions as it is shown: `3`, `99+`; empty for none. */
export function unreadLabel(unread: number): string {
  return unread === 0 ? "" : unread > COUNTED ? `${COUNTED}+` : String(unread);
}

/** How many mentions of the user are unread; 0 while it is unknown. */
export function useUnread(): number {
  const me = useMe();
  return useQuery({ ...mentions, enabled: me !== undefined, refetchOnMount: false }).data?.unread ?? 0;
}
