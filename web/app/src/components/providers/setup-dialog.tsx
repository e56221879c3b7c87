// The three steps to a provider in a window.

import { useTranslation } from "../../i18n";
import { Dialog } from "../../ui/dialog";
import ProviderSetup from "./setup";

interface Props {
  onClose: () => void;
}

/** Connects a model without leaving the page. */
export default function SetupDialog({ onClose }: Props) {
  const { t } = useTranslation();
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
