// The list of mentions: where each leads, what is unread, and marking all of them.

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import Mentions from "../../../app/src/features/mentions/list";
import { at, golden, server } from "../table/at";

beforeEach(() => vi.unstubAllGlobals());

const item = (seq: number, is_unread: boolean) => ({
  meeting: "m",
  topic: "主题",
  seq,
  message_id: `m${seq}`,
  by: "林小满🌱",
  excerpt: `@"ada" 第 ${seq} 条`,
  said_at: new Date(Date.now() - 300_000).toISOString(),
  is_unread,
});

test("an entry leads to its message, and all can be marked as read", async () => {
  const sent = server(({ path, method }) =>
    method === "PUT"
      ? Response.json({ unread: 0 })
      : path.startsWith("/api/v1/me/mentions")
        ? Response.json({ items: [item(7, true), item(3, false)], next_cursor: null, unread: 1 })
        : undefined,
  );
  const close = vi.fn();
  await at(golden("zh/consensus", 68), <Mentions open onOpenChange={close} />);
  const link = (await screen.findAllByRole("link", { name: "主题" }))[0] as HTMLAnchorElement;
  expect(link.getAttribute("href")).toBe("/m/m?at=7");
  expect(screen.getByText("@ada 第 7 条")).toBeTruthy();
  expect(screen.getAllByText("未读")).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "全部标为已读" }));
  await waitFor(() => expect(sent.find((one) => one.method === "PUT")?.body).toEqual({}));
  await userEvent.click(link);
  expect(close).toHaveBeenCalledWith(false);
});

test("who was not mentioned yet is told how it comes about", async () => {
  server(() => Response.json({ items: [], next_cursor: null, unread: 0 }));
  await at(golden("zh/consensus", 68), <Mentions open onOpenChange={() => {}} />);
  expect(await screen.findByText("还没有人提及你")).toBeTruthy();
});
