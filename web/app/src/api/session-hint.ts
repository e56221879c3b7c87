// Whether this browser is known to have a session. The session's cookies are out of a page's reach.

import { Store } from "../store/store";

const KEPT = "quorate.session";
const GUEST = "quorate.guest";

/** Whether the server recognized this browser when it was last asked. */
export const sessionHint = new Store(kept());

/** `false` where the browser keeps nothing: invitations and shared results are read there, too. */
function kept(): boolean {
  try {
    return localStorage.getItem(KEPT) === "yes";
  } catch {
    return false;
  }
}

window.addEventListener("storage", ({ key }) => {
  if (key === null || key === KEPT) {
    sessionHint.set(kept());
  }
});

/** Keeps whether there is a session, for this tab and others. */
export function keepSessionHint(has: boolean): void {
  sessionHint.set(has);
  try {
    if (has) {
      localStorage.setItem(KEPT, "yes");
    } else {
      localStorage.removeItem(KEPT);
    }
  } catch {
    // It holds until this tab is closed.
  }
}

/** Keeps of which meeting this browser's user is a guest; `null` when of none. It stays when the session is ended by others. */
export function keepGuest(meeting: string | null): void {
  try {
    if (meeting === null) {
      localStorage.removeItem(GUEST);
    } else {
      localStorage.setItem(GUEST, meeting);
    }
  } catch {
    // Then a page that is loaded anew does not know it.
  }
}

/** Whether this browser's user is, or was until they were sent away, a guest of the meeting at this address. */
export function wasGuestAt(address: string): boolean {
  try {
    const meeting = localStorage.getItem(GUEST);
    return meeting !== null && /^\/m\/([^/?#]+)/.exec(address)?.[1] === meeting;
  } catch {
    return false;
  }
}
