//! Plays a meeting again from its log. No model is called.

use std::process::ExitCode;
use std::time::Duration;

use quorate_app::LocalDatabase;
use quorate_contract::{Event, MeetingId, RunId};
use quorate_core::Meeting;
use quorate_messages::message;

use super::look::load_to_tell;
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
    load_to_tell(&store, &id).await?;
    let speed = match args.speed {
        Some(speed) if !(speed.is_finite() && speed > 0.0) => {
            return Err(CliError::usage(format!("--speed is {speed}"), "give a number above 0, such as 4"));
        }
        speed => speed,
    };
    if args.json && speed.is_none() {
        print_lines(&store, &id, 0).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut view = View::on_stdout(Meeting::blank(id.clone(), RunId::new("")));
    let mut before = None;
    for (seq, line) in store.lines(&id, 0).await? {
        let event = Event::from_json(&line).map_err(|error| {
            CliError::new(
                message!("cli-replay-event-unreadable", %seq, %error),
                message!("cli-replay-event-unreadable-hint"),
            )
        })?;
        if let (Some(speed), Some(before)) = (speed, before) {
            let pause = Duration::from_millis(event.ts_ms.since_ms(before)).div_f64(speed);
            tokio::time::sleep(pause.min(LONGEST_PAUSE)).await;
        }
        before = Some(event.ts_ms);
        match args.json {
            true => print(&line),
            false => view.event(&event),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the events after `after` as they were printed while the meeting ran.
pub(crate) async fn print_lines(store: &LocalDatabase, id: &MeetingId, after: u64) -> Result<(), CliError> {
    let lines = store.lines(id, after).await?;
    let text: String = lines.into_iter().flat_map(|(_, line)| [line, "\n".to_owned()]).collect();
    if !text.is_empty() {
        print(&text);
    }
    Ok(())
}
