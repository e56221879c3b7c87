// Asks before a meeting is deleted.

import { useNavigate } from "@tanstack/react-router";
import { api, done } from "../../api/client";
import { useTable } from "../../components/meeting-page/context";
import { useAction } from "../../components/meeting-page/use-action";
import { useTranslation } from "../../i18n";
import { pin } from "../../shell/pins";
import { Confirm } from "../../ui/dialog";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The question before a meeting is gone. */
export default function DeleteConfirm({ open, onOpenChange }: Props) {
  const { t } = useTranslation();
  const { view } = useTable();
  const navigate = useNavigate();
  const action = useAction();
  const remove = async () => {
    const path = { id: view.id };
    const gone = await action.run(
      () => done(api.DELETE("/api/v1/meetings/{id}", { params: { path } })).then(() => true),
      t("table.delete.done"),
    );
    if (gone) {
      pin(view.id, false);
      onOpenChange(false);
      await navigate({ to: "/meetings" });
    }
  };
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={t("table.delete.title")}
      text={t("table.delete.text", { topic: view.title })}
      action={t("table.delete.do")}
      danger
      busy={action.busy}
      onConfirm={() => void remove()}
    />
  );
}
