// On a phone another view may stand in the place of the turn: then a line at the foot says whose turn it is, and leads there.

import UserRound from "lucide-react/icons/user-round";
import { changeLayout, useTranscriptCovered } from "../../components/meeting-page/layout";
import { useTranslation } from "../../i18n";
import { type TurnNotice, turnHeading, useOpenTurn } from "../../meeting/own-seat";
import { span } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { useTimeLeft } from "./time-left";

/** The line, while a turn of the user is out of sight. */
export function TurnBar() {
  const turn = useOpenTurn();
  const isCovered = useTranscriptCovered();
  return turn && isCovered ? <Waits turn={turn} /> : null;
}

function Waits({ turn }: { turn: TurnNotice }) {
  const { t } = useTranslation();
  const left = useTimeLeft(turn.until);
  const show = () => {
    changeLayout({ drawer: null });
    // The form can take the focus once nothing covers it.
    requestAnimationFrame(() => turnHeading.current?.focus({ preventScroll: true }));
  };
  const title = t(turn.isVote ? "turn.yours_vote" : "turn.yours");
  return (
    <section
      aria-label={title}
      data-edge="bottom"
      className="flex shrink-0 items-center gap-3 border-t border-line bg-accent-soft px-4 py-2 text-dense"
    >
      <UserRound size={16} className="shrink-0 text-accent" aria-hidden />
      <span className="min-w-0 flex-1">
        <span className="font-medium">{title}</span>
        <span role="timer" className="ml-2 text-ink-2 tabular-nums">
          {left > 0 ? t("turn.left", { span: span(left) }) : t("turn.time_up")}
        </span>
      </span>
      <Button size="small" look="primary" onClick={show}>
        {t("turn.answer")}
      </Button>
    </section>
  );
}
