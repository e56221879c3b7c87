// The present draft: its text, its history, and the changes that the facilitator proposes.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTable } from "../../components/meeting-page/context";
import { logOf, type Of } from "../../components/meeting-page/log";
import { EventLink } from "../../components/record/place";
import { TextDiff } from "../../components/text-diff";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { clock } from "../../shell/formatting";
import { Select } from "../../ui/select";
import { Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { Segments } from "../../ui/toggles";
import { Part } from "./section";
import { useAuthor } from "./use-author";

type Revision = Of<"draft_revised">;
type Facilitation = Of<"facilitation_written">;

/** The tab of the draft. */
export default function Draft() {
  const { t } = useTranslation();
  const { view } = useTable();
  const log = useQuery(
    logOf(
      view.id,
      ["draft_revised", "facilitation_written"],
      // What the facilitator says is a message, too.
      `${view.draft?.version}-${view.messages_total}`,
    ),
  );
  const [chosen, setChosen] = useState<number | null>(null);
  const [as, setAs] = useState<"text" | "diff">("text");
  if (!view.draft) {
    const text = view.state === "ended" ? "panel.draft.none_over" : "panel.draft.none_text";
    return <Empty title={t("panel.draft.none")}>{t(text)}</Empty>;
  }
  if (log.isPending) {
    return <Waiting />;
  }
  const known = log.data?.filter((event) => event.seq <= view.last_seq) ?? [];
  const revisions = known.filter((event): event is Revision => event.type === "draft_revised");
  const at = revisions.findIndex((one) => one.payload.version === (chosen ?? view.draft?.version));
  const shown = revisions[at];
  const before = revisions[at - 1];
  const text = shown?.payload.text ?? view.draft.text;
  return (
    <>
      {log.error && <ErrorNotice error={log.error} compact onRetry={() => void log.refetch()} />}
      {revisions.length > 1 && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Select
            label={t("panel.draft.version")}
            value={String(shown?.payload.version ?? view.draft.version)}
            onChange={(next) => setChosen(Number(next))}
            choices={revisions.toReversed().map((one) => ({
              value: String(one.payload.version),
              label: t("table.version", { n: one.payload.version }),
              note: clock(one.ts_ms),
            }))}
          />
          <Segments
            label={t("table.diff.as")}
            value={before ? as : "text"}
            onChange={setAs}
            choices={[
              { value: "text", label: t("table.diff.text") },
              { value: "diff", label: t("table.diff.changes") },
            ]}
          />
        </div>
      )}
      <article className="rounded-2xl border border-line bg-raised px-4 py-3">
        {as === "diff" && before && shown ? (
          <TextDiff before={before.payload.text} after={shown.payload.text} lang={view.language} />
        ) : (
          <Markdown text={text} lang={view.language} />
        )}
        <Byline
          version={shown?.payload.version ?? view.draft.version}
          by={shown?.payload.by ?? view.draft.by}
          seq={shown?.seq ?? view.draft.seq}
        />
      </article>
      <Patches known={known} />
    </>
  );
}

function Byline({ version, by, seq }: { version: number; by: Revision["payload"]["by"]; seq: number }) {
  const { t } = useTranslation();
  const author = useAuthor();
  return (
    <p className="mt-3 border-t border-line pt-2 text-meta text-ink-3">
      {t("panel.draft.by", { n: version, who: author(by) })} ·{" "}
      <EventLink seq={seq}>{t("table.jump")}</EventLink>
    </p>
  );
}

/** The facilitator's proposals after failed ballots, and what the next draft made of them. */
function Patches({ known }: { known: (Revision | Facilitation)[] }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const facilitations = known.filter((event): event is Facilitation => event.type === "facilitation_written");
  const revisions = known.filter((event): event is Revision => event.type === "draft_revised");
  if (facilitations.length === 0) {
    return null;
  }
  return (
    <Part title={t("panel.draft.patches")}>
      {facilitations.toReversed().map(({ seq, payload }) => {
        const before = revisions.findLast((one) => one.seq < seq);
        const after = revisions.find((one) => one.seq > seq);
        return (
          <details
            key={seq}
            open={seq === facilitations.at(-1)?.seq}
            className="rounded-2xl border border-line px-4 py-2"
          >
            <summary className="text-dense font-medium">
              {t("panel.draft.after_ballot", { n: payload.ballot.slice(1) })}
            </summary>
            <div className="flex flex-col gap-2 py-2">
              <Markdown text={payload.proposed_patch} lang={view.language} />
              {before && after ? (
                <>
                  <p className="text-meta text-ink-3">
                    {t("panel.draft.became", { from: before.payload.version, to: after.payload.version })}
                  </p>
                  <TextDiff before={before.payload.text} after={after.payload.text} lang={view.language} />
                </>
              ) : (
                <p className="text-meta text-ink-3">{t("panel.draft.not_yet")}</p>
              )}
              <EventLink seq={seq}>{t("table.jump")}</EventLink>
            </div>
          </details>
        );
      })}
    </Part>
  );
}
