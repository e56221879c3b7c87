//! Takes a seat at a meeting that a server runs, and follows it.

use std::process::ExitCode;

use quorate_contract::{MeetingId, Refusal};
use quorate_core::Phase;
use quorate_messages::text;
use quorate_views::Report;
use reqwest::Method;
use serde_json::Value;

use super::print_markdown;
use crate::args::JoinArgs;
use crate::error::{CliError, ErrorKind};
use crate::language::Speech;
use crate::live::{
    Ending, Link, SeatOptions, SeatPrompt, Session, SessionOptions, TerminalUser, View, can_be_asked,
    in_terminal,
};
use crate::place::Place;
use crate::remote::{Remote, RemoteMeeting, Writer, part};

/// The most meetings among which one is looked for by the beginning of its id.
const LISTED: usize = 200;

/// Takes a seat, and follows the meeting until it ends or the person leaves.
pub(crate) async fn join(place: &Place, args: JoinArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let (remote, id) = find(place, &args.id, speech).await?;
    if args.leave {
        let path = format!("/meetings/{}/join", part(id.as_str()));
        let _: Value = remote.ask(Method::DELETE, &path, None).await?;
        anstream::eprintln!("{}", text!(speech, "cli-join-gave-up"));
        return Ok(ExitCode::SUCCESS);
    }
    let link = Link::Server(RemoteMeeting::elsewhere(remote, id.clone()));
    let name = link.take_seat(args.name.as_deref(), args.role.as_deref().unwrap_or_default()).await?;
    let (meeting, _) = link.told_up_to(args.events_after.unwrap_or(u64::MAX)).await?;
    if meeting.is_over() {
        return Err(Refusal::MeetingIsOver.into());
    }
    let is_person = !args.json && can_be_asked();
    let heard = link.subscribe(meeting.seq, !args.json && in_terminal()).await?;
    let mut view = View::new(meeting).attending();
    if !args.json {
        view.recap();
        view.recent();
        view.note(&text!(speech, "cli-join-seated", %name));
    }
    let manner = SessionOptions {
        json: args.json,
        listens: true,
        takes_defaults: false,
        stays: is_person,
        attends: true,
    };
    let desk = SeatPrompt::new(link.turns(), SeatOptions { json: args.json, confirms: is_person });
    let mut session = Session::new(None, link, view, manner);
    session.sits(desk, TerminalUser::Seated(name));
    let (ending, meeting) = session.follow(heard).await?;
    match ending {
        Ending::Finished if !args.json => print_markdown(&Report::of(&meeting).to_markdown()),
        Ending::Finished => {}
        Ending::Left | Ending::Paused | Ending::Stopped => {
            let command = match &place.server {
                Some(url) => format!("quorate join {id} --server {url}"),
                None => place.command(&format!("join {id}")),
            };
            let has_started = !matches!(meeting.phase, Phase::Blank | Phase::Draft);
            let standing = match (has_started, meeting.is_paused()) {
                (false, _) => text!(speech, "cli-join-left-draft"),
                (true, true) => text!(speech, "cli-join-left-paused"),
                (true, false) => text!(speech, "cli-join-left"),
            };
            anstream::eprintln!("{standing}{command}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The server that runs the meeting, and the meeting's id.
async fn find(place: &Place, id: &str, speech: Speech) -> Result<(Remote, MeetingId), CliError> {
    if let Some(remote) = Remote::named(place)? {
        let id = find_at(&remote, id, speech).await?;
        return Ok((remote, id));
    }
    match Writer::server(place)? {
        Some((remote, store)) => {
            let id = store.find(id).await?;
            Ok((remote, id))
        }
        None => Err(CliError::new(
            text!(speech, "cli-join-no-server"),
            crate::place::with_database(text!(speech, "cli-join-no-server-hint")),
        )
        .of(ErrorKind::NotFound)),
    }
}

/// The meeting of a server whose id begins so; `last` is the newest one that the caller may see.
async fn find_at(remote: &Remote, prefix: &str, speech: Speech) -> Result<MeetingId, CliError> {
    let listed: Value = remote.ask(Method::GET, &format!("/meetings?limit={LISTED}"), None).await?;
    let ids = listed["items"].as_array().into_iter().flatten().filter_map(|one| one["id"].as_str());
    let mut found: Vec<&str> =
        ids.filter(|id| prefix == "last" || id.starts_with(prefix)).take(LISTED).collect();
    if prefix == "last" {
        found.truncate(1);
    }
    match found.as_slice() {
        [id] => Ok(MeetingId::new(*id)),
        // An older one is known by its whole id.
        [] if prefix != "last" => Ok(MeetingId::new(prefix)),
        [] => Err(CliError::new(
            text!(speech, "cli-join-no-meeting"),
            text!(speech, "cli-join-no-meeting-hint"),
        )
        .of(ErrorKind::NotFound)),
        several => {
            let count = several.len();
            Err(CliError::usage(
                text!(speech, "cli-join-several", %prefix, %count),
                text!(speech, "cli-join-several-hint"),
            ))
        }
    }
}
