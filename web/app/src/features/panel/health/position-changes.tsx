// Changes of position: the participant, from and to, and the cause.

import type { PositionFlip } from "../../../api/schema";
import { nameOf, useTable } from "../../../components/meeting-page/context";
import { EventLink } from "../../../components/record/place";
import { Named } from "../../../components/speaker/avatar";
import { useTranslation } from "../../../i18n";
import { Badge } from "../../../ui/surface";
import { Part } from "../section";

/** Changes of mind. */
export function Flips({ flips }: { flips: PositionFlip[] }) {
  const { t } = useTranslation();
  const { view } = useTable();
  return (
    <Part title={t("panel.health.flips", { n: flips.length })}>
      {flips.length === 0 && <p className="text-dense text-ink-3">{t("panel.health.no_flips")}</p>}
      <ul className="flex flex-col gap-3">
        {flips.map((flip) => (
          <li key={`${flip.participant}-${flip.round}-${flip.seq}`} className="text-dense">
            <div className="flex flex-wrap items-center gap-2">
              <Named view={view} id={flip.participant} />
              {flip.round !== null && (
                <span className="text-meta text-ink-3">{t("table.round", { n: flip.round })}</span>
              )}
              <Badge tone={flip.evidenced ? "good" : "warn"}>
                {t(flip.evidenced ? "panel.health.evidenced" : "panel.health.bare")}
              </Badge>
            </div>
            <p>
              <span className="text-ink-3 line-through decoration-ink-3/60">{flip.from}</span>
              {" → "}
              {flip.to}
            </p>
            <p className="text-meta text-ink-3">
              {flip.said &&
                t("panel.health.because_said", {
                  what: flip.said,
                  who: flip.owner ? nameOf(view, flip.owner) : "",
                })}{" "}
              <EventLink seq={flip.seq}>{t("table.jump")}</EventLink>
            </p>
          </li>
        ))}
      </ul>
    </Part>
  );
}
