// The differences between two texts, word by word. Han text is segmented into words.

import { diffWordsWithSpace } from "diff";
import { useMemo } from "react";
import { useTranslation } from "../i18n";

/** Without the signs of emphasis and headings: here they would only be read as changes. */
function plain(markdown: string): string {
  return markdown.replace(/\*\*|^#{1,6}\s+/gm, "");
}

/** The later text with removed words struck out and added words underlined, also for screen readers. */
export function TextDiff({ before, after, lang }: { before: string; after: string; lang: string }) {
  const { t } = useTranslation();
  const parts = useMemo(() => {
    const intlSegmenter = new Intl.Segmenter(lang, { granularity: "word" });
    return diffWordsWithSpace(plain(before), plain(after), { intlSegmenter });
  }, [before, after, lang]);
  if (parts.every((part) => !part.added && !part.removed)) {
    return <p className="text-dense text-ink-3">{t("table.diff.same")}</p>;
  }
  return (
    <p lang={lang} className="text-dense whitespace-pre-wrap">
      {parts.map((part, at) => {
        const key = `${at}-${part.value.length}`;
        if (part.added) {
          return (
            <ins key={key} className="rounded-sm bg-good-soft text-good decoration-good">
              {part.value}
            </ins>
          );
        }
        if (part.removed) {
          return (
            <del key={key} className="rounded-sm bg-bad-soft text-bad">
              {part.value}
            </del>
          );
        }
        return <span key={key}>{part.value}</span>;
      })}
    </p>
  );
}
