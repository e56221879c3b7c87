// A whole meeting with the client of openapi-typescript and openapi-fetch.

import createClient from "openapi-fetch";
import type { components, paths } from "../generated/quorate.js";
import { baseUrl, check, given, token } from "./check.js";

type Schemas = components["schemas"];

const quorate = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

const created = await quorate.POST("/api/v1/meetings", {
  params: { header: { "Idempotency-Key": crypto.randomUUID() } },
  body: {
    topic: "SQLite or PostgreSQL?",
    format: "discussion",
    simulate: true,
    seed: 5,
    rules: { turns: { pace: "instant" } },
  },
});
const meeting: Schemas["CreatedMeeting"] = given(created.data, `a meeting: ${created.error?.detail}`);
check(meeting.state === "draft" && meeting.participants.length > 1, "a draft with participants");
console.log(`created ${meeting.id}: ${meeting.participants.map((seat) => seat.name).join(", ")}`);

const params = { path: { id: meeting.id } };
const started = await quorate.POST("/api/v1/meetings/{id}/start", { params });
check(given(started.data, "a standing").state === "discussion", "the discussion begins");

// Server-sent events, frame by frame.
const { data: stream } = await quorate.GET("/api/v1/meetings/{id}/events", { params, parseAs: "stream" });
let [rest, lastSeq] = ["", 0];
const kinds = new Map<string, number>();
for await (const text of given(stream, "a stream").pipeThrough(new TextDecoderStream())) {
  const frames = (rest + text).split("\n\n");
  rest = frames.pop() ?? "";
  for (const frame of frames) {
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (data === undefined || !/^id: /m.test(frame)) continue;
    const event: Schemas["Event"] = JSON.parse(data);
    check(event.seq === lastSeq + 1, "events without a hole");
    lastSeq = event.seq;
    kinds.set(event.type, (kinds.get(event.type) ?? 0) + 1);
    if (event.type === "round_started") console.log(`round ${event.payload.round}`);
  }
}
check(kinds.get("finished") === 1, "the meeting is followed to its end");
check(kinds.get("round_started") === 3, "rules that were left out are those of the format");
console.log(`followed ${lastSeq} events of ${kinds.size} types`);

const report = given((await quorate.GET("/api/v1/meetings/{id}/report", { params })).data, "a report");
const outcome: Schemas["MeetingOutcome"] = given(report.outcome, "an outcome");
check(report.simulated && report.meeting_id === meeting.id, "the report of this meeting");
console.log(`report: ${outcome.outcome}, ${report.rounds} rounds, ${report.costs.length} rows of costs`);

const minutes = given((await quorate.GET("/api/v1/meetings/{id}/minutes", { params })).data, "minutes");
check(minutes.minutes.content.length > 0 && minutes.version >= 1, "minutes with content");
console.log(`minutes: version ${minutes.version}, written at ${minutes.written_at}`);

const texts: string[] = [];
let cursor: string | null | undefined;
do {
  const query = cursor ? { limit: 5, cursor } : { limit: 5 };
  const answer = await quorate.GET("/api/v1/meetings/{id}/messages", { params: { ...params, query } });
  const page = given(answer.data, "a page of messages");
  texts.push(...page.items.map((message) => message.content));
  cursor = page.next_cursor;
} while (cursor);
check(texts.length === (kinds.get("agent_message") ?? 0), "all messages, page by page");
console.log(`messages: ${texts.length}`);

const exported = await quorate.GET("/api/v1/meetings/{id}/export", {
  params: { ...params, query: { format: "json" } },
});
const file = given(exported.data, "an export");
check(typeof file === "object" && file.events.length === lastSeq, "an export with all events");
console.log(`export: ${file.events.length} events, ${file.report.headline}`);

const nowhere = await quorate.GET("/api/v1/meetings/{id}", { params: { path: { id: "nowhere" } } });
const problem: Schemas["Problem"] = given(nowhere.error, "a problem");
check(problem.status === 404 && problem.resource_type === "meeting", "a problem with its resource");
console.log(`problem: ${problem.status} ${problem.title}: ${problem.detail}`);
