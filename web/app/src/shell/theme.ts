// Light, dark, or as the system has it. Kept in this browser.

import { useSyncExternalStore } from "react";

/** The chosen theme. */
export type Theme = "system" | "light" | "dark";

const KEPT = "quorate.theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function chosen(): Theme {
  const kept = localStorage.getItem(KEPT);
  return kept === "light" || kept === "dark" ? kept : "system";
}

function paint(): void {
  const theme = chosen();
  const dark = theme === "dark" || (theme === "system" && system.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  for (const told of listeners) {
    told();
  }
}

/** Paints the page as was chosen, and again when the system changes. */
export function startTheme(): void {
  system.addEventListener("change", paint);
  window.addEventListener("storage", (event) => event.key === KEPT && paint());
  paint();
}

/** From now on the page looks like this. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(KEPT, theme);
  paint();
}

/** The chosen theme, with updates. */
export function useTheme(): Theme {
  return useSyncExternalStore((told) => {
    listeners.add(told);
    return () => listeners.delete(told);
  }, chosen);
}
