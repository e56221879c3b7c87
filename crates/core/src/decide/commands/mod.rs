//! Commands, by what they are about. A command becomes events, or a refusal.

mod actions;
mod create;
mod deliver;
mod files;
mod fork;
mod participants;
mod pause;
mod people;
mod records;
mod say;
mod settings;
mod stance;
mod tools;
mod web_search;

use quorate_contract::{CallEnd, Command, EventBody, Refusal, Timestamp};

use crate::decide::flow;
use crate::decide::origin::Origin;
use crate::decide::transaction::{CallResult, Transaction};
use crate::state::{Meeting, Phase};

pub use fork::last_fork_point;
pub use pause::answer_text;

/// Turns a command into the events that follow from it, or into the reason why none do.
///
/// The events are one append: they hold the consequences (the next speaker, the next round, the
/// calls that are now to be made), and the state after them asks nothing of the rules any more. Only [`step`](crate::step)
/// checks the invariants, too; a debug build asserts them here.
///
/// # Errors
/// The refusal of the command.
pub fn decide(meeting: &Meeting, command: Command, now: Timestamp) -> Result<Vec<EventBody>, Refusal> {
    let decided = decided(meeting, Origin::Fresh, command, now)?;
    debug_assert_eq!(decided.broken(), None);
    Ok(decided.into_bodies())
}

/// A copy of the meeting with all that follows from a command.
pub(crate) fn decided(
    meeting: &Meeting,
    origin: Origin,
    command: Command,
    now: Timestamp,
) -> Result<Transaction, Refusal> {
    let mut table = Transaction::begin(meeting, now);
    let t = &mut table;
    match origin {
        Origin::Fresh => {}
        Origin::Recovered => recover(t),
    }
    match command {
        Command::Create { by, spec } => create::create(t, by, *spec)?,
        Command::Fork { by, from, title, limits, without_tools } => {
            fork::fork(t, by, from, &title, &limits, without_tools)?;
        }
        Command::Start { by } => create::start(t, by)?,
        Command::Say { by, content } => say::say(t, by, &content, None)?,
        Command::Reply { by, to, content } => say::say(t, by, &content, Some(to))?,
        Command::RequestSpeaker { by, participant } => say::request(t, by, &participant)?,
        Command::Join { by, newcomer } => participants::join(t, by, *newcomer)?,
        Command::Leave { by, participant } => participants::leave(t, by, &participant)?,
        Command::Invite { by, description } => participants::invite(t, by, &description)?,
        Command::SetPresence { by, participant, presence } => {
            participants::set_presence(t, by, &participant, presence)?;
        }
        Command::ChangeParticipant { by, participant, presence, skip_list } => {
            participants::change(t, by, &participant, presence, skip_list)?;
        }
        Command::Arrive { by } => people::arrive(t, &by)?,
        Command::Depart { by, person } => people::depart(t, by, &person)?,
        Command::HandOver { by, to, manages } => people::hand_over(t, by, &to, manages)?,
        Command::ChangeRules { by, rules } => settings::change_rules(t, by, rules)?,
        Command::ChangeTopic { by, topic } => settings::change_topic(t, by, &topic)?,
        Command::AddAgendaItem { by, title, description } => settings::add_item(t, by, &title, &description)?,
        Command::CompleteAgendaItem { by, item, completed } => {
            settings::complete_item(t, by, &item, completed)?;
        }
        Command::RemoveAgendaItem { by, item } => settings::remove_item(t, by, &item)?,
        Command::Announce { by, text } => settings::announce(t, by, &text)?,
        Command::SetAccess { by, locked } => settings::set_access(t, by, locked)?,
        Command::ChangeMeeting { by, topic, details, rules, announcement, locked } => {
            if let Some(topic) = topic {
                settings::change_topic(t, by.clone(), &topic)?;
            }
            if let Some(details) = details {
                settings::change_details(t, by.clone(), details)?;
            }
            if let Some(rules) = rules {
                settings::change_rules(t, by.clone(), rules).map_err(|refusal| refusal.within("rules"))?;
            }
            if let Some(text) = announcement {
                settings::announce(t, by.clone(), &text)?;
            }
            if let Some(locked) = locked {
                settings::set_access(t, by, locked)?;
            }
        }
        Command::WriteMinutes { by, writer, note } => records::write_minutes(t, by, writer, &note)?,
        Command::EditMinutes { by, based_on, minutes } => records::edit_minutes(t, by, based_on, *minutes)?,
        Command::WriteArtifact { by, kind } => records::write_artifact(t, by, kind)?,
        Command::Pause { by, at_once } => pause::pause(t, by, at_once)?,
        Command::Resume { by, token, answers, take_defaults } => {
            pause::resume(t, by, token, answers, take_defaults)?;
        }
        Command::Advance { by, until, token, answers, take_defaults } => {
            match t.meeting.phase {
                Phase::Draft => create::start(t, by.clone())?,
                _ => pause::go_on(t, by.clone(), token, answers, take_defaults)?,
            }
            pause::halt(t, by, until);
        }
        Command::End { by, note } => pause::end(t, by, note)?,
        Command::AttachFile { by, file } => files::attach(t, by, *file)?,
        Command::RemoveFile { by, file } => files::remove(t, by, file)?,
        Command::Deliver(delivery) => deliver::deliver(t, *delivery)?,
        Command::ReturnTool { turn, call, outcome, latency_ms } => {
            tools::returned(t, turn, call, outcome, latency_ms)?;
        }
        Command::NoteRetry { task, attempt, retry } => deliver::retried(t, task, attempt, *retry)?,
        Command::NoteAction { task, attempt, action } => actions::report(t, task, attempt, *action)?,
        Command::PermitAction { by, task, attempt, number, allowed } => {
            actions::permit(t, by, task, attempt, number, allowed)?;
        }
        Command::NoteIdle { idle_ms } => note_idle(t, idle_ms),
        Command::Tick => {}
    }
    flow::proceed(t);
    Ok(table)
}

