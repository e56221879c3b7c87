//! The grammar of a line that a person types into a meeting: a message, or a command that begins with `/`.
//! The live view and `quorate say` share it.

use quorate_contract::{Actor, ArtifactKind, Command, Language, Person, Presence, Rules};
use quorate_core::Meeting;
use quorate_messages::{keyed, keys, message, text};
use unicode_width::UnicodeWidthStr;

use super::lists;
use super::seat_command::SeatCommand;
use crate::error::CliError;
use crate::language::{Speech, replaced};
use crate::setup::{key_and_value, length_of, nearest, set_rule, style_of, title_and_description};

/// A parsed line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LineCommand {
    /// A command to the meeting.
    Command(Command),
    /// Resume the meeting.
    Resume,
    /// An answer to a question of the pause: key and text.
    Answer(String, String),
    /// Something to read; nothing changes.
    Tell(String),
    /// The meeting is to have another password, or none.
    Password,
    /// The person leaves; the meeting is paused.
    Quit,
    /// Something about the turn of the seat at this terminal.
    Seat(SeatCommand),
}

/// Each command, and how it is written; `line-COMMAND` says what it does.
const COMMANDS: [(&str, &str); 34] = [
    ("/pause", "/pause [now]"),
    ("/end", "/end [NOTE]"),
    ("/next", "/next NAME"),
    ("/resume", "/resume"),
    ("/quit", "/quit"),
    ("/add", "/add SENTENCE|AGENT"),
    ("/remove", "/remove NAME"),
    ("/away", "/away NAME"),
    ("/back", "/back NAME"),
    ("/topic", "/topic TEXT"),
    ("/agenda", "/agenda [add TITLE[: TEXT] | done ID | undo ID | remove ID]"),
    ("/announce", "/announce TEXT"),
    ("/minutes", "/minutes [NAME] [-- NOTE]"),
    ("/artifact", "/artifact ADR|TASKS|RISKS|MINUTES|SUMMARY"),
    ("/style", "/style formal|casual|debate"),
    ("/length", "/length NAME brief|moderate|detailed"),
    ("/rounds", "/rounds N"),
    ("/people", "/people on|off"),
    ("/set", "/set KEY=VALUE"),
    ("/marks", "/marks"),
    ("/ideas", "/ideas"),
    ("/answer", "/answer KEY=VALUE"),
    ("/password", "/password"),
    ("/say", "/say TEXT"),
    ("/skip", "/skip"),
    ("/turn", "/turn"),
    ("/undo", "/undo"),
    ("/send", "/send"),
    ("/allow", "/allow [N]"),
    ("/refuse", "/refuse [N]"),
    ("/skiplist", "/skiplist NAME [: PHRASE | PHRASE]"),
    ("/help", "/help"),
    ("/questions", "/questions"),
    ("/table", "/table"),
];

/// Whether a line is a command; a path is none.
pub(super) fn is_command(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    word.starts_with('/') && !word[1..].contains('/')
}

