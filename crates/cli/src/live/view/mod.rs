//! The meeting as a person sees it in the terminal: rounds, speakers, votes, cost.
//!
//! Plain lines where stderr is no terminal; colours, a status line and streamed words where it is.

mod ballot;
mod calls;
mod changes;
mod fill;
mod keys;
mod screen;
mod speech;
mod status;
mod turn;
mod width;

use std::sync::Arc;
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use quorate_contract::{
    AbstentionKind, Actor, BudgetKind, Event, EventBody, Language, ParticipantId, Phrase,
    ProviderWaitEndReason, RoundKind, SkipReason, TaskId, facilitator_name, failure_text,
    marks_of_missing_parts,
};
use quorate_core::{Meeting, apply};
use quorate_messages::{message, text};
use quorate_views::{Report, phase_text};
use unicode_width::UnicodeWidthStr;

pub(crate) use self::fill::{widest_piece, wrapped};
pub(crate) use self::width::{cut_to_width, terminal_width};

pub(in crate::live) use self::changes::Before;

use self::keys::Keys;
use self::screen::Screen;
use self::speech::Speaking;
use super::lists;
use super::waiting::{budget_amount, pause_text, waiting};
use crate::language::{Speech, current};

const VOICES: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Green,
    AnsiColor::Magenta,
    AnsiColor::Blue,
    AnsiColor::Red,
];
/// How many messages somebody who comes later is shown.
const RECENT: usize = 5;

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// The live view of one meeting.
pub(crate) struct View {
    meeting: Meeting,
    screen: Screen,
    /// The line that a person types into, where one does.
    keys: Option<Keys>,
    /// The turn that is shown while it is written.
    speaking: Option<Speaking>,
    /// The turn of which words stand on the screen that were broken off.
    broken_off: Option<TaskId>,
    /// The time of the last output.
    quiet_since: Instant,
    thinking_chars: usize,
    /// The turn of the person at this terminal, and when it is over.
    own_turn: Option<(String, Option<Instant>)>,
    /// Whether the meeting goes on without the person at this terminal.
    attends: bool,
}

impl View {
    /// A view that starts from the state `meeting`, and shows later events.
    pub(crate) fn new(meeting: Meeting) -> Self {
        Self::over(meeting, Screen::new())
    }

    /// A view whose lines are the result of a command, and go to stdout.
    pub(crate) fn on_stdout(meeting: Meeting) -> Self {
        Self::over(meeting, Screen::results())
    }

    fn over(meeting: Meeting, screen: Screen) -> Self {
        Self {
            meeting,
            screen,
            keys: None,
            speaking: None,
            broken_off: None,
            quiet_since: Instant::now(),
            thinking_chars: 0,
            own_turn: None,
            attends: false,
        }
    }

    /// The same for somebody who takes part in a meeting that goes on without them.
    pub(crate) fn attending(mut self) -> Self {
        self.attends = true;
        self
    }

    /// The meeting as it has been shown.
    pub(crate) fn meeting(&self) -> &Meeting {
        &self.meeting
    }

    /// The language of whoever reads along. What is said at the meeting stays as it is.
    pub(crate) fn language(&self) -> Language {
        current().0
    }

    /// The meeting in the language of whoever reads along.
    fn told(&self) -> Meeting {
        self.meeting.clone().told_in(self.language())
    }

    /// Summarizes the state of the meeting before it is resumed.
    pub(crate) fn recap(&mut self) {
        let m = &self.meeting;
        let (phase, said) = (phase_text(&self.told()), m.said.len());
        let text = text!(self.language(), "cli-view-round-messages-so-far", bold = %BOLD, title = %m.title(), bold2 = %format_args!("{:#}", BOLD), dim = %DIM, round_number = %m.round_number(), phase_text = %phase, said, dim2 = %format_args!("{:#}", DIM));
        self.put(&text);
        if let Some(team) = lists::proposed(&self.meeting, Speech(self.language())) {
            self.put(&team);
        }
    }

