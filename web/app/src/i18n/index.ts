// The two languages of the page. Users of other languages get Chinese; the compiler checks the keys. The texts of a language
// are one file, which is loaded when the page speaks it. Beside it are the texts of forms, windows and settings, and the messages of the
// program's catalogue for what shows meetings: each is loaded by the routes and windows that need it.

import { onPreferences, preference } from "../preferences/preferences";
import { Store, useStore } from "../store/store";
import type { Catalogue } from "./catalogue";
import { fill, find, type Language, type Tree, type Values } from "./text";
import type zh from "./zh-CN";
import type zhSettings from "./zh-CN/settings";

const TEXTS: Record<Language, () => Promise<{ default: Tree }>> = {
  "zh-CN": () => import("./zh-CN"),
  en: () => import("./en"),
};

const SETTINGS: Record<Language, () => Promise<{ default: Tree }>> = {
  "zh-CN": () => import("./zh-CN/settings"),
  en: () => import("./en/settings"),
};

const CATALOGUES: Record<Language, () => Promise<{ default: Catalogue }>> = {
  "zh-CN": () => import("./zh-CN/catalogue"),
  en: () => import("./en/catalogue"),
};

/** The keys of the texts in a tree, `table.seat.name`; a text with a form for each number has one key without the form. */
type Keys<T, Path extends string = ""> = {
  [Key in keyof T & string]: T[Key] extends string
    ? `${Path}${Key extends `${infer Text}_${"one" | "other"}` ? Text : Key}`
    : Keys<T[Key], `${Path}${Key}.`>;
}[keyof T & string];

/** The key of a text. */
export type TextKey = Keys<typeof zh & typeof zhSettings>;

export type { Language };

/** Gives a text with its values filled in. */
export type Translate = (key: TextKey, values?: Values) => string;

const known: Partial<Record<Language, Tree>> = {};
const catalogues: Partial<Record<Language, Catalogue>> = {};
let language: Language = "zh-CN";

/** The messages of the program's catalogue in a language; none before {@link loadCatalogue}. */
export function catalogueIn(of: Language): Catalogue {
  return catalogues[of] ?? {};
}

function translate(key: TextKey, values: Values = {}): string {
  const text = fill(language, known[language], key, values);
  if (text === undefined) {
    // A part that is drawn during a change of the language may be faster than its texts.
    if (!known[language]?.settings) {
      void loadSettingsTexts().then(retellTexts, () => undefined);
    }
    return key;
  }
  return text;
}

/** The texts in the language that the page speaks. */
const i18n = {
  get language(): Language {
    return language;
  },
  t: translate as Translate,
  /** The text with a key that comes from elsewhere, in a language; undefined when there is none. */
  find: (key: string, of = language) => find(known[of], key),
};

// Another object whenever the page says something else, so that everything that shows texts is rendered again.
const spoken = new Store({ t: i18n.t, i18n });

/** Has everything that shows texts rendered again. */
export function retellTexts(): void {
  spoken.set({ t: (key, values) => translate(key, values), i18n });
}

/** The texts, with updates. */
export function useTranslation(): { t: Translate; i18n: typeof i18n } {
  return useStore(spoken);
}

/** The chosen language; else the first of the browser's languages that the page has. */
function chosen(): Language {
  const theirs = [preference("language"), ...navigator.languages].map((tag) => tag?.split("-")[0]);
  const first = theirs.find((language) => language === "zh" || language === "en");
  return first === "en" ? "en" : "zh-CN";
}

/** Knows the messages of the program's catalogue, in the language that the page speaks or will. */
export async function loadCatalogue(wanted = language): Promise<void> {
  catalogues[wanted] ??= (await CATALOGUES[wanted]()).default;
}

/** Knows the texts of forms, windows and settings, in the language that the page speaks or will. */
export async function loadSettingsTexts(wanted = language): Promise<void> {
  if (!known[wanted]?.settings) {
    const { default: texts } = await SETTINGS[wanted]();
    known[wanted] = { ...known[wanted], ...texts };
  }
}

/** A part of the page that also says what forms, windows and settings say. */
export async function withSettingsTexts<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, loadSettingsTexts()]);
  return loaded;
}

/** From now on the page speaks this language. */
export async function setLanguage(wanted: Language): Promise<void> {
  known[wanted] ??= (await TEXTS[wanted]()).default;
  await Promise.all([
    known[language]?.settings && loadSettingsTexts(wanted),
    catalogues[language] && loadCatalogue(wanted),
  ]);
  language = wanted;
  document.documentElement.lang = wanted;
  retellTexts();
}

/** Begins to speak the language that was chosen. */
export async function startLanguage(): Promise<void> {
  await setLanguage(chosen());
  onPreferences(() => {
    if (chosen() !== language) {
      // Without a connection the texts stay as they are; they are tried again with the next choice.
      void setLanguage(chosen()).catch(() => undefined);
    }
  });
}

export default i18n;
