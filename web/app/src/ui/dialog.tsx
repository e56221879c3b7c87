// Windows over the page: a dialog in the middle, a drawer at the side, a question before something is done. What draws
// them is fetched when the first one opens.

import type { ReactNode } from "react";
import { onDemand, useDemand } from "./demand";

interface Opened {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
}

/** What every window has. */
export interface WindowProps extends Opened {
  /** A sentence under the title. */
  description?: ReactNode;
  children: ReactNode;
  /** What stands at the bottom: the buttons. */
  footer?: ReactNode;
}

/** What a window in the middle has besides. */
export type DialogProps = WindowProps & { wide?: boolean };

/** What a window at the side has besides. */
export type DrawerProps = WindowProps & { side?: "left" | "right" };

/** A question before something is done. */
export interface ConfirmProps extends Opened {
  /** What will happen, and whether it can be undone. */
  text: ReactNode;
  /** What the button says that does it. */
  action: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  children?: ReactNode;
}

const windows = onDemand(() => import("./windows"));

function useWindows({ open, onOpenChange }: Opened) {
  return useDemand(windows, open, () => onOpenChange(false));
}

/** A window in the middle of the page. */
export function Dialog(props: DialogProps) {
  const kit = useWindows(props);
  return kit && <kit.Dialog {...props} />;
}

/** A window at the side of the page, as high as the page. */
export function Drawer(props: DrawerProps) {
  const kit = useWindows(props);
  return kit && <kit.Drawer {...props} />;
}

/** Asks before something is done. */
export function Confirm(props: ConfirmProps) {
  const kit = useWindows(props);
  return kit && <kit.Confirm {...props} />;
}
