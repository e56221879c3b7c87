//! An answer comes back. A late or a second one is refused by name, never counted twice.

use quorate_contract::{
    AbstentionKind, ActionItem, Actor, AgendaChange, ArtifactKind, BallotId, CallEnd, Candidate, CitedPage,
    Claim, ClaimKind, ConclusionForm, Delivered, Delivery, Disagreement, DisagreementSide, EventBody,
    FacilitationForm, FailureAction, FailureKind, Message, MessageRole, NAME_MAX_CHARS, PARTICIPANTS_MAX,
    ParticipantId, Person, Phrase, ProviderWaitEndReason, Refusal, Reserve, Retry, SkipReason, SpokenAnswer,
    SummaryForm, SummaryPosition, TaskId, TurnId, TurnReason, Usage, Vote, clean, is_blank, shorten,
};
use quorate_messages::message;

use super::stance::{self, CLAIM_MAX_CHARS, POSITION_MAX_CHARS};
use super::web_search;
use crate::accounting::{budget, failure_policy, windows};
use crate::decide::flow;
use crate::decide::flow::outage;
use crate::decide::flow::outage::Outage;
use crate::decide::seats;
use crate::decide::transaction::{CallResult, Transaction};
use crate::policy::{citations, evidence, mention, roster};
use crate::records::rule_based;
use crate::state::tasks::answerer;
use crate::state::{Meeting, number_after};

const VOTE_REASON_MAX_CHARS: usize = 300;
const DRAFT_MAX_CHARS: usize = 4000;
const REASONING_MAX_CHARS: usize = 4000;
const EXCERPT_MAX_CHARS: usize = 1500;
const CONCLUSION_MAX_CHARS: usize = 20_000;
const REQUEST_ID_MAX_CHARS: usize = 200;
const SOURCES_MAX: usize = 20;

