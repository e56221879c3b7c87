// Tells a user who looks elsewhere that something waits for them: by a notification of the browser, where they allowed it.

import { preference } from "../preferences/preferences";

/** Whether this browser can notify, and whether it was asked. */
type Notifying = "no" | "ask" | "yes";

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

/** Whether the user looks at this page. */
export function isLookedAt(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

/** A notification for a user who does not look at this page. What it returns takes the notification away. */
function notifyAway(text: string, options: NotificationOptions, onOpen = () => {}): () => void {
  if (notifying() !== "yes" || isLookedAt()) {
    return () => {};
  }
  try {
    const notice = new Notification(text, options);
    notice.onclick = () => {
      window.focus();
      notice.close();
      onOpen();
    };
    return () => notice.close();
  } catch {
    // Some phones let only a worker notify; the title of the tab says it, too.
    return () => {};
  }
}

/** Notifies of a turn, until it is over. The same tag stands for the same turn. */
export function notifyTurn(text: string, tag: string): () => void {
  return notifyAway(text, { tag, requireInteraction: true });
}

/** Notifies of a message that mentions the user. The same tag stands for the same message, in all tabs. */
export function notifyMention(text: string, body: string, tag: string, onOpen: () => void): () => void {
  return notifyAway(text, { tag, body }, onOpen);
}

/** Notifies of a meeting that waits for the user, until it does not any more. */
export function notifyWaiting(text: string, tag: string, onOpen: () => void): () => void {
  return notifyAway(text, { tag: `waiting ${tag}` }, onOpen);
}
