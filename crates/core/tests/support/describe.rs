//! A log as people tell it.

use quorate_contract::*;
use quorate_core::*;

/// The transcript; what is of no interest to people is left out.
pub fn transcript(meeting: &Meeting, log: &[Event]) -> String {
    log.iter().filter_map(|event| tell(meeting, event)).collect::<Vec<_>>().join("\n")
}

fn tell(m: &Meeting, event: &Event) -> Option<String> {
    let name = |id: &ParticipantId| m.name_of(*id);
    Some(match &event.body {
        EventBody::RoundStarted { round, kind, focus, .. } => {
            let focus: String = focus.iter().map(|line| format!("\n  focus: {line}")).collect();
            format!("— round {round}, {kind:?}{focus}")
        }
        EventBody::SpeakerSelected { participant, reason, .. } => match reason {
            TurnReason::Rotation => return None,
            TurnReason::Mentioned { by } => format!("({} was mentioned in {by})", name(participant)),
            TurnReason::Requested => format!("({} was asked for)", name(participant)),
        },
        EventBody::AgentMessage { message, cut_from_chars, ended_early, .. } => {
            let marks = marks_of_missing_parts(m.language(), *cut_from_chars, *ended_early);
            format!("{}: {}{marks}", message.name, message.content)
        }
        EventBody::UserMessage { message, .. } => format!("{}: {}", message.name, message.content),
        // Who hosts needs no welcome.
        EventBody::PersonJoined { person } if m.is_host(&person.clone().into()) => return None,
        EventBody::PersonJoined { person } => format!("— {} joins", person.name),
        EventBody::PersonLeft { person, .. } => format!("— {} leaves", person.name),
        EventBody::HostChanged { host, .. } => format!("— {} hosts", host.name),
        EventBody::TurnSkipped { participant, phrases, .. } if !phrases.is_empty() => {
            format!("{} is not asked: only {phrases:?} was said", name(participant))
        }
        EventBody::TurnSkipped { participant, .. } => format!("{} skips", name(participant)),
        EventBody::TurnFailed { participant, kind, .. } => format!("{} fails: {kind:?}", name(participant)),
        EventBody::SummaryWritten { text, by, restored, .. } => {
            let restored: Vec<_> = restored.iter().map(name).collect();
            let put_back = match restored.is_empty() {
                true => String::new(),
                false => format!(" (put back: {})", restored.join(", ")),
            };
            format!("Summary ({by:?}): {text}{put_back}")
        }
        EventBody::DraftRevised { version, text, by } => format!("Draft {version} ({by:?}): {text}"),
        EventBody::BallotOpened { ballot, .. } => format!("— ballot {ballot}"),
        EventBody::VoteCast { participant, vote, .. } => {
            format!("{} votes {}", name(participant), vote.score)
        }
        EventBody::VoteAbstained { participant, kind, .. } => {
            format!("{} abstains: {kind:?}", name(participant))
        }
        EventBody::BallotInterrupted { ballot, by } => format!("— ballot {ballot} interrupted by {by}"),
        EventBody::BallotClosed { ballot, verdict } => {
            let clauses: Vec<_> = verdict.clauses.iter().map(|c| clause_text(Language::En, c)).collect();
            format!("— ballot {ballot} passed: {} ({})", verdict.passed, clauses.join(", "))
        }
        EventBody::FacilitationWritten { message, .. } => {
            format!("{}: {}", facilitator_name(m.language()), message.content)
        }
        EventBody::AnswerMalformed { task, problem, .. } => format!("({task} asked again: {problem})"),
        EventBody::PauseRequested { .. } => "— a pause is asked for".into(),
        EventBody::MeetingForked { at, .. } => format!("— forked at {at}"),
        EventBody::Pause { pause_reason, .. } => format!("— paused: {pause_reason:?}"),
        EventBody::Resume { .. } => "— resumed".into(),
        EventBody::ProviderWaitStarted { waiting_for, tries, .. } => {
            format!("— waits for {}, {tries} tries", waiting_for.join(", "))
        }
        EventBody::ProviderWaitEnded { reason } => format!("— waits no longer: {reason:?}"),
        EventBody::Recovered { idle_ms: None } => "— taken up by another process".into(),
        EventBody::Recovered { idle_ms: Some(_) } => "— the clock was set forward".into(),
        EventBody::BudgetReached { budget, .. } => format!("— budget reached: {budget:?}"),
        EventBody::Error { task, kind, .. } => format!("({task} failed: {kind:?})"),
        EventBody::EndRequested { .. } => "— the end is asked for".into(),
        EventBody::ConclusionWritten { conclusion, by, .. } => format!("Conclusion ({by:?}): {conclusion}"),
        EventBody::Finished { .. } => format!("— finished: {}", outcome_text(m)),
        EventBody::ParticipantJoined { participant, .. }
            if m.started_at.is_some_and(|at| event.ts_ms > at) =>
        {
            format!("— {} joins", participant.name)
        }
        EventBody::ParticipantLeft { participant, .. } => format!("— {} leaves", name(participant)),
        EventBody::CallEnded { task, end: CallEnd::Cancelled, .. } => format!("({task} cancelled)"),
        EventBody::CallEnded { task, end: CallEnd::Lost, .. } => format!("({task} lost)"),
        EventBody::PresenceChanged { participant, presence, .. } => {
            format!("— {} is {presence:?}", name(participant))
        }
        EventBody::ParticipantChanged { participant, skip_list, .. } => {
            format!("— {} need not be asked about {skip_list:?}", name(participant))
        }
        EventBody::RulesChanged { .. } => "— other rules".into(),
        EventBody::TopicChanged { topic, .. } => format!("— the topic is now {topic}"),
        EventBody::DetailsChanged { details, .. } => format!("— called {:?}", details.title),
        EventBody::FileAttached { file, .. } => format!("— file {} {}", file.id, file.name),
        EventBody::FileRemoved { file, .. } => format!("— file {file} removed"),
        EventBody::AgendaChanged { change, .. } => format!("— agenda: {change:?}"),
        EventBody::AnnouncementPublished { text, .. } => format!("— announced: {text}"),
        EventBody::ParticipantInvited { description, .. } => format!("— wanted: {description}"),
        EventBody::IntakeWritten { questions, .. } => {
            format!("— asks {}", questions.iter().map(|one| one.key.as_str()).collect::<Vec<_>>().join(", "))
        }
        EventBody::TeamProposed { candidates, departures, .. } => {
            let come: Vec<_> = candidates.iter().map(|one| one.newcomer.name.as_str()).collect();
            let go: Vec<_> = departures.iter().map(|one| name(&one.participant)).collect();
            format!("— proposed to come: {}; to go: {}", come.join(", "), go.join(", "))
        }
        EventBody::EvaluationWritten { marks, .. } => {
            let marks: Vec<_> =
                marks.iter().map(|m| format!("{} {}", name(&m.participant), m.score)).collect();
            format!("(marks: {})", marks.join(", "))
        }
        EventBody::Metric { convergence_score, open_questions_count, disagreements_count, .. } => format!(
            "(convergence {convergence_score}: {open_questions_count} open, {disagreements_count} divided)"
        ),
        EventBody::MinutesWritten { version, minutes, .. } => {
            format!("Minutes {version}: {}", minutes.content)
        }
        EventBody::ArtifactWritten { artifact_type, version, .. } => format!("{artifact_type} {version}"),
        EventBody::ToolCalled { participant, tool, arguments, .. } => {
            format!("{} calls {tool} {arguments}", name(participant))
        }
        EventBody::ToolReviewed { call, decision, .. } => format!("— {call}: {decision:?}"),
        EventBody::ToolReturned { call, outcome, .. } => match outcome {
            ToolOutcome::Returned { text, .. } => format!("— {call}: {text}"),
            ToolOutcome::Failed { kind, .. } => format!("— {call}: {kind:?}"),
        },
        EventBody::ToolsAllowed { .. } => return None,
        EventBody::AccessChanged { .. }
        | EventBody::PreparationStarted { .. }
        | EventBody::MemoryWritten { .. }
        | EventBody::MinutesRequested { .. }
        | EventBody::ArtifactRequested { .. }
        | EventBody::MeetingCreated { .. }
        | EventBody::MeetingImported { .. }
        | EventBody::ParticipantJoined { .. }
        | EventBody::MeetingStarted { .. }
        | EventBody::SpeakerRequested { .. }
        | EventBody::QueueChanged { .. }
        | EventBody::TeamReviewed { .. }
        | EventBody::CallRetried { .. }
        | EventBody::AgentAction { .. }
        | EventBody::CallStarted { .. }
        | EventBody::CallEnded { .. }
        | EventBody::RoundEnded { .. }
        | EventBody::MeetingClosing { .. } => return None,
    })
}
