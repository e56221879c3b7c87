// Another model for participants whose own cannot answer: in their place, or from the beginning where nothing was said.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { MeetingPause, RunnerSpec } from "../../../app/src/api/schema";
import SeatCard from "../../../app/src/features/participants/seat-card";
import { Questions } from "../../../app/src/features/questions/questions";
import { loadSettingsTexts } from "../../../app/src/i18n";
import type { View } from "../../../app/src/meeting/view";
import { haveFormats } from "../served-formats";
import { at, golden, type Sent, server } from "./at";

beforeEach(async () => {
  vi.unstubAllGlobals();
  haveFormats();
  await loadSettingsTexts();
});

const wrong: RunnerSpec = { kind: "model", provider: "lab", model: "gone", fallback: null, price: null };
const pause: MeetingPause = {
  reason: "nobody_answered",
  suggested_next: "check_providers_then_resume",
  questions: [],
  resume_token: "now",
  paused_at: "2026-03-01T08:30:00.000Z",
};

/** A meeting in whose round every participant was asked, and the model of all is not known. */
function refused(said: number): View {
  const view = golden("zh/decision", 11);
  const participants = view.participants.map((seat) => ({
    ...seat,
    participant: { ...seat.participant, runner: wrong },
  }));
  const turns = participants.map(({ participant: { id } }, at) => ({
    id: `r0t${at + 1}`,
    participant: id,
    seq: 12 + at,
    can_skip: false,
    reason: { why: "rotation" as const },
    targets: [],
    state: { failed: "model_unknown" as const },
  }));
  const round = {
    number: 0,
    kind: "blind" as const,
    focus: [],
    order: participants.map((seat) => seat.participant.id),
    queue: [],
    offered_again: 1,
    ended_seq: null,
    turns,
  };
  const facilitator = view.facilitator && { ...view.facilitator, runner: wrong };
  return { ...view, participants, facilitator, round, pause, messages_total: said };
}

const provided = ({ path, method }: Sent): Response | undefined => {
  if (path.endsWith("/providers")) {
    return Response.json({ items: [{ provider: "lab", key: "stored" }] });
  }
  if (path.endsWith("/providers/lab/models")) {
    const items = ["gone", "tea"].map((model) => ({ provider: "lab", model, price: null, can_chat: true }));
    return Response.json({ items, next_cursor: null });
  }
  if (path.endsWith("/files")) {
    return Response.json({ items: [] });
  }
  return method === "POST" && path.endsWith("/meetings") ? Response.json({ id: "again" }) : undefined;
};
const changes = (sent: Sent[]) =>
  sent.filter(({ method }) => method !== "GET").map(({ method, path, body }) => ({ method, path, body }));

test("where nobody has said anything, two presses hold the meeting with a model that there is", async () => {
  const view = refused(0);
  const sent = server(provided);
  await at(view, <Questions />);
  await userEvent.click(within(await screen.findByRole("dialog")).getByTestId("another-model"));
  const start = await screen.findByRole<HTMLButtonElement>("button", { name: "重新开始" });
  await waitFor(() => expect(start.disabled).toBe(false));
  await userEvent.click(start);
  await waitFor(() => expect(changes(sent)).toHaveLength(2));
  const [made, ended] = changes(sent);
  expect(made?.path).toBe("/api/v1/meetings");
  const body = made?.body as { topic: string; participants: { name: string; model: string }[] };
  expect(body.topic).toBe(view.topic);
  expect(body).toMatchObject({ facilitator: { model: "lab/tea" } });
  expect(body.participants.map((one) => one.model)).toEqual(view.participants.map(() => "lab/tea"));
  expect(body.participants.map((one) => one.name)).toEqual(
    view.participants.map((one) => one.participant.name),
  );
  expect(ended).toMatchObject({ path: `/api/v1/meetings/${view.id}/end` });
});

test("where something was said, others take the places, and the meeting goes on", async () => {
  const view = refused(3);
  const sent = server(provided);
  await at(view, <Questions />);
  await userEvent.click(within(await screen.findByRole("dialog")).getByTestId("another-model"));
  const go = await screen.findByRole<HTMLButtonElement>("button", { name: "替换并继续" });
  await waitFor(() => expect(go.disabled).toBe(false));
  await userEvent.click(go);
  const all = view.participants.length;
  await waitFor(() => expect(changes(sent)).toHaveLength(2 * all + 1));
  const [first, second] = changes(sent);
  const seat = view.participants[0]?.participant;
  expect(first).toMatchObject({
    method: "POST",
    path: `/api/v1/meetings/${view.id}/participants`,
    body: { name: `${seat?.name}2`, role: seat?.role, model: "lab/tea" },
  });
  expect(second).toMatchObject({
    method: "DELETE",
    path: `/api/v1/meetings/${view.id}/participants/${seat?.id}`,
  });
  expect(changes(sent).at(-1)).toMatchObject({
    path: `/api/v1/meetings/${view.id}/resume`,
    body: { token: "now" },
  });
});

test("the card of a participant whose turn failed offers it, to whoever manages the meeting", async () => {
  server(provided);
  const view = refused(3);
  const [seat] = view.participants;
  if (!seat) throw new Error("nobody sits there");
  const card = <SeatCard seat={seat} activity={{ is: "failed", turn: "r0t1", kind: "model_unknown" }} />;
  await at(view, card);
  expect(screen.getByTestId("another-model")).toBeTruthy();
});
