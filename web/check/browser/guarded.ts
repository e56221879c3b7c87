// A server that people sign in to.

import { execFileSync } from "node:child_process";
import { binary, expect, type Page, TestServer } from "./server";
import { zh } from "./texts";

const NAME = "owner";
const PASSWORD = "a long walk by the river";

/** Starts a server with an account, and gives it for as long as it is used. Meetings go at a reader's pace. */
export async function guarded(
  use: (server: TestServer) => Promise<void>,
  pace: "live" | "brisk" = "live",
): Promise<void> {
  const server = new TestServer();
  execFileSync(binary(), ["accounts", "add", NAME, "--password-stdin", "--db", server.db], {
    input: `${PASSWORD}\n`,
    env: { ...process.env, HOME: server.folder },
  });
  await server.start("--pace", pace);
  await use(server);
  await server.end();
}

/** Signs the owner in by the interface. */
export async function enter(page: Page, server: TestServer): Promise<void> {
  await page.goto(server.url);
  await asks(page, "POST", "/sessions", { name: NAME, password: PASSWORD });
}

/** Signs the owner in, on the page that asks for it. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: zh("signin.name") }).fill(NAME);
  await page.getByLabel(zh("signin.password")).fill(PASSWORD);
  await page.getByRole("button", { name: zh("signin.do"), exact: true }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}

/** Sends a request as the user of this page. */
export async function asks<T>(page: Page, method: string, path: string, body?: unknown): Promise<T> {
  const { origin } = new URL(page.url());
  const answer = await page.request.fetch(`${origin}/api/v1${path}`, {
    method,
    // A stride is answered when it is over.
    timeout: 120_000,
    headers: { origin, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    data: body === undefined ? undefined : JSON.stringify(body),
  });
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  const text = await answer.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}