/// Records that calls in flight were lost with their process. They are charged with their reserve, and made
/// again. A tool without effects runs again; one with effects never does.
///
/// The time in which no process ran the meeting does not count; that has to be recorded only where time is
/// limited.
fn recover(t: &mut Transaction) {
    let counts = t.meeting.is_running() && t.meeting.rules().limits.wall_ms.is_some();
    let runs_tool = t.meeting.running_tool_calls().next().is_some();
    if t.meeting.calls.is_empty() && !counts && !runs_tool {
        return;
    }
    t.emit(EventBody::Recovered { idle_ms: None });
    let lost: Vec<_> = t.meeting.calls.iter().map(|(task, call)| (*task, call.since)).collect();
    for (task, since) in lost {
        t.end_call(task, CallResult::without_answer(CallEnd::Lost, t.now.since_ms(since)));
    }
    tools::lost(t);
}

/// The clock was set, or the machine slept: so much of the time since the last event was no time of the
/// meeting.
fn note_idle(t: &mut Transaction, idle_ms: u64) {
    if idle_ms > 0 && t.meeting.is_running() {
        t.emit(EventBody::Recovered { idle_ms: Some(idle_ms) });
    }
}

/// Refuses what cannot be asked of a meeting that does not exist or is over.
fn not_over(meeting: &Meeting) -> Result<(), Refusal> {
    match meeting.phase {
        Phase::Draft => Ok(()),
        _ => under_way(meeting),
    }
}

/// Refuses commands that need a running meeting.
fn under_way(meeting: &Meeting) -> Result<(), Refusal> {
    match meeting.phase {
        Phase::Blank => Err(Refusal::NotCreated),
        Phase::Draft => Err(Refusal::NotStarted),
        Phase::Closing { .. } | Phase::Ended { .. } => Err(Refusal::MeetingIsOver),
        Phase::Preparation | Phase::Discussion | Phase::Summary => Ok(()),
        Phase::Ballot | Phase::Facilitation => Ok(()),
    }
}
