// Participants described in a sentence, who are invited once the meeting has started.

import Plus from "lucide-react/icons/plus";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { useTranslation } from "../../i18n";
import type { Form } from "../../meeting-form/form";
import { Button, IconButton } from "../../ui/button";
import { Field, TextInput } from "../../ui/field";
import { MoreButton } from "./section";

/** The sentences, and one more. */
export function DescribedParticipants({ form, set }: { form: Form; set: (form: Form) => void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const add = () => {
    if (typed.trim()) {
      set({ ...form, described: [...form.described, typed.trim()] });
      setTyped("");
    }
  };
  // Descriptions can be restored from elsewhere; they must be visible before they are sent.
  if (!open && form.described.length > 0) {
    setOpen(true);
  }
  if (!open) {
    return <MoreButton onClick={() => setOpen(true)}>{t("create.cast.describe")}</MoreButton>;
  }
  return (
    <div className="flex flex-col gap-2">
      {form.described.length > 0 && (
        <ul className="flex flex-col gap-1">
          {form.described.map((sentence, at) => (
            <li key={at} className="flex items-center gap-2 rounded-lg bg-sunken px-2.5 py-1 text-dense">
              <span className="min-w-0 flex-1">{sentence}</span>
              <IconButton
                size="small"
                label={t("create.cast.take_out", { name: sentence })}
                onClick={() => set({ ...form, described: form.described.filter((_, other) => other !== at) })}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Field label={t("create.cast.describe")} hint={t("create.cast.describe_hint")}>
        <div className="flex gap-2">
          <TextInput
            maxLength={2000}
            value={typed}
            placeholder={t("create.cast.describe_placeholder")}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              // Enter belongs to the input method while it composes.
              if (event.key === "Enter" && !event.nativeEvent.isComposing && event.keyCode !== 229) {
                event.preventDefault();
                add();
              }
            }}
            className="min-w-0 flex-1"
          />
          <Button onClick={add} disabled={!typed.trim()}>
            <Plus size={15} aria-hidden />
            {t("create.add")}
          </Button>
        </div>
      </Field>
    </div>
  );
}
