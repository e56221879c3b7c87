// A running meeting: its participants, its messages, and its results.

import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useLayoutEffect, useMemo, useRef } from "react";
import { AtTable } from "../components/meeting-page/context";
import { useTranscriptCovered } from "../components/meeting-page/layout";
import { Composer } from "../features/composer/composer";
import { ConnectionBar } from "../features/header/connection-bar";
import { TableHeader } from "../features/header/header";
import { SidePanel } from "../features/panel/side-panel";
import { ParticipantsSidebar } from "../features/participants/sidebar";
import { Questions } from "../features/questions/questions";
import { EndedNotice } from "../features/transcript/ended-notice";
import { withJumpNotifications } from "../features/transcript/jump";
import { useNewMentions } from "../features/transcript/new-mentions";
import { PhoneTabs } from "../features/transcript/phone-tabs";
import { useStartWhenFollowed } from "../features/transcript/start-when-followed";
import { Transcript } from "../features/transcript/transcript";
import { Unavailable } from "../features/transcript/unavailable";
import { OwnTurn } from "../features/turn/own-turn";
import { TurnBar } from "../features/turn/turn-bar";
import { useTranslation } from "../i18n";
import { MeetingProvider, useMeeting } from "../meeting/hooks";
import { liveMeeting } from "../meeting/open-meeting";
import { turnHeading, useIsTurnOpen } from "../meeting/own-seat";
import { useTitle } from "../shell/title";
import { lazily } from "../ui/lazily";

const UnstartedMeeting = lazily(() => import("../features/transcript/unstarted-meeting"));

const route = getRouteApi("/m/$id");

export default function MeetingPage() {
  const { id } = route.useParams();
  const store = useMemo(() => withJumpNotifications(liveMeeting(id)), [id]);
  return (
    <MeetingProvider key={id} store={store}>
      <Table id={id} />
    </MeetingProvider>
  );
}

function Table({ id }: { id: string }) {
  const { t } = useTranslation();
  const { at } = route.useSearch();
  const status = useMeeting((shown) => shown.status);
  const damaged = useMeeting((shown) => Boolean(shown.view?.damage));
  const draft = useMeeting((shown) => shown.view?.state === "draft");
  const topic = useMeeting((shown) => shown.view?.title);
  const asked = useIsTurnOpen();
  useTitle(asked && topic ? t("talk.turn_title", { topic }) : topic);
  const covered = useTranscriptCovered();
  useStartWhenFollowed(id);
  useNewMentions();
  if (status !== "ready") {
    return <Unavailable id={id} status={status} />;
  }
  return (
    <AtTable>
      <div className="flex h-[var(--page-height,100dvh)] min-h-0 flex-col">
        <a
          href="#transcript"
          className="sr-only z-50 rounded bg-raised px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          {t("talk.skip")}
        </a>
        <TableHeader />
        <ConnectionBar />
        <div className="relative flex min-h-0 flex-1">
          <ParticipantsSidebar />
          <div inert={covered} className="flex min-w-0 flex-1 flex-col">
            {draft ? (
              <Suspense fallback={<div className="min-h-0 flex-1" />}>
                <UnstartedMeeting />
              </Suspense>
            ) : (
              <Transcript at={at} />
            )}
            {!damaged && <OwnTurn />}
            {!damaged && <ComposerPlace asked={asked} />}
            <EndedNotice />
          </div>
          <SidePanel />
        </div>
        {!damaged && <TurnBar />}
        <Questions />
        <PhoneTabs />
      </div>
    </AtTable>
  );
}

/** The composer. Out of sight during a turn, it keeps what is being written; the focus goes on to the turn. */
function ComposerPlace({ asked }: { asked: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (asked && place.current?.contains(document.activeElement)) {
      turnHeading.current?.focus({ preventScroll: true });
    }
  }, [asked]);
  return (
    <div ref={place} className={asked ? "hidden" : "contents"}>
      <Composer />
    </div>
  );
}
