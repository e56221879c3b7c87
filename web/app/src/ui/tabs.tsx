// Several views of one thing, one of them in sight.

import { Tabs as Base } from "@base-ui/react/tabs";
import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "./classes";
import { ScrollEdges } from "./scroll-edges";

/** One of several views. */
export interface Tab<T extends string> {
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

/** Tabs over what the chosen one shows. */
export function Tabs<T extends string>({ label, tabs, value, onChange, children, className }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  // The chosen tab may lie outside a narrow list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value is another tab
  useEffect(() => {
    if (list.current) {
      show(list.current);
    }
  }, [value]);
  return (
    <Base.Root
      value={value}
      onValueChange={(next: T) => onChange(next)}
      className={cx("flex min-h-0 flex-col", className)}
    >
      <div className="relative shrink-0">
        <Base.List
          ref={list}
          aria-label={label}
          className="relative flex gap-0.5 overflow-x-auto border-b border-line px-2 [scrollbar-width:none]"
        >
          {tabs.map((tab) => (
            <Base.Tab
              key={tab.value}
              value={tab.value}
              className="flex h-9 items-center gap-1.5 whitespace-nowrap border-b-2 border-transparent px-2 text-dense text-ink-2 hover:text-ink data-[active]:border-accent data-[active]:text-ink coarse:h-11"
            >
              {tab.icon}
              {tab.label}
              {tab.count !== undefined && tab.count > 0 && (
                <span className="rounded-full bg-sunken px-1.5 text-meta text-ink-2">{tab.count}</span>
              )}
            </Base.Tab>
          ))}
        </Base.List>
        <ScrollEdges strip={list} />
      </div>
      <Base.Panel value={value} className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px]">
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
