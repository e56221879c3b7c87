// Drafts of the conclusion: their changes, and the changes that the facilitator proposes.

import { Suspense, useCallback, useState } from "react";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { is, type Of } from "../../meeting/event-types";
import { useMeeting } from "../../meeting/hooks";
import type { Snapshot } from "../../meeting/snapshot";
import { lazily } from "../../ui/lazily";
import { Waiting } from "../../ui/surface";
import { Beginning } from "./beginning";
import { MessageNumber } from "./message-number";
import { Points, Sheet } from "./notice";
import { PanelLink, useAuthor } from "./records";

// The word comparison is loaded when it is opened.
const WordDiff = lazily(() =>
  import("../../components/text-diff").then((room) => ({ default: room.TextDiff })),
);

/** The draft has a new version. */
export function DraftRevised({ event }: { event: Of<"draft_revised"> }) {
  const { t } = useTranslation();
  const author = useAuthor();
  const before = useMeeting(useCallback((shown: Snapshot) => draftBefore(shown, event.seq), [event.seq]));
  const { version, text, by } = event.payload;
  const title = t("talk.draft", { version });
  return (
    <Sheet title={title} by={author(by)} label={title}>
      {before === undefined ? <Beginning text={text} /> : <Changes before={before} after={text} />}
      <PanelLink tab="draft">{t("talk.see_draft")}</PanelLink>
    </Sheet>
  );
}

/** In how many places a draft was changed; opened, which. */
function Changes({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation();
  const lang = useMeeting((shown) => shown.view?.language ?? "zh");
  const [open, setOpen] = useState(false);
  const count = changedPlaces(before, after);
  if (count === 0) {
    return <p className="text-dense text-ink-2">{t("talk.draft_same")}</p>;
  }
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="text-dense">
      <summary data-expand className="w-fit rounded text-ink-2 select-none hover:text-ink">
        {t("talk.draft_changed", { count })}
      </summary>
      {open && (
        <div className="my-1 border-l-2 border-line pl-3">
          <Suspense fallback={<Waiting />}>
            <WordDiff before={before} after={after} lang={lang} />
          </Suspense>
        </div>
      )}
    </details>
  );
}

/** After a failed ballot: the disagreements, and the change that could resolve them. */
export function Facilitation({ event }: { event: Of<"facilitation_written"> }) {
  const { t } = useTranslation();
  const { disagreements, message_id, proposed_patch, next_focus } = event.payload;
  const [open, setOpen] = useState(false);
  return (
    <Sheet
      title={t("talk.facilitation")}
      by={t("talk.author_facilitator")}
      label={t("talk.facilitation")}
      number={<MessageNumber id={message_id} seq={event.seq} />}
    >
      <Points title={t("talk.disagreements")} points={disagreements} />
      {proposed_patch && (
        <details
          open={open}
          onToggle={(toggled) => setOpen(toggled.currentTarget.open)}
          className="mt-2 text-dense"
        >
          <summary data-expand className="w-fit rounded text-ink-2 select-none hover:text-ink">
            {t("talk.patch_proposed")}
          </summary>
          {open && (
            <div className="my-1 border-l-2 border-line pl-3">
              <Markdown text={proposed_patch} />
              <PanelLink tab="draft">{t("talk.see_draft")}</PanelLink>
            </div>
          )}
        </details>
      )}
      <Points title={t("talk.next_focus")} points={next_focus} />
    </Sheet>
  );
}

/** The draft before this one, where it is among the lines in sight. */
function draftBefore({ lines }: Snapshot, seq: number): string | undefined {
  const draft = lines.findLast((line) => line.seq < seq && is(line, "draft_revised"));
  return draft && is(draft, "draft_revised") ? draft.payload.text : undefined;
}

/** In how many lines two drafts differ; a line that was put in other words counts once. */
export function changedPlaces(before: string, after: string): number {
  const [old, now] = [linesIn(before), linesIn(after)];
  const gone = [...old].filter((line) => !now.has(line)).length;
  const come = [...now].filter((line) => !old.has(line)).length;
  return Math.max(gone, come);
}

function linesIn(text: string): Set<string> {
  return new Set(text.split("\n").flatMap((line) => line.trim() || []));
}
