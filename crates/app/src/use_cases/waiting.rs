//! Whom the meetings of a list wait for: people who are to answer a pause, or whose turn it is.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use quorate_contract::{MeetingId, PauseReason, Person, RunnerSpec, Task, TurnDelivery};
use quorate_core::{Meeting, MeetingState, RunState, pending};
use quorate_store::MeetingSummary;
use serde::Serialize;

use super::App;
use crate::operation::callers_seat::is_own_runner;
use crate::operation::principal::{Principal, Scope};

/// The most pauses that are remembered.
const PAUSES_MAX: usize = 2_000;

/// Whom a meeting waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WaitingFor {
    /// The reason for the pause; `null` while the meeting runs, and waits for turns.
    pub reason: Option<PauseReason>,
    /// The number of questions that the pause asks.
    pub questions: usize,
    /// The people whose answers are awaited, by the names that they have at the meeting; empty when anybody may answer.
    pub names: Vec<String>,
    /// Whether the caller is among those who can answer.
    pub you: bool,
}

/// A pause, as far as it tells who waits.
#[derive(Debug, Clone)]
struct Pause {
    reason: PauseReason,
    questions: usize,
    host: Option<Person>,
    host_name: Option<String>,
}

impl Pause {
    fn of(meeting: &Meeting) -> Option<Self> {
        let RunState::Paused { reason, questions, .. } = &meeting.run_state else { return None };
        Some(Self {
            reason: *reason,
            questions: questions.len(),
            host: meeting.host_person.clone(),
            host_name: meeting.host_name(),
        })
    }

    fn seen_by(self, principal: &Principal) -> WaitingFor {
        let can_answer = principal.scope >= Scope::Speak && principal.acts_as_person();
        let (is_of_host, you) = match self.reason {
            PauseReason::AwaitingHost | PauseReason::ToolApproval => {
                (true, self.host.as_ref().is_none_or(|host| host.id == principal.person().id))
            }
            // Where nothing is asked, who paused it resumes it.
            PauseReason::UserRequest => (false, self.questions > 0),
            PauseReason::NobodyAnswered
            | PauseReason::MissingInfo
            | PauseReason::CheckIn
            | PauseReason::NeedApproval
            | PauseReason::NothingNew
            | PauseReason::GateFailed
            | PauseReason::BudgetLimit => (false, true),
        };
        WaitingFor {
            reason: Some(self.reason),
            questions: self.questions,
            names: self.host_name.filter(|_| is_of_host).into_iter().collect(),
            you: can_answer && you,
        }
    }
}

/// Pauses by their meetings, each with the event that it was read at: a list is asked for far more often than a pause changes.
#[derive(Default)]
pub(crate) struct KnownPauses(Mutex<HashMap<MeetingId, (u64, Option<Pause>)>>);

impl KnownPauses {
    fn at(&self, id: &MeetingId, seq: u64) -> Option<Option<Pause>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(id).filter(|(at, _)| *at == seq).map(|(_, pause)| pause.clone())
    }

    fn keep(&self, id: &MeetingId, seq: u64, pause: Option<Pause>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= PAUSES_MAX {
            known.clear();
        }
        known.insert(id.clone(), (seq, pause));
    }
}

impl App {
    /// Whom a meeting of a list waits for; nobody, when it waits for no person, or its log cannot be read.
    pub async fn waiting_for(&self, row: &MeetingSummary, principal: &Principal) -> Option<WaitingFor> {
        match row.state {
            MeetingState::Draft | MeetingState::Ended => None,
            MeetingState::Paused => {
                let known = self.known_pauses().at(&row.id, row.events);
                let pause = match known {
                    Some(pause) => pause,
                    None => {
                        let meeting = self.load(&row.id).await.ok()?;
                        let pause = Pause::of(&meeting);
                        self.known_pauses().keep(&row.id, meeting.seq, pause.clone());
                        pause
                    }
                };
                Some(pause?.seen_by(principal))
            }
            MeetingState::Preparation
            | MeetingState::Discussion
            | MeetingState::Ballot
            | MeetingState::Closing => {
                // What does not run here is not read for it.
                if !self.is_running(&row.id) {
                    return None;
                }
                turns(&self.load(&row.id).await.ok()?, principal)
            }
        }
    }
}

/// The people whose turns are open.
fn turns(meeting: &Meeting, principal: &Principal) -> Option<WaitingFor> {
    let (mut names, mut you) = (Vec::new(), false);
    for task in pending(meeting) {
        let Task::Call(call) = task else { continue };
        if let (RunnerSpec::External { via: TurnDelivery::Person, .. }, Some(id)) =
            (&call.runner, call.participant)
        {
            names.push(meeting.name_of(id));
            you |= is_own_runner(&call.runner, principal);
        }
    }
    (!names.is_empty()).then_some(WaitingFor { reason: None, questions: 0, names, you })
}
