// General settings: a time zone is found by any of its names.

import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { OWNER, open } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["Kolkata", /印度时间/, "Asia/Calcutta"],
  ["印度", /印度时间/, "Asia/Calcutta"],
  ["UTC", /^UTC/, "UTC"],
])("a zone is found as %s", async (typed, name, kept) => {
  const list = vi.spyOn(Intl, "supportedValuesOf").mockReturnValue(["Asia/Calcutta", "Asia/Shanghai"]);
  const { user } = await open("/settings/general", { "GET /me": [200, OWNER] });
  const field = await screen.findByRole("combobox", { name: "时区" });
  await user.clear(field);
  await user.type(field, typed);
  await user.click(await screen.findByRole("option", { name }));
  expect(localStorage.getItem("quorate.zone")).toBe(kept);
  localStorage.removeItem("quorate.zone");
  list.mockRestore();
});

test.each([
  ["denied", false],
  ["granted", true],
])("where notifications are %s the switch is on: %s", async (permission, on) => {
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("Notification", { permission });
  await open("/settings/general", { "GET /me": [200, OWNER] });
  const all = await screen.findAllByRole("switch");
  const own = all.find(
    (one) => one.getAttribute("aria-labelledby") && one.closest("div")?.textContent?.includes("通知"),
  );
  expect(own?.getAttribute("aria-checked")).toBe(String(on));
});
