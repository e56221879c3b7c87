//! The row of a meeting, folded from its events.

use quorate_contract::{
    AbortReason, Actor, BudgetKind, Event, EventBody, Language, MeetingDetails, MeetingId, MeetingOutcome,
    RunnerSpec, Timestamp, without_references,
};
use quorate_core::MeetingState;

use crate::chain::{self, Hash};
use crate::meeting_summary::ForkOrigin;

/// The columns that are settled by the first event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImmutableColumns {
    pub(crate) language: &'static str,
    pub(crate) format: &'static str,
    pub(crate) created: Timestamp,
}

impl ImmutableColumns {
    pub(crate) fn of(first: &Event) -> Self {
        let (language, format) = match &first.body {
            EventBody::MeetingCreated { language, format, .. } => {
                let language = match language {
                    Language::Zh => "zh",
                    Language::En => "en",
                };
                (language, format.as_str())
            }
            // No meeting begins like this; its log is kept all the same.
            _ => ("", ""),
        };
        Self { language, format, created: first.ts_ms }
    }
}

/// The columns that change with the meeting.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MutableColumns {
    pub(crate) topic: String,
    pub(crate) phase: MeetingState,
    pub(crate) paused: bool,
    pub(crate) outcome: Option<String>,
    pub(crate) simulated: bool,
    pub(crate) participants: u32,
    /// The title, where it is not the topic.
    pub(crate) title: Option<String>,
    /// Whether the title was given, and so does not follow the topic.
    pub(crate) has_own_title: bool,
    /// What the meeting is for.
    pub(crate) description: String,
    /// The origin of a fork.
    pub(crate) forked: Option<ForkOrigin>,
    /// When it was forked.
    pub(crate) created: Option<Timestamp>,
    /// The first line of the conclusion; `None` before there is one.
    pub(crate) conclusion: Option<String>,
    /// The person who created, imported or forked it; `None` when that is not known.
    pub(crate) created_by: Option<String>,
    pub(crate) updated: Timestamp,
    pub(crate) last_seq: u64,
    pub(crate) last_hash: Hash,
}

impl MutableColumns {
    /// Before the first event.
    pub(crate) fn at_the_beginning(meeting: &MeetingId) -> Self {
        Self {
            topic: String::new(),
            phase: MeetingState::Draft,
            paused: false,
            outcome: None,
            simulated: false,
            participants: 0,
            title: None,
            has_own_title: false,
            description: String::new(),
            forked: None,
            created: None,
            conclusion: None,
            created_by: None,
            updated: Timestamp::default(),
            last_seq: 0,
            last_hash: chain::beginning(meeting),
        }
    }

    /// Goes past an event that cannot be read, of which `hash` is the checksum.
    pub(crate) fn skip(&mut self, hash: Hash) {
        self.last_seq += 1;
        self.last_hash = hash;
    }