    /// Shows the last messages, for somebody who comes later.
    pub(crate) fn recent(&mut self) {
        let from = self.meeting.said.len().saturating_sub(RECENT);
        let recent = self.meeting.said[from..].iter().map(|said| {
            let name = match said.speaker.as_participant() {
                Some(id) => self.name(id),
                None => format!("{BOLD}{}{BOLD:#}", said.speaker_name(self.language())),
            };
            format!("\n{name}\n{}", said.text(self.language()))
        });
        for text in recent.collect::<Vec<_>>() {
            self.put(&text);
        }
    }

    /// Says something about the meeting.
    pub(crate) fn note(&mut self, text: &str) {
        let style = AnsiColor::Cyan.on_default();
        self.put(&format!("{style}▸ {text}{style:#}"));
    }

    /// Takes note of one event without showing it.
    pub(crate) fn follow(&mut self, event: &Event) {
        apply(&mut self.meeting, event);
    }

    /// Shows one event.
    pub(crate) fn event(&mut self, event: &Event) {
        let before = self.take_in(event);
        self.tell(event, &before);
    }

    /// Shows what may be seen of an event: `told` is its line without what is hidden.
    pub(crate) fn event_told_as(&mut self, event: &Event, told: &str) {
        let before = self.take_in(event);
        // What says only that something happened is not shown to people.
        if let Ok(told) = Event::from_json(told) {
            self.tell(&told, &before);
        }
    }

    /// Takes in one event without showing it. What changes is shown beside what it was.
    pub(in crate::live) fn take_in(&mut self, event: &Event) -> Before {
        let before = Arc::clone(&self.meeting.settings);
        let agenda = self.meeting.agenda.clone();
        let before = Before { settings: before, agenda };
        apply(&mut self.meeting, event);
        before
    }

    /// Says that a participant has answered in a blind round.
    pub(in crate::live) fn withheld(&mut self, participant: ParticipantId) {
        let name = self.name(participant);
        let what = text!(self.language(), "cli-view-answered-blind");
        self.put(&format!("\n{name} {DIM}{what}{DIM:#}"));
        self.tick();
    }

    /// Shows the message of an event that was withheld until now.
    pub(in crate::live) fn reveal(&mut self, seq: u64) {
        let said = self.meeting.said.iter().find(|said| said.seq == seq).cloned();
        if let Some((said, participant)) =
            said.and_then(|said| Some((said.clone(), said.speaker.as_participant()?)))
        {
            let name = self.name(participant);
            self.put(&format!("\n{name}\n{}", said.text(self.language())));
        }
    }

    /// From now on the meeting is this one: what was withheld of it is known.
    pub(in crate::live) fn replace(&mut self, meeting: Meeting) {
        self.meeting = meeting;
    }

