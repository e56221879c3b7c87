// Words go to the clipboard, also over plain http, where a browser gives none: then a selection is copied.

import i18n from "../i18n";
import { notify } from "./toast";

/** Longer words are of no use in a notice. */
const SHORT = 200;

/** Copies a text, and says so; where it cannot be copied, says what to do. */
export async function copy(text: string, said = i18n.t("ui.copied")): Promise<void> {
  if (await copied(text)) {
    notify({ text: said });
  } else {
    notify({ bad: true, text: i18n.t("ui.copy_by_hand"), more: text.length > SHORT ? undefined : text });
  }
}

/** Copies a text; whether it went well. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return selected(text);
  }
}

function selected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  // A window that is open keeps the focus inside itself.
  (focused?.closest("[role=dialog]") ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) {
      focused.focus({ preventScroll: true });
    }
  }
}
