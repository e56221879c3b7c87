// Messages that mention the user: they stand out in the transcript, and are read once they were looked at.

import { type ReactNode, useEffect, useRef } from "react";
import type { Actor } from "../../api/schema";
import { useTranslation } from "../../i18n";
import type { Of } from "../../meeting/event-types";
import { isLookedAt } from "../../shell/notifications";
import { Badge } from "../../ui/surface";
import { type Talk, useTalk } from "./context";

type MessageEvent = Of<"agent_message"> | Of<"user_message">;

/** Whether a message mentions the user, by name or by the seat that they hold. Their own do not. */
export function mentionsUser({ me, seats }: Pick<Talk, "me" | "seats">, event: MessageEvent): boolean {
  if (me === undefined) {
    return false;
  }
  const by: Actor =
    event.type === "agent_message"
      ? { kind: "participant", id: event.payload.participant }
      : event.payload.by;
  const isOwn = by.kind === "participant" ? seats.has(by.id) : by.kind === "person" && by.id === me;
  const { mentions = [], mentioned_people: people = [] } = event.payload;
  return !isOwn && (people.some((one) => one.id === me) || mentions.some((id) => seats.has(id)));
}

/** Whether this message mentions the user. */
export function useMentioned(event: MessageEvent): boolean {
  return mentionsUser(useTalk(), event);
}

/** The words for it, beside the name of the speaker. */
export function MentionMark() {
  const { t } = useTranslation();
  return <Badge tone="accent">{t("talk.mentions_you")}</Badge>;
}

/** The frame of a message that mentions the user. */
export function MentionFrame({ seq, children }: { seq: number; children: ReactNode }) {
  const { onSeen } = useTalk();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = frame.current;
    if (!box || !onSeen) {
      return;
    }
    return whenSeen(box, () => onSeen(seq));
  }, [onSeen, seq]);
  return (
    <div ref={frame} data-mention className="-mx-3 rounded-2xl bg-accent-soft px-3 py-2">
      {children}
    </div>
  );
}

/** Calls once when a part of the page is in sight of somebody who looks at the page. */
function whenSeen(box: Element, seen: () => void): () => void {
  let inSight = false;
  const stop = () => {
    watcher.disconnect();
    document.removeEventListener("visibilitychange", look);
    window.removeEventListener("focus", look);
  };
  const look = () => {
    if (inSight && isLookedAt()) {
      stop();
      seen();
    }
  };
  const watcher = new IntersectionObserver((entries) => {
    inSight = entries.at(-1)?.isIntersecting ?? false;
    look();
  });
  watcher.observe(box);
  document.addEventListener("visibilitychange", look);
  window.addEventListener("focus", look);
  return stop;
}
