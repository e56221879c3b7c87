// A text goes to the clipboard.

import { notify, notifyTrouble } from "./toast";

/** Copies a text and says `said`, or why it could not. */
export async function copy(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify({ text: said });
  } catch (error) {
    notifyTrouble(error);
  }
}
