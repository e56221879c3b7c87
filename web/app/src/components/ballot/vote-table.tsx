// The votes of a ballot with their reasons; a press on a heading sorts by it.

import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import { Fragment, useState } from "react";
import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";
import { SpeakerTag } from "../speaker/speaker";
import type { VoteLine } from "./vote";
import { VoteReason, VoteState } from "./vote-bars";

type Column = "name" | "score" | "pass";

/** The table. */
export function VoteTable({
  votes,
  lang,
  caption,
}: {
  votes: readonly VoteLine[];
  lang?: string;
  caption: string;
}) {
  const { t } = useTranslation();
  const [by, setBy] = useState<{ column: Column; down: boolean } | null>(null);
  const sorted = by ? votes.toSorted((a, b) => compare(a, b, by.column) * (by.down ? -1 : 1)) : votes;
  const turn = (column: Column) =>
    setBy((now) =>
      now?.column === column ? { column, down: !now.down } : { column, down: column === "score" },
    );
  const head = (column: Column) => {
    const own = by?.column === column ? by : null;
    const Arrow = own?.down ? ArrowDown : ArrowUp;
    return (
      <th
        scope="col"
        aria-sort={own ? (own.down ? "descending" : "ascending") : "none"}
        className="py-1.5 pr-4 text-left font-normal whitespace-nowrap"
      >
        <button
          type="button"
          onClick={() => turn(column)}
          className="inline-flex items-center gap-1 hover:text-ink"
        >
          {t(`ballot.column.${column}`)}
          <Arrow size={12} className={own ? "" : "opacity-30"} aria-hidden />
        </button>
      </th>
    );
  };
  return (
    <table className="mt-2 w-full text-dense">
      <caption className="sr-only">{caption}</caption>
      <thead className="border-b border-line text-meta text-ink-3">
        <tr>
          {head("name")}
          {head("score")}
          {head("pass")}
          <th scope="col" className="py-1.5 text-left font-normal max-sm:hidden">
            {t("ballot.column.reason")}
          </th>
        </tr>
      </thead>
      <tbody>
        {sorted.map((vote, at) => (
          <Fragment key={vote.speaker.name}>
            <tr className={cx("border-line/60 align-top", at < sorted.length - 1 && "sm:border-b")}>
              <th scope="row" className="py-2 pr-4 text-left font-normal whitespace-nowrap">
                <SpeakerTag speaker={vote.speaker} size="tiny" />
              </th>
              <td className="py-2 pr-4 font-medium">{vote.score ?? "—"}</td>
              <td className="py-2 pr-4 whitespace-nowrap max-sm:pr-0">
                <VoteState vote={vote} />
              </td>
              <td lang={lang} className="py-2 text-ink-2 max-sm:hidden">
                <VoteReason vote={vote} />
              </td>
            </tr>
            <tr className="border-line/60 not-last:border-b sm:hidden">
              <td colSpan={3} lang={lang} className="pb-2 text-ink-2">
                <VoteReason vote={vote} />
              </td>
            </tr>
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function compare(a: VoteLine, b: VoteLine, by: Column): number {
  switch (by) {
    case "name":
      return a.speaker.name.localeCompare(b.speaker.name, "zh-CN");
    case "score":
      return (a.score ?? -1) - (b.score ?? -1);
    case "pass":
      return Number(a.pass ?? -1) - Number(b.pass ?? -1);
  }
}
