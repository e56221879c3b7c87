// @vitest-environment node
// Events of some kinds are fetched page after page until there are no more, each once.
import { expect, test } from "vitest";
import { eventsOf, lastEventsOf } from "../../../app/src/meeting/log-pages";
import { httpApi } from "../../../app/src/meeting/source";
import { nodeGet } from "./get";
import { MeetingServer } from "./server";
import { long, undo } from "./store";

test("of 2,500 words of people none is left out, and none told twice", async () => {
  const log = long(2_500);
  const server = new MeetingServer(log, log.length);
  const base = await server.start();
  undo.push(() => server.stop());
  const api = httpApi({ base, get: nodeGet });
  const said = await eventsOf(api, "meeting", ["user_message"]);
  expect(said.map(({ payload }) => payload.message.content)).toEqual(
    Array.from({ length: 2_500 }, (_, place) => `Nº ${place + 1}`),
  );
  expect(server.asked.length).toBe(3);
  const last = await lastEventsOf(api, "meeting", ["user_message"]);
  expect(last.map(({ seq }) => seq)).toEqual(said.slice(-1_000).map(({ seq }) => seq));
});
