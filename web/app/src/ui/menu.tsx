// A menu behind a button. The code that draws the list is loaded on first use.

import type { ReactElement, ReactNode } from "react";
import { lazily } from "./lazily";
import { OpensLater } from "./opens-later";

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

const fetch = () => import("./menu-list");
const MenuList = lazily(fetch);

/** A list of things that can be done; `null` draws a line between them. */
export function Menu({ trigger, items }: MenuProps) {
  return (
    <OpensLater trigger={trigger} opens="menu" fetch={fetch}>
      {(first) => <MenuList trigger={trigger} items={items} first={first} />}
    </OpensLater>
  );
}
