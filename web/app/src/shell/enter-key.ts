// The function of the Enter key in the composer.

import { usePreference } from "../preferences/preferences";
import { prefer } from "./own-settings";

/** Enter sends, or Enter begins a new line and Ctrl+Enter sends. */
export type EnterKey = "sends" | "breaks";

/** From now on Enter does this. */
export function setEnterKey(next: EnterKey): void {
  prefer({ enter_key: next });
}

/** The present function. */
export function useEnterKey(): EnterKey {
  return usePreference("enter_key") ?? "sends";
}
