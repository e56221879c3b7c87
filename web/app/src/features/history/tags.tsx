// The tags of a meeting in a list, each of which narrows the list, and the one that narrows it now.

import { Link } from "@tanstack/react-router";
import X from "lucide-react/icons/x";
import { useTranslation } from "../../i18n";
import { IconButton } from "../../ui/button";

/** The tags of a row. */
export function Tags({ tags }: { tags: readonly string[] }) {
  const { t } = useTranslation();
  if (tags.length === 0) {
    return null;
  }
  return (
    <ul className="flex flex-wrap gap-1" aria-label={t("history.tags")}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            to="/meetings"
            search={{ tag }}
            className="relative z-10 rounded-full border border-line px-2 text-meta text-ink-2 hover:border-line-strong hover:text-ink"
          >
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The tag by which the list is narrowed, with the button that ends it. */
export function ChosenTag({ tag, onClear }: { tag: string; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <p className="mt-2 flex items-center gap-1 text-dense text-ink-2">
      {t("history.tagged", { tag })}
      <IconButton label={t("history.clear_tag")} size="small" onClick={onClear}>
        <X size={14} aria-hidden />
      </IconButton>
    </p>
  );
}
