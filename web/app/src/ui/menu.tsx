// A menu behind a button. The code that draws the list is loaded on first use.

import type { ReactElement, ReactNode } from "react";
import { onDemand } from "./lazily";
import { Pressed } from "./lazy-trigger";

/** One action. */
export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** Whether it is one of several choices, and the chosen one. */
  checked?: boolean;
  /** A line that says why it cannot be done, or what it does. */
  note?: string;
}

/** A list behind a button. */
export interface MenuProps {
  trigger: ReactElement<Record<string, unknown>>;
  /** `null` draws a line between those before and those after. */
  items: (MenuItem | null)[];
}

const list = onDemand(() => import("./menu-list"));

/** A list of things that can be done; `null` draws a line between them. */
export function Menu({ trigger, items }: MenuProps) {
  return (
    <Pressed part={list} trigger={trigger} opens="menu">
      {({ MenuList }, press) => <MenuList trigger={trigger} press={press} items={items} />}
    </Pressed>
  );
}
