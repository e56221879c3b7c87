// The skip list of a participant: shown, and changed by whoever manages the meeting.

import Pencil from "lucide-react/icons/pencil";
import { useState } from "react";
import { api, done } from "../../api/client";
import type { MeetingParticipant } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useAction } from "../../components/meeting-page/use-action";
import { useTranslation } from "../../i18n";
import { isOpen } from "../../meeting/view";
import { Button, IconButton } from "../../ui/button";
import { Field, TextArea } from "../../ui/field";
import { linesOf } from "../../ui/lines";

/** The skip list of a seat. */
export function SkipList({ seat }: { seat: MeetingParticipant }) {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const [editing, setEditing] = useState(false);
  const { name, skip_list: phrases = [] } = seat.participant;
  const changes = may.manage && seat.present && isOpen(view);
  if (editing && changes) {
    return <Editor seat={seat} onDone={() => setEditing(false)} />;
  }
  if (phrases.length === 0 && !changes) {
    return null;
  }
  return (
    <div className="flex items-start gap-1">
      <p className="min-w-0 flex-1 text-dense text-ink-2">
        {phrases.length > 0 && <span className="text-meta text-ink-3">{t("table.rail.skip_list")} </span>}
        {phrases.map((phrase) => t("talk.quoted", { phrase })).join(t("ui.comma")) ||
          t("table.rail.skip_list_empty")}
      </p>
      {changes && (
        <IconButton label={t("table.rail.skip_list_edit", { name })} onClick={() => setEditing(true)}>
          <Pencil size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function Editor({ seat, onDone }: { seat: MeetingParticipant; onDone: () => void }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const action = useAction();
  const { id: participant, name, skip_list = [] } = seat.participant;
  const [text, setText] = useState(skip_list.join("\n"));
  const save = async () => {
    const path = { id: view.id, participant };
    const saved = await action.run(
      () =>
        done(
          api.PATCH("/api/v1/meetings/{id}/participants/{participant}", {
            params: { path },
            body: { skip_list: linesOf(text) },
          }),
        ),
      t("table.rail.skip_list_saved", { name }),
    );
    if (saved) {
      onDone();
    }
  };
  return (
    <form
      className="flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={t("table.rail.skip_list_label")} hint={t("table.rail.skip_list_hint")}>
        <TextArea compact rows={3} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      </Field>
      <div className="flex gap-1.5">
        <Button type="submit" size="small" busy={action.busy}>
          {t("ui.save")}
        </Button>
        <Button look="quiet" size="small" onClick={onDone}>
          {t("ui.cancel")}
        </Button>
      </div>
    </form>
  );
}
