// The texts of the page; beside them those of the settings, and the messages of the program's catalogue.

import { expect, test, vi } from "vitest";

test("what a page needs beside its texts comes when it asks, and in the next language by itself", async () => {
  vi.resetModules();
  const { default: i18n, ...texts } = await import("../../app/src/i18n");
  await texts.startLanguage();
  expect(i18n.t("home.asks", { count: 2 })).toContain("2");
  expect(i18n.find("settings.title")).toBeUndefined();
  // What asks too early is told again.
  expect(i18n.t("settings.title")).toBe("settings.title");
  await vi.waitFor(() => expect(i18n.t("settings.title")).not.toBe("settings.title"));
  const title = i18n.t("settings.title");
  await texts.setLanguage("en");
  expect([title, "settings.title"]).not.toContain(i18n.t("settings.title"));
  expect(texts.catalogueIn("en")).toEqual({});
  await texts.loadCatalogue();
  expect(texts.catalogueIn("en")["health-voices"]).toBeDefined();
  await texts.setLanguage("zh-CN");
  expect(texts.catalogueIn("zh-CN")["health-voices"]).toBeDefined();
});

test("a count takes its form in English, and values that are not given leave nothing", async () => {
  const { default: i18n, setLanguage } = await import("../../app/src/i18n");
  await setLanguage("en");
  const asks = (count: number) => i18n.t("home.asks", { count });
  expect(asks(1)).not.toBe(asks(2).replace("2", "1"));
  expect(i18n.t("home.asks")).not.toContain("{{");
});
