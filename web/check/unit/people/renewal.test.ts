// A session that ran out: when it goes on, when it is over, and when nobody knows.

import { afterEach, expect, test, vi } from "vitest";
import { ask, onSignedOut, ProblemError } from "../../../app/src/api/client";

afterEach(() => vi.unstubAllGlobals());

/** Asks for something with a session that ran out, and a server that answers its renewal so. */
async function afterRenewal(renewal: () => Promise<Response>) {
  let renewed = false;
  const left = vi.fn();
  const stop = onSignedOut(left);
  vi.stubGlobal("fetch", async (input: Request | string) => {
    if (typeof input === "string") {
      const answer = await renewal();
      renewed = answer.ok;
      return answer;
    }
    return new Response("{}", { status: renewed ? 200 : 401 });
  });
  const asked = ask(new Request("http://localhost/api/v1/meetings"));
  const outcome = await asked.then(({ status }) => status).catch((error) => error);
  stop();
  return { outcome, signedOut: left.mock.calls.length };
}

const answered = (status: number) => async () => new Response("{}", { status });

test("a session that is renewed goes on, and one that is over leads to the sign-in page", async () => {
  expect(await afterRenewal(answered(200))).toEqual({ outcome: 200, signedOut: 0 });
  expect(await afterRenewal(answered(401))).toEqual({ outcome: 401, signedOut: 1 });
});

test.each([
  ["a proxy that has no server", answered(502)],
  ["a server that asks to wait", answered(429)],
  ["no network", () => Promise.reject(new TypeError("Failed to fetch"))],
])("%s ends no session", async (_, renewal) => {
  const { outcome, signedOut } = await afterRenewal(renewal);
  expect(outcome).toBeInstanceOf(ProblemError);
  expect(signedOut).toBe(0);
});
