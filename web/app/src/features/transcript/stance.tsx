// The stance of a speaker after a message: one line, and the rest on request.

import CircleHelp from "lucide-react/icons/circle-question-mark";
import FileText from "lucide-react/icons/file-text";
import Lightbulb from "lucide-react/icons/lightbulb";
import MessageSquare from "lucide-react/icons/message-square";
import OctagonAlert from "lucide-react/icons/octagon-alert";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { Claim, ClaimKind, Stance } from "../../api/schema";
import { SpeakerName } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import { Say } from "../../markdown";
import { useClaim, useOpened, useTalk } from "./context";
import { EvidenceMarks } from "./evidence-marks";
import { ClaimMark } from "./reference-links";

const ICON: Record<ClaimKind, typeof FileText> = {
  claim: MessageSquare,
  fact: FileText,
  objection: OctagonAlert,
  risk: TriangleAlert,
  idea: Lightbulb,
};

/** A stance with everything that the wire leaves out when it is empty. */
function whole(stance: Partial<Stance>): Required<Stance> {
  return {
    answered: [],
    changed: false,
    changed_by: null,
    claims: [],
    confidence: null,
    open_questions: [],
    position: "",
    would_change_my_mind: null,
    ...stance,
  };
}

/** The position of a speaker, its confidence, and its claims. */
export function StanceLine({ stance, rowKey }: { stance: Stance; rowKey: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useOpened(`stance:${rowKey}`);
  const { position, confidence, claims, changed, changed_by } = whole(stance);
  const parts = [
    position && t("talk.holds", { position }),
    confidence != null && t("talk.sure", { confidence }),
    claims.length > 0 && t("talk.raised", { count: claims.length }),
  ].filter((part) => part !== false && part !== "");
  if (parts.length === 0) {
    return null;
  }
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="mt-1.5 text-meta text-ink-3"
    >
      <summary className="w-fit max-w-full rounded hover:text-ink">
        {parts.join(" · ")}
        {changed && <Cause id={changed_by} />}
      </summary>
      {open && <Rest stance={whole(stance)} />}
    </details>
  );
}

/** The cause of a change of position. */
function Cause({ id }: { id: string | null }) {
  const { t } = useTranslation();
  return <span className="text-warn"> · {id ? <Mover id={id} /> : t("talk.changed_unnamed")}</span>;
}

function Mover({ id }: { id: string }) {
  const { t } = useTranslation();
  const { people } = useTalk();
  const claim = useClaim(id);
  const name = claim ? (people.byId.get(claim.owner)?.name ?? claim.owner) : "";
  return <>{claim ? t("talk.changed_by", { name, text: claim.text }) : t("talk.changed_by_unseen")}</>;
}

function Rest({ stance }: { stance: Required<Stance> }) {
  const { t } = useTranslation();
  return (
    <div className="mt-1 flex flex-col gap-1.5 border-l-2 border-line pl-3 text-dense text-ink-2">
      {stance.claims.length > 0 && (
        <ul className="flex flex-col gap-1">
          {stance.claims.map((claim) => (
            <Raised key={claim.id} claim={claim} />
          ))}
        </ul>
      )}
      {stance.would_change_my_mind && (
        <p>
          <span className="text-ink-3">{t("talk.would_change")}</span> {stance.would_change_my_mind}
        </p>
      )}
      {stance.open_questions.map((question) => (
        <p key={question} className="flex gap-1.5">
          <CircleHelp size={14} className="mt-1 shrink-0 text-ink-3" aria-label={t("talk.asks")} />
          {question}
        </p>
      ))}
    </div>
  );
}

function Raised({ claim }: { claim: Claim }) {
  const { t } = useTranslation();
  const Icon = ICON[claim.kind];
  const builds = claim.builds_on ?? [];
  return (
    <li className="flex gap-1.5">
      <Icon size={14} className="mt-1 shrink-0 text-ink-3" aria-label={t(`table.claim.${claim.kind}`)} />
      <span>
        <ClaimMark id={claim.id} />
        <Say text={claim.text} />
        <EvidenceMarks evidence={claim.evidence} />
        {builds.length > 0 && (
          <span className="text-ink-3">
            {" "}
            {t("talk.builds_on")}
            {builds.map((id) => (
              <BuiltOn key={id} id={id} />
            ))}
          </span>
        )}
      </span>
    </li>
  );
}

function BuiltOn({ id }: { id: string }) {
  const { people } = useTalk();
  const claim = useClaim(id);
  const owner = claim && people.byId.get(claim.owner);
  return (
    <>
      {" "}
      {owner && <SpeakerName speaker={owner} />}
      <ClaimMark id={id} />
    </>
  );
}
