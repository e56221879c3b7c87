// A button behind which something opens, drawn as it is until it is first pressed. Then what opens is fetched, takes the
// button's place and gets the press, so that it opens as it would have.

import {
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Demand } from "./lazily";
import { useDemand } from "./lazily";

/** How a button was pressed: by a key, or by a pointer. */
export type Press = { key: string } | { pointer: string };

/** The component that replaces a button gets the press that called it. */
export interface HandedOver {
  press: Press;
}

interface Props<T> {
  part: Demand<T>;
  trigger: ReactElement<Record<string, unknown>>;
  opens: "menu" | "dialog";
  /** The replacement of the trigger. */
  children: (kit: T, press: Press) => ReactNode;
}

/** The trigger; from its first press on, what the trigger opens. */
export function Pressed<T>({ part, trigger, opens, children }: Props<T>) {
  const [press, setPress] = useState<Press | null>(null);
  const kit = useDemand(part, press !== null, () => setPress(null));
  if (kit && press) {
    return children(kit, press);
  }
  const soon = () => void part.load().catch(() => undefined);
  return cloneElement(trigger, {
    "aria-haspopup": opens,
    "aria-expanded": false,
    onPointerEnter: soon,
    onFocus: soon,
    onClick: (event: MouseEvent) => setPress(pressOf(event)),
    onKeyDown: (event: KeyboardEvent) => {
      if (opens === "menu" && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
        event.preventDefault();
        setPress({ key: event.key });
      }
    },
  });
}

function pressOf({ detail, nativeEvent }: MouseEvent): Press {
  if (detail === 0) {
    return { key: "Enter" };
  }
  return { pointer: nativeEvent instanceof PointerEvent ? nativeEvent.pointerType || "mouse" : "mouse" };
}

/** For the button that took the place: it has the focus, and is pressed as the one before it was. */
export function useHandedOver(press: Press): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    // After the original press has been handled everywhere.
    const soon = setTimeout(() => button.current && repeat(press, button.current));
    return () => clearTimeout(soon);
  }, [press]);
  return button;
}

function repeat(press: Press, button: HTMLElement): void {
  if ("key" in press) {
    if (press.key === "Enter") {
      button.click();
    } else {
      button.dispatchEvent(new KeyboardEvent("keydown", { key: press.key, bubbles: true, cancelable: true }));
    }
    return;
  }
  const told = { bubbles: true, cancelable: true, detail: 1, pointerType: press.pointer };
  for (const name of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) {
    const Event = name.startsWith("mouse") ? window.MouseEvent : PointerEvent;
    button.dispatchEvent(new Event(name, told));
  }
}
