// The timeline of a meeting: the position, and marks to jump to.

import { Slider } from "@base-ui/react/slider";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";
import { markWords } from "./mark-labels";
import { type Mark, roundAt } from "./marks";

/** While a hand drags, the meeting follows at most so often. */
const FOLLOW_MS = 180;

interface Props {
  position: number;
  last: number;
  marks: readonly Mark[];
  /** Resolves once the place is shown, or cannot be. */
  onSeek: (seq: number) => Promise<void>;
  onToggle: () => void;
}

/** The line with its marks. */
export function Scrubber({ position, last, marks, onSeek, onToggle }: Props) {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<number | null>(null);
  const follow = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(follow.current), []);
  const most = Math.max(last, 2);
  const now = Math.min(Math.max(dragged ?? position, 1), most);
  const say = (seq: number) => {
    const round = roundAt(marks, seq);
    const where = round ? markWords(t, round) : t("replay.before");
    return where + t("ui.comma") + t("replay.at", { seq, last });
  };
  const seek = (seq: number, wait: number) => {
    setDragged(seq);
    clearTimeout(follow.current);
    // The requested position is kept until the meeting is loaded. It cannot be told by the position that is shown: played
    // fast, the meeting is further on before that is drawn.
    const shown = () => setDragged((now) => (now === seq ? null : now));
    follow.current = setTimeout(() => void onSeek(seq).then(shown, shown), wait);
  };
  const first = (value: number | readonly number[]) => (typeof value === "number" ? value : (value[0] ?? 1));
  return (
    <Slider.Root
      value={now}
      min={1}
      max={most}
      onValueChange={(value) => seek(first(value), FOLLOW_MS)}
      onValueCommitted={(value) => seek(first(value), 0)}
      className="relative w-full"
    >
      <Slider.Control className="flex h-7 touch-none items-center select-none coarse:h-11">
        <Slider.Track className="relative h-1.5 w-full rounded-full bg-line">
          <Slider.Indicator className="rounded-full bg-accent" />
          {marks.map((mark) => (
            <Tick key={mark.seq} mark={mark} share={(mark.seq - 1) / (most - 1)} passed={mark.seq <= now} />
          ))}
          <Slider.Thumb
            aria-label={t("replay.position")}
            getAriaValueText={(_, value) => say(value)}
            onKeyDown={(event) => {
              if (event.key === " ") {
                event.preventDefault();
                onToggle();
              }
            }}
            className="z-10 size-4.5 rounded-full border-2 border-accent bg-raised shadow-float has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2"
          />
        </Slider.Track>
      </Slider.Control>
      <Labels marks={marks} most={most} />
    </Slider.Root>
  );
}

const SHAPE: Record<Mark["kind"], string> = {
  round: "h-3.5 w-0.5 rounded-full bg-ink-3",
  blind: "h-3.5 w-0.5 rounded-full bg-ink-3",
  ballot: "size-2.5 rotate-45 rounded-[2px] bg-warn",
  person: "size-2 rounded-full bg-calm",
  pause_mark: "h-2.5 w-1.5 border-x-2 border-ink-3",
  conclusion: "size-2.5 rounded-full bg-good",
};

function Tick({ mark, share, passed }: { mark: Mark; share: number; passed: boolean }) {
  return (
    <span
      aria-hidden
      style={{ left: `${share * 100}%` }}
      className={cx(
        "pointer-events-none absolute top-1/2 -translate-x-1/2 -translate-y-1/2 ring-2 ring-paper",
        SHAPE[mark.kind],
        !passed && "opacity-60",
      )}
    />
  );
}

/** The rounds by name under the line, as far as there is room for them. */
function Labels({ marks, most }: { marks: readonly Mark[]; most: number }) {
  const { t } = useTranslation();
  const rounds = marks.filter((mark) => mark.kind === "round" || mark.kind === "blind");
  let free = 0;
  const shown = rounds.filter((mark) => {
    const at = (mark.seq - 1) / (most - 1);
    const fits = at >= free && at < 0.95;
    if (fits) {
      free = at + 0.09;
    }
    return fits;
  });
  return (
    <div aria-hidden className="relative h-4 text-meta leading-4 text-ink-3 max-sm:hidden">
      {shown.map((mark) => (
        <span
          key={mark.seq}
          className="absolute whitespace-nowrap"
          style={{ left: `${((mark.seq - 1) / (most - 1)) * 100}%` }}
        >
          {markWords(t, mark)}
        </span>
      ))}
    </div>
  );
}
