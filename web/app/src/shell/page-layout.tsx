// The layout of pages that one reads and fills in: a title, a width that reads well.

import type { ReactNode } from "react";
import { cx } from "../ui/classes";
import { useTitle } from "./title";

interface Props {
  title: string;
  /** A sentence under the title. */
  lead?: ReactNode;
  /** The actions at the right of the title. */
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** A page with a title. */
export function PageLayout({ title, lead, actions, wide, children }: Props) {
  useTitle(title);
  return (
    <div className={cx("mx-auto w-full px-4 py-6 sm:px-6 sm:py-8", wide ? "max-w-6xl" : "max-w-4xl")}>
      <header className="mb-5 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-h1 font-semibold">{title}</h1>
          {lead && <p className="mt-1 text-dense text-ink-2">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
