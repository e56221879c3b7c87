// A choice from a long list, found by typing.

import { Combobox as Base } from "@base-ui/react/combobox";
import Check from "lucide-react/icons/check";
import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import { useTranslation } from "../i18n";
import { cx } from "./classes";
import type { Choice } from "./select";

interface Props {
  label?: string;
  value: string | null;
  onChange: (value: string | null) => void;
  choices: Choice<string>[];
  placeholder?: string;
  disabled?: boolean;
  className?: string;
  id?: string;
}

/** Chooses one of a long list by typing a part of it. */
export function Combobox({ label, value, onChange, choices, placeholder, disabled, className, id }: Props) {
  const { t } = useTranslation();
  const chosen = choices.find((one) => one.value === value) ?? null;
  return (
    <Base.Root
      items={choices}
      value={chosen}
      onValueChange={(next) => onChange(next?.value ?? null)}
      disabled={disabled}
    >
      <Base.InputGroup className={cx("relative flex min-w-0 items-center", className)}>
        <Base.Input
          id={id}
          aria-label={label}
          placeholder={placeholder ?? t("ui.choose")}
          className="h-9 w-full min-w-0 rounded-lg border border-line-strong/60 bg-raised pr-8 pl-3 text-dense text-ink placeholder:text-ink-3 hover:border-line-strong disabled:opacity-50 coarse:h-11"
        />
        <Base.Trigger
          aria-label={t("ui.show")}
          className="absolute right-0 flex h-full w-8 items-center justify-center text-ink-3"
        >
          <ChevronsUpDown size={14} aria-hidden />
        </Base.Trigger>
      </Base.InputGroup>
      <ChoiceList />
    </Base.Root>
  );
}

/** The list that opens below the field: what fits what was typed. */
export function ChoiceList() {
  const { t } = useTranslation();
  return (
    <Base.Portal>
      <Base.Positioner sideOffset={4} className="z-50">
        <Base.Popup className="fade-in max-h-[min(22rem,var(--available-height))] w-[max(var(--anchor-width),14rem)] max-w-[90vw] overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float">
          <Base.Empty className="px-2 text-dense text-ink-3 not-empty:py-1.5">
            {t("ui.none_found")}
          </Base.Empty>
          <Base.List>
            {(one: Choice<string>) => (
              <Base.Item
                key={one.value}
                value={one}
                className="flex cursor-default gap-2 rounded-lg px-2 py-1.5 text-dense outline-none data-[highlighted]:bg-sunken coarse:min-h-10"
              >
                <span className="w-4 shrink-0 pt-1 text-accent">
                  <Base.ItemIndicator>
                    <Check size={14} aria-hidden />
                  </Base.ItemIndicator>
                </span>
                <span className="min-w-0">
                  {one.label}
                  {one.note && <span className="block text-meta text-ink-3">{one.note}</span>}
                </span>
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}
