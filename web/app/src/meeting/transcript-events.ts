// The events that are lines of the transcript.
import type { Event } from "../api/schema";

/** The type of an event. */
type EventType = Event["type"];

/** Every type of event, and whether it is a line of the transcript. */
const IN_TRANSCRIPT: Record<EventType, boolean> = {
  meeting_created: false,
  meeting_imported: true,
  meeting_forked: true,
  participant_joined: true,
  participant_left: true,
  participant_invited: true,
  presence_changed: true,
  participant_changed: true,
  person_joined: true,
  person_left: true,
  host_changed: true,
  meeting_started: true,
  rules_changed: true,
  topic_changed: true,
  details_changed: true,
  agenda_changed: true,
  announcement_published: true,
  file_attached: true,
  file_removed: true,
  access_changed: false,
  preparation_started: false,
  intake_written: false,
  team_proposed: true,
  team_reviewed: false,
  evaluation_written: true,
  round_started: true,
  speaker_selected: false,
  speaker_requested: false,
  queue_changed: false,
  call_started: false,
  call_retried: false,
  call_ended: false,
  agent_action: true,
  answer_malformed: false,
  agent_message: true,
  user_message: true,
  tools_allowed: true,
  tool_called: true,
  tool_reviewed: true,
  tool_returned: true,
  turn_skipped: true,
  memory_written: false,
  turn_failed: true,
  round_ended: true,
  summary_written: true,
  metric: true,
  draft_revised: true,
  ballot_opened: true,
  vote_cast: false,
  vote_abstained: false,
  ballot_interrupted: true,
  ballot_closed: true,
  facilitation_written: true,
  pause_requested: false,
  pause: true,
  resume: true,
  minutes_requested: false,
  minutes_written: true,
  artifact_requested: false,
  artifact_written: true,
  recovered: true,
  budget_reached: true,
  provider_wait_started: true,
  provider_wait_ended: true,
  error: true,
  end_requested: false,
  meeting_closing: false,
  conclusion_written: true,
  finished: true,
};

/** Every type of event that this page knows. */
export const EVENT_TYPES: readonly string[] = Object.keys(IN_TRANSCRIPT);

/** The types that are lines of the transcript. */
export const TRANSCRIPT_TYPES: readonly string[] = Object.entries(IN_TRANSCRIPT).flatMap(
  ([type, transcriptTypes]) => (transcriptTypes ? [type] : []),
);

const told = new Set(TRANSCRIPT_TYPES);

/** Whether an event is a line of the transcript. */
export function isInTranscript(event: Event): boolean {
  return told.has(event.type);
}