pub(super) fn deliver(t: &mut Transaction, delivery: Delivery) -> Result<(), Refusal> {
    let Delivery { attempt, usage, latency_ms, request_id, mended, window, retry_after_ms, web, what } =
        delivery;
    let task = what.task();
    if t.meeting.calls.get(&task).is_none_or(|call| call.attempt != attempt) {
        return Err(Refusal::TurnIsOver { task });
    }
    if let Delivered::Skipped(turn) = what {
        may_skip(&t.meeting, turn)?;
    }
    let end = match &what {
        Delivered::Failed { kind: FailureKind::Malformed, .. } => CallEnd::Answered,
        Delivered::Failed { kind, .. } => CallEnd::Failed { kind: *kind },
        Delivered::Abstained { .. } | Delivered::Malformed { .. } | Delivered::Skipped(_) => {
            CallEnd::Answered
        }
        Delivered::Said(..) | Delivered::Voted(..) | Delivered::CalledTools(..) => CallEnd::Answered,
        Delivered::Summarized(..) | Delivered::Facilitated(..) | Delivered::Concluded(_) => CallEnd::Answered,
        Delivered::Asked(..) | Delivered::Proposed(..) | Delivered::Invited(..) => CallEnd::Answered,
        Delivered::Evaluated(..) | Delivered::Minuted(..) | Delivered::Drawn(..) => CallEnd::Answered,
    };
    let (covers, writer) = (covered_by(&t.meeting, task), answerer(&t.meeting, task));
    let window = match window {
        Some(window) => windows::met(&t.meeting, task, window),
        None => usage.and_then(|usage| windows::counted(&t.meeting, task, &usage)),
    };
    let then = failure_policy::of(&t.meeting, task, &what, latency_ms, window);
    let outage = match then {
        None => outage::of(t, task, &what, retry_after_ms),
        Some(_) => Outage::No,
    };
    let then = match outage {
        Outage::Wait(_) | Outage::GiveUp => Some(FailureAction::Wait),
        Outage::No | Outage::GoOn => then,
    };
    let usage = usage.filter(|usage| !is_guessed(t, task, &what, usage));
    let request_id = request_id.map(|id| shorten(&clean(&id), REQUEST_ID_MAX_CHARS));
    t.end_call(task, CallResult { end, usage, latency_ms, request_id, then, mended, window });
    match outage {
        Outage::Wait(started) => outage::wait(t, bounded_wait(*started)),
        Outage::GiveUp => outage::give_up(t),
        Outage::GoOn => outage::end(t, ProviderWaitEndReason::GaveUp),
        Outage::No => outage::look_again(t),
    }
    if then.is_some() {
        return Ok(()); // it is still wanted, and so is asked for again
    }
    let cited = match task {
        TaskId::Speak(turn) => web_search::searched(t, turn, web),
        _ => Vec::new(),
    };
    match bounded(what) {
        Delivered::Malformed { task, problem, text } => {
            let excerpt = shorten(&clean(&text), EXCERPT_MAX_CHARS);
            t.emit(EventBody::AnswerMalformed { task, attempt, problem, excerpt });
        }
        Delivered::CalledTools(turn, used) => super::tools::called(t, turn, *used),
        Delivered::Said(turn, speech) => said(t, turn, *speech, &cited),
        Delivered::Skipped(turn) => {
            let Some(participant) = t.meeting.turn(turn).map(|turn| turn.participant) else { return Ok(()) };
            let reason = SkipReason::Chosen;
            t.emit(EventBody::TurnSkipped { turn, participant, reason, phrases: Vec::new() });
        }
        Delivered::Voted(ballot, participant, vote) => voted(t, ballot, participant, vote),
        Delivered::Abstained { ballot, voter: participant, malformed, detail } => {
            let (kind, failure, hint) = match malformed {
                true => {
                    let hint = message!("remedy-try-again").into();
                    (AbstentionKind::Malformed, Some(FailureKind::Malformed), hint)
                }
                false => (AbstentionKind::Chosen, None, Phrase::default()),
            };
            t.emit(EventBody::VoteAbstained { ballot, participant, kind, detail, failure, hint });
        }
        Delivered::Summarized(round, form) => summarized(t, round, form),
        Delivered::Facilitated(ballot, form) => facilitated(t, ballot, form),
        Delivered::Concluded(form) => concluded(t, form),
        Delivered::Asked(round, questions) => {
            t.emit(EventBody::IntakeWritten { round, by: Actor::Facilitator, questions });
        }
        Delivered::Proposed(round, candidates) => {
            let departures = roster::departures(&t.meeting);
            let by = Actor::Facilitator;
            t.emit(EventBody::TeamProposed { round, by, candidates, departures });
        }
        Delivered::Invited(number, candidate) => invited(t, number, *candidate),
        Delivered::Evaluated(round, mut marks) => {
            marks.iter_mut().for_each(|mark| mark.score = mark.score.min(10));
            t.emit(EventBody::EvaluationWritten { round, by: Actor::Facilitator, marks });
        }
        Delivered::Minuted(version, minutes) => {
            let author = writer.map_or(Actor::Facilitator, Actor::participant);
            let covers = t.meeting.last_of(covers);
            t.emit(EventBody::MinutesWritten { version, author, covers, minutes: *minutes });
        }
        Delivered::Drawn(artifact_type, version, content) => {
            let author = Actor::Facilitator;
            let content = match artifact_type {
                ArtifactKind::Adr => rule_based::adr_of_this_meeting(&t.meeting, content),
                ArtifactKind::Tasks | ArtifactKind::Risks | ArtifactKind::Minutes | ArtifactKind::Summary => {
                    content
                }
            };
            let asked = t.meeting.artifact_covers.get(&task).copied();
            let covers = t.meeting.last_of(asked.unwrap_or_else(|| t.meeting.visible_messages()));
            t.emit(EventBody::ArtifactWritten { artifact_type, version, content, author, covers });
        }
        Delivered::Failed { task, kind, detail, hint, doubtful: _ } => failed(t, task, kind, detail, hint),
    }
    Ok(())
}

/// Gives up a task that failed.
fn failed(t: &mut Transaction, task: TaskId, kind: FailureKind, detail: Phrase, hint: Phrase) {
    match task {
        TaskId::Speak(turn) => {
            let Some(participant) = t.meeting.turn(turn).map(|turn| turn.participant) else { return };
            t.emit(match kind == FailureKind::TimedOut && t.meeting.rules().turns.timeout_skips {
                true => {
                    let reason = SkipReason::TimedOut;
                    EventBody::TurnSkipped { turn, participant, reason, phrases: Vec::new() }
                }
                false => EventBody::TurnFailed { turn, participant, kind, detail, hint },
            });
        }
        TaskId::Vote(ballot, participant) => {
            let (kind, failure) = (AbstentionKind::Failed, Some(kind));
            t.emit(EventBody::VoteAbstained { ballot, participant, kind, detail, failure, hint });
        }
        TaskId::Summarize(_) | TaskId::Facilitate(_) | TaskId::Conclude | TaskId::Intake(_) => {
            t.fail(task, kind, detail, hint);
        }
        TaskId::Team(_) | TaskId::Invite(_) | TaskId::Evaluate(_) | TaskId::Minutes(_) => {
            t.fail(task, kind, detail, hint);
        }
        TaskId::Artifact(..) => t.fail(task, kind, detail, hint),
    }
}