/// Reads a line that is not blank.
///
/// # Errors
/// When it is a command that there is not, or that lacks something; the hint says how it is written.
pub(crate) fn read(line: &str, m: &Meeting, speech: Speech) -> Result<LineCommand, CliError> {
    let by = Actor::owner();
    let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    let rest = rest.trim();
    if !is_command(line) {
        return Ok(LineCommand::Command(Command::Say { by, content: line.trim().to_owned() }));
    }
    let needed = |text: &str| match text.is_empty() {
        true => Err(lacking(word, speech)),
        false => Ok(text.to_owned()),
    };
    Ok(match word {
        "/pause" => LineCommand::Command(Command::Pause { by, at_once: rest == "now" }),
        "/end" => LineCommand::Command(Command::End { by, note: rest.to_owned() }),
        "/next" => LineCommand::Command(Command::RequestSpeaker { by, participant: name(&needed(rest)?) }),
        "/resume" => LineCommand::Resume,
        "/quit" => LineCommand::Quit,
        "/add" => LineCommand::Command(Command::Invite { by, description: needed(rest)? }),
        "/remove" => LineCommand::Command(Command::Leave { by, participant: name(&needed(rest)?) }),
        "/away" => presence(by, &needed(rest)?, Presence::Offline),
        "/back" => presence(by, &needed(rest)?, Presence::Online),
        "/topic" => LineCommand::Command(Command::ChangeTopic { by, topic: needed(rest)? }),
        "/agenda" => agenda(rest, m, by, speech)?,
        "/announce" => LineCommand::Command(Command::Announce { by, text: needed(rest)? }),
        "/minutes" => minutes(rest, m, by),
        "/artifact" => {
            let name = needed(rest)?;
            let kind = name.parse::<ArtifactKind>().map_err(|_| {
                CliError::usage(
                    message!("cli-setup-no-artifact", name),
                    message!("cli-line-choose-adr-tasks-risks-minutes"),
                )
            })?;
            LineCommand::Command(Command::WriteArtifact { by, kind })
        }
        "/style" => {
            let style = style_of(&needed(rest)?)?;
            changed(m, |rules| rules.talk.style = Some(style))
        }
        "/length" => {
            let (who, length) = rest.rsplit_once(char::is_whitespace).ok_or_else(|| lacking(word, speech))?;
            let (who, length) = (name(who), length_of(length)?);
            changed(m, |rules| _ = rules.talk.lengths.insert(who, length))
        }
        "/rounds" => {
            let rounds = rest.parse::<u32>().map_err(|_| lacking(word, speech))?;
            changed(m, |rules| {
                rules.limits.max_rounds = rounds;
                rules.decision.min_rounds = rules.decision.min_rounds.min(rounds);
            })
        }
        "/people" => {
            let may = match rest {
                "on" => true,
                "off" => false,
                _ => return Err(lacking(word, speech)),
            };
            changed(m, |rules| rules.turns.people_may_speak = may)
        }
        "/set" => {
            let (key, value) = key_and_value(rest, "/set")?;
            let rules = set_rule(m.rules(), key, value)?;
            LineCommand::Command(Command::ChangeRules { by, rules: Box::new(rules) })
        }
        "/say" => LineCommand::Command(Command::Say { by, content: needed(rest)? }),
        "/skip" => LineCommand::Seat(SeatCommand::Skip),
        "/turn" => LineCommand::Seat(SeatCommand::Turn),
        "/undo" => LineCommand::Seat(SeatCommand::Undo),
        "/send" => LineCommand::Seat(SeatCommand::Send),
        "/allow" => permit(word, rest, m, true, speech)?,
        "/refuse" => permit(word, rest, m, false, speech)?,
        "/skiplist" => skip_list(&needed(rest)?, m, by, speech)?,
        "/marks" => LineCommand::Tell(lists::marks(m, speech)),
        "/ideas" => LineCommand::Tell(lists::ideas(m, speech)),
        "/table" => LineCommand::Tell(lists::table(m, speech)),
        "/questions" => LineCommand::Tell(lists::questions(m, speech)),
        "/answer" => {
            let (key, value) = key_and_value(rest, "/answer")?;
            LineCommand::Answer(key.to_owned(), value.to_owned())
        }
        "/password" => LineCommand::Password,
        // Commands are the same in every language; the one that leads to them is known by its Chinese name, too.
        "/help" | "/帮助" => LineCommand::Tell(help(speech)),
        unknown => return Err(unheard_of(unknown, speech)),
    })
}

/// Commands that take a name first.
const OF_SOMEBODY: [&str; 7] = ["/next", "/remove", "/away", "/back", "/length", "/minutes", "/skiplist"];

/// The completions of the beginning of a command: the command, or the name behind it.
pub(super) fn completions(begun: &str, m: &Meeting) -> Vec<String> {
    match begun.split_once(' ') {
        None if begun.starts_with('/') => {
            let fitting = COMMANDS.iter().filter(|(name, _)| name.starts_with(begun));
            fitting
                .map(|(name, usage)| if name == usage { (*name).to_owned() } else { format!("{name} ") })
                .collect()
        }
        Some((command, name)) if OF_SOMEBODY.contains(&command) => {
            let names = m.present().map(|seat| seat.participant.name.clone());
            let name = name.to_lowercase();
            names
                .filter(|one| one.to_lowercase().starts_with(&name))
                .map(|one| format!("{command} {one}"))
                .collect()
        }
        Some(_) | None => Vec::new(),
    }
}

