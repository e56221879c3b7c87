// While a meeting closes: whom the end has stopped speaks no more, and what is being written is said.

import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Working } from "../../../app/src/features/transcript/in-progress";
import { useRows } from "../../../app/src/features/transcript/use-rows";
import { setLanguage } from "../../../app/src/i18n";
import { log } from "../table/at";
import { draw, standing } from "./table";

const events = log("zh/consensus");
const speaking = events.findIndex(
  (event) => event.type === "call_started" && event.payload.task.startsWith("speak:"),
);

function Last() {
  return <p>{`last: ${useRows().at(-1)?.what}`}</p>;
}

test("whom the end has stopped is not said to be thinking", async () => {
  const source = standing(events.slice(0, speaking + 1));
  await draw(source, <Last />);
  expect(screen.getByText("last: speaking")).toBeTruthy();
  const { view } = source.snapshot();
  source.put({ view: view && { ...view, step: "closing", calls: {} } });
  expect(screen.queryByText("last: speaking")).toBeNull();
});

test("minutes, which a participant may write, are said to be written, in good English", async () => {
  const source = standing(events.slice(0, speaking + 1));
  const { unmount } = await draw(source, <Working task="minutes:v1" />);
  expect(screen.getByText("正在写纪要")).toBeTruthy();
  unmount();
  await setLanguage("en");
  await draw(source, <Working task="minutes:v1" />);
  expect(screen.getByText("In progress: writing minutes")).toBeTruthy();
  await setLanguage("zh-CN");
});
