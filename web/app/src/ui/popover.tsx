// More about a thing, beside it. What draws the sheet is fetched when it is wanted.

import type { ReactElement, ReactNode } from "react";
import { lazily } from "./lazily";
import { OpensLater } from "./opens-later";

/** A sheet beside a button. */
export interface PopoverProps {
  trigger: ReactElement<Record<string, unknown>>;
  /** The label for screen readers. */
  label: string;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "right" | "bottom" | "left";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
}

const fetch = () => import("./popover-sheet");
const PopoverSheet = lazily(fetch);

/** A small sheet that opens beside what was pressed. */
export function Popover(props: PopoverProps) {
  return (
    <OpensLater trigger={props.trigger} opens="dialog" fetch={fetch}>
      {() => <PopoverSheet {...props} />}
    </OpensLater>
  );
}
