// Asks before a meeting is ended, and why it is.

import { useState } from "react";
import { useTable } from "../../components/meeting-page/context";
import type { useMeetingActions } from "../../components/meeting-page/start-pause-resume";
import { useTranslation } from "../../i18n";
import { Confirm } from "../../ui/dialog";
import { Field, TextArea } from "../../ui/field";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  meetingActions: ReturnType<typeof useMeetingActions>;
}

/** The notes that were begun, by meeting: whoever thinks again finds theirs. */
const notes = new Map<string, string>();

/** The question before the end, with a note for the record. */
export default function EndConfirm({
  open,
  onOpenChange,
  meetingActions,
}: { open: boolean; onOpenChange: (open: boolean) => void } & Pick<Props, "meetingActions">) {
  const { t } = useTranslation();
  const { id } = useTable();
  const [note, setNote] = useState(notes.get(id) ?? "");
  const write = (words: string) => {
    notes.set(id, words);
    setNote(words);
  };
  const end = async () => {
    if (await meetingActions.end(note.trim())) {
      notes.delete(id);
      onOpenChange(false);
    }
  };
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={t("table.end.title")}
      text={t("table.end.text")}
      action={t("table.end.do")}
      danger
      busy={meetingActions.busy}
      onConfirm={() => void end()}
    >
      <Field label={t("table.end.note")} className="mt-3">
        <TextArea value={note} maxLength={500} onChange={(event) => write(event.target.value)} />
      </Field>
    </Confirm>
  );
}
