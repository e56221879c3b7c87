//! Looks at meetings: the list of them, and one as it stands.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::process::ExitCode;

use jiff::tz::TimeZone;
use quorate_app::{
    Damage, EngineError, Fault, LocalDatabase, Salvaged, UseCase, damage_view, diagnostic_report,
};
use quorate_contract::{Event, Language, MeetingId, RunId, Timestamp};
use quorate_core::{Meeting, MeetingState, apply};
use quorate_messages::{Message, as_said, message, text};
use quorate_print::Times;
use quorate_views::{CallTotals, DeliberationHealth, Report};
use unicode_width::UnicodeWidthStr;

use super::table::columns;
use super::{calls, print, print_markdown};
use crate::args::{ListArgs, ShowArgs};
use crate::error::CliError;
use crate::language::Speech;
use crate::live::{cut_to_width, marks, seen_by_owner, standing};
use crate::password;
use crate::place::{Place, with_database};

/// Lists the meetings, newest first.
pub(crate) async fn list(place: &Place, args: ListArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = match place.read() {
        Ok(store) => store,
        // A list of nothing is no error.
        Err(_) if !place.has_database() => return Ok(none_yet(&args, speech)),
        Err(error) => return Err(error),
    };
    let meetings = match &args.tag {
        Some(tag) => store.meetings_tagged(tag, args.limit).await?,
        None => store.meetings(args.limit, 0).await?,
    };
    if meetings.is_empty() {
        return Ok(none_yet(&args, speech));
    }
    let times = Times::of_machine();
    let faults: BTreeMap<MeetingId, Fault> = store.faults().await.unwrap_or_default().into_iter().collect();
    let terminal = std::io::stdout().is_terminal();
    let ids: Vec<String> = meetings.iter().map(|meeting| meeting.id.to_string()).collect();
    for meeting in meetings {
        let fault = faults.get(&meeting.id);
        if args.json {
            let mut row = serde_json::to_value(&meeting).expect("a summary has only text keys");
            if let Some(fault) = fault {
                row["fault"] = serde_json::to_value(fault).unwrap_or_default();
                row["fault"]["detail"] = fault.detail.text(speech.0).into();
            }
            // A meeting whose log cannot be read is listed all the same.
            match fold(&store, UseCase::ListMeetings, &meeting.id).await {
                Ok((folded, events)) => {
                    if let Some(wait) = &folded.provider_wait {
                        row["provider_wait"] = serde_json::to_value(wait).unwrap_or_default();
                    }
                    row["calls"] = serde_json::to_value(CallTotals::of(&folded, &events)).unwrap_or_default();
                }
                Err(_) => {
                    let damage = store
                        .salvage(UseCase::ListMeetings, &meeting.id)
                        .await
                        .ok()
                        .and_then(|found| found.damage);
                    row["damage"] = serde_json::to_value(damage.map(|damage| damage_view(&damage, speech.0)))
                        .unwrap_or_default();
                }
            }
            print(&row.to_string());
            continue;
        }
        let damaged = match store
            .salvage(UseCase::ListMeetings, &meeting.id)
            .await
            .is_ok_and(|found| found.damage.is_some())
        {
            true => text!(speech, "cli-look-damaged"),
            false => "",
        };
        let state = match (&meeting.outcome, meeting.state, fault) {
            (Some(outcome), ..) => outcome_words(outcome, speech).to_owned(),
            (None, _, Some(_)) => text!(speech, "cli-look-stopped").to_owned(),
            (None, MeetingState::Draft | MeetingState::Paused | MeetingState::Ended, None) => {
                state_words(meeting.state, speech).to_owned()
            }
            // The log tells which provider the meeting waits for, whichever process runs it.
            (None, state, None) => {
                match fold(&store, UseCase::ListMeetings, &meeting.id)
                    .await
                    .ok()
                    .and_then(|(m, _)| m.provider_wait)
                {
                    Some(wait) => {
                        let (names, at) = (
                            wait.waiting_for.join(text!(speech, "common-list-separator")),
                            times.clock(wait.next_try_at),
                        );
                        text!(speech, "cli-look-waits-next-try", %names, %at)
                    }
                    None => state_words(state, speech).to_owned(),
                }
            }
        };
        let pad = " ".repeat(14usize.saturating_sub(state.width()));
        let simulated = if meeting.simulated { text!(speech, "cli-look-simulated") } else { "" };
        let (time, topic) =
            (times.tell(meeting.updated_ms), meeting.title.split_whitespace().collect::<Vec<_>>().join(" "));
        let tags: String = meeting.tags.iter().map(|tag| format!("  #{}", tag.replace(' ', "-"))).collect();
        let (topic, fork) = match meeting.forked_from {
            Some(_) => without_fork_mark(&topic),
            None => (&*topic, ""),
        };
        let marks = format!("{fork}{simulated}{damaged}");
        let head_of = |id: &str| format!("{id}  {time}  {state}{pad}  ");
        print(&match terminal {
            // The shortest unique beginning of the id: a row of the terminal holds the topic, too. What marks a
            // meeting is kept before the end of its topic.
            true => {
                let head = head_of(beginning(&ids, meeting.id.as_str()));
                let room = columns().saturating_sub(head.width() + marks.width());
                cut_to_width(&format!("{head}{}{marks}{tags}", cut_to_width(topic, room)), columns())
            }
            false => format!("{}{topic}{marks}{tags}", head_of(meeting.id.as_str())),
        });
    }
    Ok(ExitCode::SUCCESS)
}

