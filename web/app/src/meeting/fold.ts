// The fold of one event into the view, as in the core. Total: the event has already happened and is not judged.
import type { Event } from "../api/schema";
import { abstentionOf, closeBallot, interruptBallot, openBallot, recordVote } from "./fold/ballot";
import { endCall, failTask, retryCall, startCall } from "./fold/calls";
import { derive } from "./fold/derive";
import { setDetails, setTopicAsTitle } from "./fold/details";
import { startFork } from "./fold/fork";
import { addAgentMessage, addFacilitation, addUserMessage } from "./fold/messages";
import { silenceMaxMs, withToolLimits } from "./fold/older";
import {
  addEvaluation,
  addParticipant,
  changeParticipant,
  changePresence,
  failTurn,
  removeParticipant,
  updateMemory,
} from "./fold/participants";
import { endProviderWait, pause, requestPause, resume, startClosing, startProviderWait } from "./fold/pause";
import { addPerson, removePerson, setFirstHost, setHost } from "./fold/people-at-table";
import {
  addArtifact,
  addMinutes,
  addMinutesRequest,
  addSummary,
  changeAgenda,
  outcomeOf,
} from "./fold/records";
import { changeQueue, endRound, endTurn, selectSpeaker, startRound } from "./fold/round";
import { addRunningTime, rfc3339 } from "./fold/time";
import type { View } from "./view";

/** The view after one more event. What the event does not touch keeps its identity. */
export function apply(view: View, event: Event): View {
  try {
    const next = moved(view, event);
    addRunningTime(view, next, event);
    fold(next, event);
    derive(view, next);
    return next;
  } catch {
    // A fact of another shape than we know: what follows from it, the server knows.
    const next = moved(view, event);
    next.kept = { ...next.kept, stale: true };
    derive(view, next);
    return next;
  }
}

/** The view after these events. */
export function applyAll(view: View, events: Iterable<Event>): View {
  let next = view;
  for (const event of events) next = apply(next, event);
  return next;
}

function moved(view: View, event: Event): View {
  return {
    ...view,
    run_id: event.run_id ?? view.run_id,
    last_seq: event.seq,
    updated_at: event.ts_ms === undefined ? view.updated_at : rfc3339(event.ts_ms),
  };
}

