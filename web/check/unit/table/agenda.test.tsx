// The agenda: a tick stands at once, and goes back when the meeting does not take it.

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import Agenda from "../../../app/src/features/panel/agenda";
import { at, golden, server } from "./at";

beforeEach(() => vi.unstubAllGlobals());

const agenda = [{ id: "a1", title: "备份怎么做", completed: false }];
const view = { ...golden("zh/consensus", 68), agenda };
const point = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "完成：备份怎么做" });

test("a tick stands while the meeting is asked", async () => {
  let answer: (told: Response) => void = () => {};
  server(() => new Promise<Response>((done) => (answer = done)));
  await at(view, <Agenda />);
  await userEvent.click(point());
  expect(point().checked).toBe(true);
  answer(Response.json({ ...agenda[0], completed: true }));
  await waitFor(() => expect(point().disabled).toBe(false));
  expect(point().checked).toBe(true);
});

test("a tick that is refused goes back", async () => {
  const over = { type: "#meeting-is-over", title: "会议已结束", status: 409, detail: "会议已经结束" };
  const sent = server(() => Response.json(over, { status: 409 }));
  await at(view, <Agenda />);
  await userEvent.click(point());
  await waitFor(() => expect(sent.map((one) => one.body)).toEqual([{ completed: true }]));
  await waitFor(() => expect(point().checked).toBe(false));
});
