//! Promises to people that can be read in a log: that the conclusion is what was voted on, that no work is thrown away, that
//! an outage is waited for, that a name calls whom it names. Nothing of the core is used.

use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::*;

/// Reads the events of one log and remembers what was promised.
#[derive(Debug, Default)]
pub(crate) struct Promises {
    rules: Option<Rules>,
    topic: String,
    title: String,
    fork_title: String,
    host: Option<String>,
    seats: BTreeMap<ParticipantId, SeatSeen>,
    drafts: BTreeMap<u32, String>,
    ballots: BTreeMap<BallotId, u32>,
    accepted: Option<BallotId>,
    /// The tasks whose answers could not be taken as they were.
    asked_again: BTreeSet<TaskId>,
    /// The calls that were cancelled, and when.
    cancelled: BTreeMap<TaskId, Timestamp>,
    /// The request that failed last and is to be sent again, and where that stands in the log.
    retried: Option<(TaskId, u64)>,
    pause: Option<PauseReason>,
    outage: OutageSeen,
}

/// A participant.
#[derive(Debug)]
struct SeatSeen {
    name: String,
    runner: RunnerSpec,
    is_there: bool,
    is_online: bool,
}

/// Who could not be reached, and whether that was waited for.
#[derive(Debug, Default)]
struct OutageSeen {
    lost: BTreeSet<ParticipantId>,
    was_waited_for: bool,
    pause_asked: bool,
}

impl Promises {
    /// Reads one more event.
    pub(crate) fn see(&mut self, event: &Event) -> Result<(), String> {
        self.records(event)?;
        self.calls(event)?;
        self.outage(event)?;
        self.people(event)
    }

    /// The title that people see.
    fn shown_title(&self) -> &str {
        let own = [&self.fork_title, &self.title].into_iter().find(|title| !title.is_empty());
        own.unwrap_or(&self.topic)
    }

