//! Stores a provider, or changes what is given about one.

use std::io::IsTerminal;
use std::process::ExitCode;

use quorate_app::{
    Credential, Settings, WireFormat, changed, check_provider, check_word, has_its_key, nothing_given,
    take_by_name, vendor,
};
use quorate_messages::{Message, message, text};
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::key::key;
use super::{all, list};
use crate::args::{AddProviderArgs, AskArgs, KeyArgs, Setting};
use crate::commands::print;
use crate::error::CliError;
use crate::language::Speech;
use crate::place::{Place, with_database};
use crate::remote::{Remote, Writer, part};
use crate::setup::{Source, how_to_add, key_and_value, stored_credentials, variable};

pub(super) async fn add(place: &Place, args: AddProviderArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let name = &args.provider;
    let before = stored_credentials(place).await?.into_iter().find(|stored| stored.provider == *name);
    let settings = settings(&args.ask)?;
    let mut given = Credential {
        base_url: args.key.base_url.clone(),
        settings: Settings(settings),
        ..Credential::blank(name)
    };
    let preset = match given.settings.0.get("vendor").and_then(Value::as_str) {
        Some(named) => vendor(named),
        None => vendor(name),
    };
    let says_nothing =
        given == Credential::blank(name) && !args.key.api_key_stdin && args.key.api_key_env.is_none();
    if says_nothing && before.is_none() {
        take_by_name(&mut given)?;
    } else if says_nothing {
        return Err(nothing_given());
    }
    let wanted = wanted_key(&args.key, before.as_ref(), &given);
    if let (true, Some(preset), false) = (says_nothing, preset, wanted.api_key_stdin) {
        has_its_key(name, preset)?;
    }
    given.key = key(name, &wanted, speech)?;
    check_provider(&place.sources(), &given, before.as_ref())?;
    let saved = match Writer::find(place)? {
        Writer::Here(store) => store.save_provider(given).await?,
        Writer::Server(server, _) => save_at(&server, place, given, before.is_some()).await?,
    };
    let changed = changed(before.as_ref(), &saved);
    if args.json {
        let mut shown = list::stored_as_json(&saved)?;
        shown["changed"] = json!(changed);
        print(&shown.to_string());
        return Ok(ExitCode::SUCCESS);
    }
    say(place, &saved, before.is_some(), &changed, speech).await?;
    Ok(ExitCode::SUCCESS)
}

/// Stores the credential through a server, and reads back what was stored from the database.
async fn save_at(
    server: &Remote,
    place: &Place,
    given: Credential,
    is_known: bool,
) -> Result<Credential, CliError> {
    let Credential { provider, base_url, key, settings } = given;
    let mut body = Value::Object(settings.0);
    if let Some(url) = base_url {
        body["base_url"] = url.into();
    }
    if let Some(key) = key {
        body["api_key"] = key.expose().into();
    }
    let path = format!("/providers/{}", part(&provider));
    let method = if is_known { Method::PATCH } else { Method::PUT };
    server.ask::<Value>(method, &path, Some(&body)).await?;
    let stored = stored_credentials(place).await?.into_iter().find(|stored| stored.provider == provider);
    stored.ok_or_else(|| {
        CliError::new(message!("cli-add-stored-unreadable"), message!("cli-add-stored-unreadable-hint"))
    })
}

/// The source of the key: at a terminal it is asked for when a vendor's API needs one and none was given.
fn wanted_key(args: &KeyArgs, before: Option<&Credential>, given: &Credential) -> KeyArgs {
    let vendors_own = given.base_url.is_none() && before.is_none();
    let preset = given.settings.0.get("vendor").and_then(Value::as_str).unwrap_or(&given.provider);
    let wants = vendor(preset).is_some_and(|vendor| {
        !vendor.key_env.is_empty() && vendor.key_env.iter().all(|name| variable(name).is_none())
    });
    let nobody_gave_it = !args.api_key_stdin && args.api_key_env.is_none();
    KeyArgs {
        base_url: args.base_url.clone(),
        api_key_stdin: args.api_key_stdin
            || (wants && vendors_own && nobody_gave_it && std::io::stdin().is_terminal()),
        api_key_env: args.api_key_env.clone(),
    }
}

/// The provider's settings in the arguments; `null` resets one.
fn settings(args: &AskArgs) -> Result<Map<String, Value>, CliError> {
    let AskArgs { vendor, wire, concurrency, requests_per_minute, tokens_per_minute, proxy, .. } = args;
    let AskArgs { header, timeout, structured, streaming, retries, public_only, .. } = args;
    let mut settings = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            settings.insert(name.to_owned(), value);
        }
    };
    let words = [
        ("vendor", vendor),
        ("wire", wire),
        ("proxy", proxy),
        ("structured", structured),
        ("streaming", streaming),
    ];
    for (name, text) in words {
        put(name, text.as_ref().map(|Setting(text)| text.as_ref().map_or(Value::Null, |text| json!(text.0))));
    }
    let numbers = [
        ("concurrency", concurrency),
        ("requests_per_minute", requests_per_minute),
        ("tokens_per_minute", tokens_per_minute),
        ("retries", retries),
    ];
    for (name, number) in numbers {
        put(name, number.as_ref().map(|Setting(number)| json!(number)));
    }
    put("public_only", public_only.map(|only| if only { json!(true) } else { Value::Null }));
    put("extra_headers", table(header.iter().map(|text| one_header(text)))?);
    put("timeouts", table(timeout.iter().map(|text| one_timeout(text)))?);
    let checked = [
        ("wire", "--wire"),
        ("structured", "--structured"),
        ("streaming", "--streaming"),
        ("vendor", "--vendor"),
    ];
    for (name, words) in checked {
        check_word(name, words, settings.get(name))?;
    }
    Ok(settings)
}

