// Tells a user who looks elsewhere that it is their turn: by a notification of the browser, where they allowed it.

import { preference } from "../../shell/preferences";

/** Whether this browser can notify, and whether it was asked. */
export type Notifying = "no" | "ask" | "yes";

/** Whether this browser can notify at all. Over plain http it cannot. */
export function canNotify(): boolean {
  return "Notification" in window && window.isSecureContext;
}

/** How it stands with notifications. Whoever turned them off is neither notified nor asked. */
export function notifying(): Notifying {
  if (!canNotify() || preference("notifications") === false) {
    return "no";
  }
  switch (Notification.permission) {
    case "granted":
      return "yes";
    case "default":
      return "ask";
    case "denied":
      return "no";
  }
}

/** Asks the user for it. */
export async function askToNotify(): Promise<Notifying> {
  await Notification.requestPermission();
  return notifying();
}

/**
 * Notifies a user who does not look at this page. The same tag stands for the same turn. What it returns takes the
 * notification away.
 */
export function notifyTurn(text: string, tag: string): () => void {
  if (notifying() !== "yes" || (document.visibilityState === "visible" && document.hasFocus())) {
    return () => {};
  }
  try {
    const notice = new Notification(text, { tag, requireInteraction: true });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    return () => notice.close();
  } catch {
    // Some phones let only a worker notify; the title of the tab says it, too.
    return () => {};
  }
}
