// The verdict in words, and why.

import CircleHelp from "lucide-react/icons/circle-question-mark";
import GitMerge from "lucide-react/icons/git-merge";
import Lightbulb from "lucide-react/icons/lightbulb";
import Scale from "lucide-react/icons/scale";
import ShieldCheck from "lucide-react/icons/shield-check";
import Split from "lucide-react/icons/split";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import Vote from "lucide-react/icons/vote";
import type { DeliberationHealth } from "../../../api/schema";
import { useTable } from "../../../components/meeting-page/context";
import { useTranslation } from "../../../i18n";
import { usePhrase } from "../../../i18n/phrases";
import { cx } from "../../../ui/classes";
import { useGrowOnly } from "../grow-only";
import { Findings } from "./findings";

const LOOK = {
  ideas: { Icon: Lightbulb, tone: "bg-sunken", ink: "text-ink-2" },
  not_agreed: { Icon: Split, tone: "bg-sunken", ink: "text-ink-2" },
  open: { Icon: CircleHelp, tone: "bg-sunken", ink: "text-ink-2" },
  converging: { Icon: GitMerge, tone: "bg-calm-soft", ink: "text-calm" },
  robust: { Icon: ShieldCheck, tone: "bg-good-soft", ink: "text-good" },
  thin: { Icon: Scale, tone: "bg-warn-soft", ink: "text-warn" },
  majority: { Icon: Vote, tone: "bg-calm-soft", ink: "text-calm" },
  contested: { Icon: Split, tone: "bg-warn-soft", ink: "text-warn" },
  suspicious: { Icon: TriangleAlert, tone: "bg-bad-soft", ink: "text-bad" },
};

/** The verdict. Each reason links to its events. */
export function VerdictCard({ health }: { health: DeliberationHealth }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const { standing } = health.verdict;
  const { view } = useTable();
  const over = view.state === "ended";
  const seats = view.participants.filter((seat) => seat.present).length;
  const box = useGrowOnly<HTMLElement>(over ? null : (view.round?.number ?? 0), seats);
  // What is under way in a meeting is not any more once it is over.
  const shown = over && (standing === "open" || standing === "converging") ? "not_agreed" : standing;
  const { Icon, tone, ink } = LOOK[shown];
  const choices = Object.values(view.ballots.at(-1)?.cast ?? {});
  const votes = choices.flatMap((one) => ("vote" in one ? [one.vote.pass] : []));
  const half = votes.filter(Boolean).length * 2 <= votes.length;
  return (
    <section ref={box} className={cx("rounded-2xl px-4 py-3", tone)}>
      <h3 className={cx("flex items-center gap-2 text-h3 font-semibold", ink)}>
        <Icon size={18} aria-hidden />
        {t(`panel.health.verdict.${shown === "majority" && half ? "divided" : shown}`)}
      </h3>
      <p className="mt-0.5 text-dense text-ink">{phrase(health.verdict.text)}</p>
      {health.verdict.because.length > 0 && (
        <div className="mt-2">
          <Findings findings={health.verdict.because} />
        </div>
      )}
    </section>
  );
}