fn table(pairs: impl Iterator<Item = Result<(String, Value), CliError>>) -> Result<Option<Value>, CliError> {
    let pairs: Map<String, Value> = pairs.collect::<Result<_, _>>()?;
    Ok(Some(pairs).filter(|pairs| !pairs.is_empty()).map(Value::Object))
}

/// `Name: value`, or `Name:` to take it away.
fn one_header(text: &str) -> Result<(String, Value), CliError> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            let value = value.trim();
            let value = if value.is_empty() { Value::Null } else { json!(value) };
            Ok((name.trim().to_lowercase(), value))
        }
        // What was written may be a secret, so it is not said.
        Some(_) | None => {
            Err(CliError::usage(message!("cli-add-no-header"), message!("cli-add-no-header-hint"))
                .with("field", "header"))
        }
    }
}

/// `idle=30` in milliseconds, or `idle=default` to take it back.
fn one_timeout(text: &str) -> Result<(String, Value), CliError> {
    let (kind, seconds) = key_and_value(text, "--timeout")?;
    let wrong = |problem: Message| {
        CliError::usage(problem, message!("cli-add-timeout-hint")).with("field", "timeout")
    };
    let kind = match kind {
        "connect" | "first-byte" | "idle" | "total" => format!("{}_ms", kind.replace('-', "_")),
        kind => return Err(wrong(message!("cli-add-no-timeout", kind))),
    };
    if seconds == "default" {
        return Ok((kind, Value::Null));
    }
    let seconds: f64 = seconds.parse().map_err(|_| wrong(message!("cli-add-no-seconds", seconds)))?;
    match seconds.is_finite() && (0.001..=86_400.0).contains(&seconds) {
        true => Ok((kind, json!((seconds * 1000.0).round() as u64))),
        false => Err(wrong(message!("cli-add-seconds-range", %seconds))),
    }
}

/// Prints what was stored, how to use it, and what would still prevent a call.
async fn say(
    place: &Place,
    saved: &Credential,
    known: bool,
    changed: &[String],
    speech: Speech,
) -> Result<(), CliError> {
    let name = &saved.provider;
    let text = match (known, changed.is_empty()) {
        (false, _) => text!(speech, "cli-add-stored-sealed", %name),
        (true, true) => text!(speech, "cli-add-nothing-about-has-changed", %name),
        (true, false) => text!(speech, "cli-add-changed", name, changed),
    };
    anstream::eprintln!("{text}");
    let found = all(place, &stored_credentials(place).await?, false).await?.remove(name);
    if let Some(source @ (Source::Environment(_) | Source::UserFile)) =
        found.as_ref().map(|found| &found.source)
    {
        let from = source.in_words(speech);
        let text = text!(speech, "cli-add-note-wins-over-what-stored", %from);
        anstream::eprintln!("{text}");
    }
    let wants_key =
        found.as_ref().is_some_and(|found| found.config.key.is_none() && found.config.key_variable.is_some());
    if wants_key {
        let how = how_to_add(name).for_terminal();
        let how = with_database(how.for_reader(speech.0));
        anstream::eprintln!("{}{how}", text!(speech, "cli-add-has-no-key-yet"));
    }
    let test = place.command(&format!("providers test {name}"));
    let is_agent = found.as_ref().is_some_and(|found| found.config.wire == WireFormat::A2a);
    let model = if is_agent { format!("a2a/{name}") } else { format!("{name}/MODEL") };
    let run = place.command(&format!("run … --model {model}"));
    anstream::eprintln!("{}{test}", text!(speech, "cli-add-try"));
    anstream::eprintln!("{}{run}", text!(speech, "cli-add-use"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_and_timeouts_are_read_as_they_are_written() {
        assert_eq!(one_header("X-Team: a:b").ok(), Some(("x-team".to_owned(), json!("a:b"))));
        assert_eq!(one_header("X-Team:").ok(), Some(("x-team".to_owned(), Value::Null)));
        let secret = one_header("sk-secret-without-colon").expect_err("no colon");
        assert!(!format!("{secret:?}").contains("sk-secret"), "{secret:?}");
        assert_eq!(one_timeout("first-byte=1.5").ok(), Some(("first_byte_ms".to_owned(), json!(1500))));
        assert_eq!(one_timeout("idle=default").ok(), Some(("idle_ms".to_owned(), Value::Null)));
        for wrong in ["idle", "wait=3", "idle=soon", "idle=0", "idle=90000"] {
            assert!(one_timeout(wrong).is_err(), "{wrong}");
        }
    }
}