    /// Shows one event that was taken in.
    pub(in crate::live) fn tell(&mut self, event: &Event, before: &Before) {
        self.quiet_since = Instant::now();
        match &event.body {
            EventBody::MeetingCreated { topic, .. } => {
                self.put(&format!("{BOLD}{topic}{BOLD:#}"));
            }
            EventBody::MeetingStarted { .. } => self.opening(),
            EventBody::RoundStarted { round, kind, focus, .. } => self.round(*round, *kind, focus),
            EventBody::AgentMessage { participant, message, turn, cut_from_chars, ended_early, .. } => {
                let marks = marks_of_missing_parts(self.language(), *cut_from_chars, *ended_early);
                self.words(TaskId::Speak(*turn), *participant, &format!("{}{marks}", message.content));
            }
            EventBody::UserMessage { message, reply_to, .. } => {
                let to = reply_to.map(|id| format!(" → {id}")).unwrap_or_default();
                self.put(&format!("\n{BOLD}{}{to}{BOLD:#}\n{}", message.name, message.content));
            }
            EventBody::TurnSkipped { participant, reason, phrases, .. } => {
                if self.meeting.rules().turns.show_skips {
                    let name = self.name(*participant);
                    let what = match reason {
                        SkipReason::Chosen => text!(self.language(), "cli-view-passes").to_owned(),
                        SkipReason::TimedOut => {
                            text!(self.language(), "cli-view-took-too-long-passed-over").to_owned()
                        }
                        SkipReason::SkipList => {
                            let phrases = &phrases[..];
                            message!("cli-view-skipped-only-said", phrases).text(self.language())
                        }
                    };
                    self.put(&format!("\n{name} {DIM}{what}{DIM:#}"));
                }
            }
            EventBody::TurnFailed { participant, kind, detail, hint, .. } => {
                let (name, why) = (self.name(*participant), failure_text(self.language(), *kind));
                self.failed(&format!("{name} {why}"), detail, hint);
            }
            EventBody::AnswerMalformed { task, problem, .. } => {
                let who = self.who(*task);
                let asked = text!(self.language(), "cli-view-asked-again");
                let colon = text!(self.language(), "common-colon");
                let problem = problem.in_language(self.language());
                self.put(&format!("{DIM}{who} {asked}{colon}{problem}{DIM:#}"));
            }
            EventBody::SummaryWritten { text, .. } => {
                self.put(&format!(
                    "\n{DIM}{}{DIM:#}\n{DIM}{text}{DIM:#}",
                    text!(self.language(), "cli-view-summary")
                ));
            }
            EventBody::DraftRevised { version, text, by } => {
                let by = match by {
                    Actor::Facilitator | Actor::Participant { .. } | Actor::Person { .. } => "",
                    Actor::System => {
                        text!(self.language(), "cli-view-chosen-by-rules-from-positions")
                    }
                };
                let title = text!(self.language(), "cli-view-draft-version", %version, %by);
                self.put(&format!("\n{BOLD}{title}{BOLD:#}\n{text}"));
            }
            EventBody::BallotOpened { ballot, draft_version, .. } => {
                let title = text!(self.language(), "cli-view-ballot-draft-version", ballot = %ballot.0, %draft_version);
                self.heading(&title);
            }
            EventBody::VoteAbstained { participant, kind, detail, failure, hint, .. } => {
                let name = self.name(*participant);
                match (kind, failure) {
                    (AbstentionKind::Chosen, _) => {
                        let why = text!(self.language(), "cli-view-abstains");
                        let detail = match detail.is_empty() {
                            true => String::new(),
                            false => text!(
                                self.language(),
                                "cli-view-abstains-because",
                                why = detail.in_language(self.language())
                            ),
                        };
                        self.put(&format!("{name} {DIM}{why}{detail}{DIM:#}"));
                    }
                    (AbstentionKind::Malformed | AbstentionKind::Failed, failure) => {
                        let why = failure.map_or("", |kind| failure_text(self.language(), kind));
                        let failed = text!(self.language(), "cli-view-failed-vote");
                        self.failed(format!("{name} {failed} {why}").trim_end(), detail, hint);
                    }
                }
            }
            EventBody::BallotInterrupted { .. } => {
                self.put(&format!("{DIM}{}{DIM:#}", text!(self.language(), "cli-view-ballot-interrupted")));
            }
            EventBody::BallotClosed { ballot, .. } => self.ballot(*ballot),
            EventBody::FacilitationWritten { message, .. } => {
                let name = match message.name.as_str() {
                    "" => facilitator_name(self.language()),
                    name => name,
                };
                self.put(&format!("\n{BOLD}{name}{BOLD:#}\n{}", message.content));
            }
            EventBody::ParticipantJoined { participant, reason, .. } if self.meeting.started_at.is_some() => {
                let (role, label) = (&participant.role.name, participant.runner.label_for(self.language()));
                let what = text!(self.language(), "cli-view-joins", %role, %label);
                self.coming_and_going(participant.id, &what, reason);
            }
            EventBody::ParticipantLeft { participant, reason, .. } => {
                let what = text!(self.language(), "cli-view-leaves");
                self.coming_and_going(*participant, what, reason);
            }
            EventBody::Pause { pause_reason, .. } => {
                let why = pause_text(Speech(self.language()), *pause_reason);
                self.put(&format!("\n{BOLD}{why}{BOLD:#}"));
            }
            EventBody::Resume { .. } => {
                self.put(&format!("{DIM}{}{DIM:#}", text!(self.language(), "cli-view-meeting-goes")));
            }
            EventBody::MeetingForked { from, at, title, .. } => {
                let text = text!(self.language(), "cli-view-what-above-from-meeting-up", %from, %at);
                self.put(&format!("\n{BOLD}{title}{BOLD:#}\n{DIM}{text}{DIM:#}"));
            }
            EventBody::Recovered { idle_ms: Some(_) } => {
                let text = text!(self.language(), "cli-view-clock-set-forward-machine-slept");
                self.put(&format!("{DIM}{text}{DIM:#}"));
            }
            EventBody::Recovered { idle_ms: None } => {
                let text = text!(self.language(), "cli-view-calls-were-under-way-when");
                self.put(&format!("{DIM}{text}{DIM:#}"));
            }
            EventBody::BudgetReached { budget, limit, spent, needed } => {
                let [limit, spent, needed] = [limit, spent, needed]
                    .map(|amount| budget_amount(Speech(self.language()), *budget, *amount));
                let text = match budget {
                    BudgetKind::Tokens | BudgetKind::Cost => {
                        text!(self.language(), "cli-view-budget-has-no-room-next", %spent, %limit, %needed)
                    }
                    BudgetKind::WallTime => {
                        text!(self.language(), "cli-view-budget-time-used-up", %spent, %limit)
                    }
                };
                self.put(&format!("\n{BOLD}{text}{BOLD:#}"));
            }
            EventBody::ProviderWaitStarted { waiting_for, detail, hint, tries, next_try_at, .. } => {
                if *tries == 1 {
                    let [detail, hint] = [detail, hint].map(|text| text.in_language(self.language()));
                    self.warn(&detail, &hint);
                }
                let wait = waiting(Speech(self.language()), waiting_for, *next_try_at);
                let text = text!(self.language(), "cli-view-ctrl-c-pauses", %wait);
                self.put(&format!("{DIM}{text}{DIM:#}"));
            }
            EventBody::ProviderWaitEnded { reason: ProviderWaitEndReason::Reachable } => {
                let text = text!(self.language(), "cli-view-provider-answers-again-meeting-goes");
                self.put(&format!("{DIM}{text}{DIM:#}"));
            }
            EventBody::ProviderWaitEnded {
                reason: ProviderWaitEndReason::GaveUp | ProviderWaitEndReason::Resumed,
            } => {}
            EventBody::Error { task, kind, detail, hint, then: _ } => {
                let (who, why) = (self.who(*task), failure_text(self.language(), *kind));
                self.failed(&format!("{who} {why}"), detail, hint);
            }
            EventBody::RoundEnded { .. } => self.cost(),
            EventBody::Finished { .. } => {
                let report = Report::of(&self.told());
                self.heading(&report.headline);
                if let Some(incomplete) = &report.incomplete {
                    self.warn(&incomplete.text, "");
                }
                for seat in report.failures.iter().filter(|seat| seat.missing) {
                    if let Some(last) = &seat.last {
                        let colon =
                            if last.detail.is_empty() { "" } else { text!(self.language(), "common-colon") };
                        let why = format!("{}{colon}{}", last.text, last.detail);
                        let text = text!(self.language(), "cli-view-failed", name = &seat.name, why);
                        self.warn(&text, &last.hint);
                    }
                }
                if !self.meeting.evaluations.is_empty() {
                    let marks = lists::marks(&self.meeting, Speech(self.language()));
                    self.put(&format!("{DIM}{}\n{marks}{DIM:#}", text!(self.language(), "cli-view-marks")));
                }
                self.cost();
            }
            EventBody::ParticipantInvited { .. }
            | EventBody::PersonJoined { .. }
            | EventBody::PersonLeft { .. }
            | EventBody::HostChanged { .. }
            | EventBody::PresenceChanged { .. }
            | EventBody::ParticipantChanged { .. }
            | EventBody::RulesChanged { .. }
            | EventBody::TopicChanged { .. }
            | EventBody::DetailsChanged { .. }
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
            | EventBody::Metric { .. }
            | EventBody::MinutesRequested { .. }
            | EventBody::MinutesWritten { .. }
            | EventBody::ArtifactRequested { .. }
            | EventBody::ArtifactWritten { .. } => self.held(&event.body, before),
            EventBody::CallRetried { task, request, detail, wait_ms, .. } => {
                self.retried(*task, *request, detail, *wait_ms);
            }
            EventBody::AgentAction { task, action, .. } => self.acted(*task, action),
            EventBody::CallStarted { task, fallback: Some(fallback), .. } => self.falls_back(*task, fallback),
            EventBody::CallEnded { task, then: Some(then), .. } => self.tried_again(*task, *then),
            EventBody::PreparationStarted { .. }
            | EventBody::EvaluationWritten { .. }
            | EventBody::MemoryWritten { .. }
            | EventBody::MeetingImported { .. }
            | EventBody::ParticipantJoined { .. }
            | EventBody::SpeakerSelected { .. }
            | EventBody::SpeakerRequested { .. }
            | EventBody::QueueChanged { .. }
            | EventBody::TeamReviewed { .. }
            | EventBody::CallStarted { .. }
            | EventBody::CallEnded { .. }
            | EventBody::VoteCast { .. }
            | EventBody::PauseRequested { .. }
            | EventBody::EndRequested { .. }
            | EventBody::MeetingClosing { .. }
            | EventBody::ConclusionWritten { .. } => {}
        }
        self.tick();
    }