    /// What is decided, and what it is called.
    fn records(&mut self, event: &Event) -> Result<(), String> {
        match &event.body {
            EventBody::MeetingCreated { rules, topic, details, .. } => {
                self.rules = Some((**rules).clone());
                (self.topic, self.title) = (topic.clone(), details.title.clone());
            }
            EventBody::RulesChanged { rules, .. } => self.rules = Some((**rules).clone()),
            EventBody::TopicChanged { topic, .. } => {
                self.topic.clone_from(topic);
                if self.title.is_empty() {
                    self.fork_title.clear();
                }
            }
            EventBody::DetailsChanged { details, .. } => {
                self.title.clone_from(&details.title);
                self.fork_title.clear();
            }
            EventBody::MeetingForked { title, .. } => {
                let told_apart = title != self.shown_title();
                self.fork_title.clone_from(title);
                return ensure(told_apart, || format!("a fork is called {title:?}, as what it was made of"));
            }
            EventBody::DraftRevised { version, text, .. } => _ = self.drafts.insert(*version, text.clone()),
            EventBody::BallotOpened { ballot, draft_version, .. } => {
                self.ballots.insert(*ballot, *draft_version);
            }
            EventBody::AnswerMalformed { task, .. } => _ = self.asked_again.insert(*task),
            EventBody::VoteCast { ballot, participant, vote, .. } => {
                // By the scale that voters are given.
                let contradicts = if vote.pass { vote.score < 70 } else { vote.score >= 80 };
                let was_asked = self.asked_again.contains(&TaskId::Vote(*ballot, *participant));
                return ensure(!contradicts || was_asked, || {
                    format!(
                        "{participant} gives {} points and {}, and is not asked again",
                        vote.score,
                        if vote.pass { "passes" } else { "does not pass" }
                    )
                });
            }
            EventBody::MeetingClosing { outcome, .. } => {
                self.accepted = match outcome {
                    MeetingOutcome::Accepted { ballot } => Some(*ballot),
                    _ => None,
                };
            }
            EventBody::ConclusionWritten { conclusion, .. } => {
                let draft = self.accepted.and_then(|ballot| self.drafts.get(self.ballots.get(&ballot)?));
                return ensure(draft.is_none_or(|draft| draft == conclusion), || {
                    format!("the conclusion is {conclusion:?}, and {draft:?} was accepted")
                });
            }
            EventBody::ArtifactWritten { artifact_type: ArtifactKind::Adr, content, author, .. } => {
                // What a person writes is theirs.
                let by_meeting = matches!(author, Actor::Facilitator | Actor::System);
                let status = content["status"].as_str().unwrap_or_default();
                return ensure(!by_meeting || self.accepted.is_none() || status == "accepted", || {
                    format!("the draft was accepted, and the decision record says {status:?}")
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// What is under way is not thrown away and paid for once more.
    fn calls(&mut self, event: &Event) -> Result<(), String> {
        match &event.body {
            // A request that has failed is not thrown away when the budget has no room for the next like it, but for a
            // smaller one.
            EventBody::CallRetried { task, .. } => {
                self.retried = Some((*task, event.seq));
                Ok(())
            }
            EventBody::CallEnded { task, end: CallEnd::Cancelled, .. } => {
                if self.retried.is_none_or(|(retried, seq)| (retried, seq + 1) != (*task, event.seq)) {
                    self.cancelled.insert(*task, event.ts_ms);
                }
                Ok(())
            }
            EventBody::CallStarted { task, .. } => {
                let at_once = self.cancelled.remove(task) == Some(event.ts_ms);
                // What a turn is asked changes with what was said meanwhile.
                let is_record = matches!(task, TaskId::Minutes(_) | TaskId::Artifact(..) | TaskId::Invite(_));
                ensure(!(at_once && is_record), || format!("{task} is cancelled and asked for again at once"))
            }
            // What a person lets go on begins anew.
            EventBody::Resume { .. } => {
                self.cancelled.clear();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// An outage is waited for before the meeting rests.
    fn outage(&mut self, event: &Event) -> Result<(), String> {
        let seen = &mut self.outage;
        match &event.body {
            EventBody::RoundStarted { .. } => seen.lost.clear(),
            EventBody::CallEnded { end: CallEnd::Answered, .. } => {
                seen.lost.clear();
                seen.was_waited_for = false;
            }
            EventBody::TurnFailed { participant, kind, .. } => {
                let is_lost =
                    matches!(kind, FailureKind::Network | FailureKind::Overloaded | FailureKind::RateLimit);
                match is_lost {
                    true => _ = seen.lost.insert(*participant),
                    false => _ = seen.lost.remove(participant),
                }
            }
            EventBody::ProviderWaitEnded { reason } => {
                seen.lost.clear();
                seen.was_waited_for |= *reason == ProviderWaitEndReason::GaveUp;
            }
            EventBody::PauseRequested { .. } => seen.pause_asked = true,
            EventBody::MeetingForked { .. } => *seen = OutageSeen::default(),
            EventBody::Resume { .. } => {
                seen.pause_asked = false;
                seen.lost.clear();
            }
            EventBody::Pause { pause_reason, .. } => {
                let waits = self.rules.as_ref().is_some_and(|rules| rules.limits.provider_wait_ms > 0);
                let mut asked = self.seats.iter().filter(|(_, seat)| seat.is_there && seat.is_online);
                let all_are_lost = asked.all(|(id, seat)| {
                    let alone =
                        matches!(seat.runner, RunnerSpec::Model { .. }) && seat.runner.fallback().is_none();
                    alone && seen.lost.contains(id)
                });
                let at_once = *pause_reason == PauseReason::NobodyAnswered
                    && waits
                    && all_are_lost
                    && !seen.lost.is_empty()
                    && !seen.was_waited_for
                    && !seen.pause_asked;
                seen.pause_asked = false;
                return ensure(!at_once, || "no provider can be reached, and it rests at once".to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    /// Who is called, who sits there, and who may let it go on.
    fn people(&mut self, event: &Event) -> Result<(), String> {
        match &event.body {
            EventBody::MeetingCreated { by, .. } | EventBody::MeetingForked { by, .. } => {
                self.host = by.as_person().map(|person| person.id);
                Ok(())
            }
            EventBody::HostChanged { host, .. } => {
                self.host = Some(host.id.clone());
                Ok(())
            }
            EventBody::Resume { by, .. } => {
                let for_host =
                    matches!(self.pause, Some(PauseReason::AwaitingHost | PauseReason::ToolApproval));
                let is_host = by
                    .as_person()
                    .is_none_or(|person| self.host.as_ref().is_none_or(|host| *host == person.id));
                self.pause = None;
                ensure(!for_host || is_host, || format!("it waits for its host, and {by:?} lets it go on"))
            }
            EventBody::Pause { pause_reason, .. } => {
                self.pause = Some(*pause_reason);
                Ok(())
            }
            EventBody::ParticipantJoined { participant, .. } => {
                let Participant { id, name, runner, .. } = participant;
                let look = look(name);
                let other = self.seats.values().find(|seat| seat.is_there && self::look(&seat.name) == look);
                let other = other.map(|seat| seat.name.clone());
                let (name, runner) = (name.clone(), runner.clone());
                let seat = SeatSeen { name: name.clone(), runner, is_there: true, is_online: true };
                self.seats.insert(*id, seat);
                ensure(other.is_none(), || format!("{name:?} looks like {other:?}, who is there"))
            }
            EventBody::ParticipantLeft { participant, .. } => {
                self.seats.entry(*participant).and_modify(|seat| seat.is_there = false);
                Ok(())
            }
            EventBody::PresenceChanged { participant, presence, .. } => {
                let is_online = *presence == Presence::Online;
                self.seats.entry(*participant).and_modify(|seat| seat.is_online = is_online);
                Ok(())
            }
            EventBody::AgentMessage { message, mentions, .. }
            | EventBody::UserMessage { message, mentions, .. } => {
                let called = |id: &&ParticipantId| {
                    self.seats.get(id).is_some_and(|seat| !is_called(&message.content, &seat.name))
                };
                match mentions.iter().find(called).and_then(|id| self.seats.get(id)) {
                    None => Ok(()),
                    Some(seat) => Err(format!("{} is called, and not by {:?}", seat.name, message.content)),
                }
            }
            _ => Ok(()),
        }
    }
}

/// How a name looks, as far as the names of the simulation go: some letters of other scripts and wide ones are the Latin ones
/// that they look like, and what has no width is nothing.
fn look(name: &str) -> String {
    let alike = |c: char| match c {
        'А' | 'а' => Some('a'),
        'В' => Some('b'),
        'Е' | 'е' => Some('e'),
        'Н' => Some('h'),
        'О' | 'о' | 'Ο' => Some('o'),
        'с' | 'С' => Some('c'),
        'і' | 'І' => Some('i'),
        'Ａ'..='Ｚ' => char::from_u32(u32::from(c) - 0xff21 + u32::from('a')),
        'ａ'..='ｚ' => char::from_u32(u32::from(c) - 0xff41 + u32::from('a')),
        '\u{200b}'..='\u{200f}' | '\u{ad}' | '\u{2060}' | '\u{feff}' => None,
        c if c.is_whitespace() => None,
        c => c.to_lowercase().next(),
    };
    name.chars().filter_map(alike).collect()
}

/// Whether a text has this name behind an `@`, and no letter, digit or mark runs on behind it. Names whose last letter is not a
/// Latin one are taken as called wherever they stand.
fn is_called(text: &str, name: &str) -> bool {
    if !name.ends_with(|c: char| c.is_ascii_alphanumeric()) {
        return true;
    }
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let runs_on = |c: char| {
        c.is_ascii_alphanumeric()
            || c == '_'
            || ('\u{c0}'..'\u{370}').contains(&c)
            || ('а'..='я').contains(&c)
    };
    text.match_indices(['@', '＠', '﹫']).any(|(at, sign)| {
        let rest = text[at + sign.len()..].trim_start_matches(['"', '“', '”', '「', '」', '『', '』']);
        rest.strip_prefix(&name).is_some_and(|rest| !rest.starts_with(runs_on))
    })
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
