// The way to another model for participants whose own cannot answer.

import { Suspense, useState } from "react";
import type { ParticipantId } from "../../api/schema";
import { useTranslation, withSettingsTexts } from "../../i18n";
import { isOpen } from "../../meeting/view";
import { Button } from "../../ui/button";
import { lazily } from "../../ui/lazily";
import { useTable } from "../meeting-page/context";

const AnotherModel = lazily(() => withSettingsTexts(import("./another-model")));

/** The button, for those of the participants that a model answers for; nothing where there are none, or for who may not. */
export function AnotherModelButton({ ids, small }: { ids: readonly ParticipantId[]; small?: boolean }) {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const [open, setOpen] = useState(false);
  const participants = view.participants
    .filter(
      ({ present, participant: { id, runner } }) => present && runner.kind === "model" && ids.includes(id),
    )
    .map((seat) => seat.participant);
  if (!may.manage || !isOpen(view) || participants.length === 0) {
    return null;
  }
  return (
    <>
      <Button size={small ? "small" : "medium"} data-testid="another-model" onClick={() => setOpen(true)}>
        {t("table.another_model")}
      </Button>
      <Suspense>
        {open && <AnotherModel participants={participants} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
