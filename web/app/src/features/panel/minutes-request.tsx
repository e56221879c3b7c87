// Minutes are asked for: of whom, and what they are to look at.

import { useState } from "react";
import { api, done, onceKey } from "../../api/client";
import { useTable } from "../../components/meeting-page/context";
import { useAction } from "../../components/meeting-page/use-action";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Field, TextArea } from "../../ui/field";
import { Popover } from "../../ui/popover";
import { Select } from "../../ui/select";

const FACILITATOR = "facilitator";

/** A button with a small form. */
export function RequestMinutes() {
  const { t } = useTranslation();
  const { view } = useTable();
  const action = useAction();
  const [open, setOpen] = useState(false);
  const [writer, setWriter] = useState(FACILITATOR);
  const [note, setNote] = useState("");
  const here = view.participants.filter((seat) => seat.present);
  const ask = async () => {
    const asked = await action.run(
      () =>
        done(
          api.POST("/api/v1/meetings/{id}/minutes", {
            params: { path: { id: view.id }, header: onceKey() },
            body: { writer: writer === FACILITATOR ? null : writer, note: note.trim() },
          }),
        ),
      t("panel.minutes.requested"),
    );
    if (asked) {
      setOpen(false);
    }
  };
  return (
    <Popover
      label={t("panel.minutes.request")}
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" disabled={view.minutes_requested != null}>
          {t(view.minutes ? "panel.minutes.renew" : "panel.minutes.request")}
        </Button>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <Field label={t("panel.minutes.writer")}>
          <Select
            label={t("panel.minutes.writer")}
            value={writer}
            onChange={setWriter}
            choices={[
              { value: FACILITATOR, label: t("table.author.facilitator") },
              ...here.map(({ participant }) => ({ value: participant.id, label: participant.name })),
            ]}
          />
        </Field>
        <Field label={t("panel.minutes.note")} hint={t("panel.minutes.note_hint")}>
          <TextArea value={note} maxLength={2000} onChange={(event) => setNote(event.target.value)} />
        </Field>
        <Button type="submit" look="primary" className="self-end" busy={action.busy}>
          {t("panel.minutes.request")}
        </Button>
      </form>
    </Popover>
  );
}
