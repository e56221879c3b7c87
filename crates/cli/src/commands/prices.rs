//! Lists prices of models: the user's own, and the price table.

use std::process::ExitCode;

use quorate_app::{PriceList, price_list};
use quorate_contract::Language;
use quorate_messages::{keys, text};
use reqwest::Method;

use super::print;
use crate::args::PricesArgs;
use crate::error::CliError;
use crate::language::{Speech, replaced};
use crate::place::Place;
use crate::remote::{Remote, part};
use crate::setup::UserFile;

/// Lists the prices, each with its day and its source: those that hold here, or at the server that was named.
pub(crate) async fn prices(place: &Place, args: PricesArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let filter = args.filter.unwrap_or_default();
    let list: PriceList = match Remote::named(place)? {
        Some(server) => server.ask(Method::GET, &format!("/prices?filter={}", part(&filter)), None).await?,
        None => price_list(&UserFile::read(&place.config)?.prices, &filter),
    };
    if args.json {
        print(&serde_json::to_string(&list).expect("a list has only text keys"));
        return Ok(ExitCode::SUCCESS);
    }
    let (mut lines, mut searches) = (Vec::new(), Vec::new());
    for item in &list.items {
        let own = match item.source {
            None => text!(speech, "cli-prices-your-own"),
            Some(_) => "",
        };
        let name = format!("{}{own}", item.model);
        lines.push(line(&name, item.input, item.output, item.cached_input, item.cache_write, speech));
        if let Some(search) = item.search {
            lines.push(text!(speech, "cli-prices-search", %search));
        }
        if let Some(pattern) = &item.overridden_by {
            lines.push(text!(speech, "cli-prices-your-own-price-holds-instead", %pattern));
        }
        if let Some(tokens) = item.up_to {
            lines.push(text!(speech, "cli-prices-prompts-up-tokens", %tokens));
        }
        if let Some(note) = &item.note {
            lines.push(format!("    {}", remark(note, speech)));
        }
        if let (Some(day), Some(source)) = (&item.as_of, &item.source) {
            lines.push(format!("    {day}  {source}"));
        }
    }
    if !list.web_searches.is_empty() {
        searches.push(text!(speech, "cli-prices-us-dollars-per-thousand-searches").to_owned());
    }
    for item in &list.web_searches {
        searches.push(format!("{}  {}", item.model, item.per_thousand));
        searches.extend(item.note.iter().map(|note| format!("    {}", remark(note, speech))));
        searches.push(format!("    {}  {}", item.as_of, item.source));
    }
    if lines.is_empty() && searches.is_empty() {
        lines.push(text!(speech, "cli-prices-no-price-known-unknown-not").to_owned());
    } else if !lines.is_empty() {
        let head = text!(speech, "cli-prices-us-dollars-per-million-tokens");
        lines.insert(0, head.to_owned());
    }
    lines.append(&mut searches);
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
        line.push_str(&text!(speech, "cli-prices-cached", %cached));
    }
    if let Some(write) = write {
        line.push_str(&text!(speech, "cli-prices-into-cache", %write));
    }
    line
}

/// A remark of the table in the reader's language. One that another server made may be unknown, and stays.
fn remark(note: &str, speech: Speech) -> String {
    replaced(note, keys(Language::En, "prices"), speech)
}

#[cfg(test)]
mod tests {
    use quorate_messages::keyed;

    use super::*;

    #[test]
    fn every_remark_of_the_table_is_known_and_none_is_left_over() {
        let list = price_list(&UserFile::default().prices, "");
        let models = list.items.iter().filter_map(|item| item.note.as_deref());
        let searches = list.web_searches.iter().filter_map(|item| item.note.as_deref());
        let notes: Vec<&str> = models.chain(searches).collect();
        for note in &notes {
            let told = remark(note, Speech(Language::Zh));
            assert!(!told.contains("the ") && told != **note, "{told}");
        }
        for id in keys(Language::En, "prices") {
            let text = keyed(Language::En, id).expect("a text");
            assert!(notes.iter().any(|note| note.contains(text)), "{id} is said nowhere");
        }
    }
}
