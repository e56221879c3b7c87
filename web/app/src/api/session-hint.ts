// Whether this browser is known to have a session. The session's cookies are out of a page's reach.

import { Store } from "../store/store";

const KEPT = "quorate.session";

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
