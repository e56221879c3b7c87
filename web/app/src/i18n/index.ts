// The two languages of the page. Users of other languages get Chinese; the compiler checks the keys. A language is loaded when
// it is used: what the first page says before it is shown, the rest before anything else is.

import i18n from "i18next";
import { initReactI18next } from "react-i18next";
import { onPreferences, preference } from "../preferences/preferences";
import type zh from "./zh-CN";

/** A language of the page. */
export type Language = "zh-CN" | "en";

/** What a language says: the first page and the frame around all pages before anything is drawn, the rest after. */
const TEXTS = {
  "zh-CN": { first: () => import("./zh-CN/first"), rest: () => import("./zh-CN/rest") },
  en: { first: () => import("./en/first"), rest: () => import("./en/rest") },
};

/** The chosen language; else the first of the browser's languages that the page has. */
function chosen(): Language {
  const theirs = [preference("language"), ...navigator.languages].map((tag) => tag?.split("-")[0]);
  const first = theirs.find((language) => language === "zh" || language === "en");
  return first === "en" ? "en" : "zh-CN";
}

/** The language that the page speaks. */
function currentLanguage(): Language {
  return i18n.language === "en" ? "en" : "zh-CN";
}

const loading = new Map<Language, Promise<void>>();

function loadTexts(language: Language): Promise<void> {
  const known = loading.get(language);
  if (known) {
    return known;
  }
  const { first, rest } = TEXTS[language];
  const begun = Promise.all([first(), rest(), import("./phrases")]).then(([one, other, { addPhrases }]) => {
    addPhrases(language, other.catalogue);
    i18n.addResourceBundle(language, "translation", { ...one.default, ...other.default });
  });
  loading.set(language, begun);
  // A failed load is tried again on next use.
  begun.catch(() => loading.delete(language));
  return begun;
}

/** Knows all that the page can say, in the language that it speaks. */
export function allTexts(): Promise<void> {
  return loadTexts(currentLanguage());
}

/** From now on the page speaks this language. */
export async function setLanguage(language: Language): Promise<void> {
  await loadTexts(language);
  await i18n.changeLanguage(language);
}

/** Speaks the language that was chosen, here or on another device. */
async function applyChosenLanguage(): Promise<void> {
  if (chosen() !== currentLanguage()) {
    await setLanguage(chosen());
  }
}

/** Begins to speak the language that was chosen; what only other pages say follows by {@link allTexts}. */
export async function startLanguage(): Promise<void> {
  i18n.on("languageChanged", (language) => {
    document.documentElement.lang = language;
  });
  const language = chosen();
  const texts = await TEXTS[language].first();
  await i18n.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    supportedLngs: ["zh-CN", "en"],
    resources: { [language]: { translation: texts.default } },
    interpolation: { escapeValue: false },
    returnNull: false,
    react: { bindI18nStore: "added" },
  });
  // Without a connection the texts stay as they are; they are tried again with the next choice.
  onPreferences(() => void applyChosenLanguage().catch(() => undefined));
}

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof zh };
    returnNull: false;
  }
}

export default i18n;
