// Who hosts, and making somebody else at the table the host.

import Crown from "lucide-react/icons/crown";
import { useState } from "react";
import { api, done } from "../../api/client";
import { useMe } from "../../api/permissions";
import type { Person } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useAction } from "../../components/meeting-page/use-action";
import { useTranslation } from "../../i18n";
import { isOpen, type View } from "../../meeting/view";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/dialog";

/** The person who hosts; none where a participant does. */
export function hostOf(view: Pick<View, "moderator" | "host_person">): Person | null {
  return view.moderator.type === "user" ? view.host_person : null;
}

/** Whether a person is at the table. */
export function isAtTable({ people }: Pick<View, "people">, person: Person | null): boolean {
  return person !== null && people.some((one) => one.id === person.id);
}

/** The button that makes somebody at the table the host, after a question; for those who may. */
export function HandOver({ to, name, icon }: { to: Person; name: string; icon?: boolean }) {
  const { t } = useTranslation();
  const { id, view, may } = useTable();
  const own = useMe()?.person;
  const action = useAction();
  const [asked, setAsked] = useState(false);
  const host = hostOf(view);
  const isOwn = host !== null && host.id === own;
  const mayAppoint = may.speak && (isOwn || (may.manage && !isAtTable(view, host)));
  if (!isOpen(view) || !mayAppoint || to.id === host?.id) {
    return null;
  }
  const label = t("table.people.hand_over", { name });
  const handOver = async () => {
    const put = () =>
      done(api.PUT("/api/v1/meetings/{id}/host", { params: { path: { id } }, body: { person: to.id } }));
    await action.run(put, t("table.people.handed_over", { name }));
    setAsked(false);
  };
  return (
    <>
      {icon ? (
        <IconButton size="small" label={label} onClick={() => setAsked(true)}>
          <Crown size={14} aria-hidden />
        </IconButton>
      ) : (
        <Button size="small" onClick={() => setAsked(true)}>
          <Crown size={14} aria-hidden />
          {label}
        </Button>
      )}
      <Confirm
        open={asked}
        onOpenChange={setAsked}
        title={label}
        text={t("table.people.hand_over_text")}
        action={t("table.people.hand_over_action")}
        busy={action.busy}
        onConfirm={() => void handOver()}
      />
    </>
  );
}
