// Several choices from a long list, found by typing.

import { Combobox as Base } from "@base-ui/react/combobox";
import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import { useTranslation } from "../i18n";
import type { Choice } from "./select";

interface Props {
  value: readonly string[];
  onChange: (value: string[]) => void;
  choices: Choice<string>[];
  placeholder: string;
}

const fits = (one: Choice<string>, words: string) =>
  `${one.label} ${one.note ?? ""} ${one.value}`.toLowerCase().includes(words.trim().toLowerCase());

/** Chooses several of a long list by typing parts of their labels, notes or values. Backspace takes the last one out. */
export function MultiCombobox({ value, onChange, choices, placeholder }: Props) {
  const { t } = useTranslation();
  const chosen = value.flatMap((one) => choices.find((choice) => choice.value === one) ?? []);
  return (
    <Base.Root
      items={choices}
      multiple
      autoHighlight
      value={chosen}
      // Esc closes the list; once more, it would take out all at once.
      onValueChange={(next, { reason }) => reason !== "escape-key" && onChange(next.map((one) => one.value))}
      filter={fits}
    >
      <Base.InputGroup className="w-full">
        <Base.Chips className="flex min-h-9 w-full flex-wrap gap-1 rounded-lg border border-line-strong/60 bg-raised p-1 hover:border-line-strong coarse:min-h-11">
          {chosen.map((one) => (
            <Base.Chip
              key={one.value}
              className="flex min-w-0 items-center gap-0.5 rounded-md bg-sunken pl-2 text-dense text-ink data-[highlighted]:outline-2"
            >
              <span className="min-w-0 truncate">{one.label}</span>
              <Base.ChipRemove
                aria-label={t("ui.take_out", { name: one.label })}
                className="flex size-7 shrink-0 items-center justify-center rounded text-ink-3 hover:text-ink coarse:size-9"
              >
                <X size={13} aria-hidden />
              </Base.ChipRemove>
            </Base.Chip>
          ))}
          <Base.Input
            placeholder={placeholder}
            className="h-7 min-w-28 flex-1 bg-transparent px-2 text-dense text-ink placeholder:text-ink-3 coarse:h-9"
          />
        </Base.Chips>
      </Base.InputGroup>
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
    </Base.Root>
  );
}
