// What messages and claims cite: lines of attached files, and results of tools, each as a way to see it.

import type { ClaimId, MessageId, Report } from "../../api/schema";
import { FileMark } from "../../components/files/file-mark";
import { EventLink, Speaker } from "../../components/record/place";
import { Lines } from "../../components/record/section";
import { WebLink, webAddress } from "../../components/web-link";
import { useTranslation } from "../../i18n";
import { SourceLink } from "./source-link";

interface Cited {
  /** As it is written: `f1#12-20`, `src/main.rs#L10-L20`. */
  text: string;
  by: string;
  message?: MessageId | null | undefined;
  claim?: ClaimId | null | undefined;
  /** The event with the result of a tool; none for an attached file. */
  seq?: number;
  /** The address and title of a page of the web. */
  page?: { address: string; title?: string | null | undefined };
}

/** All citations of a report. */
export function citedIn(report: Report): Cited[] {
  const results = (report.evidence ?? []).map((one): Cited => {
    const address = webAddress(one.evidence);
    const page = address === undefined ? {} : { page: { address, title: one.evidence.title } };
    return { ...one, seq: one.evidence.seq, ...page };
  });
  return [...(report.files ?? []).flatMap((file) => file.citations), ...results];
}

/** The citations, with who cites them where. */
export function Citations({ meeting, rows }: { meeting: string; rows: readonly Cited[] }) {
  const { t } = useTranslation();
  return (
    <Lines>
      {rows.map(({ text, by, message, claim, seq, page }) => (
        <li
          key={`${text} ${by} ${message} ${claim}`}
          className="flex flex-wrap items-center gap-x-3 text-dense"
        >
          {page ? (
            <WebLink address={page.address} title={page.title} />
          ) : seq === undefined ? (
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