    /// Folds the next event, of which `hash` is the checksum.
    pub(crate) fn apply(&mut self, event: &Event, hash: Hash) {
        self.skip(hash);
        self.updated = event.ts_ms;
        match &event.body {
            EventBody::MeetingCreated { topic, facilitator, details, by, .. } => {
                self.topic.clone_from(topic);
                self.is_of(by);
                self.describe(details);
                self.simulated |= facilitator.as_ref().is_some_and(|f| is_simulated(&f.runner));
            }
            EventBody::TopicChanged { topic, .. } => {
                self.topic.clone_from(topic);
                if !self.has_own_title {
                    self.title = None;
                }
            }
            EventBody::DetailsChanged { details, .. } => self.describe(details),
            // Forks of older versions are listed as they were.
            EventBody::MeetingForked { from, at, title, carried: Some(_), by } => {
                self.is_of(by);
                self.title = Some(title.clone());
                self.forked = Some(ForkOrigin { meeting: from.clone(), seq: *at });
                self.created = Some(event.ts_ms);
            }
            EventBody::MeetingImported { by, .. } => self.is_of(by),
            EventBody::ParticipantJoined { participant, .. } => {
                self.participants = self.participants.saturating_add(1);
                self.simulated |= is_simulated(&participant.runner);
            }
            EventBody::ParticipantLeft { .. } => {
                self.participants = self.participants.saturating_sub(1);
            }
            EventBody::ConclusionWritten { conclusion, .. } => self.conclusion = first_line(conclusion),
            EventBody::MeetingStarted { .. } | EventBody::PreparationStarted { .. } => {
                self.phase = MeetingState::Preparation;
            }
            EventBody::RoundStarted { .. }
            | EventBody::RoundEnded { .. }
            | EventBody::BallotInterrupted { .. } => self.phase = MeetingState::Discussion,
            EventBody::BallotOpened { .. } | EventBody::BallotClosed { .. } => {
                self.phase = MeetingState::Ballot
            }
            EventBody::MeetingClosing { .. } => {
                self.phase = MeetingState::Closing;
                self.paused = false;
            }
            EventBody::Pause { .. } => self.paused = true,
            EventBody::Resume { .. } => self.paused = false,
            EventBody::Finished { outcome, .. } => {
                self.phase = MeetingState::Ended;
                self.paused = false;
                self.outcome = Some(outcome_name(outcome).to_owned());
            }
            EventBody::ParticipantInvited { .. }
            | EventBody::PersonJoined { .. }
            | EventBody::PersonLeft { .. }
            | EventBody::HostChanged { .. }
            | EventBody::PresenceChanged { .. }
            | EventBody::ParticipantChanged { .. }
            | EventBody::RulesChanged { .. }
            | EventBody::AgendaChanged { .. }
            | EventBody::ToolsAllowed { .. }
            | EventBody::ToolCalled { .. }
            | EventBody::ToolReviewed { .. }
            | EventBody::ToolReturned { .. }
            | EventBody::FileAttached { .. }
            | EventBody::FileRemoved { .. }
            | EventBody::AnnouncementPublished { .. }
            | EventBody::AccessChanged { .. }
            | EventBody::IntakeWritten { .. }
            | EventBody::TeamProposed { .. }
            | EventBody::EvaluationWritten { .. }
            | EventBody::MemoryWritten { .. }
            | EventBody::Metric { .. }
            | EventBody::MinutesRequested { .. }
            | EventBody::MinutesWritten { .. }
            | EventBody::ArtifactRequested { .. }
            | EventBody::ArtifactWritten { .. }
            | EventBody::MeetingForked { carried: None, .. }
            | EventBody::EndRequested { .. }
            | EventBody::SpeakerSelected { .. }
            | EventBody::SpeakerRequested { .. }
            | EventBody::QueueChanged { .. }
            | EventBody::TeamReviewed { .. }
            | EventBody::CallRetried { .. }
            | EventBody::AgentAction { .. }
            | EventBody::CallStarted { .. }
            | EventBody::CallEnded { .. }
            | EventBody::AnswerMalformed { .. }
            | EventBody::AgentMessage { .. }
            | EventBody::UserMessage { .. }
            | EventBody::TurnSkipped { .. }
            | EventBody::TurnFailed { .. }
            | EventBody::SummaryWritten { .. }
            | EventBody::DraftRevised { .. }
            | EventBody::VoteCast { .. }
            | EventBody::VoteAbstained { .. }
            | EventBody::FacilitationWritten { .. }
            | EventBody::PauseRequested { .. }
            | EventBody::Recovered { .. }
            | EventBody::BudgetReached { .. }
            | EventBody::ProviderWaitStarted { .. }
            | EventBody::ProviderWaitEnded { .. }
            | EventBody::Error { .. } => {}
        }
    }
}

impl MutableColumns {
    fn is_of(&mut self, creator: &Actor) {
        self.created_by = creator.as_person().map(|person| person.id);
    }

    fn describe(&mut self, details: &MeetingDetails) {
        self.has_own_title = !details.title.is_empty();
        self.title = self.has_own_title.then(|| details.title.clone());
        self.description.clone_from(&details.description);
    }
}

/// The first line with text, without the marks of Markdown before it, and cut where it is too long for a list. A line
/// that only leads to the next one, as one before a list does, has that beside it.
fn first_line(text: &str) -> Option<String> {
    const LONGEST: usize = 200;
    let marks = |letter: char| letter.is_whitespace() || matches!(letter, '#' | '>' | '*' | '-' | '_' | '`');
    let mut lines = text.lines().map(|line| line.trim_matches(marks)).filter(|line| !line.is_empty());
    let first = lines.next()?;
    let next = first.ends_with([':', '：']).then(|| lines.next()).flatten();
    let line = next.map_or_else(
        || first.to_owned(),
        |next| format!("{first}{}{next}", if first.ends_with(':') { " " } else { "" }),
    );
    let cut = line.char_indices().nth(LONGEST).map(|(at, _)| format!("{}…", line[..at].trim_end()));
    Some(cut.unwrap_or(line))
}

