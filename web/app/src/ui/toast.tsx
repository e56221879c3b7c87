// Short notices that come and go: what was done, and how to take it back.

import X from "lucide-react/icons/x";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { problemOf } from "../api/client";
import { useTranslation } from "../i18n";
import { Store, useStore } from "../store/store";
import { cx } from "./classes";
import { controlsBeside, edgePlace, freePlace } from "./free-place";

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
  const at = usePlace(place, shown);
  // As a live region it stays in reach of screen readers beside an open window.
  return (
    <section
      ref={place}
      style={at}
      aria-label={t("ui.notices")}
      aria-live="polite"
      tabIndex={-1}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="fixed right-4 bottom-28 z-[60] flex flex-col gap-2 outline-none max-sm:w-[calc(100vw-2rem)] sm:w-80"
    >
      {shown.map((notice) => (
        <Row key={notice.id} notice={notice} held={held} />
      ))}
    </section>
  );
}

/** The room of a page's foot, where one writes and sends, and of its head. */
const [FOOT_PX, HEAD_PX, EDGE_PX] = [112, 56, 16];

/** A page that is no wider has its notices at an edge. */
const PHONE_PX = 640;

/**
 * A place in which the notices cover nothing that can be pressed, above the foot of the page at its right first; on a phone
 * at an edge of what one reads, where they stay. It is looked for when they come and go, and when the focus moves, as it does
 * into a window that opens.
 */
function usePlace(place: RefObject<HTMLElement | null>, shown: readonly Shown[]) {
  const [at, setAt] = useState<{ left: number; top: number }>();
  useLayoutEffect(() => {
    const sheet = place.current;
    if (!sheet || shown.length === 0) {
      return setAt(undefined);
    }
    const look = () => {
      const { offsetWidth: width, offsetHeight: height } = sheet;
      if (innerWidth < PHONE_PX) {
        return setAt({ left: EDGE_PX, top: edgePlace(sheet, EDGE_PX) });
      }
      const right = innerWidth - width - EDGE_PX;
      const column = (left: number) => ({ left, bottom: innerHeight - FOOT_PX, top: HEAD_PX });
      const columns = [right, right / 2, EDGE_PX].map((left) => column(Math.max(EDGE_PX, left)));
      setAt(freePlace({ width, height }, columns, controlsBeside(sheet)));
    };
    look();
    const later = () => requestAnimationFrame(look);
    addEventListener("focusin", later);
    addEventListener("resize", later);
    return () => {
      removeEventListener("focusin", later);
      removeEventListener("resize", later);
    };
  }, [place, shown]);
  return at && { ...at, right: innerWidth < PHONE_PX ? EDGE_PX : "auto", bottom: "auto" };
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
        className="relative rounded p-1 text-ink-3 hover:bg-sunken hover:text-ink coarse:after:absolute coarse:after:-inset-2.5"
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
