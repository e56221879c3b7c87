//! Prompts of participants and of the facilitator.
//!
//! First the instruction with the role, the same for the whole meeting; then the topic; then the record,
//! which only grows at its end; the task last. The reader's own messages are `assistant` messages; everything
//! else is data inside frames that no text can forge.

mod brief;
mod files;
mod frame;
mod history;
mod images;
pub(crate) mod outcome;
mod quotes;
mod record_parts;
pub(crate) mod record_shapes;
mod schema;
pub(crate) mod shape;
mod shortened;
mod templates;
pub(crate) mod tokens;
mod tools;
pub(crate) mod windows;

use std::borrow::Cow;
use std::sync::Arc;

use minijinja::value::Serde;
use minijinja::{Value, context as values};
use quorate_contract::{
    AnswerSchema, ArtifactKind, Brief, BriefTask, Call, ContextScope, FloorMode, Language, MeetingOutcome,
    Moderator, ParticipantId, Prompt, PromptMessage, PromptRole, ROUNDS_MAX, RunnerSpec, SCORE_FAILS_BELOW,
    SCORE_PASSES_FROM, SpeakingLength, TaskId, TurnReason, WEB_SEARCH,
};
use quorate_messages::text;

use self::record_parts::RecordPiece;
use crate::policy::roster;
use crate::prompt::tokens::{estimate_tokens, most_tokens};
use crate::state::tasks::{answerer, runner};
use crate::state::{Meeting, MeetingMessage, Phase, Seat};

/// The prompt of a call.
pub fn context(meeting: &Meeting, call: &Call) -> Prompt {
    of_task(meeting, call.id)
}

pub(crate) fn of_task(m: &Meeting, task: TaskId) -> Prompt {
    let brief = brief::of(m, task);
    let shown = images::shown(m, task);
    let mut messages = vec![PromptMessage::text(PromptRole::User, opening(m, task))];
    for image in images::in_opening(m, task, &shown) {
        images::put(m, image, &mut messages[0]);
    }
    for piece in pieces_for(m, task) {
        let role = if piece.is_own() { PromptRole::Assistant } else { PromptRole::User };
        let message = next(&mut messages, role);
        piece.put(m, &mut message.content);
        if let RecordPiece::File(record) = piece
            && shown.iter().any(|image| image.file.id == record.file.id)
        {
            images::put(m, record, message);
        }
    }
    if let Some(repair) = m.repair(task) {
        put(&mut messages, PromptRole::Assistant, frame::data(&repair.excerpt));
    }
    let assignment = assignment(m, task, &brief);
    let length = assignment.len();
    put(&mut messages, PromptRole::User, assignment);
    let task_at = messages.last().map_or(0, |last| last.content.len() - length);
    Prompt {
        system: instruction(m, task),
        messages,
        task_at,
        schema: schema::of(m, &brief),
        max_tokens: max_tokens(m, task),
        brief: Arc::new(brief),
        tools: tools::of(m, task),
    }
}

/// The record in the prompt of a task, shortened where all of it does not fit.
fn pieces_for(m: &Meeting, task: TaskId) -> Vec<RecordPiece<'_>> {
    let pieces = history::of(m, task);
    let times = m.failure_actions.get(&task).map_or(0, |had| had.shorter);
    let window = windows::of(m, task);
    if times == 0 && window.is_none() {
        return pieces;
    }
    let all = shortened::tokens(m, &pieces);
    let room = match window {
        Some(window) => windows::room(window, beside_record(m, task), max_tokens(m, task), times),
        None => all.checked_shr(times).unwrap_or(0),
    };
    if all <= room { pieces } else { shortened::of(m, task, pieces, room) }
}

/// The number of tokens of a prompt beside the record; none of them can be left out.
fn beside_record(m: &Meeting, task: TaskId) -> u64 {
    let assignment = assignment(m, task, &brief::of(m, task));
    let repair = m.repair(task).map_or(0, |repair| estimate_tokens(&frame::data(&repair.excerpt)));
    let images = images::in_opening(m, task, &images::shown(m, task));
    [instruction(m, task), opening(m, task), assignment].iter().map(|text| estimate_tokens(text)).sum::<u64>()
        + repair
        + images.into_iter().map(images::tokens_of).sum::<u64>()
        + tools::size(m, task)
}