    fn round(&mut self, number: u32, kind: RoundKind, focus: &[String]) {
        let last = self.meeting.rules().limits.max_rounds;
        let title = match kind {
            RoundKind::Blind => text!(self.language(), "cli-view-round-0-everybody-answers-alone").to_owned(),
            _ if !self.meeting.is_last_round(last) => text!(self.language(), "cli-view-round", %number),
            RoundKind::Serial => text!(self.language(), "cli-view-round-at-most-turn", %number, %last),
            RoundKind::Parallel => text!(self.language(), "cli-view-round-at-most-all-at", %number, %last),
        };
        self.heading(&title);
        for item in focus {
            let label = text!(self.language(), "cli-view-focus");
            self.put(&format!("{DIM}{label}{}{item}{DIM:#}", text!(self.language(), "common-colon")));
        }
    }

    fn coming_and_going(&mut self, id: ParticipantId, what: &str, reason: &Phrase) {
        let name = self.name(id);
        let reason = match &*reason.in_language(self.language()) {
            "" => String::new(),
            reason => format!("{}{reason}", text!(self.language(), "common-colon")),
        };
        self.put(&format!("\n{name} {DIM}{what}{reason}{DIM:#}"));
    }

    fn heading(&mut self, title: &str) {
        let rule = "─".repeat(self.screen.room().saturating_sub(title.width() + 4).clamp(2, 60));
        self.put(&format!("\n{BOLD}── {title} {BOLD:#}{DIM}{rule}{DIM:#}"));
    }

