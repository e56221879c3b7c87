// Reads the messages of the program's catalogue (`crates/messages/locales`) when the page is built, so that the page needs
// no reader for them.

import { FluentResource } from "@fluent/bundle";
import type { Plugin } from "vite";
import type { Pattern } from "./src/i18n/catalogue";

type Message = FluentResource["body"][number]["value"];

/** Makes a file of messages a module of {@link Pattern}s by their codes. */
export function fluent(): Plugin {
  return {
    name: "fluent",
    transform: {
      filter: { id: /\.ftl$/ },
      handler: (source) => {
        const messages = new FluentResource(source).body.map(({ id, value }) => [id, patternOf(id, value)]);
        const text = JSON.stringify(JSON.stringify(Object.fromEntries(messages)));
        return { code: `export default JSON.parse(${text})`, moduleType: "js", map: null };
      },
    },
  };
}

function patternOf(id: string, value: Message): Pattern {
  if (value === null || typeof value === "string") {
    return value ?? "";
  }
  return value.map((part) => {
    if (typeof part === "string") return part;
    if (part.type === "var") return { field: part.name };
    if (part.type !== "select" || part.selector.type !== "var") {
      throw new Error(`${id}: the page knows fields and choices by a field only`);
    }
    const { selector, variants, star } = part;
    // The one that is taken when no other fits comes last.
    const ordered = [...variants.filter((_, place) => place !== star), ...variants.slice(star, star + 1)];
    return {
      by: selector.name,
      of: ordered.map(({ key, value }) => [String(key.value), patternOf(id, value)]),
    };
  });
}
