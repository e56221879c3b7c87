// What is said of the providers is what their reader may do.

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
