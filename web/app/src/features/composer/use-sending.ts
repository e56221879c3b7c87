// Messages that were sent and have not appeared in the transcript yet. They appear by their events, never
// before.

import { useEffect, useState } from "react";
import { api, done, newKey, problemOf } from "../../api/client";
import type { ReplyTo } from "../../components/meeting-page/reply";
import { useMeeting } from "../../meeting/hooks";
import { removeSent, type Sending, storeUnsent, unsent } from "./outbox";

/** Sends words, and says which are on their way. */
export function useSending(meeting: string) {
  const [all, setAll] = useState<readonly Sending[]>(() => unsent(meeting));
  const seen = useMeeting((shown) => shown.view?.last_seq ?? 0);
  const offRecord = useMeeting((shown) => shown.view?.off_record ?? false);

  const change = (key: string, to: Partial<Sending>) =>
    setAll((now) => now.map((one) => (one.key === key ? { ...one, ...to } : one)));
  const drop = (key: string) => {
    removeSent(meeting, key);
    setAll((now) => now.filter((one) => one.key !== key));
  };

  useEffect(() => {
    setAll((now) => {
      const left = now.filter((one) => one.seq === undefined || one.seq > seen);
      return left.length === now.length ? now : left;
    });
  }, [seen]);

  const post = async (one: Sending) => {
    try {
      const spoken = await done(
        api.POST("/api/v1/meetings/{id}/messages", {
          params: { path: { id: meeting }, header: { "Idempotency-Key": one.key } },
          body: { content: one.content, reply_to: one.reply?.id ?? null },
          // It goes out although the page is left.
          keepalive: true,
        }),
      );
      removeSent(meeting, one.key);
      change(one.key, { seq: spoken.seq });
    } catch (error) {
      change(one.key, { problem: problemOf(error) });
    }
  };

  const send = (content: string, reply: ReplyTo | null) => {
    const one = { key: newKey(), content, reply };
    // Nothing of a meeting off the record is kept, not even for a moment.
    if (!offRecord) {
      storeUnsent(meeting, one);
    }
    setAll((now) => [...now, one]);
    void post(one);
  };
  const again = (one: Sending) => {
    change(one.key, { problem: undefined, left: false });
    void post(one);
  };
  // An answer may come after its event.
  return { all: all.filter((one) => one.seq === undefined || one.seq > seen), send, again, drop };
}