/// About how many tokens a prompt for this task has.
pub(crate) fn size(m: &Meeting, task: TaskId) -> u64 {
    beside_record(m, task) + shortened::tokens(m, &pieces_for(m, task))
}

/// The schema of an answer to this task.
pub(crate) fn schema_of(m: &Meeting, task: TaskId) -> Option<AnswerSchema> {
    schema::of(m, &brief::of(m, task))
}

/// The number of tokens of the record in the prompt of this task.
pub(crate) fn record_size(m: &Meeting, task: TaskId) -> u64 {
    shortened::tokens(m, &pieces_for(m, task))
}

/// The most tokens of what was said in a round that runs. Until it ends nobody reads it, and no prompt has it.
pub(crate) fn most_unread_tokens(m: &Meeting) -> u64 {
    let said = m.said.get(m.visible_messages()..).unwrap_or_default();
    let unread = said.iter().filter(|said| m.visible_at(said, None).is_none());
    let read = |said: &Arc<MeetingMessage>| {
        let mut words = String::new();
        RecordPiece::Said(said).put(m, &mut words);
        most_tokens(&words) + 8
    };
    unread.map(read).sum()
}

/// Adds words, if there are any.
fn put(messages: &mut Vec<PromptMessage>, role: PromptRole, content: String) {
    if !content.is_empty() {
        next(messages, role).content.push_str(&content);
    }
}

/// The message to which words of this role are appended. Two messages of the same role in a row become one,
/// because many servers insist that roles alternate.
fn next(messages: &mut Vec<PromptMessage>, role: PromptRole) -> &mut PromptMessage {
    match messages.last_mut() {
        Some(last) if last.role == role => last.content.push_str("\n\n"),
        Some(_) | None => messages.push(PromptMessage::text(role, "")),
    }
    let last = messages.len() - 1;
    &mut messages[last]
}

fn instruction(m: &Meeting, task: TaskId) -> String {
    let language = m.language();
    let seat = answerer(m, task).and_then(|id| m.seat(id));
    match seat {
        Some(seat) => {
            let participant = &seat.participant;
            let limits = &m.rules().limits;
            let tool_calls = limits.tool_calls_per_turn.min(limits.tool_calls);
            templates::render(
                language,
                "participant",
                values! {
                    name => &participant.name,
                    role => Value::from(Serde(&participant.role)),
                    ballots => m.rules().decision.ballots,
                    converges => m.rules().decision.convergence.is_some(),
                    ideas => m.rules().turns.ideas,
                    private_memory => m.rules().context.private_memory,
                    layered => m.rules().context.view == ContextScope::Layered,
                    style => m.rules().talk.style.map(Serde).map(Value::from),
                    length => length_of(m, participant.id).map(Serde).map(Value::from),
                    moderates => brief::moderates(m, task),
                    host_led => m.rules().turns.floor == FloorMode::Host,
                    tools => (m.tools_of(participant.id).any(|name| name != WEB_SEARCH) && tool_calls > 0)
                        || files::can_be_read_on(m, task),
                    web_search => m.may_search_web(task, participant.id) && tool_calls > 0,
                    tools_per_turn => tool_calls,
                },
            )
        }
        None => {
            let prompt = m.settings.facilitator.as_ref().map_or("", |f| f.system_prompt.as_str());
            let ideas = m.rules().turns.ideas;
            templates::render(language, "facilitator", values! { system_prompt => prompt, ideas => ideas })
        }
    }
}

/// The name of a participant; of a person, with that it is one.
fn name_of_seat<'m>(m: &Meeting, seat: &'m Seat) -> Cow<'m, str> {
    let name = &seat.participant.name;
    match seat.is_person() {
        true => Cow::Owned(text!(m.language(), "records-person", %name)),
        false => Cow::Borrowed(name),
    }
}

