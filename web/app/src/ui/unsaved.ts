// Edits in a window that are not saved yet: closing it by Esc, beside it or by its cross then asks first, and so does the
// browser's Back.

import { createContext, useContext, useEffect, useId } from "react";

/** The forms of a window with edits that are not saved. */
export const UnsavedEdits = createContext<Set<string> | null>(null);

/** Tells the window around it whether closing it would lose edits. */
export function useUnsaved(unsaved: boolean): void {
  const forms = useContext(UnsavedEdits);
  const form = useId();
  useEffect(() => {
    if (unsaved) {
      forms?.add(form);
    }
    return () => {
      forms?.delete(form);
    };
  }, [forms, form, unsaved]);
}

/** The same, where the state of the form lies outside of the window. */
export function Unsaved({ when }: { when: boolean }) {
  useUnsaved(when);
  return null;
}
