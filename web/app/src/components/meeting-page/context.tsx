// The context of every part around the transcript: the meeting, the user's permissions, and a way to an event.

import { createContext, type ReactNode, use, useMemo } from "react";
import { usePermission } from "../../api/permissions";
import type { MeetingParticipant, ParticipantId } from "../../api/schema";
import { isReplay, useMeeting, useMeetingStore } from "../../meeting/hooks";
import type { View } from "../../meeting/view";
import { changeLayout, isWide } from "./layout";

/** A meeting as the parts around its transcript see it. */
export interface Table {
  id: string;
  view: View;
  /** Shows the transcript around an event. */
  jump: (seq: number) => void;
  /** Whether it is a replay, in which no action is possible. */
  past: boolean;
  /** The user's permissions. None in a replay. */
  may: { speak: boolean; manage: boolean };
}

/** For tests, and for pages that show a meeting without a store. */
export const TableContext = createContext<Table | null>(null);

/** The meeting that a part belongs to. */
export function useTable(): Table {
  const table = use(TableContext);
  if (!table) {
    throw new Error("useTable needs AtTable around it");
  }
  return table;
}

/** Provides the meeting of the store to its children; renders nothing while there is none. */
export function AtTable({ children }: { children: ReactNode }) {
  const view = useMeeting((snapshot) => snapshot.view);
  const store = useMeetingStore();
  const past = isReplay(store);
  const manages = usePermission("manage");
  const speaks = usePermission("speak");
  const table = useMemo<Table | null>(() => {
    if (!view) {
      return null;
    }
    return {
      id: view.id,
      view,
      past,
      may: { manage: !past && manages, speak: !past && speaks },
      jump: (seq) => {
        if (!isWide()) {
          changeLayout({ drawer: null });
        }
        void store.jump(seq);
      },
    };
  }, [view, store, past, manages, speaks]);
  return table && <TableContext value={table}>{children}</TableContext>;
}

/** A participant. */
function seatOf(view: View, id: ParticipantId): MeetingParticipant | undefined {
  return view.participants.find((seat) => seat.participant.id === id);
}

/** A participant's name; the id when there is no such participant. */
export function nameOf(view: View, id: ParticipantId): string {
  return seatOf(view, id)?.participant.name ?? id;
}
