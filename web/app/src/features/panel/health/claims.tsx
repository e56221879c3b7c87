// Claims with whose they are, each a way to where it was raised.

import type { ClaimId, ClaimKind, ParticipantId } from "../../../api/schema";
import { nameOf, useTable } from "../../../components/meeting-page/context";
import { EventLink } from "../../../components/record/place";
import { Named } from "../../../components/speaker/avatar";
import { useTranslation } from "../../../i18n";

/** A claim as it is listed. */
interface ClaimLine {
  claim: ClaimId;
  kind: ClaimKind;
  text: string;
  seq: number;
  by: ParticipantId;
  answered?: ParticipantId[];
}

/** A list of claims, or that there is none. */
export function Claims({ claims, none }: { claims: ClaimLine[]; none: string }) {
  const { t } = useTranslation();
  const { view } = useTable();
  if (claims.length === 0) {
    return <p className="text-dense text-ink-3">{none}</p>;
  }
  return (
    <ul className="flex flex-col gap-2">
      {claims.map((one) => (
        <li key={one.claim} className="text-dense">
          <Named view={view} id={one.by} />{" "}
          <EventLink seq={one.seq} className="text-left hover:text-accent hover:underline">
            <span className="mr-1 text-meta text-ink-3">{t(`table.claim.${one.kind}`)}</span>
            {one.text}
          </EventLink>
          {one.answered && one.answered.length > 0 && (
            <p className="text-meta text-ink-3">
              {t("panel.health.answered_by", {
                who: one.answered.map((id) => nameOf(view, id)).join(t("ui.comma")),
              })}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
