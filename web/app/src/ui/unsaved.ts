// Edits in a window that are not saved yet: closing it by Esc, beside it or by its cross then asks first.

import { createContext, type RefObject, useContext, useEffect } from "react";

/** What a window keeps about the form in it. */
export const UnsavedEdits = createContext<RefObject<boolean> | null>(null);

/** Tells the window around it whether closing it would lose edits. */
export function useUnsaved(unsaved: boolean): void {
  const kept = useContext(UnsavedEdits);
  useEffect(() => {
    if (!kept) {
      return;
    }
    kept.current = unsaved;
    return () => {
      kept.current = false;
    };
  }, [kept, unsaved]);
}

/** The same, where the state of the form lies outside of the window. */
export function Unsaved({ when }: { when: boolean }) {
  useUnsaved(when);
  return null;
}
