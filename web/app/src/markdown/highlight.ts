// Colours for code, in the languages that are spoken at such tables.

import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const LANGUAGES = { bash, css, go, java, json, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) {
  hljs.registerLanguage(name, language);
}
hljs.registerAliases(["js", "jsx", "ts", "tsx", "javascript"], { languageName: "typescript" });
hljs.registerAliases(["sh", "shell", "console"], { languageName: "bash" });

/** Escaped HTML with classes; `undefined` for a language that is not known here. */
export function highlight(code: string, language: string): string | undefined {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : undefined;
}
