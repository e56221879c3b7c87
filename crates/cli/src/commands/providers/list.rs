//! Lists providers, the vendors that are known by name, and models. No key is shown, not even its
//! beginning.

use std::io::IsTerminal;
use std::process::ExitCode;

use quorate_app::{
    Credential, ModelPrice, ModelView, ProviderConfig, ProviderSettings, WireFormat, models_of, vendors,
};
use quorate_messages::text;
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;

use super::{all, one};
use crate::args::{ListProvidersArgs, ModelsArgs};
use crate::commands::print;
use crate::commands::progress::with_progress;
use crate::commands::table::columns;
use crate::error::CliError;
use crate::language::Speech;
use crate::live::wrapped;
use crate::place::Place;
use crate::setup::{FoundProvider, OLLAMA, Source, UserFile, address_of, stored_credentials, variable};

pub(super) async fn list(
    place: &Place,
    args: ListProvidersArgs,
    speech: Speech,
) -> Result<ExitCode, CliError> {
    if args.presets {
        presets(args.json, speech);
        return Ok(ExitCode::SUCCESS);
    }
    let credentials = stored_credentials(place).await?;
    let found = all(place, &credentials, false).await?;
    // A preset without a key can be used at any time; it is listed among the presets.
    let used: Vec<&FoundProvider> = found
        .values()
        .filter(|found| found.source != Source::Preset || found.config.name == OLLAMA)
        .collect();
    let lost: Vec<&Credential> =
        credentials.iter().filter(|credential| !found.contains_key(&credential.provider)).collect();
    if args.json {
        used.iter().for_each(|found| print(&as_json(found).to_string()));
        for credential in lost {
            print(&stored_as_json(credential)?.to_string());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let rows: Vec<[String; 5]> = used
        .iter()
        .map(|FoundProvider { config, source }| {
            [
                config.name.clone(),
                config.shown_url(),
                wire_name(config.wire),
                key_words(config, speech),
                source.in_words(speech),
            ]
        })
        .chain(lost.iter().map(|credential| {
            let from = Source::Stored.in_words(speech);
            let key = text!(speech, "cli-list-key").to_owned();
            [credential.provider.clone(), "-".to_owned(), "-".to_owned(), key, from]
        }))
        .collect();
    let limits =
        used.iter().map(|found| limits(&found.config, speech)).chain(lost.iter().map(|_| String::new()));
    for (line, limits) in aligned(&rows).into_iter().zip(limits) {
        print(format!("{line}  {limits}").trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

/// The vendors whose name says all but the key.
fn presets(json: bool, speech: Speech) {
    let mut rows: Vec<[String; 5]> = Vec::new();
    for vendor in vendors() {
        if json {
            let set = vendor.key_env.iter().chain(&vendor.base_url_env).any(|name| variable(name).is_some());
            print(
                &json!({
                    "vendor": vendor.name, "title": vendor.title, "wire": vendor.wire,
                    "base_url": vendor.base_url, "key_env": vendor.key_env,
                    "base_url_env": vendor.base_url_env, "set": set,
                })
                .to_string(),
            );
            continue;
        }
        let mark =
            |name: &String| if variable(name).is_some() { format!("{name} ✓") } else { name.clone() };
        let variables: Vec<String> = vendor.key_env.iter().chain(&vendor.base_url_env).map(mark).collect();
        let variables = match variables.is_empty() {
            true => text!(speech, "cli-list-wants-no-key").to_owned(),
            false => variables.join(text!(speech, "common-list-separator")),
        };
        let (name, title, url) =
            (vendor.name.to_string(), vendor.title.to_string(), vendor.base_url.to_string());
        rows.push([name, title, url, wire_name(vendor.wire), variables]);
    }
    let lines = aligned(&rows);
    let columns = columns();
    let terminal = std::io::stdout().is_terminal();
    for ([name, title, url, wire, variables], line) in rows.iter().zip(lines) {
        let line = line.trim_end();
        match terminal && line.width() > columns {
            true => {
                print(&format!("{name}  {title}  {wire}"));
                [url, variables]
                    .iter()
                    .flat_map(|text| wrapped(&format!("    {text}"), columns))
                    .for_each(|row| print(&row));
            }
            false => print(line),
        }
    }
}

/// Rows with their cells in columns.
fn aligned<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths);
        let cells =
            cells.map(|(cell, width)| format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width()))));
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}

