// Short notices that come and go: what was done, and how to take it back.

import X from "lucide-react/icons/x";
import { useEffect, useRef, useState } from "react";
import { problemOf } from "../api/client";
import { useTranslation } from "../i18n";
import { Store, useStore } from "../store/store";
import { cx } from "./classes";

/** A notice as it is shown. */
interface Notice {
  text: string;
  more?: string;
  /** An action on it: undo, go there. */
  action?: { label: string; onSelect: () => void };
  /** Whether it reports a failure. */
  bad?: boolean;
}

/** At most so many are in sight. */
const MOST = 4;

interface Shown extends Notice {
  id: number;
}

const notices = new Store<readonly Shown[]>([]);
let last = 0;

/** Says that something was done, or was not. */
export function notify(notice: Notice): void {
  notices.set([{ ...notice, id: ++last }, ...notices.get()].slice(0, MOST));
}

/** Says that something could not be done, why, and what helps. */
export function notifyError(error: unknown): void {
  const problem = problemOf(error);
  notify({ bad: true, text: problem.detail || problem.title, more: problem.hint });
}

function close(notice: Shown): void {
  notices.set(notices.get().filter((one) => one !== notice));
}

/** The place of notices. Once on the page; F6 leads to it. */
export function Toasts() {
  const { t } = useTranslation();
  const shown = useStore(notices);
  const place = useRef<HTMLElement>(null);
  // While somebody reads or uses them, none goes.
  const [held, setHeld] = useState(false);
  useEffect(() => () => notices.set([]), []);
  const any = shown.length > 0;
  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      if (event.key === "F6" && any) {
        event.preventDefault();
        place.current?.focus();
      }
    };
    window.addEventListener("keydown", go);
    return () => window.removeEventListener("keydown", go);
  }, [any]);
  // Above what stands at a page's foot: one writes and sends there while a notice is in sight. On a phone, where the foot and
  // windows take all the rest, under the title. As a live region it stays in reach of screen readers beside an open window.
  return (
    <section
      ref={place}
      aria-label={t("ui.notices")}
      aria-live="polite"
      tabIndex={-1}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="fixed right-4 bottom-28 z-[60] flex w-[min(92vw,20rem)] flex-col gap-2 outline-none max-sm:inset-x-4 max-sm:top-14 max-sm:bottom-auto max-sm:w-auto"
    >
      {shown.map((notice) => (
        <Row key={notice.id} notice={notice} held={held} />
      ))}
    </section>
  );
}

function Row({ notice, held }: { notice: Shown; held: boolean }) {
  const { t } = useTranslation();
  const { text, more, action, bad } = notice;
  const ms = bad ? 12_000 : action ? 10_000 : 5_000;
  useEffect(() => {
    if (!held) {
      const timer = setTimeout(() => close(notice), ms);
      return () => clearTimeout(timer);
    }
  }, [notice, held, ms]);
  return (
    <div
      role={bad ? "alert" : undefined}
      className={cx(
        "fade-in flex items-start gap-2 rounded-xl border bg-raised p-3 text-dense text-ink shadow-float",
        bad ? "border-bad/40" : "border-line",
      )}
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium">{text}</p>
        {more && <p className="text-meta text-ink-2">{more}</p>}
        {action && (
          <button
            type="button"
            onClick={() => {
              action.onSelect();
              close(notice);
            }}
            className="mt-1 rounded text-meta font-medium text-accent hover:underline"
          >
            {action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        aria-label={t("shell.close")}
        onClick={() => close(notice)}
        className="rounded p-1 text-ink-3 hover:bg-sunken hover:text-ink"
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
