// What is said of the providers: what their reader may do with them, and how many calls each takes at present.

import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { OWNER, open } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["speak", false],
  ["manage", true],
  ["owner", false],
] as const)("with the scope %s, that one can look and test is said: %s", async (scope, said) => {
  await open("/settings/providers", {
    "GET /me": [200, { ...OWNER, scope }],
    "GET /providers": [200, { items: [], next_cursor: null }],
  });
  await screen.findByRole("heading", { name: "供应商", level: 2 });
  await screen.findByText(scope === "speak" ? /需要“管理”权限|管理/ : /还没有供应商/);
  expect(screen.queryByText(/你可以查看和测试/) !== null).toBe(said);
});

test("a provider that takes one call at a time is not said to take those that are set", async () => {
  const lab = { source: "stored", key: "stored", proxy: false, public_only: false };
  await open("/settings/providers", {
    "GET /me": [200, OWNER],
    "GET /providers": [
      200,
      {
        items: [
          { ...lab, provider: "slowed", concurrency: 8, calls_limit: 1 },
          { ...lab, provider: "set", concurrency: 8 },
          { ...lab, provider: "unused" },
        ],
      },
    ],
  });
  await screen.findByText("slowed");
  const said = (name: string) => screen.getByText(name).closest("li")?.textContent;
  expect(said("slowed")).toContain("最多同时 1 个调用");
  expect(said("set")).toContain("最多同时 8 个调用");
  expect(said("unused")).not.toContain("同时");
});
