// A citation of an attached file, such as `f1#12-20` or `f1`, as a way to see it.

import { Suspense, useState } from "react";
import { useTranslation } from "../../i18n";
import { lazily } from "../../ui/lazily";

const CitedLines = lazily(() => import("./cited-lines"));

/** The citation as a button that opens the cited lines, or the file from its beginning. */
export function FileMark({
  meeting,
  id: citation,
  written = citation,
}: {
  meeting: string;
  id: string;
  /** How the text cites it. */
  written?: string | undefined;
}) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [file = citation, lines = ""] = citation.split("#");
  const [first, last = first] = (lines.match(/\d+/g) ?? []).map(Number);
  const label = t("talk.show_citation", { citation: written });
  return (
    <>
      <button
        type="button"
        title={label}
        aria-label={label}
        className="rounded px-0.5 font-mono text-[0.8em] text-ink-3 hover:bg-sunken hover:text-ink"
        onClick={() => setOpen(true)}
      >
        {written}
      </button>
      {open && (
        <Suspense fallback={null}>
          <CitedLines id={meeting} file={file} first={first} last={last} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
