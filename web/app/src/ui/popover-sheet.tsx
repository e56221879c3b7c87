// More about a thing, as a sheet that opens beside it.

import { Popover as Base } from "@base-ui/react/popover";
import { cx } from "./classes";
import { type HandedOver, useHandedOver } from "./lazy-trigger";
import type { PopoverProps } from "./popover";

/** The sheet, from its first press on. */
export function PopoverSheet({
  trigger,
  press,
  label,
  children,
  align = "center",
  side = "bottom",
  open,
  onOpenChange,
  className,
}: PopoverProps & HandedOver) {
  const own = useHandedOver(press);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger ref={own} render={trigger} />
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
