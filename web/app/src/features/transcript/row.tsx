// A row of the transcript, for any event.

import { Component, memo, type ReactNode, Suspense } from "react";
import type { Event } from "../../api/schema";
import { lazily } from "../../ui/lazily";
import { BallotClosed, BallotOpened } from "./ballot";
import { Conclusion, Finished } from "./conclusion";
import { DraftRevised, Facilitation } from "./draft-revision";
import * as lines from "./event-lines";
import { Speaking, Working } from "./in-progress";
import { AgentMessage, UserMessage } from "./message";
import { Pause, Resume } from "./pause";
import { ArtifactWritten, MinutesWritten, Summary } from "./records";
import { Head, RoundEnded, RoundStarted } from "./round";
import type { Row } from "./rows";

// Few meetings have coding agents, or tools.
const AgentAction = lazily(() => import("./agent-action").then((part) => ({ default: part.AgentAction })));
const ToolLine = lazily(() => import("./tool-lines"));

/** Catches the error of a line that cannot be drawn; the others still are. */
class Unbroken extends Component<{ seq: number; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <lines.Broken seq={this.props.seq} /> : this.props.children;
  }
}

/** One row. It is drawn again only when the row changes, or when a target that it refers to is loaded. */
export const RowView = memo(function RowView({ row }: { row: Row }): ReactNode {
  switch (row.what) {
    case "head":
      return <Head />;
    case "joined":
      return <lines.Joined events={row.events} />;
    case "speaking":
      return <Speaking turn={row.turn} participant={row.participant} rowKey={row.key} />;
    case "working":
      return <Working task={row.task} />;
    case "line":
      return <Unbroken seq={row.seq}>{drawn(row.event, row.key)}</Unbroken>;
  }
});

function drawn(event: Event, key: string): ReactNode {
  switch (event.type) {
    case "agent_message":
      return <AgentMessage event={event} rowKey={key} />;
    case "user_message":
      return <UserMessage event={event} rowKey={key} />;
    case "round_started":
      return <RoundStarted event={event} />;
    case "round_ended":
      return <RoundEnded event={event} />;
    case "turn_skipped":
      return <lines.Skipped event={event} />;
    case "turn_failed":
      return <lines.TurnFailed event={event} />;
    case "summary_written":
      return <Summary event={event} rowKey={key} />;
    case "draft_revised":
      return <DraftRevised event={event} />;
    case "facilitation_written":
      return <Facilitation event={event} />;
    case "ballot_opened":
      return <BallotOpened event={event} />;
    case "ballot_interrupted":
      return <lines.BallotInterrupted />;
    case "ballot_closed":
      return <BallotClosed event={event} />;
    case "metric":
      return <lines.Metric event={event} />;
    case "minutes_written":
      return <MinutesWritten event={event} />;
    case "artifact_written":
      return <ArtifactWritten event={event} />;
    case "announcement_published":
      return <lines.Announced event={event} />;
    case "agenda_changed":
      return <lines.AgendaChanged event={event} />;
    case "agent_action":
      return (
        <Suspense fallback={null}>
          <AgentAction event={event} />
        </Suspense>
      );
    case "file_attached":
      return <lines.FileAttached event={event} />;
    case "tools_allowed":
    case "tool_called":
    case "tool_reviewed":
    case "tool_returned":
      return (
        <Suspense fallback={null}>
          <ToolLine event={event} />
        </Suspense>
      );
    case "file_removed":
      return <lines.FileRemoved event={event} />;
    case "topic_changed":
      return <lines.TopicChanged event={event} />;
    case "details_changed":
      return <lines.DetailsChanged event={event} />;
    case "rules_changed":
      return <lines.RulesChanged event={event} />;
    case "participant_joined":
      return <lines.JoinedBecause event={event} />;
    case "participant_left":
      return <lines.Left event={event} />;
    case "person_joined":
      return <lines.Arrived event={event} />;
    case "person_left":
      return <lines.Departed event={event} />;
    case "host_changed":
      return <lines.HostChanged event={event} />;
    case "participant_invited":
      return <lines.Invited event={event} />;
    case "presence_changed":
      return <lines.PresenceChanged event={event} />;
    case "participant_changed":
      return <lines.ParticipantChanged event={event} />;
    case "team_proposed":
      return <lines.TeamProposed event={event} />;
    case "evaluation_written":
      return <lines.Evaluated event={event} />;
    case "pause":
      return <Pause event={event} />;
    case "resume":
      return <Resume event={event} />;
    case "budget_reached":
      return <lines.BudgetReached event={event} />;
    case "provider_wait_started":
      return <lines.ProviderWait event={event} />;
    case "provider_wait_ended":
      return <lines.ProviderWaitEnded event={event} />;
    case "error":
      return <lines.TaskFailed event={event} />;
    case "meeting_started":
      return <lines.Started event={event} />;
    case "meeting_forked":
      return <lines.Forked event={event} />;
    case "meeting_imported":
      return <lines.Imported event={event} />;
    case "recovered":
      return <lines.Recovered event={event} />;
    case "conclusion_written":
      return <Conclusion event={event} />;
    case "finished":
      return <Finished event={event} />;
    default:
      return null;
  }
}
