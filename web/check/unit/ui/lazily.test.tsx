// A part that cannot be fetched is waited for; it takes nothing else away, and comes as soon as it can.

import { render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { expect, test, vi } from "vitest";
import { lazily } from "../../../app/src/ui/lazily";
import { Toasts } from "../../../app/src/ui/toast";

test("a part waits for a server that is gone, says so, and is drawn when it is back", async () => {
  const gone = () =>
    Promise.reject(new TypeError("Failed to fetch dynamically imported module: /assets/part.js"));
  const fetch = vi
    .fn(async () => ({ default: () => <p>the part</p> }))
    .mockImplementationOnce(gone)
    .mockImplementationOnce(gone);
  const Part = lazily(fetch);
  render(
    <>
      <p>what was there</p>
      <Suspense fallback={<p>waiting</p>}>
        <Part />
      </Suspense>
      <Toasts />
    </>,
  );
  expect(screen.getByText("waiting")).toBeTruthy();
  expect(await screen.findByText("the part")).toBeTruthy();
  expect(screen.getByText("what was there")).toBeTruthy();
  expect(fetch).toHaveBeenCalledTimes(3);
  expect((await screen.findAllByText(/请求没有到达服务器/)).length).toBeGreaterThan(0);
  expect(screen.queryByText(/module/)).toBeNull();
  expect(await screen.findByRole("button", { name: "重新加载", hidden: true })).toBeTruthy();
  expect(screen.getByRole("region", { name: "通知", hidden: true })).toBeTruthy();
});
