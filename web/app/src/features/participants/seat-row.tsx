// One seat in the list of participants: the participant and its activity; pressed, all details.

import { Suspense, useEffect, useState } from "react";
import { serverNow } from "../../api/clock";
import type { MeetingParticipant } from "../../api/schema";
import { nameOf, useTable } from "../../components/meeting-page/context";
import { Avatar } from "../../components/speaker/avatar";
import { runnerLabelIn } from "../../components/speaker/runner-label";
import { voice } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import { isSeatOf, useOwnSeat } from "../../meeting/own-seat";
import { hueOf } from "../../meeting/speaker-colours";
import { cx } from "../../ui/classes";
import { lazily } from "../../ui/lazily";
import { Popover } from "../../ui/popover";
import { Badge, Waiting } from "../../ui/surface";
import { Tooltip } from "../../ui/tooltip";
import type { Activity } from "./activity";
import { ACTIVITY_ICONS } from "./activity-icons";
import { hostOf } from "./hand-over";
import { Presence, useEntry } from "./presence";

const SeatCard = lazily(() => import("./seat-card"));

/** Whether a moment, in milliseconds since 1970, is still to come. */
function useIsToCome(at: number | undefined): boolean {
  const [over, setOver] = useState<number>();
  useEffect(() => {
    if (at !== undefined) {
      const timer = setTimeout(() => setOver(at), Math.max(0, at - serverNow()));
      return () => clearTimeout(timer);
    }
  }, [at]);
  return at !== undefined && over !== at && at > serverNow();
}

/** A seat. */
export function SeatRow({ seat, activity: told }: { seat: MeetingParticipant; activity: Activity }) {
  const { t } = useTranslation();
  // At its time the next request is made, and the participant thinks again.
  const waits = useIsToCome(told.is === "retries" ? told.at : undefined);
  const activity: Activity = told.is === "retries" && !waits ? { is: "thinking" } : told;
  const { view } = useTable();
  const { id, name, role } = seat.participant;
  const { Icon, tone } = ACTIVITY_ICONS[activity.is];
  const own = useOwnSeat()?.participant.id === id;
  const hosts = isSeatOf(seat.participant.runner, hostOf(view)?.id);
  const words = useWords(activity, own ? null : name);
  const colours = voice(hueOf(id));
  const busy =
    activity.is === "speaking" ||
    activity.is === "thinking" ||
    activity.is === "voting" ||
    activity.is === "asked";
  // Where nothing goes on, what answers for it says more than that it waits.
  const rests = activity.is === "idle" && (view.state === "ended" || view.state === "draft");
  // Words of what goes on need the room.
  const tells = rests || activity.is === "said" || activity.is === "voted" || activity.is === "idle";
  const held = seat.stance?.position;
  // Of one that connects itself, whether it is there.
  const entry = useEntry(id);
  const there = activity.is === "idle" && view.state !== "ended" ? entry : undefined;
  const row = (
    <button
      type="button"
      className={cx(
        "flex w-full items-center gap-2.5 rounded-lg px-2 py-1.5 text-left hover:bg-sunken coarse:min-h-11",
        busy && "bg-sunken",
      )}
    >
      <Avatar view={view} id={id} />
      <span className="min-w-0 flex-1">
        <span
          className={cx(colours.className, "flex flex-wrap items-baseline gap-x-1.5")}
          style={colours.style}
        >
          <bdi className="min-w-0 text-dense font-medium break-words text-voice-name">{name}</bdi>
          {own && <Badge tone="accent">{t("talk.you")}</Badge>}
          {hosts && <span className="shrink-0 text-meta text-ink-3">{t("table.rail.host")}</span>}
          <span className="min-w-0 text-meta break-words text-ink-3">{role.name}</span>
        </span>
        <span className={cx("flex flex-wrap items-center gap-x-1.5 text-meta", rests ? "text-ink-3" : tone)}>
          {there ? (
            <>
              {rests && runnerLabelIn(view, seat.participant.runner) !== role.name && (
                <span className="min-w-0 break-words text-ink-3">
                  {runnerLabelIn(view, seat.participant.runner)} ·
                </span>
              )}
              <Presence entry={there} />
            </>
          ) : (
            <span className="flex min-w-0 gap-x-1.5">
              {rests || (
                <Icon
                  size={12}
                  aria-hidden
                  className={cx("mt-1 shrink-0", busy && "motion-safe:animate-pulse")}
                />
              )}
              <span className="min-w-0 break-words">
                {rests ? runnerLabelIn(view, seat.participant.runner) : words}
              </span>
            </span>
          )}
          {tells && seat.stance?.confidence != null && (
            <span className="text-ink-3">{t("table.rail.sure", { n: seat.stance.confidence })}</span>
          )}
        </span>
      </span>
    </button>
  );
  return (
    <li>
      <Popover
        label={name}
        side="right"
        align="start"
        className="w-96"
        // One kind of element before and after its first stance: another one would be a new button, without the focus.
        trigger={<Tip text={held ? t("table.rail.holds", { position: held }) : undefined}>{row}</Tip>}
      >
        <Suspense fallback={<Waiting />}>
          <SeatCard seat={seat} activity={activity} />
        </Suspense>
      </Popover>
    </li>
  );
}

/** A tooltip that passes on what its trigger is given by others. */
function Tip({
  text,
  children,
  ...rest
}: {
  text: string | undefined;
  children: React.ReactElement<Record<string, unknown>>;
}) {
  const { type: Row, props } = children;
  return (
    <Tooltip text={text}>
      <Row {...props} {...rest} />
    </Tooltip>
  );
}

/** The activity of a participant, in words. `name`: whose it is; none for the user's own seat. */
function useWords(doing: Activity, name: string | null): string {
  const { t } = useTranslation();
  const { view } = useTable();
  switch (doing.is) {
    case "queued":
      return doing.after
        ? t("table.rail.next_after", { name: nameOf(view, doing.after) })
        : t("table.rail.queued", { place: doing.place });
    case "asked":
      return name === null ? t("table.rail.asked_you") : t("table.rail.asked", { name });
    case "awaits":
      return t("table.rail.awaits", { name: doing.provider });
    case "retries":
      return t("table.rail.retrying", { why: t(`table.failure.${doing.kind}`) });
    case "failed":
      return t("table.rail.failed", { why: t(`table.failure.${doing.kind}`) });
    default:
      return t(`table.rail.is.${doing.is}`);
  }
}
