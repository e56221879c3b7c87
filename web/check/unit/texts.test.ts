// The texts of the page, and the messages of the program's catalogue beside them.

import { expect, test, vi } from "vitest";

test("the catalogue comes when a page with a meeting asks for it, and in the next language by itself", async () => {
  vi.resetModules();
  const {
    default: i18n,
    catalogueIn,
    loadCatalogue,
    setLanguage,
    startLanguage,
  } = await import("../../app/src/i18n");
  await startLanguage();
  expect(i18n.t("settings.title")).not.toBe("settings.title");
  expect(i18n.find("settings.nothing_of_the_kind")).toBeUndefined();
  await setLanguage("en");
  expect(catalogueIn("en")).toEqual({});
  await loadCatalogue();
  expect(catalogueIn("en")["health-voices"]).toBeDefined();
  await setLanguage("zh-CN");
  expect(catalogueIn("zh-CN")["health-voices"]).toBeDefined();
});

test("a count takes its form in English, and values that are not given leave nothing", async () => {
  const { default: i18n, setLanguage } = await import("../../app/src/i18n");
  await setLanguage("en");
  const asks = (count: number) => i18n.t("home.asks", { count });
  expect(asks(1)).not.toBe(asks(2).replace("2", "1"));
  expect(i18n.t("home.asks")).not.toContain("{{");
});
