// The progress of a meeting, in a line.

import Check from "lucide-react/icons/check";
import { useTable } from "../../components/meeting-page/context";
import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";
import { marks } from "./phases";

/** The steps of the meeting; in narrow places the present one in words and the others as dots, as there is room. */
export function PhaseBar() {
  const { t } = useTranslation();
  const { view } = useTable();
  return (
    <ol aria-label={t("table.phase.title")} className="flex min-w-0 items-center gap-1 text-meta">
      {marks(view).map(({ step, when }, at) => (
        <li
          key={step}
          aria-current={when === "now" ? "step" : undefined}
          className={cx("flex items-center gap-1", when !== "now" && "min-w-0 overflow-hidden")}
        >
          {at > 0 && <span aria-hidden className="hidden h-px w-3 shrink-0 bg-line-strong sm:block" />}
          <span
            className={cx(
              "flex items-center gap-1 rounded-full px-1 py-0.5 whitespace-nowrap sm:px-1.5",
              when === "now" && "bg-accent-soft font-medium text-accent",
              when === "been" && "text-ink-2",
              (when === "earlier" || when === "ahead") && "text-ink-3",
            )}
            title={when === "earlier" ? t("table.phase.earlier_hint") : undefined}
          >
            {when === "been" && <Check size={11} aria-hidden className="hidden shrink-0 md:block" />}
            {when !== "now" && (
              <span
                aria-hidden
                className={cx(
                  "size-1.5 shrink-0 rounded-full border md:hidden",
                  when === "been" && "border-ink-2 bg-ink-2",
                  when === "earlier" && "border-ink-2",
                  when === "ahead" && "border-line-strong",
                )}
              />
            )}
            <span className={cx(when !== "now" && "sr-only md:not-sr-only")}>{t(`table.phase.${step}`)}</span>
            {when !== "now" && <span className="sr-only">{t(`table.phase.${when}`)}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
