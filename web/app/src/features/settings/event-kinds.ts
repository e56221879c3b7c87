// The kinds of events that a webhook can be sent, in the order of a meeting.

import i18n from "../../i18n";
import type { Kind } from "../../meeting/event-types";

/** All kinds of events at once. */
export const ALL_KINDS = "*";

// A kind that the server has and this list lacks does not compile.
const KINDS: Record<Kind, true> = {
  meeting_created: true,
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
  access_changed: true,
  preparation_started: true,
  intake_written: true,
  team_proposed: true,
  team_reviewed: true,
  evaluation_written: true,
  round_started: true,
  speaker_selected: true,
  speaker_requested: true,
  queue_changed: true,
  call_started: true,
  call_retried: true,
  agent_action: true,
  call_ended: true,
  answer_malformed: true,
  agent_message: true,
  user_message: true,
  tools_allowed: true,
  tool_called: true,
  tool_reviewed: true,
  tool_returned: true,
  turn_skipped: true,
  memory_written: true,
  turn_failed: true,
  round_ended: true,
  summary_written: true,
  metric: true,
  draft_revised: true,
  ballot_opened: true,
  vote_cast: true,
  vote_abstained: true,
  ballot_interrupted: true,
  ballot_closed: true,
  facilitation_written: true,
  pause_requested: true,
  pause: true,
  resume: true,
  minutes_requested: true,
  minutes_written: true,
  artifact_requested: true,
  artifact_written: true,
  recovered: true,
  budget_reached: true,
  provider_wait_started: true,
  provider_wait_ended: true,
  error: true,
  end_requested: true,
  meeting_closing: true,
  conclusion_written: true,
  finished: true,
};

/** The kinds, by the names under which they are sent. */
export const EVENT_KINDS: readonly string[] = Object.keys(KINDS);

/** A kind in words; a newer server may send others. */
export function eventKind(kind: string): string {
  return kind === ALL_KINDS
    ? i18n.t("settings.webhooks.all_events")
    : (i18n.find(`settings.event.${kind}`) ?? kind);
}
