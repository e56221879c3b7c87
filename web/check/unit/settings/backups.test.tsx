// Scheduled backups: the last, the next, what failed, and what is damaged.

import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { LIMITS } from "../../../app/src/features/settings/server-form";
import { moment } from "../../../app/src/shell/formatting";
import { OWNER, open } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

const NONE = {
  enabled: false,
  folder: null,
  every_seconds: 86_400,
  running: false,
  next_at: null,
  failure: null,
  failures: 0,
  keep: 7,
  items: [],
  next_cursor: null,
};
const backup = (day: number, more: object) => ({
  name: `quorate-0123abcd-2026112${day}T030000Z.db`,
  made_at: `2026-11-2${day}T03:00:00.000Z`,
  bytes: 3 * 1024 * 1024,
  meetings: 4,
  events: 90,
  sha256: "ab".repeat(32),
  missing: 0,
  intact: true,
  ...more,
});
const shown = async (view: object) => {
  await open("/settings/server", {
    "GET /me": [200, OWNER],
    "GET /settings": [200, { log: "info", limits: LIMITS }],
    "GET /backups": [200, view],
  });
  return screen.findByRole("region", { name: "定时备份" });
};

test("the page says how backups are scheduled where there are none", async () => {
  const part = await shown(NONE);
  expect(await within(part).findByText(/\[server\.backup\]/)).toBeTruthy();
  expect(within(part).queryByRole("list")).toBeNull();
});

test("the last intact one, the next one and a failure are shown", async () => {
  const next_at = "2026-11-25T03:15:00.000Z";
  const failure = { failed_at: "2026-11-25T03:00:00.000Z", detail: "磁盘满", hint: "腾出空间" };
  const items = [backup(4, { intact: false, bytes: 12 }), backup(3, { missing: 2 })];
  const part = await shown({ ...NONE, enabled: true, folder: "/备份", next_at, failure, failures: 1, items });
  const alert = await within(part).findByRole("alert");
  expect(alert.textContent).toContain("磁盘满");
  expect(alert.textContent).toContain("腾出空间");
  const told = within(part)
    .getAllByRole("definition")
    .map((one) => one.textContent);
  expect(told[0]).toContain(moment("2026-11-23T03:00:00.000Z"));
  expect(told[0]).toContain("3 MiB");
  expect(told[1]).toBe(moment(next_at));
  const rows = within(within(part).getByRole("list")).getAllByRole("listitem");
  expect(rows.map((row) => /已损坏|缺 2 个文件/.exec(row.textContent ?? "")?.[0])).toEqual([
    "已损坏",
    "缺 2 个文件",
  ]);
  expect(part.textContent).toContain("/备份");
});
