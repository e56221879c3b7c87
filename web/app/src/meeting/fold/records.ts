// Written records: agenda, summaries, minutes, artifacts, and the outcome.
import { ARTIFACTS } from "../../api/choices";
import type { AgendaChange, MeetingOutcome, MessageId } from "../../api/schema";
import type { View } from "../view";
import { artifactCovers } from "./older";
import { numberOf, type Payload } from "./payload";

/** The agenda has another point, or one has changed. */
export function changeAgenda(v: View, change: AgendaChange): void {
  const complete = (id: string, completed: boolean) =>
    v.agenda.map((item) => (item.id === id ? { ...item, completed } : item));
  switch (change.change) {
    case "added":
      v.agenda = [...v.agenda, change.item];
      return;
    case "completed":
      v.agenda = complete(change.item, true);
      return;
    case "reopened":
      v.agenda = complete(change.item, false);
      return;
    case "removed":
      v.agenda = v.agenda.filter((item) => item.id !== change.item);
      return;
  }
}

/** A round is summed up. */
export function addSummary(v: View, seq: number, payload: Payload<"summary_written">): void {
  const { round, by, text, positions } = payload;
  const open_questions = payload.open_questions ?? [];
  const disagreements = payload.disagreements ?? [];
  v.summary = { round, seq, text, positions, open_questions, disagreements, by };
  Object.assign(v, { positions, open_questions, disagreements });
}

/** Minutes were requested. */
export function addMinutesRequest(v: View, payload: Payload<"minutes_requested">): void {
  setWriters(v, { ...v.kept.writers, [payload.version]: payload.writer ?? null });
}

/** Minutes that were asked for do not come. */
export function removeMinutesRequest(v: View, version: number): void {
  const { [version]: _, ...writers } = v.kept.writers;
  setWriters(v, writers);
}

/** Minutes are there. */
export function addMinutes(v: View, seq: number, at: string, payload: Payload<"minutes_written">): void {
  const { version, author, covers, minutes } = payload;
  removeMinutesRequest(v, version);
  const covered = covers == null ? 0 : upTo(v, covers);
  v.minutes = { version, seq, written_at: at, author, covers: covered, minutes };
}

/** An artifact is there; of each kind the last version is shown. */
export function addArtifact(v: View, seq: number, payload: Payload<"artifact_written">): void {
  const { artifact_type: kind, version, content, author } = payload;
  const task = `artifact:${kind}:${version}`;
  const covered = payload.covers == null ? artifactCovers(v, task, author) : upTo(v, payload.covers);
  const { [task]: _, ...covers } = v.kept.covers;
  v.kept = { ...v.kept, covers };
  const others = v.artifacts.filter((artifact) => artifact.kind !== kind);
  const artifacts = [...others, { kind, version, seq, covers: covered, content, author }];
  v.artifacts = artifacts.sort((a, b) => ARTIFACTS.indexOf(a.kind) - ARTIFACTS.indexOf(b.kind));
}

/** The outcome of a meeting, from an event that may hold more. */
export function outcomeOf(payload: MeetingOutcome): MeetingOutcome {
  switch (payload.outcome) {
    case "accepted":
      return { outcome: payload.outcome, ballot: payload.ballot };
    case "completed":
      return { outcome: payload.outcome };
    case "converged":
      return { outcome: payload.outcome, by: payload.by };
    case "aborted":
      switch (payload.reason) {
        case "budget":
          return { outcome: payload.outcome, reason: payload.reason, budget: payload.budget };
        case "user":
          return { outcome: payload.outcome, reason: payload.reason, note: payload.note ?? "" };
        default:
          return { outcome: payload.outcome, reason: payload.reason };
      }
  }
}

/** The number of messages up to this one, which is the last that something covers. */
function upTo(v: View, last: MessageId): number {
  return Math.min(numberOf(last), v.messages_total);
}

function setWriters(v: View, writers: View["kept"]["writers"]): void {
  v.kept = { ...v.kept, writers };
  const versions = Object.keys(writers).map(Number);
  v.minutes_requested = versions.length > 0 ? Math.min(...versions) : null;
}
