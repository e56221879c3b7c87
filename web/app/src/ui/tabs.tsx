// Several views of one thing, one of them in sight.

import ChevronDown from "lucide-react/icons/chevron-down";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "../i18n";
import { cx } from "./classes";
import { Menu } from "./menu";
import { ScrollEdges } from "./scroll-edges";

/** One of several views. */
interface Tab<T extends string> {
  value: T;
  label: string;
  /** A number beside the label, when there is something to count. */
  count?: number;
  icon?: ReactNode;
}

interface Props<T extends string> {
  /** The label for screen readers. */
  label: string;
  tabs: Tab<T>[];
  value: T;
  onChange: (value: T) => void;
  /** The contents of the chosen tab. */
  children: ReactNode;
  className?: string;
  /** At most so many stand in the row, as far as they fit; the others are in a menu after it. All when left out. */
  most?: number;
}

const EDGE_PX = 36;

// Only the list moves: the page around it stays where its reader is.
function show(list: HTMLElement) {
  const chosen = list.querySelector("[data-active]")?.getBoundingClientRect();
  const whole = list.getBoundingClientRect();
  // What lies under an edge is not in sight.
  const room = { left: whole.left + EDGE_PX, right: whole.right - EDGE_PX };
  if (chosen && chosen.left < room.left) {
    list.scrollLeft -= room.left - chosen.left;
  } else if (chosen && chosen.right > room.right) {
    list.scrollLeft += chosen.right - room.right;
  }
}

/** The tabs of the row and those of the menu. The chosen one is always in the row, in the last place if need be. */
export function split<T extends string>(
  tabs: readonly Tab<T>[],
  value: T,
  room: number,
): { shown: Tab<T>[]; rest: Tab<T>[] } {
  if (tabs.length <= room) {
    return { shown: [...tabs], rest: [] };
  }
  const at = tabs.findIndex((tab) => tab.value === value);
  const first = tabs.slice(0, at < room ? room : room - 1);
  const chosen = at < room ? [] : tabs.slice(at, at + 1);
  const shown = [...first, ...chosen];
  return { shown, rest: tabs.filter((tab) => !shown.includes(tab)) };
}

/** How many tabs fit, of at most so many: as many as do not make the row scroll. */
function useRoom(list: RefObject<HTMLElement | null>, most: number, tabs: readonly Tab<string>[]): number {
  const words = tabs.map(({ label, count }) => `${label} ${count ?? ""}`).join();
  const [fit, setFit] = useState({ words, width: 0, room: most });
  const room = fit.words === words ? Math.min(fit.room, most) : most;
  useLayoutEffect(() => {
    const row = list.current;
    if (!row || most >= tabs.length) {
      return;
    }
    const look = () => {
      const width = row.clientWidth;
      const over = row.scrollWidth > width + 1;
      setFit((was) => {
        const now = was.words === words && was.width === width ? was.room : most;
        const next = over && now === room ? Math.max(2, now - 1) : now;
        return was.words === words && was.width === width && was.room === next
          ? was
          : { words, width, room: next };
      });
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(row);
    return () => sizes.disconnect();
  });
  return room;
}

/** Moves the focus along the row, as the pattern for tabs has it; a tab is chosen by a press. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const row = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const at = row.findIndex((tab) => tab.matches(":focus"));
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (at >= 0 && to !== undefined) {
    event.preventDefault();
    row.at(to % row.length)?.focus();
  }
}

/** Tabs over what the chosen one shows. */
export function Tabs<T extends string>({
  label,
  tabs: all,
  value,
  onChange,
  children,
  className,
  most,
}: Props<T>) {
  const { t } = useTranslation();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const room = useRoom(list, most ?? all.length, all);
  const { shown: tabs, rest } = split(all, value, room);
  // The chosen tab may lie outside a narrow list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value is another tab
  useEffect(() => {
    if (list.current) {
      show(list.current);
    }
  }, [value]);
  return (
    <div className={cx("flex min-h-0 flex-col", className)}>
      <div className="relative flex shrink-0 border-b border-line">
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          onKeyDown={move}
          className="relative -mb-px flex min-w-0 flex-1 gap-0.5 overflow-x-auto px-2 [scrollbar-width:none]"
        >
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              data-active={tab.value === value || undefined}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
              className={cx(
                "flex h-9 items-center gap-1.5 whitespace-nowrap border-b-2 border-transparent text-dense text-ink-2 hover:text-ink data-[active]:border-accent data-[active]:text-ink coarse:h-11",
                most === undefined ? "px-2" : "px-1.5",
              )}
            >
              {tab.icon}
              {tab.label}
              {tab.count !== undefined && tab.count > 0 && (
                <span className="rounded-full bg-sunken px-1.5 text-meta text-ink-2">{tab.count}</span>
              )}
            </button>
          ))}
        </div>
        {rest.length > 0 ? (
          <Menu
            trigger={
              <button
                type="button"
                className="flex h-9 shrink-0 items-center gap-1 px-2 pr-3 text-dense text-ink-2 hover:text-ink coarse:h-11"
              >
                {t("ui.more")}
                <ChevronDown size={14} aria-hidden />
              </button>
            }
            items={rest.map((tab) => ({
              label: tab.count ? `${tab.label} (${tab.count})` : tab.label,
              icon: tab.icon,
              onSelect: () => onChange(tab.value),
            }))}
          />
        ) : (
          <ScrollEdges strip={list} />
        )}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px]"
      >
        {children}
      </div>
    </div>
  );
}
