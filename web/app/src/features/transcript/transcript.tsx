// Part of a meeting's table: what is said, as it is said.

import ArrowDown from "lucide-react/icons/arrow-down";
import Undo from "lucide-react/icons/corner-up-left";
import { useCallback, useMemo, useRef, useState } from "react";
import { readMentions } from "../../api/mentions";
import { useMe, usePermission } from "../../api/permissions";
import { useFileNames } from "../../components/files/file-names";
import { seatsOf, useNamesAtTable, usePeople } from "../../components/speaker/people";
import { useTranslation } from "../../i18n";
import { Words } from "../../markdown";
import { useMeeting, useMeetingStore } from "../../meeting/hooks";
import { isOpen } from "../../meeting/view";
import { Button } from "../../ui/button";
import { ErrorNotice, Waiting } from "../../ui/surface";
import type { Talk } from "./context";
import { useTranscriptKeys } from "./keyboard";
import { LiveRegion } from "./live-region";
import { Opened } from "./opened";
import { TalkPlace } from "./place";
import { wordsOf } from "./reference-links";
import { useScroll } from "./scroll-position";
import { useReferences } from "./use-references";
import { useRows } from "./use-rows";
import { VirtualList } from "./virtual-list";

interface Props {
  /** The event to begin at; the end when left out. */
  at?: number;
  /** Whether it is a replay, in which no action is possible. */
  still?: boolean;
}

/** The transcript of a meeting. */
export function Transcript({ at, still }: Props) {
  const { t } = useTranslation();
  const id = useMeeting((shown) => shown.view?.id);
  if (id === undefined) {
    return <Waiting text={t("talk.loading")} className="flex-1" />;
  }
  return <Told id={id} at={at} still={still} />;
}

function Told({ id, at, still }: Props & { id: string }) {
  const { t } = useTranslation();
  const store = useMeetingStore();
  const scroller = useRef<HTMLDivElement>(null);
  const people = usePeople();
  const known = useReferences(id);
  const rows = useRows();
  const scroll = useScroll(rows, scroller, at);
  const [opened] = useState(() => new Opened());
  const open = useMeeting(({ view }) => view !== null && isOpen(view));
  const speak = usePermission("speak") && !still && open;
  const manage = usePermission("manage");
  const goTo = useCallback((seq: number) => void store.jump(seq), [store]);
  const me = useMe()?.person;
  const talk = useMemo<Talk>(
    () => ({
      id,
      people,
      known,
      goTo,
      opened,
      may: { speak, manage },
      me,
      seats: seatsOf(people, me),
      ...(still || me === undefined ? {} : { onSeen: (seq: number) => readMentions(me, id, seq) }),
    }),
    [id, people, known, goTo, opened, speak, manage, me, still],
  );
  const atTable = useNamesAtTable();
  const files = useFileNames(id);
  const words = useMemo(() => wordsOf(people, atTable, files), [people, atTable, files]);
  useTranscriptKeys(rows, scroller, {
    show: (index) => scroll.list.scrollToIndex(index, { align: "auto" }),
    toEnd: () => void scroll.toEnd(),
    back: scroll.goBack && (() => void scroll.goBack?.()),
    topSeq: scroll.topSeq,
    maySpeak: speak,
    still,
  });

  return (
    <section aria-label={t("talk.transcript")} className="relative flex min-h-0 flex-1 flex-col">
      <h2 className="sr-only">{t("talk.transcript")}</h2>
      <TalkPlace talk={talk}>
        <Words value={words}>
          <VirtualList rows={rows} scroll={scroll} scroller={scroller} mark={at} />
        </Words>
      </TalkPlace>
      <Pills atEnd={scroll.atEnd} toEnd={() => void scroll.toEnd()} goBack={scroll.goBack} />
      {!still && <PageError onRetry={() => void scroll.again()} />}
      <LiveRegion />
    </section>
  );
}

/** The ways to the end and back. */
function Pills({ atEnd, toEnd, goBack }: { atEnd: boolean; toEnd: () => void; goBack: (() => void) | null }) {
  const { t } = useTranslation();
  const fresh = useMeeting((shown) => shown.fresh);
  if (atEnd && !goBack) {
    return null;
  }
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center gap-2 [&>*]:pointer-events-auto">
      {goBack && (
        <Button size="small" className="rounded-full shadow-float" onClick={goBack}>
          <Undo size={14} aria-hidden />
          {t("talk.back")}
        </Button>
      )}
      {!atEnd && (
        <Button
          size="small"
          look={fresh > 0 ? "primary" : "plain"}
          className="rounded-full shadow-float"
          onClick={toEnd}
        >
          <ArrowDown size={14} aria-hidden />
          {fresh > 0 ? t("talk.fresh", { count: fresh }) : t("talk.to_end")}
        </Button>
      )}
    </div>
  );
}

/** Other lines could not be fetched. */
function PageError({ onRetry }: { onRetry: () => void }) {
  const problem = useMeeting((shown) => (shown.status === "ready" ? shown.problem : null));
  if (!problem) {
    return null;
  }
  return (
    <div className="absolute inset-x-4 top-2 mx-auto max-w-xl">
      <ErrorNotice compact error={problem} onRetry={onRetry} />
    </div>
  );
}