/// The models of a provider.
pub(super) async fn models(place: &Place, args: ModelsArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let what = text!(speech, "cli-waiting-provider", name = %args.provider);
    let FoundProvider { config, .. } = with_progress(&what, speech, one(place, &args.provider)).await?;
    let prices = UserFile::read(&place.config)?.prices;
    let models = with_progress(&what, speech, models_of(&config, &prices)).await?;
    let filter = args.filter.as_deref().unwrap_or_default().to_lowercase();
    let fits = |view: &&ModelView| view.model.to_lowercase().contains(&filter);
    let shown: Vec<&ModelView> = models.iter().filter(fits).collect();
    if shown.is_empty() && !args.json {
        let count = models.len();
        anstream::eprintln!("{}", text!(speech, "cli-list-none-models-fits", count, name = %config.name));
    }
    for view in shown {
        if args.json {
            let row = serde_json::to_value(view).expect("a model has only text keys");
            print(&row.to_string());
            continue;
        }
        let label = format!("{}/{}", view.provider, view.model);
        // A server's names of models are cleaned of control characters before they are shown.
        let label = quorate_contract::clean(&label);
        print(&match view.price {
            None => label,
            Some(ModelPrice { input, output }) => {
                text!(speech, "cli-list-per-million-tokens-out", %label, %input, %output)
            }
        });
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn wire_name(wire: WireFormat) -> String {
    serde_json::to_value(wire).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn key_words(config: &ProviderConfig, speech: Speech) -> String {
    match (&config.key, &config.key_variable) {
        (Some(_), _) => text!(speech, "cli-list-key").to_owned(),
        (None, Some(name)) => text!(speech, "cli-list-lacks-its-key", %name),
        (None, None) => text!(speech, "cli-list-without-key").to_owned(),
    }
}

/// The rate limits of a provider, if there are any.
fn limits(config: &ProviderConfig, speech: Speech) -> String {
    let limits = [
        (config.concurrency.map(|n| n as u64), text!(speech, "cli-list-at-once")),
        (config.requests_per_minute.map(u64::from), text!(speech, "cli-list-requests-minute")),
        (config.tokens_per_minute.map(u64::from), text!(speech, "cli-list-tokens-minute")),
    ];
    let mut words: Vec<String> =
        limits.iter().filter_map(|(n, words)| n.map(|n| format!("{n} {words}"))).collect();
    if let Some(proxy) = &config.proxy {
        words.push(match proxy.expose() {
            "none" => text!(speech, "cli-list-no-proxy").to_owned(),
            _ => text!(speech, "cli-list-through-proxy").to_owned(),
        });
    }
    if config.public_only {
        words.push(text!(speech, "cli-list-public-addresses-only").to_owned());
    }
    words.join(text!(speech, "common-comma"))
}

fn as_json(FoundProvider { config, source }: &FoundProvider) -> Value {
    let (from, variable) = match source {
        Source::Preset => ("preset", None),
        Source::Stored => ("stored", None),
        Source::Environment(name) => ("environment", Some(name)),
        Source::UserFile => ("config", None),
        Source::MeetingFile => ("meeting", None),
    };
    let mut row = json!({
        "provider": config.name, "source": from, "vendor": config.vendor, "wire": config.wire,
        "base_url": config.shown_url(), "key": config.key.is_some(),
    });
    if let Some(name) = variable {
        row["variable"] = json!(name);
    }
    if config.key.is_none() && config.key_variable.is_some() {
        row["key_env"] = json!(config.key_variable);
    }
    add_limits(&mut row, config);
    row
}

fn add_limits(row: &mut Value, config: &ProviderConfig) {
    let numbers = [
        ("concurrency", config.concurrency.map(|n| n as u64)),
        ("requests_per_minute", config.requests_per_minute.map(u64::from)),
        ("tokens_per_minute", config.tokens_per_minute.map(u64::from)),
    ];
    for (name, number) in numbers {
        if let Some(number) = number {
            row[name] = json!(number);
        }
    }
    // The values of headers and the address of a proxy may be secrets: that they are there is not.
    if !config.extra_headers.is_empty() {
        row["headers"] = json!(config.extra_headers.keys().collect::<Vec<_>>());
    }
    if let Some(proxy) = &config.proxy {
        row["proxy"] = json!(proxy.expose() != "none");
    }
    if config.public_only {
        row["public_only"] = json!(true);
    }
}

/// The stored credential of a provider, without its secrets.
pub(super) fn stored_as_json(credential: &Credential) -> Result<Value, CliError> {
    let mut shown = json!({
        "provider": credential.provider, "source": "stored", "base_url": null, "key": credential.key.is_some(),
    });
    let Some(url) = address_of(credential)? else { return Ok(shown) };
    let settings: ProviderSettings = crate::setup::settings_of(credential)?;
    let config = ProviderSettings { base_url: credential.base_url.is_some().then_some(url), ..settings }
        .complete(&credential.provider, |_| None)?;
    shown["base_url"] = json!(config.shown_url());
    shown["vendor"] = json!(config.vendor);
    shown["wire"] = json!(config.wire);
    add_limits(&mut shown, &config);
    // What else was set, by name.
    let secret = [
        "vendor",
        "wire",
        "extra_headers",
        "proxy",
        "concurrency",
        "requests_per_minute",
        "tokens_per_minute",
        "public_only",
    ];
    let plain: Map<String, Value> = credential
        .settings
        .0
        .iter()
        .filter(|(name, _)| !secret.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if let Value::Object(row) = &mut shown {
        row.extend(plain);
    }
    Ok(shown)
}
