//! One room for each wish. A wish becomes facts, or a reason why none follow.

mod create;
mod deliver;
mod people;
mod rest;
mod say;

use crate::command::Command;
use crate::event::{CallEnd, EventBody};
use crate::flow;
use crate::ids::Moment;
use crate::meeting::{Meeting, Phase};
use crate::refusal::Refusal;
use crate::table::Table;

/// Turns a wish into the facts that follow from it, or into the reason why none do.
///
/// The facts are one append: they hold the consequences (the next speaker, the next round, the
/// calls that are now to be made), and the state after them asks nothing of the rules any more.
pub fn decide(meeting: &Meeting, command: Command, now: Moment) -> Result<Vec<EventBody>, Refusal> {
    let mut table = Table::new(meeting, now);
    let t = &mut table;
    match command {
        Command::Create { by, founding } => create::create(t, by, *founding)?,
        Command::Fork { from } => create::fork(t, from)?,
        Command::Start { by } => create::start(t, by)?,
        Command::Say { by, content } => say::say(t, by, &content)?,
        Command::RequestSpeaker { by, participant } => say::request(t, by, &participant)?,
        Command::Join { by, newcomer } => people::join(t, by, *newcomer)?,
        Command::Leave { by, participant } => people::leave(t, by, &participant)?,
        Command::Pause { by, at_once } => rest::pause(t, by, at_once)?,
        Command::Resume { by, token, answers } => rest::resume(t, by, token, answers)?,
        Command::End { by, note } => rest::end(t, by, note)?,
        Command::Deliver(delivery) => deliver::deliver(t, *delivery)?,
        Command::Recover => recover(t),
        Command::Tick => {}
    }
    flow::settle_down(t);
    Ok(table.into_facts())
}

/// Calls that were under way have lost whoever waited for them. They are charged with what was
/// held back, and made again.
fn recover(t: &mut Table) {
    if t.meeting.calls.is_empty() {
        return;
    }
    t.state(EventBody::Recovered {});
    let lost: Vec<_> = t.meeting.calls.iter().map(|(task, call)| (*task, call.since)).collect();
    for (task, since) in lost {
        t.end_call(task, CallEnd::Lost, None, t.now.since_ms(since));
    }
}

/// Refuses what can only be wished of a meeting that is under way.
fn under_way(meeting: &Meeting) -> Result<(), Refusal> {
    match meeting.phase {
        Phase::Blank => Err(Refusal::NotCreated),
        Phase::Draft => Err(Refusal::NotStarted),
        Phase::Closing { .. } | Phase::Ended { .. } => Err(Refusal::MeetingIsOver),
        Phase::Discussion | Phase::Summary | Phase::Ballot | Phase::Facilitation => Ok(()),
    }
}
