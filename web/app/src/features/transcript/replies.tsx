// Replies: the claims that a speaker answers, and the message that a person replies to.

import CornerDownRight from "lucide-react/icons/corner-down-right";
import { useSpeakerName } from "../../components/speaker/actor-name";
import { SpeakerName } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import { excerpt } from "../../meeting/references";
import { useClaim, useMessage, useTalk } from "./context";

const CHIP = "flex min-h-6 max-w-full min-w-0 items-center gap-1.5 rounded-md text-left text-meta text-ink-2";

/** The claims that a message answers, each a way to where it was raised. */
export function Answers({ ids, asked }: { ids: readonly string[]; asked?: boolean }) {
  const { t } = useTranslation();
  if (ids.length === 0) {
    return null;
  }
  return (
    <ul aria-label={asked ? t("talk.is_asked") : t("talk.answers")} className="mb-1 flex flex-col">
      {ids.map((id) => (
        <li key={id} className="flex min-w-0 items-center gap-1 text-meta text-ink-3">
          <CornerDownRight size={13} className="shrink-0" aria-hidden />
          <Answered id={id} />
        </li>
      ))}
    </ul>
  );
}

function Answered({ id }: { id: string }) {
  const { t } = useTranslation();
  const { people, goTo } = useTalk();
  const claim = useClaim(id);
  const owner = claim && people.byId.get(claim.owner);
  if (!claim || !owner) {
    return <span>{t("talk.claim")}</span>;
  }
  return (
    <button
      type="button"
      title={claim.text}
      onClick={() => goTo(claim.seq)}
      className={`${CHIP} hover:text-ink`}
    >
      <SpeakerName speaker={owner} className="shrink-0" />
      <span className="truncate">{claim.text}</span>
    </button>
  );
}

/** The message that is answered, quoted. */
export function Quoted({ id }: { id: string }) {
  const { t } = useTranslation();
  const { goTo } = useTalk();
  const message = useMessage(id);
  const nameOf = useSpeakerName();
  if (!message) {
    return <p className="text-meta text-ink-3">{t("talk.replies")}</p>;
  }
  return (
    <button
      type="button"
      onClick={() => goTo(message.seq)}
      className={`${CHIP} mb-1 border-l-2 border-line-strong pl-2 hover:text-ink`}
    >
      <span className="shrink-0 font-medium">{nameOf(message)}</span>
      <span className="truncate">{excerpt(message.excerpt, 80)}</span>
    </button>
  );
}
