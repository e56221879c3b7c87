// The density of the transcript.

import { usePreference } from "../preferences/preferences";
import { prefer } from "./own-settings";

/** With air, or with more on the page. */
type Density = "comfortable" | "compact";

/** From now on the transcript is set like this. */
export function setDensity(next: Density): void {
  prefer({ density: next });
}

/** The present density. */
export function useDensity(): Density {
  return usePreference("density") ?? "comfortable";
}
