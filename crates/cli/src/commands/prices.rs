//! Lists what models cost: the table that ships, and what the user wrote over it.

use std::process::ExitCode;

use quorate_runners::PriceEntry;
use serde_json::json;

use super::print;
use crate::args::PricesArgs;
use crate::error::CliError;
use crate::place::Place;
use crate::setup::{UserFile, own_price};
use crate::speech::Speech;

/// Lists the prices, each with its day and its source.
pub(crate) fn prices(place: &Place, args: PricesArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let user = UserFile::read(&place.config)?;
    let filter = args.filter.unwrap_or_default().to_lowercase();
    let wanted = |name: &str| name.to_lowercase().contains(&filter);
    let own = user.prices.iter().filter(|(pattern, _)| wanted(pattern));
    let table = quorate_runners::prices().iter();
    let rows = table.flat_map(|entry| entry.models.iter().map(move |model| (entry, model)));
    let rows: Vec<(&PriceEntry, &String)> =
        rows.filter(|(entry, model)| wanted(&format!("{}/{model}", entry.vendor))).collect();
    // What a user's own price puts out of force.
    let instead =
        |vendor: &str, model: &str| own_price(&user.prices, vendor, model).map(|(pattern, _)| pattern);
    if args.json {
        let own = own.map(|(pattern, price)| {
            json!({
                "model": pattern,
                "input": price.input,
                "output": price.output,
                "cached_input": price.cached_input,
                "cache_write": price.cache_write,
                "source": place.config,
            })
        });
        let table = rows.iter().map(|(entry, model)| {
            let mut row = json!(entry);
            row["models"] = json!([model]);
            row["overridden_by"] = json!(instead(&entry.vendor, model));
            row
        });
        let all =
            json!({ "currency": "USD", "own": own.collect::<Vec<_>>(), "table": table.collect::<Vec<_>>() });
        print(&all.to_string());
        return Ok(ExitCode::SUCCESS);
    }
    let mut lines = Vec::new();
    for (pattern, price) in own {
        let name = speech.pick("（你的设定）", " (your own)");
        let (input, output) = (price.input, price.output);
        lines.push(line(
            &format!("{pattern}{name}"),
            input,
            output,
            price.cached_input,
            price.cache_write,
            speech,
        ));
    }
    for (entry, model) in &rows {
        let name = format!("{}/{model}", entry.vendor);
        lines.push(line(&name, entry.input, entry.output, entry.cached_input, entry.cache_write, speech));
        if let Some(pattern) = instead(&entry.vendor, model) {
            lines.push(speech.pick(
                format!("    你的设定 {pattern} 取代了它"),
                format!("    your own price for {pattern} holds instead"),
            ));
        }
        if let Some(tokens) = entry.up_to {
            lines.push(speech.pick(
                format!("    只适用于不超过 {tokens} 令牌的提示"),
                format!("    for prompts of up to {tokens} tokens"),
            ));
        }
        if let Some(note) = &entry.note {
            lines.push(format!("    {note}"));
        }
        lines.push(format!("    {}  {}", entry.as_of, entry.source));
    }
    if lines.is_empty() {
        lines.push(
            speech
                .pick("没有找到价格：未知的价格不是零", "no price is known: unknown is not zero")
                .to_owned(),
        );
    } else {
        let head = speech.pick("美元，每百万令牌：读 / 写", "US dollars per million tokens: read / written");
        lines.insert(0, head.to_owned());
    }
    print(&lines.join("\n"));
    Ok(ExitCode::SUCCESS)
}

fn line(
    name: &str,
    input: f64,
    output: f64,
    cached: Option<f64>,
    write: Option<f64>,
    speech: Speech,
) -> String {
    let mut line = format!("{name}  {input} / {output}");
    if let Some(cached) = cached {
        line.push_str(&speech.pick(format!("  缓存 {cached}"), format!("  cached {cached}")));
    }
    if let Some(write) = write {
        line.push_str(&speech.pick(format!("  写入缓存 {write}"), format!("  into the cache {write}")));
    }
    line
}
