// A user with an account takes a seat at the table, and is asked in turn from then on.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, done } from "../../api/client";
import { formErrors } from "../../api/form-errors";
import { useMe } from "../../api/permissions";
import { useTable } from "../../components/meeting-page/context";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, TextInput } from "../../ui/field";
import { ErrorNotice } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { useUnsaved } from "../../ui/unsaved";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export default function TakeSeat({ open, onOpenChange }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("dialog.seat.title")}
      description={t("dialog.seat.lead")}
    >
      {open && <Form onDone={() => onOpenChange(false)} />}
    </Dialog>
  );
}

function Form({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const { id } = useTable();
  const own = useMe()?.name ?? "";
  const [name, setName] = useState(own);
  const [role, setRole] = useState("");
  useUnsaved(name !== own || role.trim() !== "");
  const taking = useMutation({
    mutationFn: () =>
      done(
        api.POST("/api/v1/meetings/{id}/join", {
          params: { path: { id } },
          body: { name: name.trim() || null, role: role.trim() || null },
        }),
      ),
    onSuccess: (seat) => {
      notify({ text: t("dialog.seat.done", { name: seat.name }) });
      onDone();
    },
  });
  const { at, rest } = formErrors(taking.error, ["name", "role"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    taking.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 pb-2">
      {rest != null && <ErrorNotice error={rest} compact />}
      <Field label={t("dialog.seat.name")} error={at.name}>
        <TextInput value={name} maxLength={50} onChange={(event) => setName(event.currentTarget.value)} />
      </Field>
      <Field label={t("dialog.seat.role")} hint={t("dialog.seat.role_hint")} error={at.role}>
        <TextInput value={role} maxLength={50} onChange={(event) => setRole(event.currentTarget.value)} />
      </Field>
      <Button type="submit" look="primary" className="self-start" busy={taking.isPending}>
        {t("table.rail.take_seat")}
      </Button>
    </form>
  );
}
