// For those who cannot see the transcript: who has spoken, said once in a while and without haste.

import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n";
import { is } from "../../meeting/event-types";
import { useMeeting } from "../../meeting/hooks";

const PAUSE_MS = 5_000;

/** Says who has finished speaking, at most every five seconds. */
export function LiveRegion() {
  const { t } = useTranslation();
  const lines = useMeeting((shown) => (shown.hasNewer ? null : shown.lines));
  const announced = useRef<number | null>(null);
  const names = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lastSaid = useRef(0);
  const [text, setText] = useState("");

  useEffect(() => {
    const before = announced.current;
    const last = lines?.at(-1)?.seq;
    if (!lines || last === undefined) {
      return;
    }
    announced.current = last;
    // Lines may come together: the last word of a round, and that the round is over.
    for (const line of lines) {
      if (before !== null && line.seq > before && is(line, "agent_message")) {
        names.current.add(line.payload.message.name);
      }
    }
    if (names.current.size === 0) {
      return;
    }
    timer.current ??= setTimeout(
      () => {
        const spoken = [...names.current];
        setText(t("talk.has_spoken", { names: spoken.join(t("ui.comma")), count: spoken.length }));
        names.current.clear();
        lastSaid.current = Date.now();
        timer.current = undefined;
      },
      Math.max(0, lastSaid.current + PAUSE_MS - Date.now()),
    );
  }, [lines, t]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
