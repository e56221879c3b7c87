// Several choices from a long list, found by typing.

import { Combobox as Base } from "@base-ui/react/combobox";
import X from "lucide-react/icons/x";
import { useTranslation } from "../i18n";
import { ChoiceList } from "./combobox";
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
      <ChoiceList />
    </Base.Root>
  );
}
