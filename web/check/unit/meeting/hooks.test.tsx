// Components are rendered again when what they selected has changed, and only then.
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import { ConnectionBar } from "../../../app/src/features/header/connection-bar";
import { applyAll } from "../../../app/src/meeting/fold";
import {
  MeetingProvider,
  useMeeting,
  useMeetingStore,
  usePartial,
  useReplay,
} from "../../../app/src/meeting/hooks";
import { ReplayStore } from "../../../app/src/meeting/replay";
import type { MeetingApi } from "../../../app/src/meeting/source";
import { MeetingStore } from "../../../app/src/meeting/store";
import type { EventSourceLike } from "../../../app/src/meeting/stream";
import { blank } from "../../../app/src/meeting/view";
import { goldens } from "./logs";

const log = goldens().find(({ name }) => name === "zh/discussion.jsonl")?.events ?? [];

/** A line that the test speaks on. */
class Line extends EventTarget implements EventSourceLike {
  readyState = 1;
  tell(type: string, data: object): void {
    this.dispatchEvent(Object.assign(new globalThis.Event(type), { data: JSON.stringify(data) }));
  }
  close(): void {
    this.readyState = 2;
  }
}

function api(told: number): MeetingApi {
  return {
    view: async (_, at) => applyAll(blank("meeting", { messages: 0 }), log.slice(0, at ?? told)),
    log: async (_, { after = 0, before = told + 1, order, types }) => {
      const events = log.filter(
        ({ seq, type }) => seq > after && seq < before && (types === undefined || types.includes(type)),
      );
      return { events: order === "desc" ? events.toReversed() : events, more: false };
    },
  };
}

function live(told: number) {
  const lines: Line[] = [];
  const events = () => {
    const line = new Line();
    lines.push(line);
    return line;
  };
  const store = new MeetingStore("meeting", { api: api(told), events });
  return { store, lines };
}

/** Lets what is under way end, and the flush come. */
const settle = () => act(() => new Promise((done) => setTimeout(done, 60)));

afterEach(cleanup);

