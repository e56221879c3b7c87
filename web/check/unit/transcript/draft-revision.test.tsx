// A change of the draft is a line with what it changed behind it, and not the text that was proposed.

import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { beginningOf } from "../../../app/src/features/transcript/beginning";
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

test("the first draft begins as it was written: a list is a list", async () => {
  if (!revised || !is(revised, "draft_revised")) throw new Error("the draft was not revised");
  const text = "用 **SQLite**：\n\n- 一个文件\n- 备份简单\n- 不用运维";
  const first = { ...revised, payload: { ...revised.payload, version: 1, text } };
  await draw(standing([first]), <DraftRevised event={first} />);
  const begun = within(screen.getByTestId("beginning"));
  expect(begun.getAllByRole("listitem").map((one) => one.textContent)).toEqual([
    "一个文件",
    "备份简单",
    "不用运维",
  ]);
});

test("the beginning of a long text ends at a line, and within a line that is long by itself", () => {
  const lines = Array.from({ length: 9 }, (_, at) => `- 第 ${at} 点`);
  expect(beginningOf(lines.join("\n"))).toBe(`${lines.slice(0, 6).join("\n")}\n\n…`);
  const long = beginningOf("长".repeat(500));
  expect([long.length, long.at(-1)]).toEqual([241, "…"]);
  expect(beginningOf("短\n\n- 一")).toBe("短\n\n- 一");
});
