// The way to the rounds: back, forth, and a list of all of them.

import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useState } from "react";
import { useTable } from "../../components/meeting-page/context";
import { useTranslation } from "../../i18n";
import type { RoundMark } from "../../meeting/view";
import { Button, IconButton } from "../../ui/button";
import { Menu } from "../../ui/menu";

/** ‹ 第 3 轮 › */
export function RoundNav() {
  const { t } = useTranslation();
  const { view, jump } = useTable();
  const [shown, setShown] = useState<number | null>(null);
  const rounds = view.rounds.filter((round): round is RoundMark & { seq: number } => round.seq !== null);
  if (rounds.length === 0) {
    return null;
  }
  const last = rounds.length - 1;
  const found = rounds.findIndex((round) => round.number === shown);
  const at = found < 0 ? last : found;
  const name = (round: RoundMark) =>
    round.kind === "blind" ? t("table.blind_round") : t("table.round", { n: round.number });
  const go = (to: number) => {
    const round = rounds[to];
    if (round) {
      setShown(to === last ? null : round.number);
      jump(round.seq);
    }
  };
  const here = rounds[at];
  return (
    <nav aria-label={t("table.rounds")} className="flex items-center">
      <IconButton
        size="small"
        label={t("table.round_before")}
        disabled={at === 0}
        className="max-sm:hidden"
        onClick={() => go(at - 1)}
      >
        <ChevronLeft size={15} aria-hidden />
      </IconButton>
      <Menu
        trigger={
          <Button look="quiet" size="small">
            {here && name(here)}
          </Button>
        }
        items={rounds.map((round, to) => ({
          label: name(round),
          note:
            round.ended_seq === null && view.state !== "ended"
              ? t("table.round_runs")
              : t(`table.kind.${round.kind}`),
          onSelect: () => go(to),
        }))}
      />
      <IconButton
        size="small"
        label={t("table.round_after")}
        disabled={at === last}
        className="max-sm:hidden"
        onClick={() => go(at + 1)}
      >
        <ChevronRight size={15} aria-hidden />
      </IconButton>
    </nav>
  );
}
