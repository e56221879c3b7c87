// The layout of a result: parts under headings, and an outline that shows the reader's place.

import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";

/** A part of the result under its heading. */
export function Part({
  id,
  title,
  note,
  actions,
  children,
  className,
}: {
  id: string;
  title: string;
  /** A sentence that says how to read it. */
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={cx(
        "scroll-mt-6 border-t border-line pt-6 pb-9 print:break-inside-auto print:pb-4",
        className,
      )}
    >
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <h2 id={`${id}-title`} className="text-h2 font-semibold">
            {title}
          </h2>
          {note && <p className="text-meta text-ink-3">{note}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2 print:hidden">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** One heading of the outline. */
interface Heading {
  id: string;
  title: string;
  /** The number of items, when there is something to count. */
  count?: number;
}

/** The headings at the side; the one that is read is marked. */
export function Outline({ headings }: { headings: Heading[] }) {
  const { t } = useTranslation();
  const now = useReading(headings);
  return (
    <nav
      aria-label={t("result.outline")}
      className="sticky top-8 hidden w-36 shrink-0 self-start xl:block print:hidden"
    >
      <ul className="flex flex-col gap-px border-l border-line">
        {headings.map(({ id, title, count }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={now === id ? "true" : undefined}
              className="-ml-px flex items-baseline justify-between gap-2 border-l-2 border-transparent py-1 pl-3 text-dense text-ink-3 hover:text-ink aria-[current=true]:border-accent aria-[current=true]:text-ink"
            >
              {title}
              {count !== undefined && count > 0 && <span className="text-meta text-ink-3">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The headings above the text, folded, where there is no room beside it. */
export function FoldedOutline({ headings }: { headings: Heading[] }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("result.outline")} className="xl:hidden print:hidden">
      <details data-testid="contents" className="mb-6 rounded-xl border border-line px-3.5 text-dense">
        <summary className="py-2 font-medium text-ink-2">
          {t("result.outline")} <span className="font-normal text-ink-3">{headings.length}</span>
        </summary>
        <ul className="flex flex-wrap gap-x-4 pb-2">
          {headings.map(({ id, title, count }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="flex min-h-8 items-center gap-1 text-ink-2 underline decoration-line-strong underline-offset-4 hover:text-ink coarse:min-h-11"
              >
                {title}
                {count !== undefined && count > 0 && <span className="text-meta text-ink-3">{count}</span>}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

/** Which of the headings was passed last. */
function useReading(headings: Heading[]): string | undefined {
  const [now, setNow] = useState(headings[0]?.id);
  const ids = headings.map((one) => one.id).join(" ");
  useEffect(() => {
    const parts = ids.split(" ").flatMap((id) => document.getElementById(id) ?? []);
    const look = () => {
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 4;
      const passed = parts.filter((part) => part.getBoundingClientRect().top < 140);
      setNow((atEnd ? parts.at(-1) : (passed.at(-1) ?? parts[0]))?.id);
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, [ids]);
  return now;
}

/** A list whose lines stand apart by air, not by lines. */
export function Lines({ children, ordered }: { children: ReactNode; ordered?: boolean }) {
  const As = ordered ? "ol" : "ul";
  return <As className="flex flex-col gap-3.5">{children}</As>;
}

/** Says that there is nothing of a kind, and what that means. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="text-dense text-ink-3">{children}</p>;
}
