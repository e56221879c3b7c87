// A meeting's store against a server over real HTTP: what every test of it begins with.
import { afterEach, vi } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import type { Snapshot } from "../../../app/src/meeting/snapshot";
import { httpApi } from "../../../app/src/meeting/source";
import { MeetingStore, type StoreParts } from "../../../app/src/meeting/store";
import { isInTranscript } from "../../../app/src/meeting/transcript-events";
import { NodeEventSource } from "./eventsource";
import { nodeGet } from "./get";
import { goldens } from "./logs";
import { MeetingServer } from "./server";

/** A golden meeting. */
export const golden = goldens().find(({ name }) => name === "zh/consensus.jsonl")?.events ?? [];
/** Which of these events are told. */
export const toldOf = (events: Event[]) => events.filter(isInTranscript).map((line) => line.seq);
/** Which lines are shown. */
export const seqs = (snapshot: Snapshot) => snapshot.lines.map((line) => line.seq);
/** Clean-up after a test, the last first. */
export const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
  vi.unstubAllGlobals();
});

/** A store of a meeting that is told as far as `told`, and its server. */
export async function meeting(told: number, log = golden, parts: Partial<StoreParts> = {}) {
  const server = new MeetingServer(log, told);
  const base = await server.start();
  const store = new MeetingStore("meeting", {
    api: httpApi({ base, get: nodeGet }),
    events: (url) => new NodeEventSource(url),
    base,
    ...parts,
  });
  undo.push(
    () => server.stop(),
    () => store.close(),
  );
  return { server, store };
}

/** The state of the store once the condition holds. */
export async function until(
  store: MeetingStore,
  is: (snapshot: Snapshot) => boolean,
  ms = 8_000,
): Promise<Snapshot> {
  const end = Date.now() + ms;
  while (!is(store.snapshot())) {
    if (Date.now() > end) {
      const { view, lines, partials, problem, ...rest } = store.snapshot();
      throw new Error(
        `in vain: ${JSON.stringify({ ...rest, problem, seq: view?.last_seq, lines: lines.length })}`,
      );
    }
    await new Promise((done) => setTimeout(done, 5));
  }
  return store.snapshot();
}

/** A long meeting: a golden one, and then people talk. */
export function long(count: number): Event[] {
  const head = golden.slice(0, 20);
  const said = head.length;
  const talk = Array.from({ length: count }, (_, place): Event => {
    const id = `m${place + 1}`;
    const message = { role: "user" as const, name: "owner", content: `Nº ${place + 1}` };
    const payload = {
      message_id: id,
      round: 1,
      by: { kind: "person" as const, id: "owner", name: "owner" },
      message,
    };
    const line = {
      actor: { kind: "person" as const, id: "owner", name: "owner" },
      cause: "say",
      meeting_id: "meeting",
      run_id: "run",
      version: 5,
    };
    return { ...line, seq: said + place + 1, ts_ms: place, type: "user_message", payload };
  });
  return [...head, ...talk];
}
