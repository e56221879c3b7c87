// The files of a meeting: seen, opened, given, taken away.

import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { FileRecord } from "../../app/src/api/schema";
import Files from "../../app/src/components/files/files";
import { filesWithContents, sizeOf } from "../../app/src/components/files/requests";
import { at, golden } from "./table/at";

beforeEach(() => vi.unstubAllGlobals());

const view = golden("zh/decision", 11);
const PLAN: FileRecord = {
  id: "f1",
  seq: 2,
  name: "计划.pdf",
  media_type: "application/pdf",
  size: 3_565_158,
  sha256: "0".repeat(64),
  by: { kind: "person" as const, id: "ada", name: "ada" },
  attached_at: new Date(1_790_000_000_000).toISOString(),
};

/** A server that holds these files, and what was asked of it. */
function holding(...held: FileRecord[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async ({ method, url }: Request) => {
    const { pathname, search } = new URL(url);
    asked.push(`${method} ${decodeURIComponent(pathname.split("/files")[1] + search)}`);
    if (method === "DELETE") {
      held.splice(0, 1);
      return Response.json({ seq: 9 });
    }
    if (method === "POST") {
      held.push({ ...PLAN, id: `f${held.length + 1}`, name: "新.txt" });
      return Response.json(held.at(-1), { status: 201 });
    }
    return Response.json({ items: held, next_cursor: null, seq: 9 });
  });
  return asked;
}

test("a file is listed with what it is and where it is to be had, and goes only after a word", async () => {
  const asked = holding(PLAN);
  await at(view, <Files id={view.id} />);
  const link = await screen.findByRole("link", { name: "计划.pdf" });
  expect(link.getAttribute("href")).toBe(`/api/v1/meetings/${view.id}/files/f1`);
  expect(screen.getByText(/3\.4 MiB · application\/pdf · 你/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "删除 计划.pdf" }));
  const sure = await screen.findByRole("alertdialog");
  expect(asked).toEqual(["GET "]);
  await userEvent.click(within(sure).getByRole("button", { name: "删除" }));
  await waitFor(() => expect(asked).toEqual(["GET ", "DELETE /f1", "GET "]));
  expect(await screen.findByText(/还没有附件/)).toBeTruthy();
});

test("an image is shown small, from its pixels, and nothing stands there when its content is missing", async () => {
  holding({ ...PLAN, name: "图.png", media_type: "image/png", image: { width: 1200, height: 800 } });
  await at(view, <Files id={view.id} />);
  const image = await screen.findByRole("img", { name: "图.png" });
  expect(image.getAttribute("src")).toBe(`/api/v1/meetings/${view.id}/files/f1/image`);
  const link = image.closest("a");
  expect([link?.getAttribute("rel"), link?.getAttribute("target")]).toEqual([
    "noopener noreferrer",
    "_blank",
  ]);
  expect(screen.getByText(/1200 × 800 · 3\.4 MiB · image\/png/)).toBeTruthy();
  fireEvent.error(image);
  expect(screen.queryByRole("img")).toBeNull();
});

test("a file of another type is never shown, whatever it says of itself", async () => {
  holding({ ...PLAN, name: "图.svg", media_type: "image/svg+xml" });
  await at(view, <Files id={view.id} />);
  await screen.findByRole("link", { name: "图.svg" });
  expect(screen.queryByRole("img")).toBeNull();
});

test("a file is given to a meeting that has begun; one that is too large is not sent", async () => {
  const asked = holding();
  await at(view, <Files id={view.id} />);
  const picker = await screen.findByLabelText<HTMLInputElement>("附加文件", { selector: "input" });
  const large = new File(["x"], "大.bin");
  Object.defineProperty(large, "size", { value: 21 * 1024 * 1024 });
  await userEvent.upload(picker, [large, new File(["你好"], "新.txt")]);
  expect(await screen.findByRole("link", { name: "新.txt" })).toBeTruthy();
  expect(asked.filter((one) => one.startsWith("POST"))).toEqual(["POST ?name=新.txt"]);
  expect((await screen.findAllByText("大.bin 超过 20 MiB，没有附加。")).length).toBeGreaterThan(0);
});

test("whoever only reads neither adds nor deletes; off the record there are none, and nobody asks", async () => {
  const asked = holding(PLAN);
  await at(view, <Files id={view.id} />, { may: { speak: false, manage: false } });
  await screen.findByRole("link", { name: "计划.pdf" });
  expect(screen.queryAllByRole("button")).toEqual([]);
  await at(view, <Files id={view.id} offRecord />);
  expect(screen.getByText("不留记录的会议不能附加文件。")).toBeTruthy();
  expect(asked).toHaveLength(1);
});

test("sizes are said as people read them", () => {
  expect([0, 1023, 1024, 150_000, 20 * 1024 * 1024].map(sizeOf)).toEqual([
    "0 B",
    "1,023 B",
    "1 KiB",
    "146 KiB",
    "20 MiB",
  ]);
});

test("a meeting that is run again takes its files over, and says which have no content any more", async () => {
  const held = [PLAN, { ...PLAN, id: "f2", name: "资料/旧.csv", media_type: "text/csv" }];
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const { pathname } = new URL(url);
    if (pathname.endsWith("/files")) {
      return Response.json({ items: held, next_cursor: null, seq: 9 });
    }
    return pathname.endsWith("/f1") ? new Response("%PDF-1.7") : Response.json({}, { status: 404 });
  });
  const { files, missing } = await filesWithContents("m7");
  expect(files.map(({ name, type, size }) => ({ name, type, size }))).toEqual([
    { name: "计划.pdf", type: "application/pdf", size: 8 },
  ]);
  expect(missing).toEqual(["资料/旧.csv"]);
});
