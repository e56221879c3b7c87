// Visibility and network state of the page.

/** The callbacks for changes of the page. */
interface Watcher {
  /** The page has been hidden for a while. */
  onHidden(): void;
  /** The page is visible again. */
  onSeen(): void;
  /** The network is back. */
  onOnline(): void;
  /** The network is gone. */
  onOffline(): void;
}

const HIDDEN_MS = 30_000;

/** Watches the page until the function that is returned is called. */
export function watchPage(watcher: Watcher): () => void {
  const page = globalThis.document;
  if (!page) return () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (page.visibilityState === "hidden") timer = setTimeout(watcher.onHidden, HIDDEN_MS);
    else watcher.onSeen();
  };
  if (page.visibilityState === "hidden") look();
  page.addEventListener("visibilitychange", look);
  globalThis.addEventListener("online", watcher.onOnline);
  globalThis.addEventListener("offline", watcher.onOffline);
  return () => {
    clearTimeout(timer);
    page.removeEventListener("visibilitychange", look);
    globalThis.removeEventListener("online", watcher.onOnline);
    globalThis.removeEventListener("offline", watcher.onOffline);
  };
}
