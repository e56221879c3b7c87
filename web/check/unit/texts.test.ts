// Texts come in shares: one that is wanted before its share is there makes the page fetch all.

import { expect, test, vi } from "vitest";

test("a text whose share is not there yet is fetched, and what shows texts is told", async () => {
  vi.resetModules();
  const { default: i18n, startLanguage, meetingTexts } = await import("../../app/src/i18n");
  await startLanguage();
  expect(i18n.t("home.asks", { count: 2 })).toContain("2");
  expect(i18n.t("settings.title")).toBe("settings.title");
  await vi.waitFor(() => expect(i18n.t("settings.title")).not.toBe("settings.title"));
  await meetingTexts();
  expect(i18n.find("table.nothing_of_the_kind")).toBeUndefined();
});

test("a count takes its form in English, and values that are not given leave nothing", async () => {
  const { default: i18n, setLanguage } = await import("../../app/src/i18n");
  await setLanguage("en");
  const asks = (count: number) => i18n.t("home.asks", { count });
  expect(asks(1)).not.toBe(asks(2).replace("2", "1"));
  expect(i18n.t("home.asks")).not.toContain("{{");
});
