//! A seat that a program holds: turns are lines of JSON on stdout, answers lines of JSON on stdin.

use std::io::Write;

use quorate_messages::{Message, message};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::source::{Receipt, TurnReply};
use super::turn::Turn;

/// What a line of a program says.
#[derive(Debug, PartialEq)]
pub(super) enum ProgramMessage {
    /// An answer to a turn, by its ticket.
    Answer(String, TurnReply),
    /// A message, outside of a turn.
    Say(String),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ProgramLine {
    ticket: Option<String>,
    text: Option<String>,
    fields: Option<Map<String, Value>>,
    skip: bool,
    say: Option<String>,
}

/// Reads a line of a program; `open` is the ticket of the open turn.
///
/// # Errors
/// What is wrong with it.
pub(super) fn answer(line: &str, open: Option<String>) -> Result<ProgramMessage, Message> {
    let written: ProgramLine =
        serde_json::from_str(line).map_err(|_| message!("cli-seat-program-no-answer"))?;
    let ProgramLine { ticket, text, fields, skip, say } = written;
    let given = match (text, fields, skip, say) {
        (None, None, false, Some(say)) if ticket.is_none() => return Ok(ProgramMessage::Say(say)),
        (Some(text), None, false, None) if !text.trim().is_empty() => TurnReply::Text(text),
        (None, Some(fields), false, None) => TurnReply::Fields(fields.into()),
        (None, None, true, None) => TurnReply::Skip,
        _ => return Err(message!("cli-seat-program-not-one")),
    };
    match ticket.or(open) {
        Some(ticket) => Ok(ProgramMessage::Answer(ticket, given)),
        None => Err(message!("cli-seat-program-no-turn")),
    }
}

/// A turn is offered.
pub(super) fn offered(turn: &Turn) {
    print(&json!({ "type": "turn", "payload": turn.whole }));
}

/// A turn is over without an answer from here.
pub(super) fn over(turn: &Turn) {
    print(&json!({ "type": "turn_over", "payload": { "ticket": turn.ticket } }));
}

/// An answer was taken.
pub(super) fn answered(ticket: &str, receipt: &Receipt) {
    let Receipt { seq, problem } = receipt;
    let again = problem.is_some();
    let payload = json!({ "ticket": ticket, "seq": seq, "asked_again": again, "problem": problem });
    print(&json!({ "type": "turn_answered", "payload": payload }));
}

/// An answer was not taken.
pub(super) fn refused(ticket: Option<&str>, problem: &str, detail: &str, hint: &str) {
    let payload = json!({ "ticket": ticket, "problem": problem, "detail": detail, "hint": hint });
    print(&json!({ "type": "turn_refused", "payload": payload }));
}

/// A closed pipe is noticed with the next event.
fn print(line: &Value) {
    let mut out = std::io::stdout().lock();
    _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_one_answer() {
        let open = || Some("turn_1".to_owned());
        let given = |line: &str| answer(line, open());
        assert_eq!(
            given(r#"{"text":"Yes."}"#),
            Ok(ProgramMessage::Answer("turn_1".to_owned(), TurnReply::Text("Yes.".to_owned())))
        );
        assert_eq!(
            given(r#"{"ticket":"turn_2","skip":true}"#),
            Ok(ProgramMessage::Answer("turn_2".to_owned(), TurnReply::Skip))
        );
        assert_eq!(given(r#"{"say":"hello"}"#), Ok(ProgramMessage::Say("hello".to_owned())));
        for wrong in ["{}", r#"{"text":" "}"#, r#"{"text":"a","skip":true}"#, r#"{"vote":1}"#, "[]"] {
            assert!(given(wrong).is_err(), "{wrong}");
        }
        assert_eq!(answer(r#"{"skip":true}"#, None), Err(message!("cli-seat-program-no-turn")));
    }
}
