// Basic parts of pages: cards, badges, meters, and empty states.

import CircleAlert from "lucide-react/icons/circle-alert";
import { type ReactNode, useId } from "react";
import { problemOf } from "../api/client";
import { useTranslation } from "../i18n";
import { Button } from "./button";
import { cx } from "./classes";

/** The meaning of a colour; it is never shown by colour alone. */
export type Tone = "plain" | "good" | "warn" | "bad" | "calm" | "accent";

const TONE: Record<Tone, string> = {
  plain: "bg-sunken text-ink-2",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  calm: "bg-calm-soft text-calm",
  accent: "bg-accent-soft text-accent",
};

/** A short label. */
export function Badge({
  tone = "plain",
  icon,
  children,
  className,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1 rounded-md px-1.5 py-px text-meta whitespace-nowrap",
        TONE[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}

/** A sheet on the paper. */
export function Card({
  children,
  className,
  as: As = "section",
  ...rest
}: {
  children: ReactNode;
  className?: string;
  as?: "section" | "div" | "article" | "li";
  "aria-label"?: string;
  "aria-labelledby"?: string;
}) {
  return (
    <As {...rest} className={cx("rounded-2xl border border-line bg-raised", className)}>
      {children}
    </As>
  );
}

/** The empty state: what would be here, and how it comes about. */
export function Empty({
  icon,
  title,
  as: Title = "p",
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  /** `h1` where it is all that the page shows. */
  as?: "p" | "h1";
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      {icon && <div className="text-ink-3">{icon}</div>}
      <Title className="text-h3 font-medium text-ink">{title}</Title>
      {children && <div className="measure text-dense text-ink-2">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** An error and its remedy. */
export function ErrorNotice({
  error,
  onRetry,
  compact,
}: {
  error: unknown;
  onRetry?: () => void;
  compact?: boolean;
}) {
  const { t } = useTranslation();
  const problem = problemOf(error);
  if (problem.type.endsWith("#blind-round") || problem.type.endsWith("#open-ballot")) {
    // No fault: it is not shown yet to a user who is to answer or vote on their own.
    return (
      <p role="status" className="px-3 py-2 text-center text-dense text-ink-2 first-letter:uppercase">
        {problem.detail}
      </p>
    );
  }
  // Of a single fault, the first line says everything already.
  const all = problem.errors ?? [];
  const listed = all.length === 1 ? all.filter((one) => !problem.detail.includes(one.detail)) : all;
  // The name of a field or a file stays as it is written.
  const named =
    /^\S*\w[/._]\w/.test(problem.detail) ||
    problem.errors?.some((one) => problem.detail.startsWith(one.pointer.split("/")[1] || "\n"));
  return (
    <div
      role="alert"
      className={cx(
        "flex gap-2.5 rounded-xl border border-bad/30 bg-bad-soft text-dense text-ink",
        compact ? "px-3 py-2" : "p-4",
      )}
    >
      <CircleAlert size={18} className="mt-0.5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className={cx("font-medium", !named && "first-letter:uppercase")}>
          {problem.detail || problem.title}
        </p>
        {problem.hint && <p className="text-ink-2">{problem.hint}</p>}
        {listed.length > 0 && (
          <ul className="mt-1 list-disc pl-4 text-ink-2">
            {listed.map((one) => (
              <li key={one.pointer + one.detail}>
                {one.pointer ? one.pointer + t("ui.colon") : ""}
                {one.detail}
              </li>
            ))}
          </ul>
        )}
        {onRetry && (
          <Button size="small" className="mt-2" onClick={onRetry}>
            {t("problem.retry")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Something is on its way. */
export function Waiting({ text, className }: { text?: string; className?: string }) {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      className={cx("flex items-center justify-center gap-2 p-8 text-dense text-ink-3", className)}
    >
      <span
        className="size-3.5 animate-spin rounded-full border-2 border-line-strong border-t-transparent"
        aria-hidden
      />
      {text ?? t("shell.loading")}
    </div>
  );
}

/** The used part of a limit. */
export function Meter({
  label,
  value,
  max,
  say,
  tone = "accent",
}: {
  label: string;
  value: number;
  max: number;
  say: string;
  tone?: "accent" | "warn" | "bad";
}) {
  const fill = { accent: "bg-accent", warn: "bg-warn", bad: "bg-bad" }[tone];
  const named = useId();
  const most = Math.max(max, 1);
  const filled = Math.min(Math.max(value, 0), most);
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw a meter each in their own way
    <div
      role="meter"
      aria-labelledby={named}
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuenow={filled}
      aria-valuetext={say}
      className="flex flex-col gap-1"
    >
      <div className="flex justify-between gap-3 text-meta text-ink-2">
        <span id={named}>{label}</span>
        <span>{say}</span>
      </div>
      <div className="h-1.5 overflow-hidden rounded-full bg-line">
        <div className={cx("h-full rounded-full", fill)} style={{ width: `${(100 * filled) / most}%` }} />
      </div>
    </div>
  );
}

/** A key as it is labelled on the keyboard. */
export function Key({ children }: { children: ReactNode }) {
  return (
    <kbd className="rounded border border-line bg-sunken px-1.5 font-mono text-meta text-ink-2">
      {children}
    </kbd>
  );
}
