// The list of a menu.

import { Menu as Base } from "@base-ui/react/menu";
import Check from "lucide-react/icons/check";
import { cx } from "./classes";
import { type HandedOver, useHandedOver } from "./lazy-trigger";
import type { MenuProps } from "./menu";

/** The list, from its first press on. */
export function MenuList({ trigger, press, deeds }: MenuProps & HandedOver) {
  const own = useHandedOver(press);
  return (
    <Base.Root>
      <Base.Trigger ref={own} render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-50">
          <Base.Popup className="fade-in min-w-44 max-w-72 rounded-xl border border-line bg-raised p-1 text-ink shadow-float outline-none">
            {deeds.map((deed, at) =>
              deed === null ? (
                <Base.Separator key={`line-${at}`} className="my-1 h-px bg-line" />
              ) : (
                <Base.Item
                  key={deed.label}
                  disabled={deed.disabled}
                  onClick={deed.onSelect}
                  {...(deed.checked !== undefined && {
                    role: "menuitemradio",
                    "aria-checked": deed.checked,
                  })}
                  className={cx(
                    "flex cursor-default items-start gap-2 rounded-lg px-2.5 py-1.5 text-dense outline-none data-[highlighted]:bg-sunken data-[disabled]:text-ink-3 coarse:min-h-10",
                    deed.danger && "text-bad",
                  )}
                >
                  {deed.icon && <span className="pt-1">{deed.icon}</span>}
                  <span className="min-w-0 flex-1">
                    {deed.label}
                    {deed.note && <span className="block text-meta text-ink-3">{deed.note}</span>}
                  </span>
                  {deed.checked && <Check size={15} aria-hidden className="mt-1 shrink-0" />}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