/// Whether the usage of a failed call is unknown, whether or not asking again would help; a budget then charges its reserve.
fn is_guessed(t: &Transaction, task: TaskId, what: &Delivered, usage: &Usage) -> bool {
    let held_back = t.meeting.calls.get(&task).is_some_and(|call| call.reserved.tokens > 0);
    held_back && usage.estimated && matches!(what, Delivered::Failed { .. })
}

/// Records a retry within a call in flight. The usage of the failed request comes on top of the reserve of
/// the next; when the budget has no room for that, the call ends here.
pub(super) fn retried(t: &mut Transaction, task: TaskId, attempt: u32, retry: Retry) -> Result<(), Refusal> {
    if t.meeting.calls.get(&task).is_none_or(|call| call.attempt != attempt) {
        return Err(Refusal::TurnIsOver { task });
    }
    let Retry { request, kind, detail, wait_ms, usage } = retry;
    let cost_micros = budget::cost(&t.meeting, task, &usage);
    let detail = detail.bounded();
    t.emit(EventBody::CallRetried { task, attempt, request, kind, detail, wait_ms, usage, cost_micros });
    if budget::fits(&t.meeting, task, &Reserve::default()).is_err() {
        let usage = Some(Usage::default());
        t.end_call(task, CallResult { usage, ..CallResult::without_answer(CallEnd::Cancelled, 0) });
    }
    Ok(())
}

/// Cuts and cleans texts of foreign origin in a delivery, fit for a line of the record.
fn bounded(mut what: Delivered) -> Delivered {
    let bound = |text: &mut Phrase| *text = std::mem::take(text).bounded();
    match &mut what {
        Delivered::Failed { detail, hint, .. } => {
            bound(detail);
            bound(hint);
        }
        Delivered::Abstained { detail, .. } => bound(detail),
        Delivered::Malformed { problem, .. } => bound(problem),
        Delivered::Said(..) | Delivered::Skipped(_) | Delivered::Voted(..) => {}
        Delivered::CalledTools(..) => {}
        Delivered::Summarized(..) | Delivered::Facilitated(..) | Delivered::Concluded(_) => {}
        Delivered::Asked(..) | Delivered::Proposed(..) | Delivered::Invited(..) => {}
        Delivered::Evaluated(..) | Delivered::Minuted(..) | Delivered::Drawn(..) => {}
    }
    what
}

/// Cuts and cleans a provider's description of its outage, fit for a line of the record.
fn bounded_wait(mut started: EventBody) -> EventBody {
    if let EventBody::ProviderWaitStarted { detail, hint, .. } = &mut started {
        *detail = std::mem::take(detail).bounded();
        *hint = std::mem::take(hint).bounded();
    }
    started
}

/// The number of messages that requested minutes cover: those that existed when they were requested.
fn covered_by(m: &Meeting, task: TaskId) -> usize {
    let TaskId::Minutes(version) = task else { return 0 };
    let asked = m.minutes_requests.get(&version).map(|request| request.covers);
    asked.unwrap_or_else(|| m.visible_messages()).min(m.said.len())
}

/// Adds a participant that was described in a sentence; its name is new to the meeting.
fn invited(t: &mut Transaction, number: u32, candidate: Candidate) {
    let by = t.meeting.invitations.iter().find(|one| one.number == number).map(|one| one.by.clone());
    if t.meeting.present().count() >= PARTICIPANTS_MAX {
        return flow::no_seat_left(t, number);
    }
    if let Some(by) = by {
        let Candidate { mut newcomer, reason, .. } = candidate;
        newcomer.name = roster::free_name(&t.meeting, &newcomer.name, &[]);
        seats::seat(t, newcomer, by, reason, Some(number));
    }
}

/// Refuses a pass where the turn was given for something in particular.
fn may_skip(meeting: &Meeting, turn: TurnId) -> Result<(), Refusal> {
    let Some(turn) = meeting.turn(turn).filter(|turn| !turn.can_skip) else { return Ok(()) };
    let by = match turn.reason {
        TurnReason::Mentioned { by } => Some(by),
        TurnReason::Rotation | TurnReason::Requested => None,
    };
    Err(Refusal::CannotSkip { participant: turn.participant, by })
}

