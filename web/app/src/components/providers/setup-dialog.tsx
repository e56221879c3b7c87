// The three steps to a provider in a window.

import { type RefObject, useEffect } from "react";
import { useTranslation } from "../../i18n";
import { Dialog } from "../../ui/dialog";
import ProviderSetup from "./setup";

interface Props {
  onClose: () => void;
  /** Where one goes on afterwards. What opened the window is gone once a model is connected. */
  backTo: RefObject<HTMLElement | null>;
}

/** Connects a model without leaving the page. */
export default function SetupDialog({ onClose, backTo }: Props) {
  const { t } = useTranslation();
  useEffect(
    () => () => {
      // After the window has given the focus back, where it still can.
      setTimeout(() => {
        if (document.activeElement === null || document.activeElement === document.body) {
          backTo.current?.focus();
        }
      });
    },
    [backTo],
  );
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={t("home.setup.title")}
      description={t("home.setup.lead")}
    >
      <ProviderSetup onDone={onClose} />
    </Dialog>
  );
}
