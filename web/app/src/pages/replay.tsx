// A meeting once more, from its log and without models: the same table, what moves it, and the notice above.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import History from "lucide-react/icons/history";
import Radio from "lucide-react/icons/radio";
import { Suspense, useEffect, useMemo, useState } from "react";
import { usePermission } from "../api/permissions";
import { viewOf } from "../components/export/result-queries";
import { AtTable } from "../components/meeting-page/context";
import { useTranscriptCovered } from "../components/meeting-page/layout";
import { DensityButton } from "../features/header/density";
import { SidePanel } from "../features/panel/side-panel";
import { ParticipantsSidebar } from "../features/participants/sidebar";
import { ReplayControls } from "../features/replay/controls";
import { MARKED, marksOf } from "../features/replay/marks";
import { replayFrom } from "../features/replay/store";
import { withJumpNotifications } from "../features/transcript/jump";
import { PhoneTabs } from "../features/transcript/phone-tabs";
import { Transcript } from "../features/transcript/transcript";
import { Unavailable } from "../features/transcript/unavailable";
import { useTranslation } from "../i18n";
import { MeetingProvider, useMeeting, useReplay } from "../meeting/hooks";
import { eventsOf } from "../meeting/log-pages";
import { pageApi } from "../meeting/page-api";
import type { ReplaySnapshot, ReplayStore } from "../meeting/replay";
import { useTimesOf } from "../shell/formatting";
import { MenuButton } from "../shell/menu-button";
import { useTitle } from "../shell/title";
import { ButtonLink } from "../ui/button";
import { lazily } from "../ui/lazily";
import { Badge, Empty, ErrorNotice } from "../ui/surface";

const route = getRouteApi("/m/$id/replay");

export default function ReplayPage() {
  const { id } = route.useParams();
  const { at } = route.useSearch();
  return <Replayed key={id} id={id} at={at} />;
}

function Replayed({ id, at }: { id: string; at: number | undefined }) {
  // Where it begins is asked for once; from then on the address follows the replay.
  const [begun, setBegun] = useState(false);
  const [store] = useState(() => withJumpNotifications(replayFrom(id, at, () => setBegun(true))));
  return (
    <MeetingProvider store={store}>
      <Frame id={id} begun={begun} />
    </MeetingProvider>
  );
}

const ForkDialog = lazily(() =>
  import("../components/fork/fork").then((room) => ({ default: room.ForkDialog })),
);

/** The shortest interval between updates of the position in the address. */
const TELL_MS = 400;

const standing = (shown: ReplaySnapshot) => ({
  position: shown.position,
  last: shown.last,
  playing: shown.playing,
  at_ms: shown.view ? Date.parse(shown.view.updated_at) : undefined,
  nextAt: shown.nextAt,
});
type Stands = ReturnType<typeof standing>;
const alike = (a: Stands, b: Stands) =>
  a.position === b.position &&
  a.last === b.last &&
  a.playing === b.playing &&
  a.at_ms === b.at_ms &&
  a.nextAt === b.nextAt;