function fold(v: View, event: Event): void {
  switch (event.type) {
    case "meeting_created": {
      const { topic, background, details, language, format, rules, seed, facilitator, moderator, by } =
        event.payload;
      Object.assign(v, { topic, language, format, rules: withToolLimits(rules), seed });
      setDetails(v, details ?? {});
      v.background = background ?? "";
      v.facilitator = facilitator ?? null;
      v.moderator = moderator ?? { type: "user" };
      setFirstHost(v, by);
      v.created_at = rfc3339(event.ts_ms);
      v.step = null;
      return;
    }
    case "participant_joined":
      addParticipant(v, event.payload.participant);
      return;
    case "participant_left":
      removeParticipant(v, event.payload);
      return;
    case "presence_changed":
      changePresence(v, event.payload);
      return;
    case "participant_changed":
      changeParticipant(v, event.payload.participant, event.payload);
      return;
    case "person_joined":
      addPerson(v, rfc3339(event.ts_ms), event.payload.person);
      return;
    case "person_left":
      removePerson(v, event.payload.person.id);
      return;
    case "host_changed":
      setHost(v, event.payload.host);
      return;
    case "meeting_imported":
      setFirstHost(v, event.payload.by);
      return;
    case "meeting_forked":
      v.people = [];
      setFirstHost(v, event.payload.by);
      startFork(v, rfc3339(event.ts_ms), event.payload);
      endProviderWait(v);
      return;
    case "meeting_started":
      v.started_at = rfc3339(event.ts_ms);
      v.step = "preparation";
      v.silence_max_ms = event.payload.silence_max_ms ?? silenceMaxMs(v.rules);
      return;
    case "rules_changed":
      v.rules = withToolLimits(event.payload.rules);
      v.silence_max_ms = event.payload.silence_max_ms ?? silenceMaxMs(v.rules);
      return;
    case "topic_changed":
      v.topic = event.payload.topic;
      setTopicAsTitle(v);
      return;
    case "details_changed":
      setDetails(v, event.payload.details);
      return;
    case "agenda_changed":
      changeAgenda(v, event.payload);
      return;
    case "team_proposed": {
      const { candidates = [], departures = [] } = event.payload;
      v.kept = { ...v.kept, proposal: { candidates, departures } };
      return;
    }
    case "tools_allowed":
      v.tools = event.payload.tools;
      return;
    case "tool_called":
    case "tool_reviewed":
    case "tool_returned":
    case "file_attached":
    case "file_removed":
    case "agent_action":
      return;
    case "announcement_published": {
      const { text, by } = event.payload;
      v.announcements = [...v.announcements, { seq: event.seq, text, by }];
      return;
    }
    case "access_changed":
      v.locked = event.payload.locked;
      return;
    case "preparation_started":
      v.step = "preparation";
      return;
    case "evaluation_written":
      addEvaluation(v, event.payload);
      return;
    case "round_started":
      startRound(v, event.payload);
      return;
    case "speaker_selected":
      selectSpeaker(v, event.seq, event.payload);
      return;
    case "queue_changed":
      changeQueue(v, event.payload);
      return;
    case "call_started":
      startCall(v, rfc3339(event.ts_ms), event.payload);
      return;
    case "call_retried":
      retryCall(v, rfc3339(event.ts_ms), rfc3339(event.ts_ms + event.payload.wait_ms), event.payload);
      return;
    case "call_ended":
      endCall(v, event.payload);
      return;
    case "agent_message":
      addAgentMessage(v, event.seq, rfc3339(event.ts_ms), event.payload);
      return;
    case "user_message":
      addUserMessage(v, event.seq, rfc3339(event.ts_ms), event.payload);
      return;
    case "turn_skipped":
      endTurn(v, event.payload.turn, "skipped");
      return;
    case "turn_failed":
      failTurn(v, event.seq, event.payload);
      endTurn(v, event.payload.turn, { failed: event.payload.kind });
      return;
    case "round_ended":
      endRound(v, event.seq);
      return;
    case "summary_written":
      addSummary(v, event.seq, event.payload);
      return;
    case "metric": {
      const { round, open_questions_count, disagreements_count, convergence_score, stable_rounds } =
        event.payload;
      const metric = { round, open_questions_count, disagreements_count, convergence_score, stable_rounds };
      v.metrics = [...v.metrics, metric];
      return;
    }
    case "memory_written":
      updateMemory(v, event.payload);
      return;
    case "draft_revised": {
      const { version, text, by } = event.payload;
      v.draft = { version, seq: event.seq, text, by };
      return;
    }
    case "ballot_opened":
      openBallot(v, event.payload);
      return;
    case "vote_cast":
      recordVote(v, event.payload, ({ vote }) => ({ vote }));
      return;
    case "vote_abstained":
      recordVote(v, event.payload, (payload) => abstentionOf(event.seq, payload));
      return;
    case "ballot_interrupted":
      interruptBallot(v, event.payload.by);
      return;
    case "ballot_closed":
      closeBallot(v, event.seq, event.payload.verdict);
      return;
    case "facilitation_written":
      addFacilitation(v, event.seq, rfc3339(event.ts_ms), event.payload);
      return;
    case "pause_requested":
      requestPause(v, event.payload);
      return;
    case "pause":
      pause(v, rfc3339(event.ts_ms), event.payload);
      return;
    case "resume":
      resume(v);
      return;
    case "error":
      failTask(v, event.payload);
      return;
    case "minutes_requested":
      addMinutesRequest(v, event.payload);
      return;
    case "minutes_written":
      addMinutes(v, event.seq, rfc3339(event.ts_ms), event.payload);
      return;
    case "artifact_written":
      addArtifact(v, event.seq, event.payload);
      return;
    case "end_requested":
      v.ended_by = { by: event.payload.by, note: event.payload.note ?? "", seq: event.seq };
      return;
    case "meeting_closing":
      startClosing(v, outcomeOf(event.payload));
      return;
    case "conclusion_written": {
      const { by, conclusion, reasons, disagreements, actions, best, wildcard } = event.payload;
      v.conclusion = {
        seq: event.seq,
        by,
        text: conclusion,
        ...(reasons ? { reasons } : {}),
        disagreements,
        actions,
        best: best ?? [],
        wildcard: wildcard ?? null,
      };
      return;
    }
    case "finished":
      v.step = null;
      v.state = "ended";
      v.outcome = outcomeOf(event.payload);
      return;
    case "provider_wait_started":
      startProviderWait(v, rfc3339(event.ts_ms), event.payload);
      return;
    case "provider_wait_ended":
      endProviderWait(v);
      return;
    // These change nothing that is shown.
    case "participant_invited":
    case "speaker_requested":
    case "intake_written":
    case "team_reviewed":
    case "answer_malformed":
    case "artifact_requested":
    case "recovered":
    case "budget_reached":
      return;
    default:
      unknown(v, event);
      return;
  }
}

/**
 * An event of a newer server: what follows from it, the server knows. Keeps the list above complete, too: a new type of the
 * contract does not compile until it has its place.
 */
function unknown(v: View, _: never): void {
  v.kept = { ...v.kept, stale: true, outdated: true };
}