fn opening(m: &Meeting, task: TaskId) -> String {
    let people: Vec<_> = m
        .present()
        .map(|seat| values! { name => name_of_seat(m, seat), role => &seat.participant.role.name })
        .collect();
    let settings = &m.settings;
    let mut opening = templates::render(
        m.language(),
        "opening",
        values! {
            topic => &settings.topic,
            background => &settings.background,
            people => people,
            moderator => moderator(m),
        },
    );
    opening.push_str(&files::of(m, task));
    opening
}

/// The name of the participant or the person that leads the meeting; `None` is a person without a name of their own.
fn moderator(m: &Meeting) -> Option<String> {
    match m.settings.moderator {
        Moderator::Agent { id } => {
            m.seat(id).filter(|seat| seat.present).map(|seat| seat.participant.name.clone())
        }
        Moderator::User => {
            let host =
                m.host_person.as_ref().filter(|host| m.display_name(&host.id, &host.name) == host.name)?;
            let name = m.person_name(&host.id, &host.name);
            Some(text!(m.language(), "records-person", %name))
        }
    }
}

/// The speaking length of a participant, when the rules set one.
fn length_of(m: &Meeting, id: ParticipantId) -> Option<SpeakingLength> {
    m.rules().talk.lengths.get(&m.seat(id)?.participant.name).copied()
}

/// The instruction about length. A participant must not be invited to write more than is kept.
fn length_hint(m: &Meeting, id: Option<ParticipantId>) -> String {
    let (chars, words) = match id.and_then(|id| length_of(m, id)) {
        Some(SpeakingLength::Brief) => (100, 50),
        Some(SpeakingLength::Moderate) | None => (300, 150),
        Some(SpeakingLength::Detailed) => (800, 400),
    };
    // A Chinese character is a word or half of one; an English word has six letters or so.
    let max = m.rules().turns.max_message_chars;
    let language = m.language();
    match language {
        Language::Zh => text!(language, "records-at-most-characters", count = chars.min(max)),
        Language::En if max < words * 20 / 3 => text!(language, "records-at-most-characters", count = max),
        Language::En => text!(language, "records-at-most-words", count = words),
    }
}

