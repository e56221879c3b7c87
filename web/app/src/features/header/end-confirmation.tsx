// Asks before a meeting is ended, and why it is.

import { useState } from "react";
import type { useMeetingActions } from "../../components/meeting-page/start-pause-resume";
import { useTranslation } from "../../i18n";
import { Confirm } from "../../ui/dialog";
import { Field, TextArea } from "../../ui/field";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  meetingActions: ReturnType<typeof useMeetingActions>;
}

/** The question before the end, with a note for the record. */
export default function EndConfirm({
  open,
  onOpenChange,
  meetingActions,
}: { open: boolean; onOpenChange: (open: boolean) => void } & Pick<Props, "meetingActions">) {
  const { t } = useTranslation();
  const [note, setNote] = useState("");
  const end = async () => {
    if (await meetingActions.end(note.trim())) {
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
        <TextArea value={note} maxLength={500} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </Confirm>
  );
}
