// Switches, sliders and small sets of choices.

import { Slider as BaseSlider } from "@base-ui/react/slider";
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { Toggle } from "@base-ui/react/toggle";
import { ToggleGroup } from "@base-ui/react/toggle-group";
import type { ReactNode } from "react";
import { useId } from "react";
import { cx } from "./classes";

interface SwitchProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** On or off, at once. */
export function Switch({ label, hint, checked, onChange, disabled }: SwitchProps) {
  const id = useId();
  return (
    <div className={cx("flex gap-3 coarse:min-h-10", hint ? "items-start" : "items-center")}>
      <BaseSwitch.Root
        checked={checked}
        onCheckedChange={(next) => onChange(next)}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className={cx(
          "flex h-5 w-9 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors data-[checked]:bg-accent data-[disabled]:opacity-50",
          hint ? "mt-0.5" : null,
        )}
      >
        <BaseSwitch.Thumb className="size-4 rounded-full bg-raised transition-transform data-[checked]:translate-x-4" />
      </BaseSwitch.Root>
      <div className="min-w-0">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the switch beside it takes the keys */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a larger place to press, not another control */}
        <div
          id={`${id}-label`}
          className="text-dense text-ink"
          onClick={() => !disabled && onChange(!checked)}
        >
          {label}
        </div>
        {hint && (
          <div id={`${id}-hint`} className="text-meta text-ink-3">
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}

interface SliderProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
  /** Called when the slider is released. */
  onCommit?: (value: number) => void;
  min: number;
  max: number;
  step?: number;
  /** The value in words. */
  say?: (value: number) => string;
  disabled?: boolean;
}

/** A value between two ends. */
export function Slider({
  label,
  value,
  onChange,
  onCommit,
  min,
  max,
  step = 1,
  say = String,
  disabled,
}: SliderProps) {
  return (
    <BaseSlider.Root
      value={value}
      onValueChange={(next) => onChange(Array.isArray(next) ? (next[0] ?? min) : next)}
      onValueCommitted={(next) => onCommit?.(Array.isArray(next) ? (next[0] ?? min) : next)}
      min={min}
      max={max}
      step={step}
      disabled={disabled}
      className="flex flex-col gap-1"
    >
      <div className="flex justify-between gap-3 text-dense">
        <BaseSlider.Label className="text-ink">{label}</BaseSlider.Label>
        <span className="text-ink-2">{say(value)}</span>
      </div>
      <BaseSlider.Control className="flex h-6 touch-none items-center select-none coarse:h-10">
        <BaseSlider.Track className="h-1.5 w-full rounded-full bg-line">
          <BaseSlider.Indicator className="rounded-full bg-accent" />
          <BaseSlider.Thumb
            aria-label={label}
            getAriaValueText={(_, now) => say(now)}
            className="size-4.5 rounded-full border-2 border-accent bg-raised shadow-float focus-visible:outline-2 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2"
          />
        </BaseSlider.Track>
      </BaseSlider.Control>
    </BaseSlider.Root>
  );
}

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  choices: { value: T; label: string; icon?: ReactNode }[];
  disabled?: boolean;
  className?: string;
}

/** One of a few choices, all visible. */
export function Segments<T extends string>({
  label,
  value,
  onChange,
  choices,
  disabled,
  className,
}: SegmentsProps<T>) {
  return (
    <ToggleGroup
      aria-label={label}
      value={[value]}
      disabled={disabled}
      onValueChange={(next: T[]) => next[0] !== undefined && onChange(next[0])}
      className={cx("inline-flex rounded-lg border border-line bg-sunken p-0.5", className)}
    >
      {choices.map((one) => (
        <Toggle
          key={one.value}
          value={one.value}
          className="flex h-7 items-center gap-1.5 rounded-md px-2.5 text-meta text-ink-2 hover:text-ink data-[pressed]:bg-raised data-[pressed]:text-ink data-[pressed]:shadow-sm coarse:h-10"
        >
          {one.icon}
          {one.label}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
