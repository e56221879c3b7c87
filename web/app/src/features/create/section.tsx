// The building blocks of the form's sections, and their props.

import ChevronDown from "lucide-react/icons/chevron-down";
import type { ReactNode } from "react";
import { useId } from "react";
import type { Form } from "../../meeting-form/form";
import { cx } from "../../ui/classes";
import type { FieldErrors } from "./field-errors";

/** The props of every section. */
export interface SectionProps {
  form: Form;
  set: (next: Form | ((now: Form) => Form)) => void;
  /** The errors, by field. */
  wrong: FieldErrors;
}

/** A button that moves a row and is at the end of its way: it stays where the keyboard is, and does nothing. */
export const LIST_END_CLASS = "aria-disabled:opacity-50";

/** Before a row goes, the keyboard goes on to the same button of the next one. */
export function moveFocusFromRow(button: HTMLButtonElement): void {
  const row = button.closest("li");
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  const at = [...(row?.querySelectorAll("button") ?? [])].indexOf(button);
  next?.querySelectorAll("button")[at]?.focus();
}

/** A section of the form; with `onToggle` it folds to its title and a line about what is in it. */
export function Section({
  title,
  line,
  open = true,
  onToggle,
  alarm,
  children,
  id,
}: {
  title: string;
  /** A summary of the choices, for a folded section. */
  line?: ReactNode;
  open?: boolean;
  onToggle?: () => void;
  /** Something in it is not right. */
  alarm?: boolean;
  children: ReactNode;
  id: string;
}) {
  const body = useId();
  return (
    <section id={`section-${id}`} className="scroll-mt-4 border-t border-line py-5 first:border-0 first:pt-0">
      {onToggle ? (
        <h2>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={open ? body : undefined}
            onClick={onToggle}
            className="flex w-full items-baseline gap-3 rounded-lg text-left"
          >
            <span className="shrink-0 text-h3 font-semibold">{title}</span>
            <span className={cx("min-w-0 flex-1 text-dense font-normal", alarm ? "text-bad" : "text-ink-3")}>
              {!open && line}
            </span>
            <ChevronDown
              size={16}
              aria-hidden
              className={cx("shrink-0 self-center text-ink-3 transition-transform", open && "rotate-180")}
            />
          </button>
        </h2>
      ) : (
        <h2 className="text-h3 font-semibold">{title}</h2>
      )}
      {open && (
        <div id={body} className="mt-3 flex flex-col gap-4">
          {children}
        </div>
      )}
    </section>
  );
}

/** A few controls under a heading. */
export function ControlGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <h3 className="text-dense font-semibold text-ink-2">{title}</h3>
      {children}
    </div>
  );
}

/** A link-like button for what is seldom needed. */
export function MoreButton({
  onClick,
  children,
  expanded,
}: {
  onClick: () => void;
  children: ReactNode;
  expanded?: boolean;
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      aria-expanded={expanded}
      className="inline-flex items-center gap-1 self-start rounded text-dense text-ink-2 underline decoration-line-strong underline-offset-4 hover:text-ink"
    >
      {children}
    </button>
  );
}
