// A change of the draft is a line with what it changed behind it, and not the text that was proposed.

import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import {
  changedPlaces,
  DraftRevised,
  Facilitation,
} from "../../../app/src/features/transcript/draft-revision";
import { is } from "../../../app/src/meeting/event-types";
import { log } from "../table/at";
import { draw, standing } from "./table";

const events = log("zh/consensus");
const facilitation = events.find((event) => is(event, "facilitation_written"));
const revised = events.findLast((event) => is(event, "draft_revised"));

test("what the facilitator proposed is shown when it is asked for", async () => {
  if (!facilitation || !is(facilitation, "facilitation_written")) throw new Error("nothing was proposed");
  await draw(standing(events), <Facilitation event={facilitation} />);
  const { proposed_patch } = facilitation.payload;
  expect(screen.queryByText(proposed_patch)).toBeNull();
  fireEvent.click(screen.getByText("建议了对草案的最小改动"));
  expect(await screen.findByText(proposed_patch)).toBeTruthy();
});

test("a draft says in how many places it differs from the one before, and shows them", async () => {
  if (!revised || !is(revised, "draft_revised")) throw new Error("the draft was not revised");
  const { container } = await draw(standing(events), <DraftRevised event={revised} />);
  expect(container.querySelector("ins")).toBeNull();
  fireEvent.click(screen.getByText(/^修改了草案：\d+ 处$/));
  expect((await screen.findAllByText(/定一个人长期照看/)).some((one) => one.closest("ins"))).toBe(true);
});

test("a line in other words is one place", () => {
  expect(changedPlaces("一\n二\n三", "一\n贰\n三\n四")).toBe(2);
  expect(changedPlaces("一\n\n二", "一\n二\n")).toBe(0);
});
