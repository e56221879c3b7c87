// Tells of meetings that wait for the user: by their number in the title, and by a notification of each that begins to wait.

import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { MeetingListItem } from "../api/schema";
import { useTranslation } from "../i18n";
import { notifyWaiting } from "./notifications";
import { setTitleCount } from "./title";

/** Counts meetings that wait in the title, and notifies of each that begins to wait while the user looks elsewhere. */
export default function WaitingWatch({ waiting }: { waiting: readonly MeetingListItem[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const known = useRef<Map<string, () => void>>(null);
  useEffect(() => {
    setTitleCount("waiting", waiting.length);
    const before = known.current;
    const now = new Map<string, () => void>();
    for (const { id, last_seq, title } of waiting) {
      const key = `${id} ${last_seq}`;
      const open = () => void navigate({ to: "/m/$id", params: { id } });
      // What waited before the page was opened stands in the side bar.
      const close =
        before && !before.has(key)
          ? notifyWaiting(t("shell.waiting_notice", { title }), key, open)
          : undefined;
      now.set(key, before?.get(key) ?? close ?? (() => {}));
    }
    for (const [key, close] of before ?? []) {
      if (!now.has(key)) {
        close();
      }
    }
    known.current = now;
  }, [waiting, navigate, t]);
  useEffect(() => () => setTitleCount("waiting", 0), []);
  return null;
}
