// One text out of a language's tree of texts: found by its key, in the form that a number takes, with its values filled in.

/** A language of the page. */
export type Language = "zh-CN" | "en";

/** The texts of a language. */
export interface Tree {
  [key: string]: string | Tree;
}

/** The values that a text names; `count` chooses its form. */
export type Values = Readonly<Record<string, string | number | null | undefined>>;

/** The text with a key; undefined when there is none. */
export function find(texts: Tree | undefined, key: string): string | undefined {
  let node: string | Tree | undefined = texts;
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

/** The text with a key, its values filled in; undefined when there is none. */
export function fill(
  language: Language,
  texts: Tree | undefined,
  key: string,
  values: Values,
): string | undefined {
  const { count } = values;
  const form = typeof count === "number" ? find(texts, `${key}_${formOf(language, count)}`) : undefined;
  const text = form ?? find(texts, key);
  return text?.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
}
