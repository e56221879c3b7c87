// Doing a command: what was done is said, and how it is taken back.

import { useState } from "react";
import { useTranslation } from "../../i18n";
import { useMeetingStore } from "../../meeting/hooks";
import { notify, notifyError } from "../../ui/toast";
import type { Command } from "./commands";

/** Does commands, one at a time; `true` when it was done. */
export function useCommands(): {
  busy: boolean;
  run: (command: Command, argument: string) => Promise<boolean>;
} {
  const { t } = useTranslation();
  const store = useMeetingStore();
  const [busy, setBusy] = useState(false);
  const run = async (command: Command, argument: string) => {
    const view = store.snapshot().view;
    if (!view) {
      return false;
    }
    setBusy(true);
    try {
      const { undo } = await command.run({ id: view.id, view }, argument);
      const takeBack = undo && {
        label: t("table.undo"),
        onSelect: () => void undo().then(() => notify({ text: t("talk.undone") }), notifyError),
      };
      notify({ text: t(`talk.done_${command.name}`), action: takeBack });
      return true;
    } catch (error) {
      notifyError(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}
