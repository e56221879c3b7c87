// What a person has chosen for the page. For people with an account it is kept on the server and here only as a copy, for
// the first moment after a reload; guests keep theirs in this browser. What the person has not chosen is as this browser
// kept it, and else as the system or the meeting has it.

import { useSyncExternalStore } from "react";
import { Signal } from "../store/store";

/** The choices; null is none. */
export interface Preferences {
  language: "zh" | "en" | null;
  time_zone: string | null;
  time_format: "12h" | "24h" | null;
  date_format: string | null;
  theme: "light" | "dark" | null;
  notifications: boolean | null;
  enter_key: "sends" | "breaks" | null;
  density: "comfortable" | "compact" | null;
}

type PreferenceName = keyof Preferences;

/** Where this browser keeps each of them, and how it is read. */
const IN_BROWSER: { [N in PreferenceName]: [key: string, read: (kept: string) => Preferences[N]] } = {
  language: ["quorate.language", (kept) => one(kept.split("-")[0], ["zh", "en"])],
  time_zone: ["quorate.zone", (kept) => kept || null],
  time_format: ["quorate.time_format", (kept) => one(kept, ["12h", "24h"])],
  date_format: ["quorate.date_format", (kept) => kept || null],
  theme: ["quorate.theme", (kept) => one(kept, ["light", "dark"])],
  notifications: ["quorate.notifications", (kept) => (kept === "" ? null : kept !== "off")],
  enter_key: ["quorate.enter", (kept) => one(kept, ["sends", "breaks"])],
  density: ["quorate.density", (kept) => one(kept, ["comfortable", "compact"])],
};

/** The copy of what the server keeps; null while nobody is signed in whose choices it keeps. */
const COPY = "quorate.settings";

function one<T extends string>(kept: string | undefined, known: readonly T[]): T | null {
  return known.find((value) => value === kept) ?? null;
}

function copied(): Partial<Preferences> | null {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(COPY) ?? "null");
    return typeof read === "object" ? read : null;
  } catch {
    return null;
  }
}

let own = copied();
const changed = new Signal();

function inBrowser<N extends PreferenceName>(name: N): Preferences[N] {
  const [key, read] = IN_BROWSER[name];
  return read(localStorage.getItem(key) ?? "");
}

/** What holds: the person's choice, else this browser's. */
export function preference<N extends PreferenceName>(name: N): Preferences[N] {
  return (own?.[name] as Preferences[N] | undefined) ?? inBrowser(name);
}

/** Whether the server keeps the choices of whoever uses this browser. */
export function isKeptOnServer(): boolean {
  return own !== null;
}

/** The same, with updates. */
export function useKeptOnServer(): boolean {
  return useSyncExternalStore(onPreferences, isKeptOnServer);
}

/** Calls back whenever a choice has changed, here, in another tab or elsewhere. */
export const onPreferences = changed.on;

/** A choice, with updates. */
export function usePreference<N extends PreferenceName>(name: N): Preferences[N] {
  return useSyncExternalStore(onPreferences, () => preference(name));
}

/** Takes over what the server keeps; null once nobody is signed in whose choices it keeps. */
export function copyFromServer(settings: Partial<Preferences> | null): void {
  const next = settings ? JSON.stringify(settings) : null;
  if (next === localStorage.getItem(COPY)) {
    return;
  }
  if (next === null) {
    localStorage.removeItem(COPY);
  } else {
    localStorage.setItem(COPY, next);
  }
  own = settings;
  changed.send();
}

/** From now on this holds in this browser, at once. Choosing nothing also forgets what the browser kept. */
export function choose(change: Partial<Preferences>): void {
  for (const name of Object.keys(change) as PreferenceName[]) {
    const value = change[name] ?? null;
    if (own === null || value === null) {
      keep(name, value);
    }
  }
  if (own) {
    own = { ...own, ...change };
    localStorage.setItem(COPY, JSON.stringify(own));
  }
  changed.send();
}

function keep(name: PreferenceName, value: Preferences[PreferenceName]): void {
  const [key] = IN_BROWSER[name];
  if (value === null) {
    localStorage.removeItem(key);
  } else {
    localStorage.setItem(key, typeof value === "boolean" ? (value ? "on" : "off") : value);
  }
}

const KEYS = [COPY, ...Object.values(IN_BROWSER).map(([key]) => key)];
window.addEventListener("storage", ({ key }) => {
  if (key === null || KEYS.includes(key)) {
    own = copied();
    changed.send();
  }
});
