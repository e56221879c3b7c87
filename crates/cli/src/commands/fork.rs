//! Begins a new meeting from a point in the past of another.

use std::process::ExitCode;

use quorate_app::{Fork, Pace, Principal, Programs, UseCase};
use quorate_contract::{Actor, CarriedSpending, LimitChanges, MeetingId};
use quorate_core::Meeting;
use quorate_messages::text;
use reqwest::Method;
use serde_json::json;

use super::inspect::fold;
use super::print;
use super::run::app_over;
use crate::args::ForkArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::password;
use crate::place::Place;
use crate::remote::{Writer, part};
use crate::setup::{budget_micros, budget_ms, runners};

/// Begins a new meeting from a point in the past of another.
pub(crate) async fn fork(place: &Place, args: ForkArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let limits = LimitChanges {
        max_rounds: args.rounds,
        tokens: args.budget_tokens.map(Some),
        cost_micros: args.budget_cost.map(budget_micros).transpose()?.map(Some),
        wall_ms: args.budget_minutes.map(budget_ms).transpose()?.map(Some),
    };
    let title = args.title.clone().unwrap_or_default();
    let (store, id) = match Writer::find(place)? {
        Writer::Here(store) => {
            let from = store.find(&args.id).await?;
            password::ask(&store, &from).await?;
            // No call is made here: the fork is paused until it is resumed.
            let app =
                app_over(place, store.clone(), runners([], Programs::default(), None, [], Pace::Instant)?)
                    .await?;
            let fork = Fork { at: args.at, title, limits, ..Fork::by(Actor::owner()) };
            let (here, meeting) = (app.clone(), from.clone());
            let action =
                async move { Ok(here.fork(&Principal::owner(), &meeting, fork).await?.id().clone()) };
            let id = app.perform_here(UseCase::ForkMeeting, Some(from), action).await?;
            (store, id)
        }
        Writer::Server(server, store) => {
            let from = store.find(&args.id).await?;
            password::ask(&store, &from).await?;
            let path = format!("/meetings/{}/fork", part(from.as_str()));
            let command = json!({ "seq": args.at, "title": title, "limits": limits });
            let made: ForkedMeeting = server.ask(Method::POST, &path, Some(&command)).await?;
            (store, made.id)
        }
    };
    let (meeting, _) = fold(&store, UseCase::ShowMeeting, &id).await?;
    say_forked(place, &args, &meeting, speech);
    Ok(ExitCode::SUCCESS)
}

/// The server's response to a fork.
#[derive(serde::Deserialize)]
struct ForkedMeeting {
    id: MeetingId,
}

fn say_forked(place: &Place, args: &ForkArgs, meeting: &Meeting, speech: Speech) {
    let Some(forked) = &meeting.forked else { return };
    let (id, title, carried) = (&meeting.id, meeting.title(), &forked.carried);
    if args.json {
        let told = json!({
            "meeting_id": id, "from": forked.from, "at": forked.at, "title": title, "carried": carried,
        });
        return print(&told.to_string());
    }
    print(id.as_str());
    let CarriedSpending { tokens, cost_micros, ran_ms, calls, asked_anew } = carried;
    let cost = match cost_micros {
        Some(micros) => text!(speech, "cli-look-cost").to_owned() + &format!("{:.4}", *micros as f64 / 1e6),
        None => text!(speech, "cli-look-cost-unknown-no-price").to_owned(),
    };
    let seconds = ran_ms.div_ceil(1000);
    let time = text!(speech, "cli-look-s", %seconds);
    anstream::eprintln!(
        "{}",
        text!(speech, "cli-look-taken-over-up-event-tokens", %title, at = %forked.at, %tokens, %cost, calls = *calls, %time)
    );
    if !asked_anew.is_empty() {
        let n = asked_anew.len();
        let text = text!(speech, "cli-look-calls-were-under-way-made", n);
        anstream::eprintln!("{text}");
    }
    let command = place.command(&format!("resume {id}"));
    anstream::eprintln!("{}{command}", text!(speech, "cli-look-go"));
}