/// A line of Markdown as words: without signs of emphasis and code, without references to messages and claims, and a link by
/// what it is called. Of a pair of signs the first may be missing, as where [`first_line`] cut it off.
pub(crate) fn without_markdown(line: &str) -> String {
    let line = without_references(line);
    let mut words = String::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    // The places in `words` at which brackets were opened.
    let mut brackets = Vec::new();
    while let Some(letter) = rest.next() {
        match letter {
            '`' => {}
            '*' | '~' => {
                let before = words.chars().next_back();
                let mut run = 1;
                while rest.next_if_eq(&letter).is_some() {
                    run += 1;
                }
                // Not in a product, `3 * 4`, nor in `~200`.
                let is_between = |side: Option<char>| {
                    side.is_none_or(|side| side.is_whitespace() || side.is_ascii_digit())
                };
                let is_sign =
                    run > 1 || letter == '*' && !(is_between(before) && is_between(rest.peek().copied()));
                if !is_sign {
                    words.push(letter);
                }
            }
            '[' => {
                brackets.push(words.len());
                words.push(letter);
            }
            ']' => match (brackets.pop(), rest.peek().copied()) {
                (Some(opened), Some('(')) if rest.clone().any(|letter| letter == ')') => {
                    words.remove(opened);
                    rest.by_ref().take_while(|letter| *letter != ')').for_each(drop);
                }
                _ => words.push(letter),
            },
            other => words.push(other),
        }
    }
    words
}

fn is_simulated(runner: &RunnerSpec) -> bool {
    matches!(runner, RunnerSpec::Simulated { .. })
}

fn outcome_name(outcome: &MeetingOutcome) -> &'static str {
    match outcome {
        MeetingOutcome::Accepted { .. } => "accepted",
        MeetingOutcome::Converged { .. } => "converged",
        MeetingOutcome::Completed => "completed",
        MeetingOutcome::Aborted(reason) => match reason {
            AbortReason::RoundLimit => "aborted(round_limit)",
            AbortReason::Budget { budget: BudgetKind::Tokens } => "aborted(token_budget)",
            AbortReason::Budget { budget: BudgetKind::Cost } => "aborted(cost_budget)",
            AbortReason::Budget { budget: BudgetKind::WallTime } => "aborted(time_budget)",
            AbortReason::User { .. } => "aborted(user)",
            AbortReason::NobodyLeft => "aborted(nobody_left)",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_shows_the_first_line_of_a_conclusion() {
        assert_eq!(first_line("\n## **PostgreSQL**\n\nbecause"), Some("PostgreSQL".to_owned()));
        assert_eq!(first_line("> 采用 SQLite。\n理由如下"), Some("采用 SQLite。".to_owned()));
        assert_eq!(first_line(" \n---\n"), None);
        assert_eq!(
            first_line("We do two things:\n\n- first one\n- then"),
            Some("We do two things: first one".into())
        );
        assert_eq!(first_line("改为按事到场：\n1. 每周一"), Some("改为按事到场：1. 每周一".into()));
        assert_eq!(first_line("Later:"), Some("Later:".into()));
        for (line, shown) in [
            ("Draft**: PostgreSQL, `$65` a month", "Draft: PostgreSQL, $65 a month"),
            ("结论草案**：先用 **SQLite**", "结论草案：先用 SQLite"),
            ("see [the *plan*](https://example.org/a) [c4, m7].", "see the plan."),
            ("3 * 4 and 2*3, max_rounds, ~200, ~~old~~", "3 * 4 and 2*3, max_rounds, ~200, old"),
            ("[a](b [c", "[a](b [c"),
        ] {
            assert_eq!(without_markdown(line), shown);
        }
        let long = first_line(&"众议 ".repeat(200)).expect("a line");
        assert!(long.chars().count() <= 201 && long.ends_with("议…"), "{long}");
    }
}
