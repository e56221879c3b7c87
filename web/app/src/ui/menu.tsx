// What can be done with a thing, behind a button. What draws the list is fetched when it is wanted.

import type { ReactElement, ReactNode } from "react";
import { onDemand } from "./demand";
import { Pressed } from "./press";

/** One thing that can be done. */
export interface Deed {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** It is one of several, and whether it is the one that holds. */
  checked?: boolean;
  /** A line that says why it cannot be done, or what it does. */
  note?: string;
}

/** A list behind a button. */
export interface MenuProps {
  trigger: ReactElement<Record<string, unknown>>;
  /** `null` draws a line between those before and those after. */
  deeds: (Deed | null)[];
}

const list = onDemand(() => import("./menu-list"));

/** A list of things that can be done; `null` draws a line between them. */
export function Menu({ trigger, deeds }: MenuProps) {
  return (
    <Pressed part={list} trigger={trigger} opens="menu">
      {({ MenuList }, press) => <MenuList trigger={trigger} press={press} deeds={deeds} />}
    </Pressed>
  );
}