/// The width of the column of usages; what a longer one does is said in the next line.
const USAGE_COLUMNS: usize = 28;

/// All commands in a few lines.
fn help(speech: Speech) -> String {
    let first = text!(speech, "cli-line-commands-pause-end-next-name");
    let lines = COMMANDS.iter().map(|(name, usage)| {
        let does = keyed(speech, &format!("line-{}", &name[1..])).unwrap_or_default();
        let usage = written(usage, speech);
        let gap = match USAGE_COLUMNS.checked_sub(usage.width()) {
            Some(columns) => " ".repeat(columns + 1),
            None => format!("\n{}", " ".repeat(USAGE_COLUMNS + 3)),
        };
        format!("\n  {usage}{gap}{does}")
    });
    format!("{first}{}", lines.collect::<String>())
}

/// The usage of a command in the reader's language.
fn written(usage: &str, speech: Speech) -> String {
    replaced(usage, places(), speech)
}

/// The messages for what stands in a usage for an argument.
fn places() -> impl Iterator<Item = &'static str> {
    keys(Language::En, "line").filter(|id| id.starts_with("line-place-"))
}

fn unheard_of(word: &str, speech: Speech) -> CliError {
    let near = nearest(word, COMMANDS.iter().map(|(name, _)| *name));
    let message = text!(speech, "cli-line-there-no-command", %word);
    let hint = match near.as_slice() {
        [] => text!(speech, "cli-line-help-lists-all-commands").to_owned(),
        near => {
            let near = near.join(text!(speech, "common-list-separator"));
            text!(speech, "cli-line-near-help-lists-all-commands", %near)
        }
    };
    CliError::usage(message, hint)
}

fn lacking(word: &str, speech: Speech) -> CliError {
    let usage = COMMANDS.iter().find(|(name, _)| *name == word).map_or(word, |(_, usage)| *usage);
    let usage = written(usage, speech);
    CliError::usage(text!(speech, "cli-line-lacks-something", %word), text!(speech, "cli-line-write", %usage))
}

/// A name as it is called: `@Ada`, `@"Ada Long"`.
fn name(text: &str) -> String {
    text.trim().trim_start_matches(['@', '＠']).trim_matches(['"', '“', '”']).to_owned()
}

fn presence(by: Actor, who: &str, presence: Presence) -> LineCommand {
    LineCommand::Command(Command::SetPresence { by, participant: name(who), presence })
}

/// Parses `/skiplist Ada: ok | /status`; without a colon the list is shown, and nothing behind it clears the list.
fn skip_list(rest: &str, m: &Meeting, by: Actor, speech: Speech) -> Result<LineCommand, CliError> {
    let Some((who, phrases)) = rest.split_once([':', '：']) else {
        return Ok(LineCommand::Tell(lists::skip_list(m, &name(rest), speech)?));
    };
    let phrases = phrases.split(['|', '｜']).map(str::trim).filter(|phrase| !phrase.is_empty());
    let skip_list = Some(phrases.map(str::to_owned).collect());
    Ok(LineCommand::Command(Command::ChangeParticipant {
        by,
        participant: name(who),
        presence: None,
        skip_list,
    }))
}

/// Answers what a coding agent asks for: the only question, or the one of this number in the order in which they came.
fn permit(
    word: &str,
    rest: &str,
    m: &Meeting,
    allowed: bool,
    speech: Speech,
) -> Result<LineCommand, CliError> {
    let asked = lists::questions_of_agents(m);
    let place = match (rest, asked.len()) {
        (_, 0) => {
            let hint = text!(speech, "cli-line-no-agent-asks-hint");
            return Err(CliError::usage(text!(speech, "cli-line-no-agent-asks"), hint));
        }
        ("", 1) => 1,
        ("", _) => return Err(lacking(word, speech)),
        (number, _) => number.parse::<usize>().map_err(|_| lacking(word, speech))?,
    };
    let Some((task, attempt, action)) = place.checked_sub(1).and_then(|place| asked.get(place)) else {
        return Err(lacking(word, speech));
    };
    let (task, attempt, number) = (*task, *attempt, action.number);
    let Actor::Person { id, name } = Actor::owner() else { return Err(lacking(word, speech)) };
    let by = Person { id, name };
    Ok(LineCommand::Command(Command::PermitAction { by, task, attempt, number, allowed }))
}

