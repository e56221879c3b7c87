// The end of a meeting: the conclusion, and the last line.

import { Link } from "@tanstack/react-router";
import Flag from "lucide-react/icons/flag";
import { useMe } from "../../api/permissions";
import type { IdeaPick as Pick } from "../../api/schema";
import { outcomeWords } from "../../components/outcome";
import { Disagreements } from "../../components/record/dissent";
import { usePlace } from "../../components/record/place";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import { Markdown } from "../../markdown";
import type { Of } from "../../meeting/event-types";
import { useMeeting } from "../../meeting/hooks";
import { money, short } from "../../shell/formatting";
import { useClaim, useTalk } from "./context";
import { Note, Points, Sheet } from "./notice";
import { useAuthor } from "./records";
import { ClaimMark } from "./reference-links";

/** The conclusion. */
export function Conclusion({ event }: { event: Of<"conclusion_written"> }) {
  const { t } = useTranslation();
  const author = useAuthor();
  const { id } = useTalk();
  const { nameOf } = usePlace();
  const { conclusion, reasons, disagreements, actions, best = [], wildcard, by } = event.payload;
  return (
    <Sheet title={t("talk.conclusion")} by={author(by)} label={t("talk.conclusion")}>
      <div className="text-body">
        <Markdown text={conclusion} />
      </div>
      {reasons && (
        <section className="mt-3 border-l-2 border-line pl-3">
          <p className="text-meta text-ink-3">{t("talk.reasons_note")}</p>
          <Markdown text={reasons} />
        </section>
      )}
      <Points title={t("talk.best")} points={best.map((pick) => <Idea key={pick.idea} pick={pick} />)} />
      <Points
        title={t("talk.wildcard")}
        points={wildcard ? [<Idea key={wildcard.idea} pick={wildcard} />] : []}
      />
      {disagreements.length > 0 && (
        <section className="mt-2 text-dense">
          <h4 className="text-meta font-medium text-ink-3">{t("talk.disagreements")}</h4>
          <Disagreements
            lines={disagreements.map(({ issue, sides }) => ({
              issue,
              sides: sides.map((side) => ({ ...side, holders: side.holders.map(nameOf) })),
            }))}
          />
        </section>
      )}
      <Points
        title={t("talk.actions")}
        points={actions.map(({ what, who }) => (who ? t("talk.action", { what, who }) : what))}
      />
      <Link
        to="/m/$id/result"
        params={{ id }}
        className="mt-2 inline-block text-dense text-accent underline underline-offset-2 max-md:hidden"
      >
        {t("talk.to_result")}
      </Link>
    </Sheet>
  );
}

function Idea({ pick: { idea, why } }: { pick: Pick }) {
  const claim = useClaim(idea);
  const phrase = usePhrase();
  return (
    <>
      <ClaimMark id={idea} />
      {claim && <span>{claim.text} </span>}
      <span className="text-ink-3">{phrase(why)}</span>
    </>
  );
}

/** The last line. */
export function Finished({ event }: { event: Of<"finished"> }) {
  const { t } = useTranslation();
  const me = useMe()?.person;
  const endedBy = useMeeting((shown) => shown.view?.ended_by ?? null);
  const { rounds, usage, cost_micros: cost } = event.payload;
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  const totals = [
    t("talk.rounds_count", { count: rounds }),
    t("talk.tokens_count", { tokens: short(tokens) }),
    cost == null ? t("result.cost_unknown") : money(cost),
  ];
  return (
    <Note icon={Flag} tone={event.payload.outcome === "aborted" ? "warn" : "good"} more={totals.join(" · ")}>
      {t("talk.finished", { outcome: outcomeWords(t, event.payload, endedBy, me, rounds) })}
    </Note>
  );
}
