// On a phone the tabs at the foot of the page are views: they stand in the place of the transcript and cover neither the
// head nor the tabs, and nothing has to be closed.

import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changeLayout, useTranscriptCovered } from "../../../app/src/components/meeting-page/layout";
import { TableHeader } from "../../../app/src/features/header/header";
import { SidePanel } from "../../../app/src/features/panel/side-panel";
import { ParticipantsSidebar } from "../../../app/src/features/participants/sidebar";
import { PhoneTabs } from "../../../app/src/features/transcript/phone-tabs";
import { TurnBar } from "../../../app/src/features/turn/turn-bar";
import { setOpenTurn } from "../../../app/src/meeting/own-seat";
import { startViewport } from "../../../app/src/shell/viewport";
import { at, golden, ndjson, server } from "./at";

let width = 390;
beforeEach(() => {
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query.startsWith("(max-width")
      ? width <= Number(/[\d.]+/.exec(query)?.[0]) * 16
      : width >= Number(/[\d.]+/.exec(query)?.[0]) * 16,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  server(({ path }) => (path.includes("/log") ? ndjson([]) : Response.json({ items: [] })));
});
afterEach(() => {
  act(() => changeLayout({ drawer: null }));
  cleanup();
  vi.unstubAllGlobals();
});

function Covered() {
  return <output>{String(useTranscriptCovered())}</output>;
}
const page = (
  <>
    <ParticipantsSidebar />
    <SidePanel />
    <PhoneTabs />
    <Covered />
  </>
);

test("a tab shows its view in place, and the next one takes that place", async () => {
  width = 390;
  await at(golden("zh/consensus"), page);
  expect(screen.getByRole("status").textContent).toBe("false");
  await userEvent.click(screen.getByRole("button", { name: "参会者" }));
  expect(screen.getByRole("region", { name: "参会者" })).toBeTruthy();
  expect(screen.getByRole("heading", { level: 2, name: "参会者" })).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByRole("status").textContent).toBe("true");
  await userEvent.click(screen.getByRole("button", { name: "结论与表决" }));
  expect(screen.queryByRole("region", { name: "参会者" })).toBeNull();
  expect(await screen.findByRole("tablist", { name: "侧栏" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "讨论" }));
  expect(screen.queryByRole("tablist")).toBeNull();
  expect(screen.getByRole("status").textContent).toBe("false");
});

test("the tab of conclusion and votes shows these, and another one when it was chosen", async () => {
  width = 390;
  for (const [view, tab, shown] of [
    [golden("zh/consensus"), "", "表决"],
    [golden("zh/room"), "", "草案"],
    [golden("zh/consensus"), "cost", "费用"],
  ] as const) {
    await at(view, page, { tab });
    await userEvent.click(screen.getByRole("button", { name: "结论与表决" }));
    const chosen = await screen.findByRole("tab", { name: new RegExp(shown), selected: true });
    expect(chosen).toBeTruthy();
    // The conclusion stands above the votes, or the draft.
    const concluded = tab === "" && view.conclusion !== null;
    await waitFor(() => expect(screen.queryByTestId("phone-conclusion") !== null).toBe(concluded));
    act(() => changeLayout({ drawer: null }));
    cleanup();
  }
});

test("a turn of the user is told of in the other views, and leads back to its form", async () => {
  width = 390;
  const turn = { isVote: false, until: Date.now() + 90_000 };
  await at(
    golden("zh/consensus"),
    <>
      {page}
      <TurnBar />
    </>,
  );
  act(() => setOpenTurn(turn));
  // Its form is in sight.
  expect(screen.queryByRole("region", { name: "轮到你发言" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "参会者" }));
  const bar = within(screen.getByRole("region", { name: "轮到你发言" }));
  expect(bar.getByRole("timer").textContent).toMatch(/剩余 .*(1|2)/);
  expect(screen.getByTestId("turn-dot")).toBeTruthy();
  await userEvent.click(bar.getByRole("button", { name: "回答" }));
  expect(screen.queryByRole("region", { name: "参会者" })).toBeNull();
  expect(screen.queryByRole("region", { name: "轮到你发言" })).toBeNull();
  act(() => setOpenTurn(null));
  expect(screen.queryByTestId("turn-dot")).toBeNull();
});

test("where there is more room they are drawers, as before", async () => {
  width = 800;
  await at(golden("zh/consensus"), page);
  act(() => changeLayout({ drawer: "participants" }));
  expect(await screen.findByRole("dialog", { name: "参会者" })).toBeTruthy();
  expect(screen.getByRole("status", { hidden: true }).textContent).toBe("false");
});

test("the head of an ended meeting leaves its room to the title", async () => {
  const result = { name: "查看结果" };
  width = 390;
  await at(golden("zh/consensus"), <TableHeader />);
  expect(screen.queryByRole("button", result)).toBeNull();
  cleanup();
  width = 1280;
  await at(golden("zh/consensus"), <TableHeader />);
  expect(screen.getByRole("button", result)).toBeTruthy();
});

test("a keyboard that lies over the page takes its height from it", () => {
  const viewport = Object.assign(new EventTarget(), { height: 800, scale: 1 });
  vi.stubGlobal("visualViewport", viewport);
  vi.stubGlobal("innerHeight", 800);
  vi.stubGlobal("scrollTo", () => {});
  startViewport();
  const height = () => document.documentElement.style.getPropertyValue("--page-height");
  viewport.height = 460;
  viewport.dispatchEvent(new Event("resize"));
  expect(height()).toBe("460px");
  const open = () => "keyboard" in document.documentElement.dataset;
  expect(open()).toBe(true);
  // A page that was zoomed in is not covered.
  viewport.scale = 2;
  viewport.dispatchEvent(new Event("resize"));
  expect(height()).toBe("");
  // A page that shrank with it, while somebody writes; without, it is a window that shrank.
  vi.stubGlobal("innerHeight", 460);
  viewport.dispatchEvent(new Event("resize"));
  expect(open()).toBe(false);
  document.body.append(document.createElement("textarea"));
  document.querySelector("textarea")?.focus();
  viewport.dispatchEvent(new Event("resize"));
  expect(open()).toBe(true);
  vi.stubGlobal("innerHeight", 800);
  viewport.dispatchEvent(new Event("resize"));
  expect(open()).toBe(false);
  document.querySelector("textarea")?.remove();
});
