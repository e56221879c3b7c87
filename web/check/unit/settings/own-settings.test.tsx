// What a person chose follows them: it comes from the server, holds at once, and is kept there.

import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import type { PersonSettings } from "../../../app/src/api/schema";
import i18n, { setLanguage } from "../../../app/src/i18n";
import { copyFromServer, preference } from "../../../app/src/preferences/preferences";
import { clock, day } from "../../../app/src/shell/formatting";
import { ownSettings } from "../../../app/src/shell/own-settings";
import { startTheme } from "../../../app/src/shell/theme";
import { type Answers, NOBODY, OWNER, open, problem } from "../people/page";

const NONE: PersonSettings = {
  language: null,
  time_zone: null,
  time_format: null,
  date_format: null,
  theme: null,
  notifications: null,
  enter_key: null,
  density: null,
};
/** 2026-03-01 13:05 UTC. */
const MOMENT = 1_772_370_300_000;

beforeEach(startTheme);
afterEach(async () => {
  vi.unstubAllGlobals();
  act(() => copyFromServer(null));
  localStorage.clear();
  await act(() => setLanguage("zh-CN"));
});

/** A server that keeps settings. */
function keeping(settings: PersonSettings): Answers {
  let kept = settings;
  return {
    "GET /me": [200, OWNER],
    "GET /me/settings": () => [200, kept],
    "PATCH /me/settings": ({ body }) => {
      kept = { ...kept, ...(body as Partial<PersonSettings>) };
      return [200, kept];
    },
  };
}

test("what the server keeps holds in this browser, over what the browser kept", async () => {
  localStorage.setItem("quorate.theme", "light");
  localStorage.setItem("quorate.zone", "UTC");
  const settings = keeping({
    ...NONE,
    language: "en",
    theme: "dark",
    time_format: "12h",
    date_format: "d.M.yyyy",
  });
  await open("/settings/general", settings);
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe("dark"));
  await screen.findByText(/Kept with your account/);
  expect(i18n.language).toBe("en");
  expect([day(MOMENT), clock(MOMENT)]).toEqual(["1.3.2026", "1:05 PM"]);
});

test("where there are no accounts nothing is said to be kept with one", async () => {
  await open("/settings/general", {
    ...keeping(NONE),
    "GET /me": [200, { ...OWNER, signed_in_by: "local", accounts: false }],
  });
  expect(await screen.findByText(/保存在这台服务器上/)).toBeTruthy();
  expect(screen.queryByText(/你的账户/)).toBeNull();
});

test("a choice holds at once and is kept on the server; taking it back leaves it to the system", async () => {
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("Notification", { permission: "granted" });
  const { user, sent } = await open("/settings/general", keeping(NONE));
  await screen.findByText(/在你登录的每台设备上都生效/);
  await user.click(await screen.findByRole("button", { name: "深色" }));
  expect(document.documentElement.dataset.theme).toBe("dark");
  await user.click(screen.getByRole("button", { name: "跟随系统" }));
  expect(document.documentElement.dataset.theme).toBe("light");
  await user.click(screen.getByRole("switch", { name: "通知" }));
  await waitFor(() => expect(sent.filter(({ method }) => method === "PATCH")).toHaveLength(3));
  const bodies = sent.filter(({ method }) => method === "PATCH").map(({ body }) => body);
  expect(bodies).toEqual([{ theme: "dark" }, { theme: null }, { notifications: false }]);
  expect(localStorage.getItem("quorate.theme")).toBeNull();
});

test("what was changed on another device is taken over", async () => {
  const answers = keeping(NONE);
  await open("/settings/general", answers);
  await screen.findByText(/在你登录的每台设备上都生效/);
  answers["GET /me/settings"] = [200, { ...NONE, theme: "dark", language: "en" }];
  await act(() => queries.invalidateQueries({ queryKey: ownSettings.queryKey }));
  await screen.findByRole("button", { name: "Dark", pressed: true });
  expect(document.documentElement.dataset.theme).toBe("dark");
});

test("a refused change is taken back", async () => {
  const answers = keeping(NONE);
  answers["PATCH /me/settings"] = problem(503, "busy", { detail: "later" });
  const { user } = await open("/settings/general", answers);
  await screen.findByText(/在你登录的每台设备上都生效/);
  await user.click(await screen.findByRole("button", { name: "深色" }));
  await screen.findByText("later");
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe("light"));
});

test("a guest's choices stay in the browser, and the server is not asked for any", async () => {
  const guest = { ...OWNER, name: "Lin", scope: "speak" as const, meeting: "m1" };
  const { user, sent } = await open("/settings/general", { "GET /me": [200, guest] });
  await user.click(await screen.findByRole("button", { name: "深色" }));
  expect(localStorage.getItem("quorate.theme")).toBe("dark");
  expect(sent.some(({ path }) => path === "/me/settings")).toBe(false);
});

test("nobody else sees the choices of a person who signed out", async () => {
  act(() => copyFromServer({ ...NONE, time_zone: "Europe/Berlin" }));
  await open("/sign-in", { "GET /me": NOBODY });
  await waitFor(() => expect(preference("time_zone")).toBeNull());
});