fn changed(m: &Meeting, change: impl FnOnce(&mut Rules)) -> LineCommand {
    let mut rules = Box::new(m.rules().clone());
    change(&mut rules);
    LineCommand::Command(Command::ChangeRules { by: Actor::owner(), rules })
}

fn agenda(rest: &str, m: &Meeting, by: Actor, speech: Speech) -> Result<LineCommand, CliError> {
    let (what, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let item = rest.trim().to_owned();
    match (what, item.is_empty()) {
        ("", _) => Ok(LineCommand::Tell(lists::agenda(m, speech))),
        ("add", false) => {
            let (title, description) = title_and_description(&item);
            Ok(LineCommand::Command(Command::AddAgendaItem { by, title, description }))
        }
        ("done", false) => {
            Ok(LineCommand::Command(Command::CompleteAgendaItem { by, item, completed: true }))
        }
        ("undo", false) => {
            Ok(LineCommand::Command(Command::CompleteAgendaItem { by, item, completed: false }))
        }
        ("remove", false) => Ok(LineCommand::Command(Command::RemoveAgendaItem { by, item })),
        _ => Err(lacking("/agenda", speech)),
    }
}

/// Parses `/minutes Ada -- the costs`; text that names no participant is the note.
fn minutes(rest: &str, m: &Meeting, by: Actor) -> LineCommand {
    let cut = rest.split_once("--").or_else(|| rest.split_once('—'));
    let (who, note) = cut.unwrap_or((rest, ""));
    let (who, note) = (name(who), note.trim_start_matches(['-', '—']).trim());
    let known = m.find(&who).is_ok();
    match (cut.is_some(), known) {
        // A single word that is no participant's name is a mistyped name; more words are a note.
        (false, false) if !rest.trim().contains(char::is_whitespace) && !rest.trim().is_empty() => {
            LineCommand::Command(Command::WriteMinutes { by, writer: Some(who), note: String::new() })
        }
        (false, false) => {
            LineCommand::Command(Command::WriteMinutes { by, writer: None, note: rest.trim().to_owned() })
        }
        _ => {
            let writer = Some(who).filter(|who| !who.is_empty());
            LineCommand::Command(Command::WriteMinutes { by, writer, note: note.to_owned() })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_says_what_it_does_and_no_text_is_left_over() {
        let known = keys(Language::En, "line").filter(|id| !id.starts_with("line-place-"));
        let known: BTreeSet<String> = known.map(str::to_owned).collect();
        let ours: BTreeSet<String> =
            COMMANDS.iter().map(|(name, _)| format!("line-{}", &name[1..])).collect();
        assert_eq!(known, ours);
        let usages: String = COMMANDS.iter().map(|(_, usage)| *usage).collect();
        assert!(places().count() > 5);
        for id in places() {
            let place = keyed(Language::En, id).expect("a text");
            assert!(usages.contains(place), "{id}: no command takes {place}");
        }
    }

    #[test]
    fn the_arguments_of_commands_are_named_in_the_reader_s_language() {
        let chinese = help(Speech(Language::Zh));
        assert!(chinese.contains("/add 一句话|智能体 ") && chinese.contains("/rounds 轮数 "), "{chinese}");
        for place in places().filter_map(|id| keyed(Language::En, id)).map(str::trim) {
            let is_left = |word: &str| word.trim_matches(['[', ']', ':']) == place;
            let commands = chinese.lines().filter(|line| line.starts_with("  /"));
            assert!(!commands.flat_map(str::split_whitespace).any(is_left), "{place}: {chinese}");
        }
    }

    #[test]
    fn what_a_command_does_stands_in_one_column() {
        for language in Language::ALL {
            let help = help(Speech(language));
            for (name, usage) in COMMANDS {
                let does = keyed(language, &format!("line-{}", &name[1..])).expect("a text");
                let usage = written(usage, Speech(language));
                let line = help.lines().find(|line| line.ends_with(does)).expect("a line");
                let before = line.strip_suffix(does).expect("it ends so");
                assert_eq!(before.width(), USAGE_COLUMNS + 3, "{usage}");
                assert!(line.width() < 80, "{line}");
            }
        }
    }
}