/** A meeting as it was. */
function Frame({ id, begun }: { id: string; begun: boolean }) {
  const { t } = useTranslation();
  const status = useMeeting((shown) => shown.status);
  const topic = useMeeting((shown) => shown.view?.title);
  useTimesOf(useMeeting((shown) => shown.view?.display));
  const problem = useMeeting((shown) => shown.problem);
  const replay = useReplay(standing, alike);
  const marks = useQuery({
    queryKey: ["meeting", id, "marks"],
    queryFn: async () => marksOf(await eventsOf(pageApi, id, MARKED)),
    enabled: status === "ready",
  });
  const live = useQuery({ ...viewOf(id), enabled: status === "ready" });
  const manage = usePermission("manage");
  const [forking, setForking] = useState(false);
  const covered = useTranscriptCovered();
  useTitle(topic && `${t("replay.title")} · ${topic}`);
  useTellingAddress(id, begun ? (replay?.value?.position ?? 0) : 0);
  const { moves, times } = useMoves(replay?.store);

  if (status !== "ready" || !replay?.value || !moves || !begun) {
    return <Unavailable id={id} status={status === "ready" ? "loading" : status} />;
  }
  if (live.data?.state === "draft") {
    return (
      <Empty
        title={t("replay.empty_title")}
        action={
          <ButtonLink look="primary" to="/m/$id" params={{ id }}>
            {t("replay.to_meeting")}
          </ButtonLink>
        }
      >
        {t("replay.empty_text")}
      </Empty>
    );
  }
  const { position } = replay.value;
  return (
    <AtTable>
      <div className="flex h-[var(--page-height,100dvh)] min-h-0 flex-col">
        <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 sm:px-6">
          <MenuButton />
          <ButtonLink
            look="quiet"
            size="small"
            className="-ml-2"
            to={live.data?.outcome ? "/m/$id/result" : "/m/$id"}
            params={{ id }}
            aria-label={t("replay.leave")}
          >
            <ArrowLeft size={15} aria-hidden />
          </ButtonLink>
          <Badge tone="calm" icon={<History size={12} aria-hidden />}>
            {t("replay.title")}
          </Badge>
          <h1 className="min-w-0 flex-1 basis-40 truncate text-body font-semibold" title={topic}>
            {topic}
          </h1>
          <DensityButton />
          {live.data && !live.data.outcome && (
            <Link
              to="/m/$id"
              params={{ id }}
              className="inline-flex items-center gap-1.5 text-dense font-medium text-calm underline underline-offset-2"
            >
              <Radio size={15} aria-hidden />
              {t("replay.go_live")}
            </Link>
          )}
          <p className="basis-full text-meta text-ink-3">{t("replay.banner")}</p>
        </header>
        {problem && (
          <div className="px-4 pt-2 sm:px-6">
            <ErrorNotice compact error={problem} onRetry={() => replay.store.retryNow()} />
          </div>
        )}
        <div className="relative flex min-h-0 flex-1">
          <ParticipantsSidebar />
          <div inert={covered} className="flex min-w-0 flex-1 flex-col">
            <Transcript key={times} still />
          </div>
          <SidePanel />
        </div>
        <ReplayControls
          store={moves}
          standing={replay.value}
          marks={marks.data ?? []}
          onFork={
            manage && live.data
              ? () => {
                  moves.pause();
                  setForking(true);
                }
              : undefined
          }
        />
        <PhoneTabs />
        {forking && live.data && (
          <Suspense>
            <ForkDialog
              id={id}
              view={live.data}
              at={live.data.outcome ? Math.min(position, live.data.last_seq - 1) : position}
              open
              onOpenChange={setForking}
            />
          </Suspense>
        )}
      </div>
    </AtTable>
  );
}

/** Moves the replay. After each jump the transcript starts again at its end: `times` counts the jumps. */
function useMoves(store: ReplayStore | undefined) {
  const [times, setTimes] = useState(0);
  const moves = useMemo(() => {
    const leapt = () => setTimes((now) => now + 1);
    return (
      store && {
        play: (speed?: number) => store.play(speed),
        pause: () => store.pause(),
        skipWait: () => store.skipWait(),
        seek: (seq: number) => store.seek(seq).then(leapt),
        step: (by: 1 | -1) => store.step(by).then(() => (by === -1 ? leapt() : undefined)),
      }
    );
  }, [store]);
  return { moves, times };
}

/** Keeps `at` in the address at the position of the replay, so that it can be shared. */
function useTellingAddress(id: string, position: number): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (position < 1) {
      return;
    }
    const timer = setTimeout(() => {
      void navigate({
        to: "/m/$id/replay",
        params: { id },
        search: (now) => ({ ...now, at: position }),
        replace: true,
        resetScroll: false,
      });
    }, TELL_MS);
    return () => clearTimeout(timer);
  }, [id, position, navigate]);
}
