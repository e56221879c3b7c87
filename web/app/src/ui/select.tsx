// A choice from a list.

import { Select as Base } from "@base-ui/react/select";
import Check from "lucide-react/icons/check";
import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import { useTranslation } from "../i18n";
import { cx } from "./classes";

/** Something that can be chosen. */
export interface Choice<T extends string> {
  value: T;
  label: string;
  /** A line that says when to choose it. */
  note?: string;
}

interface Props<T extends string> {
  /** Its name, when no label of a Field names it. */
  label?: string;
  value: T | null;
  onChange: (value: T) => void;
  choices: Choice<T>[];
  disabled?: boolean;
  className?: string;
  id?: string;
}

/** Chooses one of a list. */
export function Select<T extends string>({
  label,
  value,
  onChange,
  choices,
  disabled,
  className,
  id,
}: Props<T>) {
  const { t } = useTranslation();
  return (
    <Base.Root
      items={choices}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled}
    >
      <Base.Trigger
        id={id}
        aria-label={label}
        className={cx(
          "flex h-9 min-w-0 items-center justify-between gap-2 rounded-lg border border-line-strong/60 bg-raised px-3 text-left text-dense text-ink hover:border-line-strong data-[disabled]:opacity-50 coarse:h-11",
          className,
        )}
      >
        <span className="min-w-0 truncate">
          <Base.Value>
            {(now: T | null) => choices.find((one) => one.value === now)?.label ?? t("ui.choose")}
          </Base.Value>
        </span>
        <Base.Icon className="text-ink-3">
          <ChevronsUpDown size={14} aria-hidden />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="fade-in max-h-[min(22rem,var(--available-height))] min-w-[var(--anchor-width)] max-w-80 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float">
            {choices.map((one) => (
              <Base.Item
                key={one.value}
                value={one.value}
                className="flex cursor-default gap-2 rounded-lg px-2 py-1.5 text-dense outline-none data-[highlighted]:bg-sunken coarse:min-h-10"
              >
                <span className="w-4 shrink-0 pt-1 text-accent">
                  <Base.ItemIndicator>
                    <Check size={14} aria-hidden />
                  </Base.ItemIndicator>
                </span>
                <span className="min-w-0">
                  <Base.ItemText>{one.label}</Base.ItemText>
                  {one.note && <span className="block text-meta text-ink-3">{one.note}</span>}
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
