// The controls of a replay: play, speed, steps, rounds, and marks to jump to. All of it by keyboard, too.

import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import GitFork from "lucide-react/icons/git-fork";
import MapPin from "lucide-react/icons/map-pin";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import SkipBack from "lucide-react/icons/skip-back";
import SkipForward from "lucide-react/icons/skip-forward";
import { useEffect, useState } from "react";
import { useTranslation } from "../../i18n";
import type { ReplayStore } from "../../meeting/replay";
import { clock, span } from "../../shell/formatting";
import { useShortcuts } from "../../shell/keys";
import { Button, IconButton } from "../../ui/button";
import { Menu } from "../../ui/menu";
import { Segments } from "../../ui/toggles";
import { markWords } from "./mark-labels";
import { type Mark, roundAt, roundFrom } from "./marks";
import { Scrubber } from "./scrubber";

const SPEEDS = ["1", "2", "4", "8", "16"] as const;
type Speed = (typeof SPEEDS)[number];

/** The position of a replay. */
interface ReplayPosition {
  position: number;
  last: number;
  playing: boolean;
  /** The time of the last shown event. */
  at_ms: number | undefined;
  /** When the next event is shown while it plays, in milliseconds since 1970. */
  nextAt?: number | null;
}

interface Props {
  store: Pick<ReplayStore, "play" | "pause" | "seek" | "step" | "skipWait">;
  standing: ReplayPosition;
  marks: readonly Mark[];
  /** Makes a fork from here; left out where that is not allowed. */
  onFork?: () => void;
}

/** A key that plays must not press what has the focus as well, nor take the key away from it. A choice that is made needs no key. */
function pressedInstead(): boolean {
  const focused = document.activeElement;
  if (
    focused instanceof HTMLElement &&
    focused.matches("button, summary, [role=tab], a[href]") &&
    !focused.matches("[role=group] > [aria-pressed=true]")
  ) {
    focused.click();
    return true;
  }
  return false;
}

/** The bar under a replay. */
export function ReplayControls({ store, standing, marks, onFork }: Props) {
  const { t } = useTranslation();
  const [speed, setSpeed] = useState<Speed>("1");
  const { position, last, playing } = standing;
  const ended = position >= last;

  const toggle = async () => {
    if (playing) {
      store.pause();
      return;
    }
    if (ended) {
      await store.seek(1);
    }
    store.play(Number(speed));
  };
  const pace = (next: Speed | undefined) => {
    if (next) {
      setSpeed(next);
      if (playing) {
        store.play(Number(next));
      }
    }
  };
  const faster = (by: 1 | -1) => pace(SPEEDS[SPEEDS.indexOf(speed) + by]);
  const go = async (seq: number) => {
    await store.seek(seq);
    if (playing) {
      store.play(Number(speed));
    }
  };
  const round = (by: 1 | -1) => {
    const mark = roundFrom(marks, position, by);
    void go(mark?.seq ?? (by === 1 ? last : 1));
  };
  useShortcuts(t("replay.title"), [
    { keys: "Space", label: t("replay.play"), run: () => void (pressedInstead() || toggle()) },
    { keys: "ArrowLeft", label: t("replay.step_back"), run: () => void store.step(-1) },
    { keys: "ArrowRight", label: t("replay.step_on"), run: () => void store.step(1) },
    { keys: "[", label: t("replay.previous_round"), run: () => round(-1) },
    { keys: "]", label: t("replay.next_round"), run: () => round(1) },
    { keys: "-", label: t("replay.slower"), run: () => faster(-1) },
    { keys: "+", label: t("replay.faster"), run: () => faster(1) },
    { keys: "=", label: t("replay.faster"), run: () => faster(1) },
    { keys: "Home", label: t("replay.to_start"), run: () => void go(1) },
    { keys: "End", label: t("replay.to_end"), run: () => void go(last) },
    ...(onFork ? [{ label: t("replay.fork"), run: onFork }] : []),
  ]);

  const place = roundAt(marks, position);
  return (
    <section
      aria-label={t("replay.title")}
      className="shrink-0 border-t border-line bg-paper px-4 pt-1.5 pb-2.5 sm:px-6"
    >
      <Scrubber position={position} last={last} marks={marks} onSeek={go} onToggle={() => void toggle()} />
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1.5 max-sm:gap-x-1">
        <div className="flex items-center gap-0.5">
          <IconButton label={t("replay.previous_round")} onClick={() => round(-1)}>
            <SkipBack size={16} aria-hidden />
          </IconButton>
          <IconButton
            label={t("replay.step_back")}
            onClick={() => void store.step(-1)}
            disabled={position <= 1}
          >
            <ChevronLeft size={18} aria-hidden />
          </IconButton>
          <IconButton
            look="primary"
            label={t(playing ? "replay.pause" : ended ? "replay.again" : "replay.play")}
            onClick={() => void toggle()}
          >
            {playing ? <Pause size={17} aria-hidden /> : <Play size={17} aria-hidden />}
          </IconButton>
          <IconButton label={t("replay.step_on")} onClick={() => void store.step(1)} disabled={ended}>
            <ChevronRight size={18} aria-hidden />
          </IconButton>
          <IconButton label={t("replay.next_round")} onClick={() => round(1)} disabled={ended}>
            <SkipForward size={16} aria-hidden />
          </IconButton>
        </div>
        <Segments
          className="max-sm:hidden"
          label={t("replay.speed")}
          value={speed}
          onChange={pace}
          choices={SPEEDS.map((one) => ({ value: one, label: `${one}×` }))}
        />
        <Button
          look="quiet"
          className="sm:hidden"
          aria-label={`${t("replay.speed")} · ${t("replay.speed_n", { n: speed })}`}
          onClick={() => pace(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length])}
        >
          {speed}×
        </Button>
        <p className="min-w-0 basis-0 grow text-meta tabular-nums whitespace-nowrap text-ink-2 max-sm:order-first max-sm:basis-full">
          <span className="font-medium text-ink">{place ? markWords(t, place) : t("replay.before")}</span>
          {standing.at_ms !== undefined && <span className="ml-2.5">{clock(standing.at_ms, true)}</span>}
          <span className="ml-2.5 text-ink-3">{t("replay.at", { seq: position, last })}</span>
        </p>
        {playing && <SkipWait at={standing.nextAt ?? null} onSkip={() => store.skipWait()} />}
        <div className="flex items-center gap-1">
          {marks.length > 0 && (
            <Menu
              trigger={
                <Button look="quiet" size="small">
                  <MapPin size={14} aria-hidden />
                  <span className="max-sm:sr-only">{t("replay.marks")}</span>
                </Button>
              }
              items={marks.slice(0, 60).map((mark) => ({
                label: markWords(t, mark),
                note: t("replay.at", { seq: mark.seq, last }),
                onSelect: () => void go(mark.seq),
              }))}
            />
          )}
          {onFork && (
            <Button look="quiet" size="small" onClick={onFork}>
              <GitFork size={14} aria-hidden />
              <span className="max-sm:sr-only">{t("replay.fork")}</span>
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}

/** Waits that are shorter need no words. */
const SAID_FROM_MS = 3_000;

/** How long the meeting was silent here, and the way over it. */
function SkipWait({ at, onSkip }: { at: number | null; onSkip: () => void }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (at === null) {
      return;
    }
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [at]);
  if (at === null || at - now < SAID_FROM_MS) {
    return null;
  }
  return (
    <Button look="quiet" size="small" onClick={onSkip}>
      {t("replay.skip_wait", { time: span(at - now) })}
    </Button>
  );
}
