//! Plays a meeting again from its log. No model is called.

use std::process::ExitCode;
use std::time::Duration;

use quorate_app::{LocalDatabase, Principal, UseCase, viewer_of};
use quorate_contract::{Event, MeetingId, RunId};
use quorate_core::Meeting;
use quorate_messages::message;
use quorate_views::Viewer;

use super::inspect::load;
use super::print;
use crate::args::ReplayArgs;
use crate::error::CliError;
use crate::live::View;
use crate::place::Place;

/// The longest pause between two events, however long it was in the log.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Plays a meeting again.
pub(crate) async fn replay(place: &Place, args: ReplayArgs) -> Result<ExitCode, CliError> {
    let store = place.read()?;
    let id = store.find(&args.id).await?;
    let (meeting, _) = load(&store, UseCase::ReadLog, &id).await?;
    let reader = viewer_of(&meeting, &Principal::owner());
    let speed = match args.speed {
        Some(speed) if !(speed.is_finite() && speed > 0.0) => {
            return Err(CliError::usage(
                message!("cli-setup-not-positive", name = "--speed", value = %speed),
                message!("cli-replay-speed-hint"),
            ));
        }
        speed => speed,
    };
    if args.json && speed.is_none() {
        print_lines(&store, &id, 0, reader).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut view = View::on_stdout(Meeting::blank(id.clone(), RunId::new("")));
    let mut before = None;
    for (seq, line) in store.lines(UseCase::ReadLog, &id, 0).await? {
        let event = read(seq, &line)?;
        if let (Some(speed), Some(before)) = (speed, before) {
            let pause = Duration::from_millis(event.ts_ms.since_ms(before)).div_f64(speed);
            tokio::time::sleep(pause.min(LONGEST_PAUSE)).await;
        }
        before = Some(event.ts_ms);
        match (reader.line(&event), args.json) {
            (told, true) => print(&told.unwrap_or(line)),
            (None, false) => view.event(&event),
            (Some(told), false) => view.event_told_as(&event, &told),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read(seq: u64, line: &str) -> Result<Event, CliError> {
    Event::from_json(line).map_err(|error| {
        CliError::new(
            message!("cli-replay-event-unreadable", %seq, %error),
            message!("cli-replay-event-unreadable-hint"),
        )
    })
}

/// Prints the events after `after` as a reader may see them: the stored lines, unless something is hidden from it.
pub(crate) async fn print_lines(
    store: &LocalDatabase,
    id: &MeetingId,
    after: u64,
    reader: Viewer,
) -> Result<(), CliError> {
    let mut text = String::new();
    for (seq, line) in store.lines(UseCase::ReadLog, id, after).await? {
        let told = match reader.sees_all() {
            true => None,
            false => reader.line(&read(seq, &line)?),
        };
        text.push_str(&told.unwrap_or(line));
        text.push('\n');
    }
    if !text.is_empty() {
        print(&text);
    }
    Ok(())
}
