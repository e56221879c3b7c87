// The formats of an export: those of the program, and those of the operator's exporters.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ExportDialog, fileName } from "../../../app/src/components/export/export";
import { OWNER } from "../people/page";
import { at, server } from "./test-page";

afterEach(() => vi.unstubAllGlobals());

test("an exporter is one of the formats, under its title", async () => {
  vi.stubGlobal(
    "URL",
    Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined }),
  );
  const votes = { name: "votes", title: "表决表格", extension: "csv", media_type: "text/csv" };
  const asked = server(({ path }) => {
    if (path.endsWith("/me")) {
      return OWNER;
    }
    return path.endsWith("/exporters") ? { items: [votes], next_cursor: null } : {};
  });
  await at("/m/x/result", "/m/$id/result", () => (
    <ExportDialog id="m1" topic="主题" open onOpenChange={() => {}} />
  ));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText("表决表格")).toBeTruthy();
  expect(within(dialog).getByText(/\.csv 文件/)).toBeTruthy();
  expect(within(dialog).getByText("网页文件")).toBeTruthy();
  await userEvent.click(within(dialog).getByRole("button", { name: /表决表格/ }));
  await waitFor(() => {
    const sent = asked.find(({ path }) => path.endsWith("/export"));
    expect(sent?.query.get("format")).toBe("votes");
  });
});

test("where the server makes no PDFs, it says so, and offers none", async () => {
  server(({ path }) => {
    if (path === "/healthz") {
      return { status: "ok", version: "1", page: "embedded", pdf: false };
    }
    return path.endsWith("/me") ? OWNER : { items: [], next_cursor: null };
  });
  await at("/m/x/result", "/m/$id/result", () => (
    <ExportDialog id="m1" topic="主题" open onOpenChange={() => {}} />
  ));
  expect(await screen.findByText(/不能生成 PDF/)).toBeTruthy();
  const disabled = screen.getAllByRole("button").filter((button) => button.hasAttribute("disabled"));
  expect(disabled.map((button) => button.getAttribute("aria-label"))).toEqual([
    expect.stringContaining("PDF"),
  ]);
});

test("a file is named by what the meeting was about, and when", () => {
  expect(fileName("周一是否开放博物馆？", "2026-11-22", "01a.md")).toBe("周一是否开放博物馆 2026-11-22.md");
  expect(fileName('a/b: "c"', "22/11/2026", "x.zip")).toBe("a b c 22-11-2026.zip");
  expect([...fileName("长".repeat(90), "2026-11-22", "x")]).toHaveLength(71);
});
