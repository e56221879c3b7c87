// The long list: only the rows in sight are in the document, and what is read stays where it is.

import type { RefObject } from "react";
import { useTranslation } from "../../i18n";
import { useMeeting } from "../../meeting/hooks";
import { useDensity } from "../../shell/density";
import { cx } from "../../ui/classes";
import { RowView } from "./row";
import type { Row } from "./rows";
import type { useScroll } from "./scroll-position";

interface Props {
  rows: readonly Row[];
  scroll: ReturnType<typeof useScroll>;
  scroller: RefObject<HTMLDivElement | null>;
  /** The event that the address names: its row keeps a mark. */
  mark?: number;
}

/** The rows of the transcript. */
export function VirtualList({ rows, scroll, scroller, mark }: Props) {
  const { t } = useTranslation();
  const fetching = useMeeting((shown) => shown.fetching);
  const density = useDensity();
  const { list, items, look, marked } = scroll;
  return (
    <div
      ref={scroller}
      id="transcript"
      role="log"
      aria-live="off"
      aria-label={t("talk.transcript")}
      aria-busy={fetching !== null}
      tabIndex={0}
      onScroll={look}
      className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px] [overflow-anchor:none]"
    >
      <div className="relative mx-auto max-w-[46rem]" style={{ height: list.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (!row) {
            return null;
          }
          const flashed = marked === row.key;
          return (
            <div
              key={item.key}
              ref={list.measureElement}
              data-index={item.index}
              tabIndex={-1}
              style={{ top: item.start }}
              className={cx(
                "absolute inset-x-0 px-4 outline-offset-[-3px] transition-colors duration-500 sm:px-6",
                density === "compact" ? "py-1" : "py-2.5",
                flashed && "rounded-xl bg-accent-soft",
                mark !== undefined && row.seq === mark && "shadow-[inset_3px_0_0_var(--accent)]",
              )}
            >
              <RowView row={row} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
