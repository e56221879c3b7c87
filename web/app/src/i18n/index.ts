// The two languages of the page. Users of other languages get Chinese; the compiler checks the keys. A language is loaded when
// it is used, in shares: a page waits for what it says, and what opens later brings the rest.

import { onPreferences, preference } from "../preferences/preferences";
import { Store, useStore } from "../store/store";
import type { Catalogue } from "./catalogue";
import type zh from "./zh-CN";

/** A language of the page. */
export type Language = "zh-CN" | "en";

/** The texts of the first page and of the frame around all pages; those of a meeting; all others. */
type Share = "first" | "meeting" | "rest";

interface Tree {
  [key: string]: string | Tree;
}

/** A share of the texts; with those of a meeting come the messages of the program's catalogue. */
interface Texts {
  default: Tree;
  catalogue?: Catalogue;
}

const SHARES: Record<Language, Record<Share, () => Promise<Texts>>> = {
  "zh-CN": {
    first: () => import("./zh-CN/first"),
    meeting: () => import("./zh-CN/meeting"),
    rest: () => import("./zh-CN/rest"),
  },
  en: {
    first: () => import("./en/first"),
    meeting: () => import("./en/meeting"),
    rest: () => import("./en/rest"),
  },
};

/** The keys of the texts in a tree, `table.seat.name`; a text with a form for each number has one key without the form. */
type Keys<T, Path extends string = ""> = {
  [Key in keyof T & string]: T[Key] extends string
    ? `${Path}${Key extends `${infer Text}_${"one" | "other"}` ? Text : Key}`
    : Keys<T[Key], `${Path}${Key}.`>;
}[keyof T & string];

/** The key of a text. */
export type TextKey = Keys<typeof zh>;

/** The values that a text names; `count` chooses its form. */
type Values = Readonly<Record<string, string | number | null | undefined>>;

/** Gives a text with its values filled in. */
export type Translate = (key: TextKey, values?: Values) => string;

const known: Record<Language, Tree> = { "zh-CN": {}, en: {} };
const catalogues: Partial<Record<Language, Catalogue>> = {};
let language: Language = "zh-CN";

function find(key: string, of = language): string | undefined {
  let node: string | Tree | undefined = known[of];
  for (const part of key.split(".")) {
    node = typeof node === "object" ? node[part] : undefined;
  }
  return typeof node === "string" ? node : undefined;
}

const plurals = { "zh-CN": new Intl.PluralRules("zh-CN"), en: new Intl.PluralRules("en") };

/** The form of a text in a language that a number takes. */
export function formOf(of: Language, count: number): Intl.LDMLPluralRule {
  return plurals[of].select(count);
}

/** The messages of the program's catalogue in a language, as far as they are loaded. */
export function catalogueIn(of: Language): Catalogue {
  return catalogues[of] ?? {};
}

function translate(key: TextKey, values: Values = {}): string {
  const { count } = values;
  const form = typeof count === "number" ? find(`${key}_${formOf(language, count)}`) : undefined;
  const text = form ?? find(key);
  if (text === undefined) {
    // A part of the page may be faster than its texts.
    void allTexts().catch(() => undefined);
    return key;
  }
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** The texts in the language that the page speaks. */
const i18n = {
  get language(): Language {
    return language;
  },
  t: translate as Translate,
  /** The text with a key that comes from elsewhere, in a language; undefined when there is none. */
  find,
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

const loading = new Map<string, Promise<void>>();

function load(wanted: Language, share: Share): Promise<void> {
  const name = `${wanted} ${share}`;
  const begun = loading.get(name);
  if (begun) {
    return begun;
  }
  const loaded = SHARES[wanted][share]().then((texts) => {
    Object.assign(known[wanted], texts.default);
    catalogues[wanted] = texts.catalogue ?? catalogues[wanted];
    if (wanted === language) {
      retellTexts();
    }
  });
  loading.set(name, loaded);
  // A failed load is tried again on next use.
  loaded.catch(() => loading.delete(name));
  return loaded;
}

/** Knows what a meeting says, in the language that the page speaks. */
export async function meetingTexts(): Promise<void> {
  await load(language, "meeting");
}

/** Knows all that the page can say, in the language that it speaks. */
export async function allTexts(): Promise<void> {
  await Promise.all([load(language, "meeting"), load(language, "rest")]);
}

/** From now on the page speaks this language. */
export async function setLanguage(wanted: Language): Promise<void> {
  const shares = (["first", "meeting", "rest"] as const).filter(
    (share) => share === "first" || loading.has(`${language} ${share}`),
  );
  await Promise.all(shares.map((share) => load(wanted, share)));
  language = wanted;
  document.documentElement.lang = wanted;
  retellTexts();
}

/** Begins to speak the language that was chosen; what other pages say follows by {@link meetingTexts} and {@link allTexts}. */
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
