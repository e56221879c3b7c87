// While the conclusion is being written, nothing is offered that the meeting would refuse.

import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { TableHeader } from "../../../app/src/features/header/header";
import RulesDialog from "../../../app/src/features/header/rules";
import Agenda from "../../../app/src/features/panel/agenda";
import Artifacts from "../../../app/src/features/panel/artifacts";
import Minutes from "../../../app/src/features/panel/minutes";
import SeatCard from "../../../app/src/features/participants/seat-card";
import { Seats } from "../../../app/src/features/participants/sidebar";
import { haveFormats } from "../served-formats";
import { at, golden, ndjson, server } from "./at";

const talking = golden("zh/consensus", 68);
const closing = golden("zh/consensus", 107);

beforeEach(() => {
  vi.unstubAllGlobals();
  haveFormats();
  server(({ path }) => {
    if (path.endsWith("/rules")) {
      return Response.json(talking.rules, { headers: { etag: '"5"' } });
    }
    return path.includes("/log") ? ndjson([]) : Response.json({ uploads: [] });
  });
});

const seat = closing.participants[0];
if (!seat) throw new Error("nobody sits there");

test.each([
  { what: "an item of the agenda", part: <Agenda />, offer: "添加议题" },
  { what: "an artifact", part: <Artifacts />, offer: "撰写交付物" },
  { what: "minutes", part: <Minutes />, offer: "撰写纪要" },
  { what: "a newcomer", part: <Seats />, offer: "添加参会者" },
  { what: "the floor", part: <SeatCard seat={seat} activity={{ is: "idle" }} />, offer: "请其发言" },
])("$what is offered as long as the meeting is open, and no longer", async ({ part, offer }) => {
  await at(talking, part);
  expect((await screen.findAllByRole("button", { name: offer })).length).toBeGreaterThan(0);
  cleanup();
  await at(closing, part);
  expect(screen.queryByRole("button", { name: offer })).toBeNull();
});

test("the rules are read, and saved no longer", async () => {
  await at(closing, <RulesDialog onOpenChange={() => {}} />);
  await screen.findByRole("button", { name: "全部（JSON）" });
  expect(screen.queryByRole("button", { name: "保存" })).toBeNull();
});

test("the menu still pauses, and neither steers nor ends", async () => {
  await at(closing, <TableHeader />);
  await userEvent.click(screen.getByRole("button", { name: "更多操作" }));
  expect(await screen.findByRole("menuitem", { name: /立即暂停/ })).toBeDefined();
  for (const name of [/修改主题/, /发布公告/, /前进一轮/, /结束会议/]) {
    expect(screen.queryByRole("menuitem", { name })).toBeNull();
  }
  await userEvent.keyboard("{Escape}.");
  expect(screen.queryByRole("alertdialog")).toBeNull();
});
