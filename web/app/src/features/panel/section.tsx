// A part of what a tab shows.

import type { ReactNode } from "react";

/** A part of a tab with its heading. */
export function Part({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h3 className="text-meta font-semibold tracking-wide text-ink-2">{title}</h3>
        {actions}
      </div>
      {children}
    </section>
  );
}
