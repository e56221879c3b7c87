// More about a thing, as a sheet that opens beside it.

import { Popover as Base } from "@base-ui/react/popover";
import { useEffect } from "react";
import { cx } from "./classes";
import type { PopoverProps } from "./popover";

/** The sheet, open when it is first drawn. */
export default function PopoverSheet({
  trigger,
  label,
  children,
  align = "center",
  side = "bottom",
  open,
  onOpenChange,
  className,
}: PopoverProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it was opened by the press that fetched it
  useEffect(() => onOpenChange?.(true), []);
  return (
    <Base.Root defaultOpen open={open} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} side={side} collisionPadding={8} className="z-50">
          <Base.Popup
            aria-label={label}
            className={cx(
              "fade-in max-h-[var(--available-height)] w-80 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-xl border border-line bg-raised p-4 text-dense text-ink shadow-float outline-none",
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
