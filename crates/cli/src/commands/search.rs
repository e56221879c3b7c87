//! Finds what was said.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

use jiff::ToSpan;
use jiff::civil::Date;
use quorate_app::{LocalDatabase, SearchFilter, SearchHit, SearchKind};
use quorate_contract::Timestamp;
use quorate_messages::text;

use super::inspect::{local, zone};
use super::print;
use crate::args::SearchArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::password;
use crate::place::Place;

/// Finds words at all meetings, or at one; newest first.
pub(crate) async fn search(place: &Place, args: SearchArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = place.read()?;
    catch_up(place, &store, speech).await?;
    let meeting = match &args.meeting {
        Some(id) => {
            let id = store.find(id).await?;
            password::ask(&store, &id).await?;
            Some(id)
        }
        None => None,
    };
    let filter = SearchFilter {
        words: args.words.join(" "),
        meeting,
        participant: args.participant,
        kinds: SearchKind::ALL
            .into_iter()
            .filter(|kind| args.kind.iter().any(|name| name == kind.as_str()))
            .collect(),
        from: args.since.as_deref().map(|text| timestamp("since", text, false, speech)).transpose()?,
        before: args.until.as_deref().map(|text| timestamp("until", text, true, speech)).transpose()?,
        ..SearchFilter::default()
    };
    let mut left = args.limit;
    let mut cursor: Option<String> = None;
    while left > 0 {
        let page = store.search(filter.clone(), cursor.as_deref(), left).await?;
        left -= page.items.len() as u32;
        for hit in &page.items {
            match args.json {
                true => print(&serde_json::to_string(hit).expect("a hit has only text keys")),
                false => print(&shown(hit, speech)),
            }
        }
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    if !args.json && left == args.limit {
        let nothing = text!(speech, "cli-search-nothing-found-try-another-word");
        anstream::eprintln!("{nothing}");
    }
    Ok(ExitCode::SUCCESS)
}

/// A hit: meeting, time, speaker, and the text around the match.
fn shown(hit: &SearchHit, speech: Speech) -> String {
    let kind = match hit.kind {
        SearchKind::Message => "",
        SearchKind::Minutes => text!(speech, "cli-search-minutes"),
        SearchKind::Artifact => text!(speech, "cli-search-artifact"),
        SearchKind::Conclusion => text!(speech, "cli-search-conclusion"),
        SearchKind::Topic => text!(speech, "cli-search-topic"),
    };
    let bold = anstyle::Style::new().bold();
    let terminal = std::io::stdout().is_terminal();
    let words: String = hit
        .snippet
        .iter()
        .map(|piece| match piece.hit && terminal {
            true => format!("{bold}{}{bold:#}", piece.text),
            false => piece.text.clone(),
        })
        .collect();
    let topic = hit.topic.split_whitespace().collect::<Vec<_>>().join(" ");
    format!(
        "{}  {}  #{}  {}{kind}  {topic}\n    {words}",
        hit.meeting,
        local(hit.ts_ms),
        hit.seq,
        author(&hit.by, speech)
    )
}

/// By whom it is: a name, or the word of the index for who has none.
fn author(by: &str, speech: Speech) -> String {
    match by {
        "facilitator" => text!(speech, "cli-search-by-facilitator").to_owned(),
        "participant" => text!(speech, "cli-search-by-participant").to_owned(),
        "rules" => text!(speech, "cli-search-by-rules").to_owned(),
        "owner" => text!(speech, "cli-search-by-user").to_owned(),
        name => quorate_contract::clean(name),
    }
}

/// A database that an older quorate wrote, or that was closed in haste, is indexed to its end. When
/// another process writes it, that one does so.
async fn catch_up(place: &Place, store: &LocalDatabase, speech: Speech) -> Result<(), CliError> {
    let mut behind = store.search_lag().await?;
    if behind == 0 {
        return Ok(());
    }
    let Ok(writer) = place.open() else {
        tokio::time::sleep(Duration::from_millis(500)).await;
        behind = store.search_lag().await?;
        if behind > 0 {
            let note = text!(speech, "cli-search-events-not-indexed-yet-process", behind);
            anstream::eprintln!("{note}");
        }
        return Ok(());
    };
    let terminal = std::io::stderr().is_terminal();
    while behind > 0 {
        if terminal {
            eprint!("\r\x1b[2K{}{behind}", text!(speech, "cli-search-indexing-events-left"));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        behind = writer.search_lag().await?;
    }
    if terminal {
        eprint!("\r\x1b[2K");
    }
    Ok(())
}

/// A day in this machine's zone, from its beginning or to its `end`; or a moment.
fn timestamp(field: &str, text: &str, end: bool, speech: Speech) -> Result<Timestamp, CliError> {
    let wrong = || {
        CliError::usage(
            text!(speech, "cli-search-no-date", %field, %text),
            text!(speech, "cli-search-write-as-2026-01-31"),
        )
        .with("field", field)
    };
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Ok(Timestamp(time.as_millisecond()));
    }
    let mut day: Date = text.parse().map_err(|_| wrong())?;
    if end {
        day = day.checked_add(1.day()).map_err(|_| wrong())?;
    }
    let time = day.to_zoned(zone()).map_err(|_| wrong())?;
    Ok(Timestamp(time.timestamp().as_millisecond()))
}
