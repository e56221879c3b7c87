// A real server of its own for each test worker, and what tests do with it.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";

const ROOT = resolve(import.meta.dirname, "../../..");

/** The binary that is tested. */
export function binary(): string {
  const path = process.env.QUORATE_BIN ?? join(ROOT, "target/debug/quorate");
  if (!existsSync(path)) {
    throw new Error(`${path} is not there; build it first: cargo build -p quorate-cli`);
  }
  return path;
}

/** How fast simulated participants speak: as fast as one reads, or in a moment. */
type Pace = "live" | "brisk";

/** Changes the pace in the rules of a meeting, by this way of asking for them. */
export async function atPace(
  rulesOf: (method: "GET" | "PUT", body?: unknown) => Promise<unknown>,
  pace: Pace,
): Promise<void> {
  const rules = (await rulesOf("GET")) as { turns: object };
  await rulesOf("PUT", { ...rules, turns: { ...rules.turns, pace } });
}

/** A server with a database of its own. */
export class TestServer {
  readonly folder = mkdtempSync(join(tmpdir(), "quorate-browser-"));
  readonly db = join(this.folder, "quorate.db");
  url = "";
  /** The local token that it asks for; without one it asks for none. */
  token: string | undefined;
  #process: ChildProcess | undefined;

  /** Starts it, at the port that it had before when there was one. */
  async start(...more: string[]): Promise<void> {
    const port = this.url ? new URL(this.url).port : "0";
    const guard = this.token === undefined ? ["--no-token"] : [];
    // Only who tests how it is to watch a meeting waits for it at a reader's pace.
    const pace = more.includes("--pace") ? [] : ["--pace", "brisk"];
    const child = spawn(binary(), ["serve", "--db", this.db, "--port", port, ...guard, ...pace, ...more], {
      env: {
        ...process.env,
        QUORATE_CONFIG: undefined,
        QUORATE_TOKEN: this.token,
        LANG: "zh_CN.UTF-8",
        HOME: this.folder,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    this.url = await new Promise<string>((told, failed) => {
      let said = "";
      const hear = (piece: Buffer) => {
        said += piece.toString();
        const found = /https?:\/\/[\w.:[\]-]+/.exec(said)?.[0];
        if (found) {
          told(found);
        }
      };
      child.stdout?.on("data", hear);
      child.stderr?.on("data", hear);
      child.once("exit", (code) => failed(new Error(`quorate serve ended with ${code}: ${said}`)));
    });
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child && child.exitCode === null) {
      const gone = new Promise((done) => child.once("exit", done));
      child.kill("SIGKILL");
      await gone;
    }
  }

  /** Runs another command on its database. */
  run(...command: string[]): string {
    return execFileSync(binary(), [...command, "--db", this.db], {
      encoding: "utf8",
      env: { ...process.env, HOME: this.folder },
    });
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Asks its interface. */
  async ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    }
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  /** Creates a meeting of simulated participants, and starts it unless told otherwise. */
  async hold(file: Record<string, unknown> = {}, start = true): Promise<string> {
    const meeting = await this.ask<{ id: string }>("POST", "/meetings", {
      topic: "SQLite 还是 PostgreSQL？",
      format: "consensus",
      simulate: true,
      seed: 5,
      ...file,
    });
    if (start) {
      await this.ask("POST", `/meetings/${meeting.id}/start`);
    }
    return meeting.id;
  }

  /** From its next turn on a meeting goes at this pace. */
  async pace(id: string, pace: Pace): Promise<void> {
    await atPace((method, body) => this.ask(method, `/meetings/${id}/rules`, body), pace);
  }

  /** Waits until a meeting is in one of these states. */
  async until(id: string, ...states: string[]): Promise<void> {
    await expect
      .poll(async () => (await this.ask<{ state: string }>("GET", `/meetings/${id}?messages=0`)).state, {
        timeout: 60_000,
      })
      .toMatch(new RegExp(`^(${states.join("|")})$`));
  }
}

/** Faults of a page: errors, violations of its policy, requests to other servers. */
export interface Faults {
  readonly found: readonly string[];
}

interface Fixtures {
  /** A server that the tests of a worker share; `page.goto("/")` goes there. */
  server: TestServer;
  /** A server that this test alone has, for what others must not see. */
  own: TestServer;
  /** The faults of the page. Uncaught errors fail every test. */
  faults: Faults;
}

/** Gives a server, started with these arguments, for as long as it is used. */
export async function withServer(
  use: (server: TestServer) => Promise<void>,
  ...more: string[]
): Promise<void> {
  const server = new TestServer();
  await server.start(...more);
  await use(server);
  await server.end();
}

export const test = base.extend<Omit<Fixtures, "server">, Pick<Fixtures, "server">>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => withServer(use), { scope: "worker" }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  own: ({}, use) => withServer(use),
  baseURL: ({ server }, use) => use(server.url),
  faults: [
    async ({ page }, use) => {
      const found: string[] = [];
      page.on("pageerror", (error) => found.push(`error: ${error.message}`));
      // What the policy keeps away is told here, too.
      page.on("console", (message) => message.type() === "error" && found.push(`console: ${message.text()}`));
      page.on("request", (request) => {
        const { hostname, protocol } = new URL(request.url());
        if (protocol.startsWith("http") && hostname !== "127.0.0.1") {
          found.push(`request to elsewhere: ${request.url()}`);
        }
      });
      await use({ found });
      expect(found.filter((fault) => fault.startsWith("error:"))).toEqual([]);
    },
    { auto: true },
  ],
});

/** From the next page on it speaks English, or is dark. */
export async function prefer(
  page: Page,
  choice: { language?: "en" | "zh-CN"; theme?: "dark" | "light" },
): Promise<void> {
  await page.addInitScript((wanted) => {
    for (const [key, value] of Object.entries(wanted)) {
      localStorage.setItem(`quorate.${key}`, value);
    }
  }, choice);
}

export { expect, type Page };