    /// Shows a failure and its remedy.
    fn failed(&mut self, what: &str, detail: &Phrase, hint: &Phrase) {
        let [detail, hint] = [detail, hint].map(|text| text.in_language(self.language()));
        let colon = if detail.is_empty() { "" } else { text!(self.language(), "common-colon") };
        self.warn(&format!("{what}{colon}{detail}"), &hint);
    }

    fn warn(&mut self, text: &str, hint: &str) {
        let style = AnsiColor::Red.on_default();
        let hint = if hint.is_empty() { String::new() } else { format!("\n  {DIM}{hint}{DIM:#}") };
        self.put(&format!("{style}✗{style:#} {text}{hint}"));
    }

    fn who(&self, task: TaskId) -> String {
        let id = match task {
            TaskId::Speak(turn) => self.meeting.turn(turn).map(|turn| turn.participant),
            TaskId::Vote(_, voter) => Some(voter),
            TaskId::Minutes(version) => {
                self.meeting.minutes_requests.get(&version).and_then(|request| request.writer)
            }
            _ => None,
        };
        match id {
            Some(id) => self.meeting.name_of(id),
            None => text!(self.language(), "cli-view-facilitator").to_owned(),
        }
    }

    /// A participant's name in its colour.
    fn name(&self, id: ParticipantId) -> String {
        let voice = VOICES[(id.0.saturating_sub(1) as usize) % VOICES.len()].on_default().bold();
        format!("{voice}{}{voice:#}", self.meeting.name_of(id))
    }

    fn put(&mut self, text: &str) {
        if let Some(speaking) = &mut self.speaking {
            speaking.interrupted = true;
        }
        self.screen.lines(text);
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if self.own_turn.is_some() {
            self.screen.call_no_more();
        }
        self.screen.finish();
    }
}
