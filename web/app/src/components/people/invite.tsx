// Access to a meeting: links for guests, the guests who have joined, the password.

import { usePermission } from "../../api/permissions";
import { useTranslation } from "../../i18n";
import { Dialog } from "../../ui/dialog";
import { Guests } from "./guests";
import { Invitations } from "./invitations";
import { MeetingPassword } from "./meeting-password";

interface Props {
  /** The meeting. */
  id: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Invites people to a meeting, shows who came, and sets its password. */
export default function InviteDialog({ id, open, onOpenChange }: Props) {
  const { t } = useTranslation();
  const may = usePermission("manage");
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={onOpenChange}
      title={t("join.invite_title")}
      description={t("join.invite_lead")}
    >
      {may ? (
        <div className="flex flex-col gap-7 pb-2">
          <Invitations id={id} />
          <Guests id={id} />
          <MeetingPassword id={id} />
        </div>
      ) : (
        <p className="text-dense text-ink-2">{t("join.invite_may_not")}</p>
      )}
    </Dialog>
  );
}
