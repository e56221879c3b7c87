// Windows over the page: a dialog in the middle, a drawer at the side, a question before something is done. What draws
// them is fetched when the first one opens.

import { type ComponentType, type ReactNode, Suspense, useState } from "react";
import { lazily } from "./lazily";

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
  /** What is asked before it closes with something unsaved, where that is not edits. */
  discard?: { title: string; text: string; action: string };
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

/** Draws a window from the time it is first opened. */
function onceOpened<Props extends Opened>(Window: ComponentType<Props>) {
  return function OnceOpened(props: Props) {
    const [ever, setEver] = useState(props.open);
    if (props.open && !ever) {
      setEver(true);
    }
    return (
      ever && (
        <Suspense fallback={null}>
          <Window {...props} />
        </Suspense>
      )
    );
  };
}

const windows = () => import("./windows");

/** A window in the middle of the page. */
export const Dialog = onceOpened<DialogProps>(
  lazily(() => windows().then((kit) => ({ default: kit.Dialog }))),
);

/** A window at the side of the page, as high as the page. */
export const Drawer = onceOpened<DrawerProps>(
  lazily(() => windows().then((kit) => ({ default: kit.Drawer }))),
);

/** Asks before something is done. */
export const Confirm = onceOpened<ConfirmProps>(
  lazily(() => windows().then((kit) => ({ default: kit.Confirm }))),
);
