// What a meeting is called, what it is for, and how its times are shown.

import { useState } from "react";
import { useTable } from "../../components/meeting-page/context";
import { TimeFields, type Times } from "../../components/times/fields";
import { useTranslation } from "../../i18n";
import { useMeetingStore } from "../../meeting/hooks";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, TextInput } from "../../ui/field";
import { useUnsaved } from "../../ui/unsaved";
import { useTextChange } from "./text-dialogs";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The window for it. */
export default function DetailsDialog({ open, onOpenChange }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("times.details.title")}
      description={t("times.details.lead")}
    >
      {open && <Details onDone={() => onOpenChange(false)} />}
    </Dialog>
  );
}

function Details({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const store = useMeetingStore();
  const over = view.state === "ended";
  const [before] = useState(() => ({
    // A title that is only the topic is none of its own.
    title: view.title === view.topic ? "" : view.title,
    description: view.description ?? "",
    display: {
      time_zone: view.display?.time_zone ?? null,
      time_format: view.display?.time_format ?? null,
      date_format: view.display?.date_format ?? null,
    },
  }));
  const [title, setTitle] = useState(before.title);
  const [description, setDescription] = useState(before.description);
  const [display, setDisplay] = useState<Times>(before.display);
  useUnsaved(JSON.stringify({ title, description, display }) !== JSON.stringify(before));
  const change = useTextChange();
  const save = async () => {
    const named = title.trim() === "" || title.trim() === view.topic ? null : title.trim();
    // Of a meeting that is over, its record stays as it is.
    const changes = over
      ? { title: named }
      : { title: named, description: description.trim() || null, display };
    if (await change.run(changes, t("times.details.done"))) {
      onDone();
      if (over) store.retryNow();
    }
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={t("times.details.name")} hint={t("times.details.name_hint")} optional>
        <TextInput
          value={title}
          maxLength={200}
          placeholder={view.topic}
          onChange={(event) => setTitle(event.target.value)}
        />
      </Field>
      {!over && (
        <>
          <Field label={t("times.details.description")} hint={t("times.details.description_hint")} optional>
            <TextInput
              value={description}
              maxLength={200}
              onChange={(event) => setDescription(event.target.value)}
            />
          </Field>
          <TimeFields
            value={display}
            onChange={(chosen) => setDisplay({ ...display, ...chosen })}
            open={t("times.reader")}
            hint={t("times.zone_hint")}
          />
        </>
      )}
      <div className="flex justify-end py-3">
        <Button type="submit" look="primary" busy={change.busy}>
          {t("times.details.do")}
        </Button>
      </div>
    </form>
  );
}
