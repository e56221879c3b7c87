//! Pauses or ends a meeting from another shell: through the process that runs it, or here when there is none.

use std::process::ExitCode;

use quorate_app::UseCase;
use quorate_contract::{Actor, Command, MeetingId, Refusal};
use quorate_core::{Meeting, RunState};
use quorate_messages::text;

use super::inspect::load;
use super::say::AtRest;
use crate::args::{EndArgs, PauseArgs};
use crate::error::CliError;
use crate::language::Speech;
use crate::live::Link;
use crate::place::Place;
use crate::remote::{RemoteMeeting, Writer};
use crate::{control, password};

/// The meeting that is named, which is not over.
async fn find(place: &Place, id: &str) -> Result<(MeetingId, Meeting), CliError> {
    let store = place.read()?;
    let id = store.find(id).await?;
    password::ask(&store, &id).await?;
    let (meeting, _) = load(&store, UseCase::ShowMeeting, &id).await?;
    match meeting.is_over() {
        true => Err(Refusal::MeetingIsOver.into()),
        false => Ok((id, meeting)),
    }
}

/// Sends the command to the process that runs the meeting. `false` when there is none.
async fn asked(place: &Place, id: &MeetingId, line: &str, command: Command) -> Result<bool, CliError> {
    if control::ask(place, id, line).await?.is_some() {
        return Ok(true);
    }
    match Writer::server(place)? {
        Some((server, store)) => {
            Link::Server(RemoteMeeting::new(server, store, id.clone())).send(command).await?;
            Ok(true)
        }
        None => Ok(false),
    }
}

/// Pauses a meeting.
pub(crate) async fn pause(place: &Place, args: PauseArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let (id, meeting) = find(place, &args.id).await?;
    let go_on = place.command(&format!("resume {id}"));
    if matches!(meeting.run_state, RunState::Paused { .. }) {
        anstream::eprintln!("{}{go_on}", text!(speech, "cli-pause-and-end-meeting-paused-already-go"));
        return Ok(ExitCode::SUCCESS);
    }
    let line = if args.at_once { "/pause now" } else { "/pause" };
    let command = Command::Pause { by: Actor::owner(), at_once: args.at_once };
    let runs = asked(place, &id, line, command).await?;
    if !runs {
        // It was cut off, and is paused from now on.
        AtRest::open(place, id.as_str(), None, false).await?.close().await;
    }
    let text = match (runs, args.at_once) {
        (true, false) => {
            text!(speech, "cli-pause-and-end-pauses-after-current-speaker-go")
        }
        (true, true) | (false, _) => {
            text!(speech, "cli-pause-and-end-meeting-paused-go")
        }
    };
    anstream::eprintln!("{text}{go_on}");
    Ok(ExitCode::SUCCESS)
}

/// Ends a meeting with the best conclusion there is.
pub(crate) async fn end(place: &Place, args: EndArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let (id, before) = find(place, &args.id).await?;
    let note = args.note.unwrap_or_default();
    let command = Command::End { by: Actor::owner(), note: note.clone() };
    let line = format!("/end {}", note.replace('\n', " "));
    if !asked(place, &id, line.trim_end(), command.clone()).await? {
        let mut meeting = AtRest::open(place, id.as_str(), args.config.as_deref(), false).await?;
        meeting.execute(command).await?;
        meeting.until_quiet().await?;
        meeting.close().await;
    }
    let show = place.command(&format!("show {id}"));
    anstream::eprintln!("{}{show}", text!(speech, "cli-pause-and-end-meeting-ends-its-result"));
    if !before.rules().closing.artifacts.is_empty() {
        let again = place.command(&format!("end {id}"));
        anstream::eprintln!("{}", text!(speech, "cli-pause-and-end-gate", %again));
    }
    Ok(ExitCode::SUCCESS)
}
