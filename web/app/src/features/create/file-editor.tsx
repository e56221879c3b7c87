// The meeting file: the form as JSON, to read, to take along, and to paste.

import { useState } from "react";
import { useTranslation } from "../../i18n";
import type { Form } from "../../meeting-form/form";
import { toMeetingFile } from "../../meeting-form/write-meeting-file";
import { Button } from "../../ui/button";
import { copy } from "../../ui/copy";
import { Field, TextArea } from "../../ui/field";
import { notify } from "../../ui/toast";
import { type Misread, readText } from "./read-meeting-file";

/** The file beside the form, both ways. */
export default function FileEditor({ form, set }: { form: Form; set: (form: Form) => void }) {
  const { t } = useTranslation();
  const now = JSON.stringify(toMeetingFile(form), null, 2);
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState<Misread[]>([]);
  const text = typed ?? now;
  const apply = () => {
    const read = readText(text);
    setWrong(read.wrong ?? []);
    if (read.form) {
      set({ ...read.form, described: form.described });
      setTyped(undefined);
      notify({
        text: t("create.more.json_applied"),
        action: { label: t("create.undo"), onSelect: () => set(form) },
      });
    }
  };
  const download = () => {
    const address = URL.createObjectURL(new Blob([now], { type: "application/json" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: "meeting.json" });
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <div className="flex flex-col gap-2">
      <Field label={t("create.more.json")} hint={t("create.more.json_hint")}>
        <TextArea
          spellCheck={false}
          rows={10}
          value={text}
          onChange={(event) => {
            setTyped(event.target.value);
            setWrong([]);
          }}
          className="max-h-96 font-mono text-dense!"
        />
      </Field>
      {wrong.length > 0 && (
        <div role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-dense">
          <p>{t("create.more.json_wrong")}</p>
          <ul className="list-disc pl-5">
            {wrong.map((one) => (
              <li key={one.at + one.expected}>
                {one.place ? (
                  <span>{t("create.misread.place", { ...one.place })}</span>
                ) : (
                  <code className="font-mono text-meta">{one.at || t("create.misread.whole")}</code>
                )}{" "}
                {t(`create.misread.${one.expected}`)}
                {one.choices && t("create.misread.one_of", { choices: one.choices.join(t("ui.comma")) })}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" look="primary" disabled={typed === undefined || typed === now} onClick={apply}>
          {t("create.more.json_apply")}
        </Button>
        <Button size="small" onClick={() => void copy(text)}>
          {t("ui.copy")}
        </Button>
        <Button size="small" onClick={download}>
          {t("create.more.json_download")}
        </Button>
      </div>
    </div>
  );
}