fn said(t: &mut Transaction, turn_id: TurnId, speech: SpokenAnswer, cited: &[CitedPage]) {
    let m = &t.meeting;
    let Some(turn) = m.turn(turn_id) else { return };
    let (participant, targets) = (turn.participant, turn.targets.clone());
    let stance = stance::of(m, participant, &targets, &speech, cited);
    let spoken = match speech.content.is_empty() {
        true => stance::written_down(&stance),
        false => clean(&speech.content),
    };
    if is_blank(&spoken) {
        let detail = message!("failure-nothing-to-record").into();
        let hint = message!("remedy-another-model-or-later").into();
        let kind = FailureKind::Empty;
        return t.emit(EventBody::TurnFailed { turn: turn_id, participant, kind, detail, hint });
    }
    let (content, cut_from_chars) = cut(m, &spoken);
    let mut mentioned = mention::at_table(m, &content);
    mentioned.participants.retain(|id| *id != participant);
    let is_speaker =
        |person: &Person| m.seat_of_person(&person.id).is_some_and(|seat| seat.participant.id == participant);
    mentioned.people.retain(|person| !is_speaker(person));
    let memory = speech.memory.filter(|_| m.rules().context.private_memory);
    let done = match m.host() == Some(participant) {
        true => speech.agenda_done,
        false => Vec::new(),
    };
    t.emit(EventBody::AgentMessage {
        message_id: m.next_message(),
        round: turn_id.round,
        turn: turn_id,
        participant,
        message: Message {
            role: MessageRole::Assistant,
            name: m.name_of(participant),
            citations: citations::cited(m, &content),
            evidence: evidence::with_pages(
                m,
                evidence::cited(m, &content, Some(participant)),
                participant,
                cited,
            ),
            content,
        },
        stance: Some(stance),
        mentions: mentioned.participants,
        mentioned_people: mentioned.people,
        cut_from_chars,
        ended_early: speech.ended_early,
        reasoning: speech.reasoning.map(|text| shorten(&clean(&text), REASONING_MAX_CHARS)),
    });
    if let Some(memory) = memory {
        t.emit(EventBody::MemoryWritten { participant, memory });
    }
    for item in done {
        if t.meeting.agenda.iter().any(|other| other.id == item && !other.completed) {
            let by = Actor::participant(participant);
            t.emit(EventBody::AgendaChanged { change: AgendaChange::Completed { item }, by });
        }
    }
}

/// Cuts a message to the length that the rules allow, and says how long it was (P29).
fn cut(m: &Meeting, content: &str) -> (String, Option<u32>) {
    let max = m.rules().turns.max_message_chars as usize;
    let chars = content.chars().count();
    match chars <= max {
        true => (content.to_owned(), None),
        false => (content.chars().take(max).collect(), u32::try_from(chars).ok()),
    }
}

fn voted(t: &mut Transaction, ballot: BallotId, participant: ParticipantId, vote: Vote) {
    let reason = shorten(&clean(&vote.reason), VOTE_REASON_MAX_CHARS);
    let missing: Vec<String> = vote
        .missing
        .iter()
        .map(|text| shorten(&clean(text), CLAIM_MAX_CHARS))
        .filter(|text| !text.is_empty())
        .take(5)
        .collect();
    let objection = (!vote.pass && !reason.is_empty()).then(|| Claim {
        id: t.meeting.next_claim(),
        kind: ClaimKind::Objection,
        text: reason.clone(),
        builds_on: Vec::new(),
        citations: citations::cited(&t.meeting, &reason),
        evidence: evidence::cited(&t.meeting, &reason, Some(participant)),
    });
    let vote = Vote { score: vote.score.min(100), pass: vote.pass, reason, missing };
    t.emit(EventBody::VoteCast { ballot, participant, vote, objection });
}

