// What a newcomer needs to follow references: each message has its number, and an answer says what it answers.

import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import { peopleOf } from "../../../app/src/components/speaker/people";
import { AgentMessage } from "../../../app/src/features/transcript/message";
import { wordsOf } from "../../../app/src/features/transcript/reference-links";
import { Words } from "../../../app/src/markdown";
import type { Of } from "../../../app/src/meeting/event-types";
import { log } from "../table/at";
import { draw, standing } from "./table";

const events = log("zh/consensus");
const isMessage = (event: Event): event is Of<"agent_message"> => event.type === "agent_message";

/** A message whose text stands there, in its meeting. */
async function message(content: (answered: string) => string) {
  const answering = events
    .filter(isMessage)
    .find((event) => (event.payload.stance?.answered ?? []).length > 0);
  const answered = answering?.payload.stance?.answered?.[0];
  if (!answering || !answered) throw new Error("nobody answers");
  const { payload } = answering;
  const event = {
    ...answering,
    payload: { ...payload, message: { ...payload.message, content: content(answered) } },
  };
  const source = standing(events);
  const { view } = source.snapshot();
  await draw(
    source,
    <Words value={wordsOf(peopleOf(view))}>
      <AgentMessage event={event} rowKey="row" />
    </Words>,
  );
  const claims = events.filter(isMessage).flatMap((one) => one.payload.stance?.claims ?? []);
  return { event, answered, claim: claims.find((one) => one.id === answered) };
}

test("a message shows the number by which it is cited, as a link to itself", async () => {
  const { event } = await message(() => "好。");
  const number = screen.getByTestId("message-number");
  expect(number.textContent).toBe(event.payload.message_id);
  expect(number.getAttribute("href")).toBe(`/m/meeting?at=${event.seq}`);
});

test("a paragraph that begins with a claim says that it answers it, and names what was claimed", async () => {
  const { answered, claim } = await message((id) => `[${id}] 同意。\n\n也见 [${id}]。`);
  const [leads, beside] = screen.getAllByRole("button", { name: new RegExp(`${answered} `) });
  expect(leads?.textContent).toBe(`回应论点 ${answered}`);
  expect(leads?.title).toContain(claim?.text);
  expect(beside?.textContent).toBe(answered);
  expect(beside && within(beside).queryByText(/回应/)).toBeNull();
});

test("a claim of its own at the beginning of a paragraph is no answer", async () => {
  await message(() => "[c1] 先试点。");
  expect(screen.queryByText(/回应论点/)).toBeNull();
});
