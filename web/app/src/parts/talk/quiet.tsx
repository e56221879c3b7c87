// For those who cannot see the transcript: who has spoken, said once in a while and without haste.

import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMeeting } from "../../meeting/hooks";
import { is } from "./kinds";

const PAUSE_MS = 5_000;

/** Says who has finished speaking, at most every five seconds. */
export function QuietVoice() {
  const { t } = useTranslation();
  const last = useMeeting((shown) => (shown.hasNewer ? undefined : shown.lines.at(-1)));
  const heard = useRef<number | null>(null);
  const names = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lastSaid = useRef(0);
  const [text, setText] = useState("");

  useEffect(() => {
    if (!last) {
      return;
    }
    const before = heard.current;
    heard.current = last.seq;
    if (before === null || last.seq <= before || !is(last, "agent_message")) {
      return;
    }
    names.current.add(last.payload.message.name);
    timer.current ??= setTimeout(
      () => {
        setText(t("talk.has_spoken", { names: [...names.current].join(t("talk.and")) }));
        names.current.clear();
        lastSaid.current = Date.now();
        timer.current = undefined;
      },
      Math.max(0, lastSaid.current + PAUSE_MS - Date.now()),
    );
  }, [last, t]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