fn summarized(t: &mut Transaction, round: u32, form: SummaryForm) {
    let open_questions = lines(form.open_questions, 8);
    let disagreements = lines(form.disagreements, 6);
    let (positions, restored) = complete(&t.meeting, form.positions);
    let max = t.meeting.rules().context.summary_max_chars as usize;
    t.emit(EventBody::SummaryWritten {
        round,
        by: Actor::Facilitator,
        text: shorten(&clean(&form.summary), max),
        positions,
        restored,
        open_questions,
        disagreements,
    });
    if !t.meeting.rules().decision.ballots && form.draft.is_empty() {
        return; // nothing is voted on, and nothing was drafted
    }
    let drafted = shorten(&clean(&form.draft), DRAFT_MAX_CHARS);
    let (text, by) = match drafted.is_empty() {
        false => (drafted, Actor::Facilitator),
        true => (rule_based::draft(&t.meeting), Actor::System),
    };
    let unchanged = t.meeting.draft().is_some_and(|draft| draft.text == text);
    if !text.is_empty() && !unchanged {
        let version = number_after(t.meeting.drafts.len());
        t.emit(EventBody::DraftRevised { version, text, by });
    }
}

/// Completes positions so that every holder and every text appears exactly once. A participant whom the facilitator left
/// out is restored with its own words: a minority must not vanish in a summary.
fn complete(m: &Meeting, positions: Vec<SummaryPosition>) -> (Vec<SummaryPosition>, Vec<ParticipantId>) {
    let mut seen: Vec<ParticipantId> = Vec::new();
    let mut kept: Vec<SummaryPosition> = Vec::new();
    for position in positions {
        let mut holders = position.holders;
        holders.retain(|id| m.seat(*id).is_some() && !seen.contains(id));
        holders.dedup();
        seen.extend(&holders);
        let text = shorten(&clean(&position.text), POSITION_MAX_CHARS);
        if !holders.is_empty() && !text.is_empty() {
            rule_based::hold(&mut kept, text, holders);
        }
    }
    let mut restored = Vec::new();
    for seat in m.present() {
        let id = seat.participant.id;
        if let Some(stance) = &seat.stance
            && !kept.iter().any(|position| position.holders.contains(&id))
        {
            rule_based::hold(&mut kept, stance.position.clone(), vec![id]);
            restored.push(id);
        }
    }
    (kept, restored)
}

/// Cleans a list of short lines.
fn lines(texts: Vec<String>, most: usize) -> Vec<String> {
    let kept = texts.iter().map(|text| shorten(&clean(text), CLAIM_MAX_CHARS));
    kept.filter(|text| !text.is_empty()).take(most).collect()
}

fn facilitated(t: &mut Transaction, ballot: BallotId, form: FacilitationForm) {
    let form = FacilitationForm {
        disagreements: lines(form.disagreements, 3),
        proposed_patch: shorten(&clean(&form.proposed_patch), DRAFT_MAX_CHARS),
        next_focus: lines(form.next_focus, 2),
    };
    let content = rule_based::facilitation_message(t.meeting.language(), &form);
    t.emit(EventBody::FacilitationWritten {
        ballot,
        message_id: t.meeting.next_message(),
        message: Message {
            role: MessageRole::System,
            name: String::new(),
            citations: citations::cited(&t.meeting, &content),
            evidence: evidence::cited(&t.meeting, &content, None),
            content,
        },
        disagreements: form.disagreements,
        proposed_patch: form.proposed_patch,
        next_focus: form.next_focus,
    });
}

