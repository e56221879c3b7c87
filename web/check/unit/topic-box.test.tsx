// The topic box: Enter starts, a new line is background, and chips say how it is discussed.

import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../../app/src/api/queries";
import { type Answers, OWNER, open, problem } from "./people/page";

afterEach(() => vi.unstubAllGlobals());

const PROVIDER = { provider: "lab", source: "stored", key: "stored", proxy: false, public_only: false };

async function box(providers: object[] = [], mix: string[] = [], estimate?: Answers[string]) {
  const created: unknown[] = [];
  const answers: Answers = {
    "GET /me": [200, OWNER],
    "GET /meetings": [200, { items: [], next_cursor: null }],
    "GET /providers": [200, { items: providers, next_cursor: null }],
    "GET /providers/lab/models": [
      200,
      {
        items: [
          { provider: "lab", model: "embed-1", can_chat: false },
          { provider: "lab", model: "m-1", can_chat: true },
          { provider: "lab", model: "m-2", can_chat: true },
        ],
        next_cursor: null,
      },
    ],
    "POST /meetings/estimate": estimate ?? [
      200,
      { chosen: { in_turn: mix.map((model) => ({ provider: "lab", model })) } },
    ],
    "POST /meetings": ({ body }) => {
      created.push(body);
      return problem(409, "later");
    },
  };
  await open("/", answers);
  const topic = await screen.findByTestId<HTMLTextAreaElement>("topic");
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("start").disabled).toBe(false));
  return { created, topic };
}

async function choose(chip: string, at: number) {
  await userEvent.click(screen.getByTestId(`chip-${chip}`));
  const items = await screen.findAllByRole("menuitemradio");
  await userEvent.click(items[at] as HTMLElement);
}

test("Enter starts with what the chips say, and lines after the first are background", async () => {
  const { created, topic } = await box();
  expect(screen.getByTestId("connect-model")).toBeTruthy();
  expect(screen.queryByTestId("chip-model")).toBeNull();
  await choose("format", 2);
  await choose("table", 1);
  await userEvent.type(topic, "Which way?{Shift>}{Enter}{/Shift}We are four.{Enter}");
  await waitFor(() => expect(created).toHaveLength(1));
  expect(created[0]).toMatchObject({
    topic: "Which way?",
    background: "We are four.",
    format: "decision",
    seats: 3,
    simulate: true,
  });
});

test("once a model is connected, one goes on with the topic", async () => {
  const { topic } = await box();
  await userEvent.click(screen.getByTestId("connect-model"));
  await screen.findByRole("dialog");
  act(() => queries.setQueryData(["providers"], { items: [PROVIDER], next_cursor: null }));
  await waitFor(() => expect(screen.queryByTestId("connect-model")).toBeNull());
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(topic));
});

test("with a model connected a meeting is real, and one model can be chosen", async () => {
  const { created, topic } = await box([PROVIDER]);
  expect(screen.queryByTestId("connect-model")).toBeNull();
  await choose("model", 2);
  await userEvent.type(topic, "Which way?{Enter}");
  await waitFor(() => expect(created).toHaveLength(1));
  expect(created[0]).toMatchObject({ models: ["lab/m-2"] });
  expect(created[0]).not.toHaveProperty("simulate");
});

test("without a named model the chip names those that the seats are given", async () => {
  const { created, topic } = await box([PROVIDER], ["m-1", "m-2", "m-1", "m-2", "m-3"]);
  await waitFor(() => expect(screen.getByTestId("chip-model").textContent).toBe("混合：m-1、m-2"));
  await userEvent.click(screen.getByTestId("chip-model"));
  const [first] = await screen.findAllByRole("menuitemradio");
  expect(first?.getAttribute("aria-checked")).toBe("true");
  expect(first?.textContent).toContain("混合：m-1、m-2");
  await userEvent.keyboard("{Escape}");
  await userEvent.type(topic, "Which way?{Enter}");
  await waitFor(() => expect(created).toHaveLength(1));
  expect(created[0]).not.toHaveProperty("models");
});

test("nothing starts without a topic, nor while a word is being composed", async () => {
  const { created, topic } = await box();
  await userEvent.type(topic, "{Enter}");
  expect(await screen.findByRole("alert")).toBeTruthy();
  topic.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing: true }));
  expect(created).toEqual([]);
});

test("there is a demo for each format", async () => {
  await box();
  for (const format of ["consensus", "discussion", "decision", "room", "brainstorm"]) {
    expect(await screen.findByTestId(`demo-${format}`)).toBeTruthy();
  }
});

/** What a meeting would use, by the server. */
const ESTIMATE = (): [number, object] => {
  const scenario = (tokens: number) => ({ tokens, known_cost_micros: null, all_prices_known: false });
  return [
    200,
    {
      chosen: { in_turn: [{ provider: "lab", model: "m-1" }] },
      least: scenario(26_000),
      likely: scenario(180_000),
      most: scenario(2_600_000),
    },
  ];
};

test("with a model connected a line says what the meeting would use, and without one there is none", async () => {
  const asked: unknown[] = [];
  const { topic } = await box([PROVIDER], ["m-1"], ({ body }) => {
    asked.push(body);
    return ESTIMATE();
  });
  await choose("table", 1);
  await userEvent.type(topic, "Which way?");
  const line = await screen.findByTestId("estimate");
  expect(line.textContent).toBe("预计用 180K 个 token（26K 至 2.6M）；费用未知；没有设预算");
  await waitFor(() => expect(asked).toContainEqual({ topic: "Which way?", format: "consensus", seats: 3 }));
});

test("simulated participants use nothing that an estimate would tell", async () => {
  // The line would be there at once, and ask a while after the last key.
  await import("../../app/src/features/home/estimate-line");
  const asked = vi.fn(ESTIMATE);
  const { topic } = await box([], [], asked);
  await userEvent.type(topic, "Which way?");
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  vi.useRealTimers();
  expect(asked).not.toHaveBeenCalled();
  expect(screen.queryByTestId("estimate")).toBeNull();
});

test("a meeting that is long in coming says that a slow provider may be the reason, and what helps", async () => {
  const { topic } = await box([PROVIDER], ["m-1"]);
  const answered = globalThis.fetch;
  vi.stubGlobal("fetch", (input: Request, init?: RequestInit) =>
    input.method === "POST" && input.url.endsWith("/meetings")
      ? new Promise<Response>(() => {})
      : answered(input, init),
  );
  await userEvent.type(topic, "Which way?{Enter}");
  expect(screen.queryByText(/响应较慢/)).toBeNull();
  expect(await screen.findByText(/响应较慢/)).toBeTruthy();
});
