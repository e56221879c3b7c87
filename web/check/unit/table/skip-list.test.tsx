// The skip list on the card of a participant: shown to all, changed by whoever manages the meeting.

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { SkipList } from "../../../app/src/features/participants/skip-list";
import { apply } from "../../../app/src/meeting/fold";
import type { View } from "../../../app/src/meeting/view";
import { at, golden, server } from "./at";

beforeEach(() => vi.unstubAllGlobals());

const base = golden("zh/consensus", 68);

/** The meeting after the skip list of its first participant changed. */
function changed(skip_list: string[]): View {
  const [seat] = base.participants;
  return apply(base, {
    version: 5,
    seq: base.last_seq + 1,
    meeting_id: base.id,
    run_id: base.run_id,
    ts_ms: 1,
    actor: { kind: "system" },
    cause: "change_participant",
    type: "participant_changed",
    payload: { participant: seat?.participant.id ?? "p1", skip_list, by: { kind: "system" } },
  });
}

const first = (view: View) => {
  const [seat] = view.participants;
  if (!seat) {
    throw new Error("nobody is at the table");
  }
  return seat;
};

test("the fold takes over a skip list, and an empty one is none", () => {
  expect(first(changed(["收到"])).participant.skip_list).toEqual(["收到"]);
  expect("skip_list" in first(changed([])).participant).toBe(false);
});

test("whoever manages the meeting changes it, a phrase in each line", async () => {
  const sent = server(({ method }) => (method === "PATCH" ? Response.json({ seq: 70 }) : undefined));
  const view = changed(["收到"]);
  await at(view, <SkipList seat={first(view)} />);
  expect(screen.getByText(/“收到”/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: /编辑.*跳过列表/ }));
  const field = screen.getByRole("textbox", { name: "跳过列表" });
  await userEvent.type(field, "\n/status");
  await userEvent.click(screen.getByRole("button", { name: "保存" }));
  await waitFor(() =>
    expect(sent.find((one) => one.method === "PATCH")?.body).toEqual({ skip_list: ["收到", "/status"] }),
  );
  await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
});
