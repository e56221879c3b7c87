// An empty audit log says why: nothing was done yet, or the filters leave nothing over.

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { OWNER, open } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

test("a log without entries does not ask for wider filters before there are any", async () => {
  await open("/settings/audit", {
    "GET /me": [200, OWNER],
    "GET /audit": [200, { items: [], next_cursor: null }],
    "GET /meetings": [200, { items: [], next_cursor: null }],
  });
  expect(await screen.findByText("还没有记录")).toBeTruthy();
  expect(screen.queryByText(/放宽条件/)).toBeNull();
  await userEvent.type(screen.getByPlaceholderText("任何人"), "ada");
  expect(await screen.findByText(/放宽条件/)).toBeTruthy();
});
