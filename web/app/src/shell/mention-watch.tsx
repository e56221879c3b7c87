// Looks for mentions of the user on every page, and tells of new ones: by a notification, and in a hidden tab's title.

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { mentions, readable } from "../api/mentions";
import { useMe } from "../api/permissions";
import type { MentionEntry } from "../api/schema";
import { useTranslation } from "../i18n";
import { notifyMention } from "./notifications";
import { setTitleCount } from "./title";

/** How often they are looked for, also by a tab in the background. A meeting that is open tells at once. */
const LOOK_MS = 30_000;

/** The watch, on pages that have one. */
export default function MentionWatch() {
  useMentionWatch(true);
  return null;
}

interface Watch {
  person: string | undefined;
  /** The mentions that were seen on the way here. */
  known: Set<string>;
  /** Those of them that are new and unread, each with what takes its notification away. */
  fresh: Map<string, () => void>;
}

/** Looks for mentions as long as the page is open. New ones are notified once each, and counted in a hidden tab's title. */
export function useMentionWatch(active: boolean): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const person = useMe()?.person;
  const { data } = useQuery({
    ...mentions,
    enabled: active && person !== undefined,
    refetchInterval: LOOK_MS,
    refetchIntervalInBackground: true,
  });
  const watch = useRef<Watch>(null);
  const [fresh, setFresh] = useState(0);
  const hidden = useHidden();
  useEffect(() => {
    if (!data) {
      return;
    }
    const now = watch.current;
    if (now === null || now.person !== person) {
      // What was said before the page was opened is found in the list.
      watch.current = { person, known: new Set(data.items.map(keyOf)), fresh: new Map() };
      setFresh(0);
      return;
    }
    const { known, fresh } = now;
    for (const one of data.items) {
      const key = keyOf(one);
      if (one.is_unread && !known.has(key)) {
        const open = () =>
          void navigate({ to: "/m/$id", params: { id: one.meeting }, search: { at: one.seq } });
        const text = t("shell.mention_notice", { who: one.by, topic: one.topic });
        fresh.set(key, notifyMention(text, readable(one.excerpt), `mention ${key}`, open));
      } else if (!one.is_unread || data.unread === 0) {
        fresh.get(key)?.();
        fresh.delete(key);
      }
      known.add(key);
    }
    setFresh(fresh.size);
  }, [data, person, navigate, t]);
  useEffect(() => setTitleCount("mentions", hidden ? fresh : 0), [hidden, fresh]);
  useEffect(() => () => setTitleCount("mentions", 0), []);
}

function keyOf({ meeting, seq }: MentionEntry): string {
  return `${meeting} ${seq}`;
}

function useHidden(): boolean {
  return useSyncExternalStore(
    (told) => {
      document.addEventListener("visibilitychange", told);
      return () => document.removeEventListener("visibilitychange", told);
    },
    () => document.visibilityState === "hidden",
  );
}
