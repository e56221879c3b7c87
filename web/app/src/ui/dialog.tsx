// Windows over the page: a dialog in the middle, a drawer at the side, a question before something is done. What draws
// them is fetched when the first one opens.

import type { ReactNode } from "react";
import { onDemand, useDemand } from "./lazily";

interface Opened {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
}

/** The props of every window. */
export interface WindowProps extends Opened {
  /** A sentence under the title. */
  description?: ReactNode;
  children: ReactNode;
  /** The footer: the buttons. */
  footer?: ReactNode;
}

/** The further props of a dialog. */
export type DialogProps = WindowProps & { wide?: boolean };

/** The further props of a drawer. */
export type DrawerProps = WindowProps & { side?: "left" | "right" };

/** A question before something is done. */
export interface ConfirmProps extends Opened {
  /** The consequences, and whether they can be undone. */
  text: ReactNode;
  /** The label of the confirming button. */
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
