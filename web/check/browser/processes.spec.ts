// A process of the server's configuration takes a seat: in a new meeting, and in one that runs.

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { test as base, expect, TestServer } from "./server";
import { pattern, zh } from "./texts";

const PROGRAM = resolve(import.meta.dirname, "../../../examples/runner/echo_agent.py");

const test = base.extend<object, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const server = new TestServer();
      const folder = join(server.folder, ".config/quorate");
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, "config.toml"),
        `[processes.reviewer]\ncommand = ["python3", ${JSON.stringify(PROGRAM)}]\n`,
      );
      await server.start();
      await use(server);
      await server.end();
    },
    { scope: "worker" },
  ],
});
test.use({ actionTimeout: 10_000 });

/** Chooses a program of the server. */
async function choose(within: Page | Locator, page: Page, model: string) {
  await within.getByRole("combobox", { name: zh("dialog.add.its_process") }).fill(model.slice(0, -2));
  await page.getByRole("option", { name: model }).click();
}

test("a process is chosen among those that are configured, and takes a seat", async ({ page, server }) => {
  await page.goto("/new");
  await page.getByRole("textbox", { name: zh("create.topic.label") }).fill("请一个程序来谈谈");
  await page.getByRole("button", { name: zh("create.cast.named") }).click();
  await page.getByRole("button", { name: zh("create.cast.add_process") }).click();
  await page.getByRole("button", { name: pattern`^${zh.like("create.cast.edit")}$` }).click();
  await choose(page, page, "process/reviewer");
  // The meeting's page comes late: until it does, the form that was sent takes no click that is meant for the meeting.
  await page.route("**/assets/*.js", async (route) => {
    await new Promise((late) => setTimeout(late, 300));
    await route.continue();
  });
  await page
    .getByRole("button", { name: zh("create.go.draft") })
    .first()
    .click();
  await expect(page).toHaveURL(/\/m\//);
  await expect(page.getByText("process/reviewer").first()).toBeVisible();

  const id = new URL(page.url()).pathname.split("/")[2] ?? "";
  await page
    .getByRole("button", { name: zh("table.rail.add") })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: zh("dialog.add.title") });
  await dialog.getByRole("button", { name: zh("dialog.add.process") }).click();
  await dialog.getByRole("textbox", { name: pattern`^${zh("dialog.add.name")}` }).fill("审阅");
  await choose(dialog, page, "process/reviewer");
  await dialog.getByRole("button", { name: zh("dialog.add.do") }).click();
  await expect(dialog).toHaveCount(0);
  const { participants } = await server.ask<{ participants: { participant: { runner: object } }[] }>(
    "GET",
    `/meetings/${id}?messages=0`,
  );
  const process = { kind: "process", name: "reviewer" };
  expect(participants.map((seat) => seat.participant.runner)).toEqual([process, process]);
});
