// The list of a menu.

import { Menu as Base } from "@base-ui/react/menu";
import Check from "lucide-react/icons/check";
import { useEffect, useRef } from "react";
import { cx } from "./classes";
import type { MenuProps } from "./menu";
import type { FirstItem } from "./opens-later";

/** The list, open when it is first drawn. */
export default function MenuList({ trigger, items, first }: MenuProps & { first: FirstItem }) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!first) return;
    // After the list itself has taken the focus.
    const soon = setTimeout(() => {
      const all = [...(popup.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
      all.at(first === "first" ? 0 : -1)?.focus();
    });
    return () => clearTimeout(soon);
  }, [first]);
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-50">
          <Base.Popup
            ref={popup}
            className="fade-in min-w-44 max-w-72 rounded-xl border border-line bg-raised p-1 text-ink shadow-float outline-none"
          >
            {items.map((action, at) =>
              action === null ? (
                <Base.Separator key={`line-${at}`} className="my-1 h-px bg-line" />
              ) : (
                <Base.Item
                  key={action.label}
                  disabled={action.disabled}
                  onClick={action.onSelect}
                  {...(action.checked !== undefined && {
                    role: "menuitemradio",
                    "aria-checked": action.checked,
                  })}
                  className={cx(
                    "flex cursor-default items-start gap-2 rounded-lg px-2.5 py-1.5 text-dense outline-none data-[highlighted]:bg-sunken data-[disabled]:text-ink-3 coarse:min-h-10",
                    action.danger && "text-bad",
                  )}
                >
                  {action.icon && <span className="pt-1">{action.icon}</span>}
                  <span className="min-w-0 flex-1">
                    {action.label}
                    {action.note && <span className="block text-meta text-ink-3">{action.note}</span>}
                  </span>
                  {action.checked && <Check size={15} aria-hidden className="mt-1 shrink-0" />}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
