// In place of a meeting that is shown only to who has signed in: the way to do so, and back.

import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Unavailable } from "../../../app/src/features/transcript/unavailable";
import { MeetingProvider } from "../../../app/src/meeting/hooks";
import { replayedMeeting } from "../../../app/src/meeting/open-replay";
import { at } from "../result/test-page";

afterEach(() => vi.unstubAllGlobals());

async function refusedAt(address: string, path: string, status = 401) {
  vi.stubGlobal("fetch", async (request: Request) => {
    if (status === 0 && request.url.endsWith("/me")) {
      throw new TypeError("Failed to fetch");
    }
    return Response.json(
      { type: "#refused", title: "refused", status, detail: "拒绝" },
      { status: status || 401 },
    );
  });
  const { router } = await at(address, path, () => (
    <MeetingProvider store={replayedMeeting("m1")}>
      <Unavailable id="m1" status="signed_out" />
    </MeetingProvider>
  ));
  await act(() => new Promise((done) => setTimeout(done, 50)));
  return router.latestLocation.href;
}

test("one is led to sign in, and from there back to where one was", async () => {
  expect(await refusedAt("/m/m1?at=7", "/m/$id")).toBe("/sign-in?next=%2Fm%2Fm1%3Fat%3D7");
});

test("who is on the way there already still comes back to the meeting", async () => {
  // The page that is left stands until the next one is there.
  expect(await refusedAt("/sign-in?next=%2Fm%2Fm1", "/sign-in")).toBe("/sign-in?next=%2Fm%2Fm1");
});

test.each([
  [0, "没有到达服务器"],
  [503, "拒绝"],
])("a server that does not answer (%i) has refused nobody, and is asked again", async (status, said) => {
  expect(await refusedAt("/m/m1", "/m/$id", status)).toBe("/m/m1");
  expect(screen.getByRole("alert").textContent).toContain(said);
  const asked = vi.fn(async () =>
    Response.json({ type: "#x", title: "x", status: 401, detail: "x" }, { status: 401 }),
  );
  vi.stubGlobal("fetch", asked);
  await userEvent.click(screen.getByRole("button", { name: "重试" }));
  await act(() => new Promise((done) => setTimeout(done, 50)));
  expect(asked).toHaveBeenCalled();
});
