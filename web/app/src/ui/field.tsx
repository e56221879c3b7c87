// The parts of a form field: a label, a control, a hint, and an error.

import { Field as Base } from "@base-ui/react/field";
import { NumberField } from "@base-ui/react/number-field";
import Minus from "lucide-react/icons/minus";
import Plus from "lucide-react/icons/plus";
import {
  type ComponentProps,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useEffect,
  useState,
} from "react";
import { useTranslation } from "../i18n";
import { cx } from "./classes";

interface FieldProps {
  label: string;
  /** The purpose, or the allowed values. */
  hint?: ReactNode;
  /** The error. */
  error?: string;
  required?: boolean;
  /** It may stay empty, and says so. */
  optional?: boolean;
  /** The label is for those who cannot see it. */
  bare?: boolean;
  children: ReactNode;
  className?: string;
}

/** Why the browser does not send a form with what is in a control. */
interface Unfit {
  why: "missing" | "short" | "url" | "other";
  /** The fewest characters. */
  count?: number;
}

/** A control that a browser checks before a form is sent. */
type Checked = HTMLInputElement | HTMLTextAreaElement;

function unfitOf({ validity, minLength }: Checked): Unfit {
  if (validity.tooShort) {
    return { why: "short", count: minLength };
  }
  return { why: validity.valueMissing ? "missing" : validity.typeMismatch ? "url" : "other" };
}

/** A control with its label. Controls of this kit inside it are named, described and marked by it. */
export function Field({ label, hint, error, required, optional, bare, children, className }: FieldProps) {
  const { t } = useTranslation();
  const [unfit, setUnfit] = useState<Unfit>();
  // What the server says is newer.
  useEffect(() => {
    if (error) {
      setUnfit(undefined);
    }
  }, [error]);
  // The browser's own bubble speaks the browser's language and is gone soon: the field says the same beside its control.
  const tell = (event: FormEvent) => {
    const control = event.target as Checked;
    event.preventDefault();
    setUnfit(unfitOf(control));
    const first = [...(control.form?.elements ?? [])].find((one) => !(one as Checked).validity.valid);
    if (first === control) {
      control.focus();
    }
  };
  const shown = unfit ? t(`ui.unfit.${unfit.why}`, { count: unfit.count }) : error;
  return (
    <Base.Root
      invalid={Boolean(shown)}
      className={cx("flex min-w-0 flex-col gap-1", className)}
      onInvalidCapture={tell}
      onInput={() => setUnfit(undefined)}
      // A value that was chosen, and not typed, tells of no input.
      onBlur={({ target }: FocusEvent) => (target as Checked).validity?.valid && setUnfit(undefined)}
    >
      <Base.Label className={bare ? "sr-only" : "text-dense font-medium text-ink"}>
        {label}
        {(required || optional) && (
          <span className="ml-1.5 text-meta font-normal text-ink-3">
            {t(required ? "ui.required" : "ui.optional")}
          </span>
        )}
      </Base.Label>
      {children}
      {hint && <Base.Description className="text-meta text-ink-3">{hint}</Base.Description>}
      <Base.Error match={Boolean(shown)} className="text-meta text-bad">
        {shown}
      </Base.Error>
    </Base.Root>
  );
}

const CONTROL =
  "w-full rounded-lg border border-line-strong/60 bg-raised px-3 text-ink placeholder:text-ink-3 hover:border-line-strong " +
  "disabled:opacity-50 data-[invalid]:border-bad aria-[invalid=true]:border-bad";

/** A line of text. */
export function TextInput({
  className,
  ...rest
}: ComponentProps<typeof Base.Control> & { className?: string }) {
  return <Base.Control {...rest} className={cx(CONTROL, "h-9 text-dense coarse:h-11", className)} />;
}

/** Several lines of text; `compact`: one line until there are more. */
export function TextArea({
  className,
  compact,
  ...rest
}: ComponentProps<"textarea"> & { compact?: boolean }) {
  return (
    <Base.Control
      render={<textarea {...rest} />}
      className={cx(
        CONTROL,
        "max-h-[60dvh] resize-y py-2 text-body [field-sizing:content]",
        compact ? "min-h-10 coarse:min-h-11" : "min-h-20",
        className,
      )}
    />
  );
}

interface NumberProps {
  value: number | null;
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
  step?: number;
  disabled?: boolean;
  /** Its name, when no label of a Field names it. */
  label?: string;
  className?: string;
}

/** A number with buttons for a step up and down. */
export function NumberInput({ value, onChange, min, max, step, disabled, label, className }: NumberProps) {
  const { t } = useTranslation();
  const button =
    "flex w-8 items-center justify-center text-ink-3 hover:bg-sunken hover:text-ink data-[disabled]:opacity-40 coarse:w-11";
  return (
    <NumberField.Root
      value={value}
      onValueChange={onChange}
      min={min}
      max={max}
      step={step}
      disabled={disabled}
      className={className}
    >
      <NumberField.Group className="flex h-9 w-36 overflow-hidden rounded-lg border border-line-strong/60 bg-raised hover:border-line-strong focus-within:border-line-strong coarse:h-11 coarse:w-44">
        <NumberField.Decrement className={button} aria-label={t("ui.decrease")}>
          <Minus size={14} aria-hidden />
        </NumberField.Decrement>
        <NumberField.Input
          aria-label={label}
          className="min-w-0 flex-1 bg-transparent text-center text-dense text-ink outline-offset-[-2px]"
        />
        <NumberField.Increment className={button} aria-label={t("ui.increase")}>
          <Plus size={14} aria-hidden />
        </NumberField.Increment>
      </NumberField.Group>
    </NumberField.Root>
  );
}

/** A line in red under a control that no Field surrounds. */
export function FieldError({ text }: { text: string | undefined }) {
  return text ? (
    <p role="alert" className="text-meta text-bad">
      {text}
    </p>
  ) : null;
}
