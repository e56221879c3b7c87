//! Says what is configured, reachable or wrong, and how to mend it.

use std::process::ExitCode;

use quorate_app::{DoctorFinding, DoctorFindingState, examine};
use quorate_messages::text;
use reqwest::Method;
use serde::Deserialize;
use serde_json::json;

use super::print;
use super::progress::with_progress;
use crate::args::DoctorArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::place::{Place, with_database};
use crate::remote::Remote;
use crate::setup::CreateMeetingRequest;

/// The findings of a server.
#[derive(Deserialize)]
struct Items {
    items: Vec<DoctorFinding>,
}

/// Looks at everything a meeting needs: here, or at the server that was named.
pub(crate) async fn doctor(place: &Place, args: DoctorArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let mut findings: Vec<DoctorFinding> = match Remote::named(place)? {
        Some(server) => {
            if args.config.is_some() {
                return Err(CliError::usage(
                    text!(speech, "cli-doctor-config-machine-only"),
                    text!(speech, "cli-doctor-leave-out-config-server"),
                )
                .with("field", "config"));
            }
            let body = json!({ "probe": args.probe });
            let asked = server.ask(Method::POST, "/doctor", Some(&body));
            let found: Items = with_progress(text!(speech, "cli-waiting-providers"), speech, asked).await?;
            found.items
        }
        None => {
            let file = match &args.config {
                Some(path) => CreateMeetingRequest::read(path)?,
                None => CreateMeetingRequest::default(),
            };
            let examined = examine(&place.location, place.sources(), &file, args.probe, speech);
            with_progress(text!(speech, "cli-waiting-providers"), speech, examined).await?
        }
    };
    findings.iter_mut().for_each(|finding| finding.hint = with_database(&finding.hint));
    let bad = findings.iter().filter(|finding| finding.health == DoctorFindingState::Bad).count();
    if args.json {
        print(&serde_json::to_string(&findings).expect("findings have only text keys"));
    } else {
        for DoctorFinding { what, health, detail, hint } in &findings {
            let mark = match health {
                DoctorFindingState::Good => "✓",
                DoctorFindingState::Absent => "–",
                DoctorFindingState::Bad => "✗",
            };
            print(&format!("{mark} {what}{}{detail}", text!(speech, "common-colon")));
            if !hint.is_empty() {
                print(&format!("    {hint}"));
            }
        }
    }
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
