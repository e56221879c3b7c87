// What messages and claims cite: lines of attached files, and results of tools, each as a way to see it.

import { useTranslation } from "react-i18next";
import type { ClaimId, MessageId, Report } from "../../api/schema";
import { FileMark } from "../cited-files/file-mark";
import { Lines } from "./section";
import { EventLink, SourceLink } from "./source-links";
import { Speaker } from "./speaker";

interface Cited {
  /** As it is written: `f1#12-20`, `src/main.rs#L10-L20`. */
  text: string;
  by: string;
  message?: MessageId | null | undefined;
  claim?: ClaimId | null | undefined;
  /** The event with the result of a tool; none for an attached file. */
  seq?: number;
}

/** All citations of a report. */
export function citedIn(report: Report): Cited[] {
  const results = (report.evidence ?? []).map((one) => ({ ...one, seq: one.evidence.seq }));
  return [...(report.files ?? []).flatMap((file) => file.citations), ...results];
}

/** The citations, with who cites them where. */
export function Citations({ meeting, rows }: { meeting: string; rows: readonly Cited[] }) {
  const { t } = useTranslation();
  return (
    <Lines>
      {rows.map(({ text, by, message, claim, seq }) => (
        <li
          key={`${text} ${by} ${message} ${claim}`}
          className="flex flex-wrap items-center gap-x-3 text-dense"
        >
          {seq === undefined ? (
            <FileMark meeting={meeting} id={text} />
          ) : (
            <span className="font-mono text-meta" title={t("talk.show_citation", { citation: text })}>
              <EventLink seq={seq}>{text}</EventLink>
            </span>
          )}
          <Speaker name={by} small />
          {claim && <span className="font-mono text-meta text-ink-3">{claim}</span>}
          {message && <SourceLink message={message} />}
        </li>
      ))}
    </Lines>
  );
}
