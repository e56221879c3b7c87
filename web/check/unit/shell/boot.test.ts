// A page that cannot start says so, in its reader's language, and says how to go on.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

const script = readFileSync(join(import.meta.dirname, "../../../app/public/boot.js"), "utf8");

beforeAll(() => new Function(script)());
beforeEach(() => {
  document.body.innerHTML = '<div id="root"></div>';
});
afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

const root = () => document.getElementById("root") as HTMLElement;
const breaks = (message: string) =>
  window.dispatchEvent(new ErrorEvent("error", { message, error: new Error(message) }));

test.each([
  { kept: {}, read: ["en-GB"], title: "The page could not open", lang: "en" },
  { kept: {}, read: ["de", "zh-TW"], title: "页面没能打开", lang: "zh-CN" },
  { kept: { "quorate.language": "en" }, read: ["zh-CN"], title: "The page could not open", lang: "en" },
  { kept: { "quorate.settings": '{"language":"zh"}' }, read: ["en"], title: "页面没能打开", lang: "zh-CN" },
  { kept: { "quorate.settings": "{broken" }, read: ["en"], title: "The page could not open", lang: "en" },
])("an error before anything is drawn is told: $title", async ({ kept, read, title, lang }) => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(read);
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
  breaks("no texts");
  await screen.findByRole("heading", { name: title });
  expect(document.documentElement.lang).toBe(lang);
  expect(root().textContent).toContain("no texts");
  expect(screen.getByRole("link").getAttribute("href")).toBe("/");
  expect(screen.getAllByRole("button")).toHaveLength(1);
});

test("a script that is not there is named", async () => {
  const script = document.createElement("script");
  Object.defineProperty(script, "src", { value: "http://here/assets/x.js" });
  document.body.append(script);
  script.dispatchEvent(new Event("error"));
  await waitFor(() => expect(root().textContent).toContain("http://here/assets/x.js"));
});

test("a promise that nobody waits for is told, too", async () => {
  const event = Object.assign(new Event("unhandledrejection"), { reason: new Error("lost") });
  window.dispatchEvent(event);
  await waitFor(() => expect(root().textContent).toContain("lost"));
});

test("a page that stands is left alone", async () => {
  root().innerHTML = "<p>the meeting</p>";
  breaks("a part of it");
  await new Promise((done) => setTimeout(done, 20));
  expect(root().textContent).toBe("the meeting");
});

const LEAD = {
  "zh-CN": ["议到有结论", "随时插话"],
  en: ["Talk until there is a conclusion", "Speak at any time"],
};

/** Runs the script at an address, with what the build writes to its tag. */
function boots(path: string, read: string[], data: Record<string, string>) {
  const tag = document.createElement("script");
  Object.assign(tag.dataset, data);
  document.head.replaceChildren();
  history.replaceState(null, "", path);
  vi.spyOn(navigator, "languages", "get").mockReturnValue(read);
  const current = vi.spyOn(document, "currentScript", "get").mockReturnValue(tag);
  new Function(script)();
  current.mockRestore();
}

test.each([
  { path: "/", read: ["en"], head: "Talk until there is a conclusion", lang: "en" },
  { path: "/", read: ["zh"], head: "议到有结论", lang: "zh-CN" },
  { path: "/m/1", read: ["en"], head: null, lang: "" },
])(
  "the head of the start page stands before the page's scripts: $path $lang",
  async ({ path, read, head, lang }) => {
    document.body.innerHTML = "";
    document.documentElement.lang = "";
    boots(path, read, { lead: JSON.stringify(LEAD) });
    document.body.innerHTML = '<div id="root"></div>';
    await new Promise((done) => setTimeout(done));
    expect(document.querySelector("h1")?.textContent ?? null).toBe(head);
    expect(document.documentElement.lang).toBe(lang);
    if (head === null) return;
    expect(document.documentElement.dataset.theme).toBe("light");
    // A head alone is no page: what breaks then is told.
    breaks("no scripts");
    await waitFor(() => expect(root().querySelector("[data-testid=boot-failure]")).not.toBeNull());
  },
);

test.each([
  { path: "/", read: ["en"], files: ["/assets/en.js", "/assets/home.js", "/assets/shared.js"] },
  { path: "/m/1", read: ["zh"], files: ["/assets/zh.js", "/assets/meeting.js", "/assets/told-zh.js"] },
  { path: "/m/1/result", read: ["en"], files: ["/assets/en.js", "/assets/result.js", "/assets/told-en.js"] },
  { path: "/m/1/replay", read: ["en"], files: ["/assets/en.js"] },
  { path: "/meetings", read: ["en"], files: ["/assets/en.js"] },
])("what $path needs is fetched beside the page's own script", ({ path, read, files }) => {
  const texts = JSON.stringify({ "zh-CN": "/assets/zh.js", en: "/assets/en.js" });
  const messages = JSON.stringify({ "zh-CN": "/assets/told-zh.js", en: "/assets/told-en.js" });
  const pages = JSON.stringify({
    home: ["/assets/home.js", "/assets/shared.js"],
    meeting: ["/assets/meeting.js"],
    result: ["/assets/result.js"],
  });
  boots(path, read, { texts, messages, pages });
  const links = [...document.head.querySelectorAll('link[rel="modulepreload"]')];
  expect(links.map((link) => link.getAttribute("href"))).toEqual(files);
});
