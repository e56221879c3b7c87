// A button behind which something opens that is fetched on its first press. Until then it is a plain button that says what it
// opens.

import {
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from "react";

/** Which item of a list has the focus when it opens: none by pointer. */
export type FirstItem = "first" | "last" | undefined;

interface Props {
  trigger: ReactElement<Record<string, unknown>>;
  opens: "menu" | "dialog";
  /** Fetches it ahead, when it is likely to be pressed. */
  fetch: () => Promise<unknown>;
  /** What takes the place of the trigger; it begins open. */
  children: (first: FirstItem) => ReactNode;
}

/** The trigger; from its first press on, what it opens. */
export function OpensLater({ trigger, opens, fetch, children }: Props) {
  const [pressed, setPressed] = useState<{ first: FirstItem }>();
  if (pressed) {
    return <Suspense fallback={trigger}>{children(pressed.first)}</Suspense>;
  }
  const soon = () => void fetch().catch(() => undefined);
  return cloneElement(trigger, {
    "aria-haspopup": opens,
    "aria-expanded": false,
    onPointerEnter: soon,
    onFocus: soon,
    // A press by key has no detail.
    onClick: ({ detail }: MouseEvent) => setPressed({ first: detail === 0 ? "first" : undefined }),
    onKeyDown: (event: KeyboardEvent) => {
      if (opens === "menu" && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
        event.preventDefault();
        setPressed({ first: event.key === "ArrowDown" ? "first" : "last" });
      }
    },
  });
}