/// The title of a fork without the mark at its end, and the mark.
fn without_fork_mark(title: &str) -> (&str, &str) {
    let cut = Language::ALL.into_iter().find_map(|language| {
        // The number of a further fork stands where the dots are.
        let (open, close) = text!(language, "records-fork").trim().split_once('…')?;
        let (before, number) = title.strip_suffix(close)?.rsplit_once(open)?;
        number.trim().chars().all(|c| c.is_ascii_digit()).then(|| before.trim_end().len())
    });
    title.split_at(cut.unwrap_or(title.len()))
}

/// The beginning of an id that is that of no other in the list.
fn beginning<'a>(ids: &[String], id: &'a str) -> &'a str {
    let others = || ids.iter().filter(|other| *other != id);
    let cuts = id.match_indices('-').map(|(at, _)| at).skip(1);
    let short = cuts.map(|at| &id[..at]).find(|short| !others().any(|other| other.starts_with(short)));
    short.unwrap_or(id)
}

fn none_yet(args: &ListArgs, speech: Speech) -> ExitCode {
    if !args.json {
        anstream::eprintln!(
            "{}",
            crate::place::with_database(text!(speech, "cli-look-there-no-meetings-yet-begin"))
        );
    }
    ExitCode::SUCCESS
}

fn state_words(state: MeetingState, speech: Speech) -> &'static str {
    match state {
        MeetingState::Draft => text!(speech, "cli-look-draft"),
        MeetingState::Preparation => text!(speech, "cli-look-preparation"),
        MeetingState::Discussion => text!(speech, "cli-look-discussion"),
        MeetingState::Ballot => text!(speech, "cli-look-ballot"),
        MeetingState::Closing => text!(speech, "cli-look-closing"),
        MeetingState::Paused => text!(speech, "cli-look-paused"),
        MeetingState::Ended => text!(speech, "cli-look-ended"),
    }
}

fn outcome_words(outcome: &str, speech: Speech) -> &'static str {
    match outcome {
        "accepted" => text!(speech, "cli-look-accepted"),
        "converged" => text!(speech, "cli-look-converged"),
        "completed" => text!(speech, "cli-look-completed"),
        _ => text!(speech, "cli-look-no-agreement"),
    }
}

/// A moment in this machine's zone, in Shanghai's when the machine does not know its own.
pub(super) fn local(moment: Timestamp) -> String {
    Times::of_machine().tell(moment)
}

/// This machine's time zone.
pub(super) fn zone() -> TimeZone {
    TimeZone::try_system().or_else(|_| TimeZone::get("Asia/Shanghai")).unwrap_or(TimeZone::UTC)
}

/// A meeting with its events: all of them, or, with `salvage`, those before the damage.
pub(super) struct Loaded {
    pub(super) meeting: Meeting,
    pub(super) log: Salvaged,
}

impl Loaded {
    /// The events without their envelopes.
    pub(super) fn events(&self) -> Vec<Event> {
        self.log.records.iter().map(|record| (*record.event).clone()).collect()
    }

    /// Says on the terminal what is missing.
    pub(super) fn warn(&self, speech: Speech) {
        if let Some(damage) = &self.log.damage {
            anstream::eprintln!("{}{}", text!(speech, "cli-look-warning"), damage.told_in(speech.0));
        }
    }
}

/// The intact part of a meeting, as `use_case` reads it. Without `salvage`, a damaged one is refused.
pub(super) async fn load_salvaged(
    store: &LocalDatabase,
    use_case: UseCase,
    id: &MeetingId,
    salvage: bool,
) -> Result<Loaded, CliError> {
    password::ask(store, id).await?;
    let salvaged = store.salvage(use_case, id).await?;
    let lost = |detail: Message| {
        CliError::new(
            message!("cli-look-not-one-event-meeting-whole", %id, detail),
            message!("cli-look-restore-backup-quorate-restore"),
        )
    };
    if let Some(damage) = &salvaged.damage
        && !salvage
    {
        return Err(quorate_app::JournalError::Damaged {
            meeting: id.clone(),
            seq: damage.event,
            detail: damage.detail.clone(),
        }
        .into());
    }
    let meeting = salvaged
        .meeting()
        .ok_or_else(|| lost(salvaged.damage.as_ref().map_or(as_said(""), |damage| damage.detail.clone())))?;
    Ok(Loaded { meeting: called(store, meeting).await, log: salvaged })
}