describe("useMeeting", () => {
  test("renders again only for what was selected", async () => {
    const { store, lines } = live(12);
    const rendered = { topic: 0, names: 0, lines: 0 };
    const same = (a: string[], b: string[]) =>
      a.length === b.length && a.every((one, place) => one === b[place]);
    function Topic() {
      rendered.topic += 1;
      return <h1>{useMeeting(({ view }) => view?.topic ?? "…")}</h1>;
    }
    function Names() {
      rendered.names += 1;
      const names = useMeeting(
        ({ view }) => view?.participants.map((seat) => seat.participant.name) ?? [],
        same,
      );
      return <p>{names.join("、")}</p>;
    }
    function Count() {
      rendered.lines += 1;
      return <output>{useMeeting(({ lines: all }) => all.length)}</output>;
    }
    render(
      <MeetingProvider store={store}>
        <Topic />
        <Names />
        <Count />
      </MeetingProvider>,
    );
    expect(screen.getByRole("heading").textContent).toBe("…");
    await settle();
    const topic = log[0]?.type === "meeting_created" ? log[0].payload.topic : "";
    expect(screen.getByRole("heading").textContent).toBe(topic);
    const before = { ...rendered };
    const count = Number(screen.getByRole("status").textContent);
    for (const event of log.slice(12, 40)) lines[0]?.tell(event.type, event);
    await settle();
    expect(Number(screen.getByRole("status").textContent)).toBeGreaterThan(count);
    expect(rendered.topic).toBe(before.topic);
    expect(rendered.names).toBe(before.names);
    expect(rendered.lines).toBe(before.lines + 1);
  });

  test("gives the answer of one task", async () => {
    const { store, lines } = live(12);
    let rendered = 0;
    function Answer({ task }: { task: string }) {
      rendered += 1;
      return <p>{usePartial(task)?.answer ?? "none"}</p>;
    }
    render(
      <MeetingProvider store={store}>
        <Answer task="speak:r1t1" />
      </MeetingProvider>,
    );
    await settle();
    expect(screen.getByText("none")).toBeTruthy();
    const piece = { attempt: 1, participant: "p1", kind: "answer", offset: 0, end: 3, text: "Yes" };
    lines[0]?.tell("token", { ...piece, task: "speak:r1t1" });
    await settle();
    expect(screen.getByText("Yes")).toBeTruthy();
    const before = rendered;
    lines[0]?.tell("token", { ...piece, task: "speak:r1t2" });
    await settle();
    expect(rendered).toBe(before);
  });

  test("opens the store, and closes it when it goes", async () => {
    const { store, lines } = live(12);
    const page = render(<MeetingProvider store={store}>.</MeetingProvider>);
    await settle();
    expect(lines.map((line) => line.readyState)).toEqual([1]);
    page.unmount();
    expect(lines.map((line) => line.readyState)).toEqual([2]);
  });

  test("takes an event of the meeting that is called error for what it is", async () => {
    const { store, lines } = live(12);
    render(<MeetingProvider store={store}>.</MeetingProvider>);
    await settle();
    const payload = { task: "minutes:v1", kind: "network", detail: { text: "no line" }, hint: { text: "" } };
    const problem: Event = JSON.parse(JSON.stringify({ ...log[11], seq: 13, type: "error", payload }));
    act(() => lines[0]?.tell("open", {}));
    lines[0]?.tell("error", problem);
    await settle();
    expect(store.snapshot()).toMatchObject({ connection: "live", view: { last_seq: 13 } });
    expect(store.snapshot().lines.at(-1)?.type).toBe("error");
  });

  test("shows a problem of the storage until it is over", async () => {
    const { store, lines } = live(12);
    render(<MeetingProvider store={store}>.</MeetingProvider>);
    await settle();
    act(() => lines[0]?.tell("open", {}));
    lines[0]?.tell("problem", { status: 507, detail: "the disk is full" });
    await settle();
    expect(store.snapshot().journalProblem?.detail).toBe("the disk is full");
    lines[0]?.tell("problem", { over: true, detail: "the database can be written again" });
    await settle();
    expect(store.snapshot().journalProblem).toBeNull();
  });

  test("listens to no meeting that is damaged, and says what is missing", async () => {
    const damage = { event: 13, detail: "its checksum does not match", last_seq: 20 };
    const { lines, parts } = { lines: [] as Line[], parts: api(12) };
    const whole: MeetingApi = {
      ...parts,
      view: async (id, at) => ({ ...(await parts.view(id, at)), damage }),
    };
    const events = () => {
      const line = new Line();
      lines.push(line);
      return line;
    };
    const store = new MeetingStore("meeting", { api: whole, events });
    render(
      <MeetingProvider store={store}>
        <ConnectionBar />
      </MeetingProvider>,
    );
    await settle();
    expect(lines).toEqual([]);
    expect(store.snapshot()).toMatchObject({ status: "ready", connection: "over" });
    expect(screen.getByRole("status").textContent).toMatch(/13.*8/s);
  });

  test("says what is missing without a provider", () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    function Lost() {
      useMeetingStore();
      return null;
    }
    expect(() => render(<Lost />)).toThrow("MeetingProvider");
    vi.restoreAllMocks();
  });
});

describe("useReplay", () => {
  function Place() {
    const replay = useReplay(({ position }) => position);
    return <output>{replay ? `at ${replay.value}` : "live"}</output>;
  }

  test("gives the place of a replay, and nothing of a live meeting", async () => {
    const replay = new ReplayStore("meeting", { api: api(log.length) });
    const page = render(
      <MeetingProvider store={replay}>
        <Place />
      </MeetingProvider>,
    );
    await settle();
    expect(screen.getByRole("status").textContent).toBe(`at ${log.length}`);
    await act(() => replay.seek(9));
    expect(screen.getByRole("status").textContent).toBe("at 9");
    page.unmount();
    render(
      <MeetingProvider store={live(12).store}>
        <Place />
      </MeetingProvider>,
    );
    await settle();
    expect(screen.getByRole("status").textContent).toBe("live");
  });
});
