// More about a thing, beside it. What draws the sheet is fetched when it is wanted.

import type { ReactElement, ReactNode } from "react";
import { onDemand } from "./lazily";
import { Pressed } from "./lazy-trigger";

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

const sheet = onDemand(() => import("./popover-sheet"));

/** A small sheet that opens beside what was pressed. */
export function Popover(props: PopoverProps) {
  return (
    <Pressed part={sheet} trigger={props.trigger} opens="dialog">
      {({ PopoverSheet }, press) => <PopoverSheet {...props} press={press} />}
    </Pressed>
  );
}