fn assignment(m: &Meeting, task: TaskId, brief: &Brief) -> String {
    let language = m.language();
    let brief_values = Value::from(Serde(brief));
    let more = match task {
        TaskId::Speak(turn) => {
            let reason = m.turn(turn).map(|turn| match turn.reason {
                TurnReason::Rotation => "rotation",
                TurnReason::Mentioned { .. } => "mentioned",
                TurnReason::Requested => "requested",
            });
            values! {
                reason => reason,
                length => length_hint(m, answerer(m, task)),
                measured => m.rules().decision.convergence.is_some(),
                open_ended => m.rules().limits.max_rounds == ROUNDS_MAX,
            }
        }
        TaskId::Vote(..) => values! {
            version => m.draft().map(|draft| draft.version),
            passes_from => SCORE_PASSES_FROM,
            fails_below => SCORE_FAILS_BELOW,
        },
        TaskId::Summarize(_) => {
            let patch = m.facilitations.last().filter(|f| {
                // A patch is news only to the summary after the ballot that it belongs to.
                m.ballots.last().is_some_and(|b| b.id == f.ballot && b.round + 1 == m.round_number())
            });
            values! {
                patch => patch.map(|f| f.proposed_patch.as_str()).filter(|patch| !patch.is_empty()),
                ballots => m.rules().decision.ballots,
                measured => m.rules().decision.convergence.is_some(),
            }
        }
        TaskId::Facilitate(ballot) => values! { ballot => ballot.0, failed => failed_clauses(m) },
        TaskId::Conclude => {
            let completed = m.outcome() == Some(&MeetingOutcome::Completed);
            let converged = matches!(m.outcome(), Some(MeetingOutcome::Converged { .. }));
            let outcome = crate::prompt::outcome::outcome_text(m);
            values! {
                outcome => outcome,
                completed => completed,
                converged => converged,
                ballots => m.rules().decision.ballots,
            }
        }
        TaskId::Team(_) => values! { first => m.rounds.is_empty() },
        TaskId::Minutes(_) => {
            let before = m.current_minutes().map(|version| Value::from(Serde(&version.minutes)));
            values! { before => before }
        }
        TaskId::Evaluate(_) => {
            let marked: Vec<String> = roster::to_be_marked(m).into_iter().map(|id| m.name_of(id)).collect();
            values! { marked => marked }
        }
        TaskId::Intake(round) => values! { before => round },
        TaskId::Artifact(..) => {
            values! { status => Value::from(Serde(&crate::policy::agreement::adr_status(m))) }
        }
        TaskId::Invite(_) => values! {},
    };
    let name = match &brief.task {
        BriefTask::Blind(_) => "blind",
        BriefTask::Speak(_) => "speak",
        BriefTask::Vote => "vote",
        BriefTask::Summarize(_) => "summarize",
        BriefTask::Facilitate => "facilitate",
        BriefTask::Conclude(_) => "conclude",
        BriefTask::Contribute(_) => "contribute",
        BriefTask::Intake(_) => "intake",
        BriefTask::Team(_) => "team",
        BriefTask::Evaluate(_) => "evaluate",
        BriefTask::Invite(_) => "invite",
        BriefTask::Minutes(_) => "minutes",
        BriefTask::Artifact(wanted) => match wanted.artifact {
            ArtifactKind::Adr => "artifact_adr",
            ArtifactKind::Tasks => "artifact_tasks",
            ArtifactKind::Risks => "artifact_risks",
            ArtifactKind::Minutes => "minutes",
            ArtifactKind::Summary => "artifact_summary",
        },
    };
    let listed = values! { roots => brief::roots_of_ideas(m) };
    templates::render(language, name, values! { ..listed, ..more, ..brief_values })
}

fn failed_clauses(m: &Meeting) -> String {
    let Some((_, verdict)) = m.last_counted_ballot() else { return String::new() };
    let failed = verdict.clauses.iter().filter(|clause| !clause.met);
    failed.map(|clause| quorate_contract::clause_text(m.language(), clause)).collect::<Vec<_>>().join("; ")
}

/// The token limit of an answer. The facilitator writes more than one participant, and a repair gets more
/// room, because the first answer may have been cut off.
fn max_tokens(m: &Meeting, task: TaskId) -> u32 {
    let limit = m.rules().limits.answer_tokens;
    let own = match runner(m, task) {
        Some(RunnerSpec::Model { parameters, .. }) => parameters.max_tokens,
        Some(
            RunnerSpec::Simulated { .. }
            | RunnerSpec::Process { .. }
            | RunnerSpec::Acp { .. }
            | RunnerSpec::External { .. },
        )
        | None => None,
    };
    // A text about all participants is longer.
    let short = matches!(task, TaskId::Speak(_) | TaskId::Vote(..));
    let room = if short { 1 } else { 2 } * if m.repair(task).is_some() { 2 } else { 1 };
    own.unwrap_or(limit).saturating_mul(room)
}

/// Whether the meeting is in its blind round.
pub(crate) fn is_blind(m: &Meeting) -> bool {
    m.phase == Phase::Discussion
        && m.round().is_some_and(|round| round.kind == quorate_contract::RoundKind::Blind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{seated, settings};

    #[test]
    fn nobody_is_invited_to_write_more_than_is_kept() {
        let hint = |language, max_chars| {
            let mut m = seated(1);
            let settings = settings(&mut m);
            settings.language = language;
            settings.rules.turns.max_message_chars = max_chars;
            length_hint(&m, None)
        };
        assert!(hint(Language::En, 1000).contains("150"), "that many words have room");
        assert!(hint(Language::En, 999).contains("999"));
        assert!(hint(Language::Zh, 400).contains("300"));
        assert!(hint(Language::Zh, 200).contains("200"));
    }
}