/// The meeting with the title that was given to it after its end.
async fn called(store: &LocalDatabase, meeting: Meeting) -> Meeting {
    let title = match meeting.is_over() {
        true => store.labels(&meeting.id).await.ok().and_then(|labels| labels.title),
        false => None,
    };
    match title {
        Some(title) => meeting.called(title),
        None => meeting,
    }
}

/// A meeting folded from its log, as `use_case` reads it.
pub(super) async fn load(
    store: &LocalDatabase,
    use_case: UseCase,
    id: &MeetingId,
) -> Result<(Meeting, Vec<Event>), CliError> {
    password::ask(store, id).await?;
    let (meeting, events) = fold(store, use_case, id).await?;
    Ok((called(store, meeting).await, events))
}

pub(super) async fn fold(
    store: &LocalDatabase,
    use_case: UseCase,
    id: &MeetingId,
) -> Result<(Meeting, Vec<Event>), CliError> {
    let lines = store.lines(use_case, id, 0).await?;
    let mut meeting = Meeting::blank(id.clone(), RunId::new(""));
    let mut events = Vec::with_capacity(lines.len());
    for (seq, line) in lines {
        let event = Event::from_json(&line).map_err(|error| {
            CliError::new(
                message!("app-damaged-event", seq, meeting = %id, detail = %error),
                message!("cli-replay-newer-hint"),
            )
        })?;
        apply(&mut meeting, &event);
        events.push(event);
    }
    Ok((meeting, events))
}

/// Shows the state of a meeting, or its result.
pub(crate) async fn show(place: &Place, args: ShowArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = place.read()?;
    let id = store.find(&args.id).await?;
    let faults = store.faults().await.unwrap_or_default();
    let fault = faults.into_iter().find_map(|(failed, fault)| (failed == id).then_some(fault));
    if args.diagnostics {
        let log = store.salvage(UseCase::ShowDiagnostics, &id).await?;
        let report = diagnostic_report(id, &log, fault.as_ref());
        print(&serde_json::to_string_pretty(&report).expect("a report has only text keys"));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(fault) = fault {
        // Beside what is shown, so that a result stays a result.
        let error = CliError::from(EngineError::Quarantined(Box::new(fault))).at_terminal(speech);
        anstream::eprintln!("{}", with_database(&error.line()));
        let command = place.command(&format!("resume {id}"));
        anstream::eprintln!("{}{command}", text!(speech, "cli-look-go"));
    }
    let use_case = match (args.marks, args.health) {
        (true, _) => UseCase::ListEvaluations,
        (false, true) => UseCase::ShowHealth,
        (false, false) => UseCase::ShowReport,
    };
    let mut loaded = load_salvaged(&store, use_case, &id, args.salvage).await?;
    loaded.warn(speech);
    loaded.meeting = seen_by_owner(loaded.meeting);
    if let Some(lang) = args.lang {
        loaded.meeting = loaded.meeting.told_in(lang.into());
    }
    let (meeting, events) = (&loaded.meeting, loaded.events());
    if args.marks {
        match args.json {
            true => {
                print(
                    &serde_json::to_string_pretty(&meeting.evaluations).expect("marks have only text keys"),
                );
            }
            false => print(&marks(meeting, Speech(meeting.language()))),
        }
        return Ok(ExitCode::SUCCESS);
    }
    if args.health {
        let health = DeliberationHealth::of(meeting);
        print(&match args.json {
            true => serde_json::to_string_pretty(&health).expect("a health has only text keys"),
            false => health.to_text(meeting, speech.0),
        });
        return Ok(ExitCode::SUCCESS);
    }
    let report = Report::of(meeting);
    if let (false, Some(standing)) = (args.json, standing(meeting, Speech(meeting.language()))) {
        anstream::eprintln!("{standing}");
    }
    match (args.json, &loaded.log.damage) {
        (true, Some(damage)) => print(&with_damage(&report, damage, speech)),
        (true, None) => print(&report.to_json()),
        (false, _) => print_markdown(&report.to_markdown()),
    }
    // The report itself is the same wherever it is written.
    if let (false, Some(line)) =
        (args.json, calls::line(&CallTotals::of(meeting, &events), Speech(meeting.language())))
    {
        anstream::eprintln!("{line}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The report, and what of the meeting it does not know.
fn with_damage(report: &Report, damage: &Damage, speech: Speech) -> String {
    let mut whole: serde_json::Value = serde_json::from_str(&report.to_json()).expect("a report is JSON");
    whole["damage"] =
        serde_json::to_value(damage_view(damage, speech.0)).expect("a damage has only text keys");
    serde_json::to_string_pretty(&whole).expect("a report has only text keys")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_of_a_fork_is_told_apart_from_its_title() {
        for (title, expected) in [
            ("SQLite? (fork)", ("SQLite?", " (fork)")),
            ("SQLite? (fork 2)", ("SQLite?", " (fork 2)")),
            ("用 SQLite？（分叉）", ("用 SQLite？", "（分叉）")),
            ("a plain (title)", ("a plain (title)", "")),
        ] {
            assert_eq!(without_fork_mark(title), expected);
        }
    }
}
