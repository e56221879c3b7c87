// Names in `index.html` what the first page needs and only finds out step by step: its texts, which depend on the
// language, and the start page, a meeting or its result. `boot.js` has the browser fetch them beside the page's own script, and
// draws the head of the start page with the texts that stand in its tag.

import type { Plugin } from "vite";
import english from "./src/i18n/en/home.json" with { type: "json" };
import chinese from "./src/i18n/zh-CN/home.json" with { type: "json" };

/** The title of the start page and what stands below it, by language. */
const LEAD = {
  "zh-CN": [chinese.lead, chinese.lead_more],
  en: [english.lead, english.lead_more],
};

/**
 * Adds to the tag of `boot.js`: `data-texts`, the file of each language; `data-messages`, that of the program's messages in
 * each; `data-pages`, the files of the start page, a meeting and its result; and `data-lead`, the texts at the head of the first.
 */
export function preloads(): Plugin {
  return {
    name: "preloads",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        if (!bundle) return html;
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const of = (place: string) => {
          const found = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(place));
          if (!found) throw new Error(`no script of the page is made of ${place}`);
          return found;
        };
        const entry = chunks.find(({ isEntry }) => isEntry);
        const here = new Set([entry?.fileName, ...(entry?.imports ?? [])]);
        const filesOf = (page: string) => {
          const { fileName, imports } = of(`/src/pages/${page}.tsx`);
          return [fileName, ...imports].filter((name) => !here.has(name)).map((name) => `/${name}`);
        };
        const inEach = (file: string) => ({
          "zh-CN": `/${of(`/src/i18n/zh-CN/${file}.ts`).fileName}`,
          en: `/${of(`/src/i18n/en/${file}.ts`).fileName}`,
        });
        const pages = { home: filesOf("home"), meeting: filesOf("meeting"), result: filesOf("result") };
        const tag = '<script src="/boot.js"';
        if (!html.includes(tag)) throw new Error("index.html has no boot.js");
        const data = { texts: inEach("index"), messages: inEach("catalogue"), pages, lead: LEAD };
        const written = Object.entries(data).map(
          ([name, value]) => ` data-${name}="${escaped(JSON.stringify(value))}"`,
        );
        return html.replace(tag, () => tag + written.join(""));
      },
    },
  };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
