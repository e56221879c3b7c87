// Light, dark, or as the system has it.

import { onPreferences, preference, usePreference } from "../preferences/preferences";

/** The chosen theme. */
export type Theme = "system" | "light" | "dark";

const system = window.matchMedia("(prefers-color-scheme: dark)");

function paint(): void {
  const theme = preference("theme");
  const dark = theme === "dark" || (theme === null && system.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

/** Paints the page as was chosen, and again when the choice or the system changes. */
export function startTheme(): void {
  system.addEventListener("change", paint);
  onPreferences(paint);
  paint();
}

/** The chosen theme, with updates. */
export function useTheme(): Theme {
  return usePreference("theme") ?? "system";
}
