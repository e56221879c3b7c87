// The start and the end of a round, and the start of the meeting.

import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import type { Of } from "../../meeting/event-types";
import { useMeeting } from "../../meeting/hooks";
import { moment } from "../../shell/formatting";

function Rule({ children }: { children: string }) {
  return (
    <div className="flex items-center gap-3 text-meta text-ink-3">
      <span className="h-px flex-1 bg-line" />
      <h3 className="font-normal">{children}</h3>
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}

/** A round begins. */
export function RoundStarted({ event }: { event: Of<"round_started"> }) {
  const { t } = useTranslation();
  const { round, kind, focus = [] } = event.payload;
  const name = round === 0 ? t("talk.blind_round") : t("talk.round", { round });
  return (
    <div data-round={round}>
      <Rule>{`${name} · ${t(`talk.round_${kind}`)}`}</Rule>
      {focus.length > 0 && (
        <div className="mx-auto mt-1.5 w-fit max-w-full text-meta text-ink-2">
          <p className="text-ink-3">{t("talk.focus")}</p>
          <ul className="list-disc pl-4">
            {focus.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** A round has ended. */
export function RoundEnded({ event }: { event: Of<"round_ended"> }) {
  const { t } = useTranslation();
  const { round } = event.payload;
  const text = round === 0 ? t("talk.blind_ended") : t("talk.round_ended", { round });
  return <p className="text-center text-meta text-ink-3">{text}</p>;
}

/** The beginning of a meeting: what it is about. */
export function Head() {
  const { t } = useTranslation();
  const topic = useMeeting((shown) => shown.view?.topic ?? "");
  const title = useMeeting((shown) => shown.view?.title ?? "");
  const description = useMeeting((shown) => shown.view?.description ?? "");
  const background = useMeeting((shown) => shown.view?.background ?? "");
  const created = useMeeting((shown) => shown.view?.created_at ?? 0);
  return (
    <header className="pt-4 pb-2">
      {title !== topic && <p className="text-meta text-ink-3">{title}</p>}
      <h2 className="text-h2">{topic}</h2>
      {description && <p className="text-dense text-ink-2">{description}</p>}
      <p className="text-meta text-ink-3">{t("talk.created", { when: moment(created) })}</p>
      {background && (
        <div className="mt-2 text-dense text-ink-2">
          <Markdown text={background} />
        </div>
      )}
    </header>
  );
}
