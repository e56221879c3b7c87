// The evidence of messages and claims: links to the results of tools that they cite.

import type { Evidence } from "../../api/schema";
import { WebLink, webAddress } from "../../components/web-link";
import { useTranslation } from "../../i18n";
import { useTalk } from "./context";
import { resultKey } from "./opened";

/** A citation of a result, as it is written: `src/main.rs#L10-L20`. */
function written({ call, path, first, last }: Evidence): string {
  const lines = first == null ? "" : last == null ? `#L${first}` : `#L${first}-L${last}`;
  return `${path ?? call}${lines}`;
}

/** The results that a message or a claim cites, as ways to where they stand. */
export function EvidenceMarks({ evidence }: { evidence: readonly Evidence[] | undefined }) {
  const { t } = useTranslation();
  const { goTo, opened } = useTalk();
  if (evidence === undefined || evidence.length === 0) {
    return null;
  }
  return (
    <span data-evidence className="flex flex-wrap items-baseline gap-x-1 text-meta text-ink-3">
      {t("talk.evidence")}
      {evidence.map((one) => {
        const citation = written(one);
        const address = webAddress(one);
        if (address !== undefined) {
          return <WebLink key={citation} address={address} title={one.title} />;
        }
        return (
          <button
            key={citation}
            type="button"
            title={t("talk.show_citation", { citation })}
            className="rounded px-0.5 font-mono text-[0.9em] hover:bg-sunken hover:text-ink"
            onClick={() => {
              opened.set(resultKey(one.seq), true);
              goTo(one.seq);
            }}
          >
            {citation}
          </button>
        );
      })}
    </span>
  );
}
