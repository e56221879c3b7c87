// Lines that are neither messages nor cards: one sentence about what happened, and what helps.

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../ui/classes";

const TONE = { plain: "text-ink-3", good: "text-good", warn: "text-warn", bad: "text-bad" };

/** A sentence about what happened, with an icon that says of which sort it is. */
export function Note({
  icon: Icon,
  tone = "plain",
  children,
  more,
}: {
  icon: LucideIcon;
  tone?: keyof typeof TONE;
  children: ReactNode;
  /** The remedy, or the meaning. */
  more?: ReactNode;
}) {
  return (
    <div className="flex gap-3 text-meta text-ink-2">
      <span className={cx("flex w-8 shrink-0 justify-end pt-0.5", TONE[tone])}>
        <Icon size={14} aria-hidden />
      </span>
      <div className="min-w-0">
        <p>{children}</p>
        {more && <p className="text-ink-3">{more}</p>}
      </div>
    </div>
  );
}

/** A sheet between the messages: a record of the course. */
export function Sheet({
  title,
  by,
  number,
  children,
  label,
}: {
  title: ReactNode;
  by?: ReactNode;
  /** The number of the message that it is. */
  number?: ReactNode;
  children: ReactNode;
  label: string;
}) {
  return (
    <section aria-label={label} className="rounded-2xl border border-line bg-raised px-4 py-3">
      <header className="mb-1.5 flex flex-wrap items-baseline gap-x-2">
        <h3 className="text-dense">{title}</h3>
        {by && <span className="text-meta text-ink-3">{by}</span>}
        {number && <span className="ml-auto text-meta">{number}</span>}
      </header>
      {children}
    </section>
  );
}

/** A list under a small heading; renders nothing when it is empty. */
export function Points({ title, points }: { title: string; points: readonly ReactNode[] }) {
  if (points.length === 0) {
    return null;
  }
  return (
    <div className="mt-2">
      <h4 className="text-meta font-medium text-ink-3">{title}</h4>
      <ul className="list-disc pl-4 text-dense">
        {points.map((point, at) => (
          <li key={at}>{point}</li>
        ))}
      </ul>
    </div>
  );
}
