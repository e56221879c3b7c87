// A whole meeting with the client of @hey-api/openapi-ts.

import { createClient } from "../generated/hey-api/client/index.js";
import {
  createMeeting,
  exportMeeting,
  getMeeting,
  getMinutes,
  getReport,
  listMessages,
  startMeeting,
  streamEvents,
} from "../generated/hey-api/index.js";
import type { CreatedMeeting, MeetingMessage, Problem, Report } from "../generated/hey-api/index.js";
import { baseUrl, check, given, token } from "./check.js";

const client = createClient({ baseUrl, auth: token });

const created = await createMeeting({
  client,
  headers: { "Idempotency-Key": crypto.randomUUID() },
  body: {
    topic: "SQLite or PostgreSQL?",
    format: "discussion",
    simulate: true,
    seed: 5,
    rules: { turns: { pace: "instant" } },
  },
});
const meeting: CreatedMeeting = given(created.data, `a meeting: ${created.error?.detail}`);
check(meeting.state === "draft" && meeting.participants.length > 1, "a draft with participants");
console.log(`created ${meeting.id}: ${meeting.participants.map((seat) => seat.name).join(", ")}`);

const path = { id: meeting.id };
const started = await startMeeting({ client, path });
check(given(started.data, "a standing").state === "discussion", "the discussion begins");

let lastSeq = 0;
const kinds = new Map<string, number>();
const { stream } = await streamEvents({ client, path, sseMaxRetryAttempts: 1 });
for await (const frame of stream) {
  // Of all frames only events have a sequence number.
  if (!("seq" in frame)) continue;
  check(frame.seq === lastSeq + 1, "events without a hole");
  lastSeq = frame.seq;
  kinds.set(frame.type, (kinds.get(frame.type) ?? 0) + 1);
  if (frame.type === "round_started") console.log(`round ${frame.payload.round}`);
}
check(kinds.get("finished") === 1, "the meeting is followed to its end");
check(kinds.get("round_started") === 3, "rules that were left out are those of the format");
console.log(`followed ${lastSeq} events of ${kinds.size} types`);

const report: Report = given((await getReport({ client, path })).data, "a report");
check(report.simulated && report.meeting_id === meeting.id, "the report of this meeting");
console.log(`report: ${given(report.outcome, "an outcome").outcome}, ${report.rounds} rounds`);

const minutes = given((await getMinutes({ client, path })).data, "minutes");
check(minutes.minutes.content.length > 0 && minutes.version >= 1, "minutes with content");
console.log(`minutes: version ${minutes.version}, written at ${minutes.written_at}`);

const messages: MeetingMessage[] = [];
let cursor: string | null | undefined;
do {
  const query = cursor ? { limit: 5, cursor } : { limit: 5 };
  const page = given((await listMessages({ client, path, query })).data, "a page of messages");
  messages.push(...page.items);
  cursor = page.next_cursor;
} while (cursor);
check(messages.length === (kinds.get("agent_message") ?? 0), "all messages, page by page");
console.log(`messages: ${messages.length}, the last one at ${messages[0]?.said_at}`);

const file = given((await exportMeeting({ client, path, query: { format: "json" } })).data, "an export");
check(typeof file === "object" && "events" in file && file.events.length === lastSeq, "all events");
console.log(`export: ${file.events.length} events, ${file.report.headline}`);

const problem: Problem = given((await getMeeting({ client, path: { id: "nowhere" } })).error, "a problem");
check(problem.status === 404 && problem.resource_type === "meeting", "a problem with its resource");
console.log(`problem: ${problem.status} ${problem.title}: ${problem.detail}`);
