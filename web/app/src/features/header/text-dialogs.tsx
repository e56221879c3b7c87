// Texts for the whole meeting: a new topic, an announcement.

import { useState } from "react";
import { api, done } from "../../api/client";
import type { MeetingChange } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useAction } from "../../components/meeting-page/use-action";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, TextArea } from "../../ui/field";
import { useUnsaved } from "../../ui/unsaved";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A new topic, from the next turn on. */
export function TopicDialog({ open, onOpenChange }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("table.topic.title")}
      description={t("table.topic.lead")}
    >
      {open && <Topic onDone={() => onOpenChange(false)} />}
    </Dialog>
  );
}

function Topic({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const [topic, setTopic] = useState(view.topic);
  const change = useTextChange();
  const before = view.topic;
  useUnsaved(topic.trim() !== before);
  const save = async () => {
    const back = {
      label: t("table.undo"),
      onSelect: () => void change.run({ topic: before }, t("table.topic.back")),
    };
    if (await change.run({ topic: topic.trim() }, { text: t("table.topic.done"), action: back })) {
      onDone();
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={t("table.topic.field")} hint={t("table.topic.hint")}>
        <TextArea value={topic} maxLength={200} onChange={(event) => setTopic(event.target.value)} />
      </Field>
      <div className="flex justify-end py-3">
        <Button
          type="submit"
          look="primary"
          busy={change.busy}
          disabled={!topic.trim() || topic.trim() === before}
        >
          {t("table.topic.do")}
        </Button>
      </div>
    </form>
  );
}

/** An announcement to all participants. */
export function AnnounceDialog({ open, onOpenChange }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("table.announce.title")}
      description={t("table.announce.lead")}
    >
      {open && <Announce onDone={() => onOpenChange(false)} />}
    </Dialog>
  );
}

function Announce({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const change = useTextChange();
  useUnsaved(text.trim() !== "");
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (await change.run({ announcement: text.trim() }, t("table.announce.done"))) {
          onDone();
        }
      }}
    >
      <Field label={t("table.announce.field")}>
        <TextArea value={text} maxLength={2000} onChange={(event) => setText(event.target.value)} />
      </Field>
      <div className="flex justify-end py-3">
        <Button type="submit" look="primary" busy={change.busy} disabled={!text.trim()}>
          {t("table.announce.do")}
        </Button>
      </div>
    </form>
  );
}

/** Changes some of a meeting. The password stays as it is: only what is given is sent. */
export function useTextChange() {
  const { view } = useTable();
  const action = useAction();
  return {
    busy: action.busy,
    run: (change: Partial<MeetingChange>, said: Parameters<typeof action.run>[1]) =>
      action.run(
        () =>
          done(
            api.PATCH("/api/v1/meetings/{id}", {
              params: { path: { id: view.id } },
              // A null would take something away; what is left out stays.
              body: change as MeetingChange,
            }),
          ),
        said,
      ),
  };
}
