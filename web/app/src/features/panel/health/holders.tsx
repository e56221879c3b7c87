// The holders of each position, each with a link to its statement.

import type { PositionSupport } from "../../../api/schema";
import { useTable } from "../../../components/meeting-page/context";
import { EventLink } from "../../../components/record/place";
import { Named } from "../../../components/speaker/avatar";
import { useTranslation } from "../../../i18n";

/** Positions with their holders. */
export function Holders({ positions }: { positions: PositionSupport[] }) {
  const { t } = useTranslation();
  const { view } = useTable();
  if (positions.length === 0) {
    return null;
  }
  return (
    <details className="-mt-3">
      <summary className="text-meta text-ink-2">{t("panel.health.holders")}</summary>
      <ul className="flex flex-col gap-2 pt-1">
        {positions.map((one) => (
          <li key={one.text} className="text-dense">
            <p>{one.text}</p>
            <span className="flex flex-wrap items-center gap-2">
              {one.now.holders.map((id) => (
                <Named key={id} view={view} id={id} />
              ))}
              {one.now.count === 0 && (
                <span className="text-meta text-ink-3">{t("panel.health.nobody_now")}</span>
              )}
              {one.seqs[0] !== undefined && <EventLink seq={one.seqs[0]}>{t("table.jump")}</EventLink>}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
