// Chooses a program of the server's configuration that takes a seat: a process, or a coding agent with its folder.

import { useQuery } from "@tanstack/react-query";
import { processes } from "../../api/queries";
import { useTranslation } from "../../i18n";
import { Combobox } from "../../ui/combobox";
import { Field, TextInput } from "../../ui/field";

/** What stands for programs in place of a model: `process/reviewer`, `acp/claude/project`. */
const NAMED = /^(process|acp)\/\S/;

/** Whether a text names a program. */
export function namesProgram(model: string): boolean {
  return NAMED.test(model.trim());
}

/** The field. Where nothing is listed, the name is written. */
export function ProcessPicker(props: {
  /** `process/NAME`, `acp/NAME` or `acp/NAME/FOLDER`; empty for none. */
  value: string;
  onChange: (model: string) => void;
  error?: string;
}) {
  const { t } = useTranslation();
  const listed = useQuery(processes);
  const choices = (listed.data?.items ?? []).flatMap(({ kind, model, description, folders }) => {
    const note = [t(`dialog.add.program_${kind}`), description].filter(Boolean).join(" · ");
    const models = folders.length > 1 ? folders.map((folder) => `${model}/${folder}`) : [model];
    return models.map((value) => ({ value, label: value, note }));
  });
  const label = t("dialog.add.its_process");
  return (
    <Field label={label} hint={t("dialog.add.process_hint")} required error={props.error}>
      {choices.length > 0 ? (
        <Combobox
          label={label}
          value={namesProgram(props.value) ? props.value : null}
          onChange={(next) => props.onChange(next ?? "")}
          choices={choices}
        />
      ) : (
        <TextInput
          value={props.value}
          maxLength={250}
          spellCheck={false}
          placeholder="process/NAME"
          className="font-mono"
          onChange={(event) => props.onChange(event.target.value.trim())}
        />
      )}
    </Field>
  );
}
