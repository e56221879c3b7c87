//! Judges a meeting once more under other rules, from its log. No model is called.

use std::process::ExitCode;

use quorate_app::UseCase;
use quorate_core::Meeting;
use quorate_messages::text;
use quorate_views::{CannotRejudge, WhatIf, what_if};

use super::inspect::load;
use super::{print, print_markdown};
use crate::args::WhatifArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::live::seen_by_owner;
use crate::place::Place;

/// Says how a meeting would have gone, or what it would take for another outcome.
pub(crate) async fn whatif(place: &Place, args: WhatifArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = place.read()?;
    let id = store.find(&args.id).await?;
    let (meeting, _) = load(&store, UseCase::WhatIf, &id).await?;
    let meeting = seen_by_owner(meeting);
    let judged = change(&meeting, &args).and_then(|change| what_if(&meeting, &change));
    let report = judged.map_err(|refusal| refused(&refusal, speech))?;
    match args.json {
        true => print(&report.to_json()),
        false => print_markdown(&report.to_markdown()),
    }
    Ok(ExitCode::SUCCESS)
}

fn change(meeting: &Meeting, args: &WhatifArgs) -> Result<WhatIf, CannotRejudge> {
    let without = args.without.iter().map(|name| WhatIf::seated(meeting, name)).collect::<Result<_, _>>()?;
    Ok(WhatIf {
        mean_score: args.threshold,
        pass_ratio: args.pass_ratio,
        min_score: args.min_score,
        quorum: args.quorum,
        // Clap lets only the names of modes through.
        mode: args.mode.as_deref().and_then(|mode| mode.parse().ok()),
        without,
    })
}

/// The refusal in the flags' own names.
fn refused(refusal: &CannotRejudge, speech: Speech) -> CliError {
    let message = match refusal {
        CannotRejudge::OutOfRange { field: "mean_score", value, .. } => {
            text!(speech, "cli-whatif-threshold-out-range", %value)
        }
        CannotRejudge::OutOfRange { field, value, .. } => {
            let flag = field.replace('_', "-");
            text!(speech, "cli-whatif-out-range", %flag, %value)
        }
        CannotRejudge::NoBallot { .. } | CannotRejudge::NoSuchParticipant { .. } => refusal.text(speech.0),
    };
    CliError::usage(message, hint(refusal, speech))
}

/// The remedy, with the command that does it.
fn hint(refusal: &CannotRejudge, speech: Speech) -> String {
    match refusal {
        CannotRejudge::NoBallot { ballots: true, over: false, .. } => {
            text!(speech, "cli-whatif-go-on-first").to_owned()
        }
        CannotRejudge::NoBallot { ballots: true, over: true, .. } => {
            text!(speech, "cli-whatif-how-it-ended").to_owned()
        }
        CannotRejudge::NoBallot { .. }
        | CannotRejudge::OutOfRange { .. }
        | CannotRejudge::NoSuchParticipant { .. } => refusal.hint(speech.0),
    }
}
