// Buttons, and links that look like them.

import { createLink } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./classes";
import { Tooltip } from "./tooltip";

type Look = "primary" | "plain" | "quiet" | "danger";
type Size = "small" | "medium" | "large";

const SHAPE =
  "inline-flex items-center justify-center gap-1.5 rounded-lg font-medium select-none transition-colors duration-100 " +
  "[&_svg]:shrink-0 disabled:opacity-50 data-[disabled]:opacity-50 data-[disabled]:cursor-not-allowed whitespace-nowrap coarse:min-h-10";

const LOOK: Record<Look, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  plain: "border border-line bg-raised text-ink hover:bg-sunken",
  quiet: "text-ink-2 hover:bg-sunken hover:text-ink",
  danger: "border border-line bg-raised text-bad hover:bg-bad-soft",
};

const SIZE: Record<Size, string> = {
  small: "h-7 text-meta",
  medium: "h-9 text-dense",
  large: "h-11 text-body",
};

const ROOM: Record<Size, string> = { small: "px-2", medium: "px-3.5", large: "px-5" };
const SQUARE: Record<Size, string> = { small: "w-7", medium: "w-9", large: "w-11" };

function look(kind: Look, size: Size, more?: string, square?: boolean): string {
  return cx(SHAPE, LOOK[kind], SIZE[size], square ? SQUARE[size] : ROOM[size], more);
}

interface Shared {
  /** The visual weight. */
  look?: Look;
  size?: Size;
  className?: string;
}

type ButtonProps = ComponentProps<"button"> &
  Shared & {
    /** Whether its action is in progress: it cannot be pressed, and screen readers are told. */
    busy?: boolean;
    /** Whether it is square, for an icon. */
    square?: boolean;
  };

/** A button. */
export function Button({
  look: kind = "plain",
  size = "medium",
  className,
  busy,
  disabled,
  square,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      className={look(kind, size, cx(busy && "opacity-60", className), square)}
    />
  );
}

type IconButtonProps = Omit<ButtonProps, "children" | "aria-label"> & {
  /** Its function in words: its accessible name and its tooltip. */
  label: string;
  /** The icon. */
  children: ReactNode;
  /** Whether it is pressed, for a switch. */
  pressed?: boolean;
};

/** A button that shows an icon and is called by its words. */
export function IconButton({
  label,
  size = "medium",
  look: kind = "quiet",
  className,
  pressed,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <Button
        {...rest}
        square
        look={kind}
        size={size}
        aria-label={label}
        aria-pressed={pressed}
        className={cx("coarse:min-w-10", pressed && "bg-sunken text-ink", className)}
      />
    </Tooltip>
  );
}

type AnchorProps = ComponentProps<"a"> & Shared;

function Anchor({ look: kind = "plain", size = "medium", className, ...rest }: AnchorProps) {
  return <a {...rest} className={look(kind, size, className)} />;
}

/** A link to another page that looks like a button. */
export const ButtonLink = createLink(Anchor);
