// The participants in the order of speaking, with the activity of each.

import Armchair from "lucide-react/icons/armchair";
import UserPlus from "lucide-react/icons/user-plus";
import { Suspense, useState } from "react";
import { useMe } from "../../api/permissions";
import type { MeetingParticipant } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import {
  changeLayout,
  toggleParticipants,
  useLayout,
  usePhone,
  useWide,
} from "../../components/meeting-page/layout";
import { PhoneView } from "../../components/meeting-page/phone-view";
import { useTranslation, withSettingsTexts } from "../../i18n";
import { useMeeting } from "../../meeting/hooks";
import { hasSeat, isSeatOf, useOwnSeat } from "../../meeting/own-seat";
import type { Snapshot } from "../../meeting/snapshot";
import { isOpen } from "../../meeting/view";
import { useShortcuts } from "../../shell/keys";
import { Button } from "../../ui/button";
import { Drawer } from "../../ui/dialog";
import { lazily } from "../../ui/lazily";
import { activityOf, inOrder } from "./activity";
import { FacilitatorRow, HostRow } from "./host-and-facilitator";
import { useListeners } from "./listeners";
import { PeopleRows } from "./people-rows";
import { SeatRow } from "./seat-row";

const AddDialog = lazily(() => withSettingsTexts(import("./add-dialog")));
const TakeSeat = lazily(() => withSettingsTexts(import("./take-seat")));

/** The participants at the left; a drawer on narrow pages. */
export function ParticipantsSidebar() {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const [adding, setAdding] = useState(false);
  const [taking, setTaking] = useState(false);
  const maySit = useMaySit();
  useShortcuts(t("table.keys"), [
    { keys: "t", label: t("table.key_rail"), run: toggleParticipants },
    ...(may.manage && isOpen(view) ? [{ label: t("table.rail.add"), run: () => setAdding(true) }] : []),
    ...(maySit ? [{ label: t("table.rail.take_seat"), run: () => setTaking(true) }] : []),
  ]);
  return (
    <>
      <Placed />
      {/* Opened by the palette, also while the participants are hidden. */}
      <Suspense>{adding && <AddDialog open onOpenChange={setAdding} />}</Suspense>
      <Suspense>{taking && <TakeSeat open onOpenChange={setTaking} />}</Suspense>
    </>
  );
}

/** Whether the user may take a seat now. A guest gets one by an invitation to it. */
function useMaySit(): boolean {
  const { view, may } = useTable();
  const me = useMe();
  const seated = useOwnSeat() !== undefined;
  return may.speak && isOpen(view) && !seated && me !== undefined && me.meeting == null;
}

function Placed() {
  const { t } = useTranslation();
  const { participants, drawer } = useLayout();
  const wide = useWide();
  if (usePhone()) {
    return (
      drawer === "participants" && (
        <PhoneView label={t("table.rail.title")}>
          <div className="min-h-0 flex-1 overflow-y-auto px-2 py-3">
            <Seats />
          </div>
        </PhoneView>
      )
    );
  }
  if (!wide) {
    return (
      <Drawer
        side="left"
        open={drawer === "participants"}
        onOpenChange={(open) => changeLayout({ drawer: open ? "participants" : null })}
        title={t("table.rail.title")}
      >
        <Seats />
      </Drawer>
    );
  }
  return (
    participants && (
      <aside
        aria-label={t("table.rail.title")}
        className="w-56 shrink-0 overflow-y-auto border-r border-line px-2 py-3"
      >
        <Seats />
      </aside>
    )
  );
}

/** All participants, wherever they are shown. */
export function Seats() {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const [adding, setAdding] = useState(false);
  const [taking, setTaking] = useState(false);
  const maySit = useMaySit();
  const writing = useMeeting(tasksWithWords);
  const tasks = new Set(writing.split(" "));
  const seats = inOrder(view);
  const here = seats.filter((seat) => seat.present);
  // Who gave up a seat and is still there has not left: they stand among the people.
  const listeners = useListeners();
  const isStillThere = ({ participant: { id, runner } }: MeetingParticipant) =>
    view.people.some((one) => isSeatOf(runner, one.id)) || listeners.some((one) => one.seat === id);
  const gone = seats.filter((seat) => !seat.present && !isStillThere(seat));
  return (
    <div className="flex flex-col gap-1">
      <h2 className="px-2 text-meta font-medium text-ink-3">
        {t("table.rail.count", { count: here.length })}
      </h2>
      {here.length === 0 && <p className="px-2 py-2 text-dense text-ink-2">{t("table.rail.nobody")}</p>}
      <ul className="flex flex-col">
        {here.map((seat) => (
          <SeatRow key={seat.participant.id} seat={seat} activity={activityOf(view, seat, tasks)} />
        ))}
      </ul>
      {may.manage && isOpen(view) && (
        <Button look="quiet" size="small" className="mx-1 justify-start" onClick={() => setAdding(true)}>
          <UserPlus size={14} aria-hidden />
          {t("table.rail.add")}
        </Button>
      )}
      {maySit && (
        <Button
          look="quiet"
          size="small"
          className="mx-1 justify-start"
          title={t("table.rail.take_seat_hint")}
          onClick={() => setTaking(true)}
        >
          <Armchair size={14} aria-hidden />
          {t("table.rail.take_seat")}
        </Button>
      )}
      {(view.state !== "ended" || view.people.some((one) => !hasSeat(view, one.id))) && (
        // Where everybody has a seat, there is nobody to set apart.
        <div className="[&:not(:has(li,p,button))]:hidden">
          <div className="mx-2 my-2 border-t border-line" />
          <PeopleRows />
        </div>
      )}
      <div className="mx-2 my-2 border-t border-line" />
      <HostRow />
      <FacilitatorRow />
      {gone.length > 0 && (
        <details className="px-2 pt-2 text-dense">
          <summary className="text-meta text-ink-3">{t("table.rail.gone", { count: gone.length })}</summary>
          <ul className="-mx-2 opacity-75">
            {gone.map((seat) => (
              <SeatRow key={seat.participant.id} seat={seat} activity={{ is: "left" }} />
            ))}
          </ul>
        </details>
      )}
      <Suspense>{adding && <AddDialog open onOpenChange={setAdding} />}</Suspense>
      <Suspense>{taking && <TakeSeat open onOpenChange={setTaking} />}</Suspense>
    </div>
  );
}

/** The tasks of which words have come, as one text that changes seldom. */
function tasksWithWords(snapshot: Snapshot): string {
  const begun = [...snapshot.partials.values()].filter((partial) => partial.answer !== "");
  return begun.map((partial) => partial.task).join(" ");
}
