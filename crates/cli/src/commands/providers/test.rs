//! Tries out what a provider can do, and says how it went.

use std::process::ExitCode;

use quorate_app::{ProviderTestResult, UseCase, try_out};
use quorate_messages::text;
use serde_json::json;

use super::one;
use crate::args::TestProviderArgs;
use crate::commands::print;
use crate::commands::progress::with_progress;
use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;
use crate::setup::UserFile;

pub(super) async fn test(
    place: &Place,
    args: TestProviderArgs,
    speech: Speech,
) -> Result<ExitCode, CliError> {
    let what = text!(speech, "cli-waiting-provider", name = %args.provider);
    let config = with_progress(&what, speech, one(place, &args.provider)).await?.config;
    let prices = UserFile::read(&place.config)?.prices;
    let tried = with_progress(&what, speech, try_out(config, args.model.as_deref(), &prices, speech)).await;
    let report = place.noted(UseCase::TestProvider, json!({ "name": args.provider }), tried).await?;
    match args.json {
        true => {
            let shown = serde_json::to_value(&report).expect("a report has only text keys");
            print(&shown.to_string());
        }
        false => report.tried.iter().for_each(|tried| print(&words(tried, speech))),
    }
    Ok(if report.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn words(tried: &ProviderTestResult, speech: Speech) -> String {
    let what = match tried.what {
        "models" => text!(speech, "cli-test-models"),
        "answer" => text!(speech, "cli-test-answer"),
        "stream" => text!(speech, "cli-test-answer-pieces"),
        _ => text!(speech, "cli-test-answer-shape"),
    };
    let mark = if tried.ok { "✓" } else { "✗" };
    let mut numbers = vec![text!(speech, "cli-test-ms", latency_ms = %tried.latency_ms)];
    if let Some(usage) = &tried.usage {
        let about = if usage.estimated { "≈" } else { "" };
        let (read, written) = (usage.input_tokens, usage.output_tokens);
        numbers.push(text!(speech, "cli-test-tokens-out", %about, %read, %written));
    }
    if let Some(micros) = tried.cost_micros {
        numbers.push(format!("{:.6}", micros as f64 / 1e6));
    }
    let hint = if tried.hint.is_empty() { String::new() } else { format!("\n    {}", tried.hint) };
    let (detail, numbers) = (&tried.detail, numbers.join(text!(speech, "common-comma")));
    let line = text!(speech, "cli-test-tried", mark, what, %detail, numbers);
    format!("{line}{hint}")
}
