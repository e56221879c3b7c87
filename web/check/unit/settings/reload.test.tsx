// What is open, and what was typed, stays when its list cannot be loaded again.

import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import { type Answers, OWNER, open, problem } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

const PROVIDER = {
  provider: "lab",
  vendor: null,
  base_url: "https://lab.example/v1",
  source: "stored",
  key: "stored",
  key_env: null,
  kind: "openai",
  headers: [],
};

test("the window of an entry stays when its list cannot be loaded again", async () => {
  const answers: Answers = {
    "GET /me": [200, OWNER],
    "GET /providers": [200, { items: [PROVIDER], next_cursor: null }],
    "GET /provider-presets": [200, { items: [], next_cursor: null }],
  };
  const { user } = await open("/settings/providers", answers);
  await user.click(await screen.findByRole("button", { name: /编辑/ }));
  const dialog = await screen.findByRole("dialog");
  const field = dialog.querySelector("input") as HTMLInputElement;
  await user.clear(field);
  await user.type(field, "https://other.example");
  answers["GET /providers"] = problem(403, "forbidden", { detail: "暂时不行" });
  await act(() => queries.refetchQueries({ queryKey: ["providers"] }));
  expect(await screen.findByText("暂时不行")).toBeTruthy();
  expect(screen.getByRole("dialog")).toBe(dialog);
  expect(field.isConnected).toBe(true);
  expect(field.value).toBe("https://other.example");
});
