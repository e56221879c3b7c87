// Names of classes, joined.

/** Joins what is there: `cx("a", wide && "b")`. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
