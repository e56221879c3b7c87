// Who does not agree: the people, each with score, position and reason, and the questions that divide them. It is the same in
// the discussion, in the panel and in the result.

import type { ReactNode } from "react";
import { useTranslation } from "../../i18n";
import { Sources, Speaker, usePlace } from "./place";

/** Somebody who does not agree, or whose score is low. */
interface DissentLine {
  name: string;
  /** What was scored, in words. */
  score?: string | undefined;
  position?: string;
  reason?: string;
  /** The way to where it was said. */
  source?: ReactNode;
}

/** Everybody who does not agree. */
export function DissentList({ lines }: { lines: readonly DissentLine[] }) {
  const { lang } = usePlace();
  return (
    <ul className="flex flex-col gap-3">
      {lines.map(({ name, score, position, reason, source }) => (
        <li key={name}>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Speaker name={name} />
            {score && <span className="text-meta text-ink-2">{score}</span>}
            {source}
          </p>
          {(position || reason) && (
            <div lang={lang} className="measure mt-1 pl-7.5">
              {position && <p className="font-medium">{position}</p>}
              {reason && <p className="text-ink-2">{reason}</p>}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A question that divides, with its sides; holders by their names. */
interface DisagreementLine {
  issue: string;
  sides: readonly { view: string; holders: readonly string[]; why?: string; sources?: readonly string[] }[];
}

/** What divides, and the sides. */
export function Disagreements({ lines }: { lines: readonly DisagreementLine[] }) {
  const { t } = useTranslation();
  const { lang } = usePlace();
  return (
    <ul className="flex flex-col gap-3">
      {lines.map(({ issue, sides }) => (
        <li key={issue}>
          <p lang={lang} className="font-medium">
            {issue}
          </p>
          <ul className="mt-1.5 flex flex-col gap-2 border-l-2 border-line pl-4">
            {sides.map(({ view, holders, why, sources }) => (
              <li key={view}>
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  {holders.map((name) => (
                    <Speaker key={name} name={name} small />
                  ))}
                  <Sources of={sources} />
                </p>
                <div lang={lang} className="measure">
                  <p>{view}</p>
                  {why && <p className="text-dense text-ink-2">{t("talk.because", { why })}</p>}
                </div>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
