// Over plain http on a network of one's own a browser makes no UUIDs and gives no clipboard: the page works all the same.

import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newKey } from "../../app/src/api/client";
import { ShownOnce } from "../../app/src/components/people/shown-once";
import { TableHeader } from "../../app/src/features/header/header";
import { copy } from "../../app/src/ui/copy";
import { at, golden, server } from "./table/at";

beforeEach(() => {
  const random = crypto.getRandomValues.bind(crypto);
  vi.stubGlobal("crypto", { getRandomValues: random });
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue(undefined as unknown as Clipboard);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(document, "execCommand");
});

/** A stand-in for `execCommand("copy")`; without an answer the browser lacks the command. */
function commands(answer?: boolean): string[] {
  const taken: string[] = [];
  if (answer !== undefined) {
    const execCommand = () => {
      const field = document.activeElement as HTMLTextAreaElement;
      taken.push(field.value.slice(field.selectionStart, field.selectionEnd));
      return answer;
    };
    Object.assign(document, { execCommand });
  }
  return taken;
}

test("each action at a table is sent with a key of its own", async () => {
  const sent = server(() => undefined);
  const actions = () => sent.filter((one) => one.method === "POST");
  await at({ ...golden("zh/consensus", 40), pause: null }, <TableHeader />);
  fireEvent.click(screen.getByRole("button", { name: "暂停" }));
  await waitFor(() => expect(actions()).toHaveLength(1));
  fireEvent.click(await screen.findByRole("button", { name: "暂停" }));
  await waitFor(() => expect(actions()).toHaveLength(2));
  const [first, second] = actions().map((one) => one.headers.get("idempotency-key"));
  expect(first).toBeTruthy();
  expect(second).not.toBe(first);
});

test("a key is new each time, and one that the server takes", () => {
  const keys = Array.from({ length: 100 }, newKey);
  expect(new Set(keys).size).toBe(100);
  expect(keys.every((key) => /^[\d-]{7,43}$/.test(key))).toBe(true);
});

test("words are copied by a selection, and the focus stays where it was", async () => {
  const taken = commands(true);
  await at(golden("zh/consensus"), <input aria-label="这里" />);
  const here = screen.getByLabelText("这里");
  here.focus();
  await copy("第一行\n第二行");
  expect(taken).toEqual(["第一行\n第二行"]);
  expect(await screen.findAllByText("已复制")).toBeTruthy();
  expect(document.activeElement).toBe(here);
  expect(document.querySelector("textarea")).toBeNull();
});

test.each([false, undefined])(
  "what cannot be copied at all is shown to be copied by hand",
  async (answer) => {
    commands(answer);
    await at(golden("zh/consensus"), null);
    await copy("https://众议.example/m/1?at=7");
    expect(await screen.findAllByText(/请选中后手动复制/)).toBeTruthy();
    expect(screen.getAllByText("https://众议.example/m/1?at=7")).toBeTruthy();
  },
);

test("a secret that cannot be copied is selected for the keyboard", async () => {
  commands(false);
  await at(golden("zh/consensus"), <ShownOnce label="令牌" value="q_1234" note="" onDone={() => {}} />);
  fireEvent.click(screen.getByRole("button", { name: "复制" }));
  expect(await screen.findAllByText(/内容已选中/)).toBeTruthy();
  const line = screen.getByLabelText<HTMLInputElement>("令牌", { selector: "input" });
  expect(line.value.slice(line.selectionStart ?? 0, line.selectionEnd ?? 0)).toBe("q_1234");
});
