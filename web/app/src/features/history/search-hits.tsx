// Search hits in messages and records, with the matching words marked.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import Search from "lucide-react/icons/search";
import { useEffect, useState } from "react";
import { FORMATS } from "../../api/choices";
import type { SnippetPart as Piece, SearchHit } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { moment } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Badge, Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { plainPieces } from "./hit-text";
import { MeetingStatus } from "./meeting-row";
import { latestQuery, rowQuery, searchQuery, type TextFilters } from "./queries";

/** Words around what was found. */
function Snippet({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map((piece, at) =>
    piece.hit ? (
      <mark key={at} className="rounded-sm bg-accent-soft px-px font-medium text-accent">
        {piece.text}
      </mark>
    ) : (
      <span key={at}>{piece.text}</span>
    ),
  );
}

/** All hits for some words. */
export function Hits({
  q,
  narrowed,
  onClear,
}: {
  q: string;
  narrowed: TextFilters;
  /** Looks for the same words without filters. */
  onClear: () => void;
}) {
  const { t } = useTranslation();
  const hits = useInfiniteQuery(searchQuery(q, narrowed));
  const filtered = Object.values(narrowed).some(Boolean);
  const all = hits.data?.pages.flatMap((page) => page.items) ?? [];
  // A page of what was looked through may hold nothing: it is looked on for some, and further by a press.
  const looked = hits.data?.pages.length ?? 0;
  const seeks =
    looked > 0 &&
    looked < SOUGHT_PAGES &&
    all.length === 0 &&
    hits.hasNextPage &&
    !hits.isFetchingNextPage &&
    !hits.isFetchNextPageError;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page may come before it is drawn that it was asked for
  useEffect(() => {
    if (seeks) {
      void hits.fetchNextPage();
    }
  }, [seeks, looked, hits.fetchNextPage]);
  if (q === "") {
    return (
      <Empty icon={<Search size={26} aria-hidden />} title={t("history.search_hint_title")}>
        {t("history.search_hint")}
      </Empty>
    );
  }
  const lag = hits.data?.pages.at(-1)?.lag ?? 0;
  return (
    <div>
      {hits.isPending || (all.length === 0 && (seeks || hits.isFetchingNextPage)) ? (
        <Waiting />
      ) : !hits.data ? (
        <ErrorNotice error={hits.error} onRetry={() => void hits.refetch()} />
      ) : all.length === 0 ? (
        <Empty
          title={t("history.found_none", { q })}
          action={filtered && <Button onClick={onClear}>{t("history.clear_filters")}</Button>}
        >
          {t(filtered ? "history.no_match_text" : "history.found_none_text")}
        </Empty>
      ) : (
        byMeeting(all).map((own) => <MeetingHits key={own[0]?.meeting} hits={own} />)
      )}
      {hits.hasNextPage && (
        <Button className="mt-4" busy={hits.isFetchingNextPage} onClick={() => void hits.fetchNextPage()}>
          {t(all.length === 0 ? "history.look_further" : "history.more")}
        </Button>
      )}
      {lag > 0 && <p className="mt-3 text-meta text-ink-3">{t("history.lag", { count: lag })}</p>}
    </div>
  );
}

/** So many pages are looked through by themselves while there is nothing. */
const SOUGHT_PAGES = 5;

/** The hits of each meeting together; the meeting with the best hit first. */
function byMeeting(hits: readonly SearchHit[]): SearchHit[][] {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of hits) {
    groups.set(hit.meeting, [...(groups.get(hit.meeting) ?? []), hit]);
  }
  return [...groups.values()];
}

/** So many hits of a meeting are shown at first. */
const SHOWN = 3;

function MeetingHits({ hits }: { hits: readonly SearchHit[] }) {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  const [first] = hits;
  const latest = useQuery(latestQuery);
  const listed = latest.data?.get(first?.meeting ?? "");
  const older = first !== undefined && !latest.isPending && listed === undefined;
  const asked = useQuery({ ...rowQuery(first?.meeting ?? ""), enabled: older }).data;
  if (!first) {
    return null;
  }
  const row = listed ?? asked;
  const title = row?.title ?? first.topic;
  const format = FORMATS.find((one) => one === row?.format);
  const shown = whole ? hits : hits.slice(0, SHOWN);
  return (
    <section aria-label={title} className="mb-5">
      <h2 className="text-h3 font-semibold">
        <Link to="/m/$id" params={{ id: first.meeting }} className="rounded hover:underline">
          {title}
        </Link>
      </h2>
      {/* Its place is kept, so that nothing moves when it becomes known. */}
      <p
        className="flex min-h-5 flex-wrap items-center gap-x-3 text-meta text-ink-3"
        data-testid="hit-meeting"
      >
        {row && <MeetingStatus row={row} />}
        {format && <span>{t(`shell.format.${format}`)}</span>}
        {row?.simulated && <span>{t("history.simulated")}</span>}
      </p>
      <ul className="flex flex-col">
        {shown.map((hit) => (
          <Hit key={`${hit.seq}-${hit.kind}`} hit={hit} />
        ))}
      </ul>
      {hits.length > shown.length && (
        <Button look="quiet" size="small" className="-ml-2" onClick={() => setWhole(true)}>
          {t("history.more_hits", { count: hits.length - shown.length })}
        </Button>
      )}
    </section>
  );
}

function Hit({ hit }: { hit: SearchHit }) {
  const { t } = useTranslation();
  return (
    <li className="relative -mx-3 rounded-xl px-3 py-2 focus-within:bg-sunken hover:bg-sunken">
      <p className="flex flex-wrap items-center gap-x-2.5 text-meta text-ink-3">
        <Badge>{t(`history.hit.${hit.kind}`)}</Badge>
        {hit.by && <span>{hit.by === "facilitator" ? t("history.facilitator") : hit.by}</span>}
        <time dateTime={hit.happened_at}>{moment(hit.happened_at)}</time>
      </p>
      <Link
        to="/m/$id"
        params={{ id: hit.meeting }}
        search={{ at: hit.seq }}
        data-row
        className="measure block text-body text-ink-2 after:absolute after:inset-0 after:rounded-xl"
      >
        <Snippet pieces={plainPieces(hit.snippet)} />
      </Link>
    </li>
  );
}
