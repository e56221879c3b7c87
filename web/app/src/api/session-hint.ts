// Whether this browser is known to have a session. The session's cookies are out of a page's reach.

import { Store } from "../store/store";

const KEPT = "quorate.session";

/** Whether the server recognized this browser when it was last asked. */
export const sessionHint = new Store(localStorage.getItem(KEPT) === "yes");

window.addEventListener("storage", ({ key }) => {
  if (key === null || key === KEPT) {
    sessionHint.set(localStorage.getItem(KEPT) === "yes");
  }
});

/** Keeps whether there is a session, for this tab and others. */
export function keepSessionHint(has: boolean): void {
  if (has) {
    localStorage.setItem(KEPT, "yes");
  } else {
    localStorage.removeItem(KEPT);
  }
  sessionHint.set(has);
}
