// The two languages of the page. Users of other languages get Chinese; the compiler checks the keys. A language
// is loaded when it is used: the texts of the first page before it is shown, those of other pages before they
// are.

import i18n from "i18next";
import { initReactI18next } from "react-i18next";
import { onPreferences, preference } from "../preferences/preferences";
import type zh from "./zh-CN";

/** A language of the page. */
export type Language = "zh-CN" | "en";

type Texts = () => Promise<{ default: object }>;

/**
 * The groups of texts: the first page and the frame of all pages; a meeting; panels and dialogs of a meeting;
 * other pages.
 */
type TextGroup = "first" | "meeting" | "panels" | "pages";

const TEXTS: Record<Language, Record<TextGroup, Texts>> = {
  "zh-CN": {
    first: () => import("./zh-CN/first"),
    meeting: () => import("./zh-CN/meeting"),
    panels: () => import("./zh-CN/panels"),
    pages: () => import("./zh-CN/pages"),
  },
  en: {
    first: () => import("./en/first"),
    meeting: () => import("./en/meeting"),
    panels: () => import("./en/panels"),
    pages: () => import("./en/pages"),
  },
};

type Catalogue = () => Promise<{ default: string }>;

/** Texts of the program's catalogue: those of events come with a meeting, those of its health with the panels. */
const CATALOGUE: Record<Language, Partial<Record<TextGroup, Catalogue>>> = {
  "zh-CN": { meeting: () => import("./zh-CN/events"), panels: () => import("./zh-CN/health") },
  en: { meeting: () => import("./en/events"), panels: () => import("./en/health") },
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

const loadedTexts = new Map<Texts, Promise<void>>();

function loadTexts(language: Language, share: TextGroup): Promise<void> {
  const texts = TEXTS[language][share];
  const known = loadedTexts.get(texts);
  if (known) {
    return known;
  }
  const loading = Promise.all([texts(), loadCatalogue(language, share)]).then(([read]) => {
    i18n.addResourceBundle(language, "translation", read.default, true);
  });
  loadedTexts.set(texts, loading);
  // A failed load is tried again on next use.
  loading.catch(() => loadedTexts.delete(texts));
  return loading;
}

/** What reads the catalogue comes with its first texts; the first page says none of them. */
async function loadCatalogue(language: Language, share: TextGroup): Promise<void> {
  const catalogue = CATALOGUE[language][share];
  if (!catalogue) return;
  const [{ default: source }, { addPhrases }] = await Promise.all([catalogue(), import("./phrases")]);
  addPhrases(language, source);
}

async function loadAllTexts(language: Language): Promise<void> {
  const shares: TextGroup[] = ["first", "meeting", "panels", "pages"];
  await Promise.all(shares.map((share) => loadTexts(language, share)));
}

/** Knows all that the page can say, in the language that it speaks. */
export function allTexts(): Promise<void> {
  return loadAllTexts(currentLanguage());
}

const TABLE = /^\/m\/[^/]+(\/replay)?\/?$/;

/** Fetches a part that is opened on a page whose own texts it goes beyond, and what it says. */
export async function opened<Part>(
  part: Promise<Part>,
  ...shares: [TextGroup, ...TextGroup[]]
): Promise<Part> {
  const [fetched] = await Promise.all([part, ...shares.map((share) => loadTexts(currentLanguage(), share))]);
  return fetched;
}

/** Knows what the page at this path says. The first page has its texts with it. */
export async function textsFor(path: string): Promise<void> {
  if (TABLE.test(path)) {
    await loadTexts(currentLanguage(), "meeting");
  } else if (path !== "/") {
    await allTexts();
  }
}

/** From now on the page speaks this language. */
export async function setLanguage(language: Language): Promise<void> {
  await loadAllTexts(language);
  await i18n.changeLanguage(language);
}

/** Speaks the language that was chosen, here or on another device. */
async function applyChosenLanguage(): Promise<void> {
  if (chosen() !== currentLanguage()) {
    await setLanguage(chosen());
  }
}

/** Begins to speak the language that was chosen; what only other pages say follows by {@link textsFor}. */
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
  loadedTexts.set(TEXTS[language].first, Promise.resolve());
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