fn concluded(t: &mut Transaction, form: ConclusionForm) {
    let line = |text: String| shorten(&clean(&text), CLAIM_MAX_CHARS);
    let disagreements = form.disagreements.into_iter().map(|Disagreement { issue, sides }| {
        let sides = sides.into_iter().map(|DisagreementSide { view, why, holders }| DisagreementSide {
            view: line(view),
            why: line(why),
            holders,
        });
        let sides = sides.filter(|side| !side.view.is_empty()).take(PARTICIPANTS_MAX).collect();
        Disagreement { issue: line(issue), sides }
    });
    let actions = form.actions.into_iter().map(|ActionItem { what, who, mut sources }| {
        sources.truncate(SOURCES_MAX);
        ActionItem { what: line(what), who: who.map(|who| shorten(&clean(&who), NAME_MAX_CHARS)), sources }
    });
    let written = shorten(&clean(&form.conclusion), CONCLUSION_MAX_CHARS);
    let (by, conclusion, reasons) = match t.meeting.accepted_draft() {
        // The draft that was voted on is the conclusion, word for word; other text of the facilitator stands
        // beside it.
        Some(draft) if written.trim() == draft.text.trim() => {
            (draft.by.clone(), draft.text.clone(), String::new())
        }
        Some(draft) => (draft.by.clone(), draft.text.clone(), written),
        None => (Actor::Facilitator, written, String::new()),
    };
    t.emit(EventBody::ConclusionWritten {
        by,
        conclusion,
        reasons,
        disagreements: disagreements.filter(|one| !one.issue.is_empty()).take(6).collect(),
        actions: actions.filter(|action| !action.what.is_empty()).take(12).collect(),
        best: form.best,
        wildcard: form.wildcard,
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::{ModelParameters, Stance, Timestamp, WebFindings};

    use super::*;
    use crate::tests::{PRICE, model, seated, started};

    /// The tokens that a meeting has used after its only call has ended with this usage.
    fn charged(m: &Meeting, what: Delivered, usage: Usage) -> u64 {
        let mut t = Transaction::begin(m, Timestamp(2));
        let (usage, latency_ms, web) = (Some(usage), 1, WebFindings::default());
        let (request_id, mended, window, retry_after_ms) = (None, Vec::new(), None, None);
        let delivery =
            Delivery { attempt: 1, usage, latency_ms, request_id, mended, window, retry_after_ms, web, what };
        deliver(&mut t, delivery).expect("the call is under way");
        t.meeting.spent.usage.total()
    }

    #[test]
    fn what_a_failed_call_used_is_what_its_provider_counted_or_what_was_held_back_for_it() {
        let (mut m, task) = started(model(ModelParameters::default(), PRICE));
        let failed = || {
            let (kind, detail, hint) = (FailureKind::Quota, "broken".into(), "mend it".into());
            Delivered::Failed { task, kind, detail, hint, doubtful: false }
        };
        let counted = Usage { input_tokens: 10, ..Usage::default() };
        let guessed = Usage { estimated: true, ..counted };
        let held_back = m.calls[&task].reserved.tokens;
        assert_eq!(charged(&m, failed(), counted), 10);
        assert_eq!(charged(&m, failed(), guessed), held_back);
        let answered = Delivered::Malformed { task, problem: "no JSON".into(), text: "{".into() };
        assert_eq!(charged(&m, answered, guessed), 10, "the use of an answer can be estimated");
        // Logs of earlier versions hold back nothing where no budget is set.
        m.calls.get_mut(&task).expect("the call").reserved.tokens = 0;
        assert_eq!(charged(&m, failed(), guessed), 10);
    }

    #[test]
    fn a_summary_names_each_holder_once_and_whoever_it_left_out_is_put_back() {
        let mut m = seated(4);
        for (seat, position) in m.seats.iter_mut().zip(["a file", "a server", "measure first"]) {
            let stance = Stance { position: position.into(), ..Stance::default() };
            Arc::make_mut(seat).stance = Some(stance);
        }
        let ids = |ids: &[u32]| ids.iter().copied().map(ParticipantId).collect::<Vec<_>>();
        let position =
            |text: &str, holders: &[u32]| SummaryPosition { text: text.into(), holders: ids(holders) };
        let given = vec![
            position("SQLite", &[1, 1, 9]),
            position("PostgreSQL", &[1, 2]),
            position("nobody's", &[2]),
            position(" ", &[3]),
        ];
        let (kept, restored) = complete(&m, given);
        let wanted =
            [position("SQLite", &[1]), position("PostgreSQL", &[2]), position("measure first", &[3])];
        assert_eq!((kept.as_slice(), restored), (&wanted[..], ids(&[3])), "the fourth holds none");
    }

    #[test]
    fn those_who_hold_a_position_in_the_same_words_hold_one() {
        let mut m = seated(4);
        for seat in m.seats.iter_mut().skip(1) {
            let stance = Stance { position: "measure first".into(), ..Stance::default() };
            Arc::make_mut(seat).stance = Some(stance);
        }
        let position = |text: &str, holders: &[u32]| SummaryPosition {
            text: text.into(),
            holders: holders.iter().copied().map(ParticipantId).collect(),
        };
        let given = vec![position("SQLite", &[1]), position("measure first", &[2]), position("SQLite", &[4])];
        let (kept, restored) = complete(&m, given);
        assert_eq!(kept, [position("SQLite", &[1, 4]), position("measure first", &[2, 3])]);
        assert_eq!(restored, [ParticipantId(3)]);
    }

    #[test]
    fn a_list_has_lines_with_words_and_so_many() {
        let given = ["how large?", " ", "how many?", "for how long?"].map(str::to_owned);
        assert_eq!(lines(given.into(), 2), ["how large?", "how many?"]);
    }
}
