//! What a tool returns of a long meeting: as much as a client takes in one result. Messages stay whole where they can; what is
//! left out or cut is said, with the tool that has it.

use quorate_messages::{Language, text};
use serde_json::{Value, json};

/// The most characters of messages in one result. Clients give up on results, or cut them, that are several times as long.
pub(crate) const CHARACTERS_MAX: usize = 40_000;

/// The most characters of the description of a role in a list of participants.
const ROLE_MAX: usize = 200;

/// What a list of participants leaves out: notes, positions and usage, which no turn needs.
const LEFT_OUT: [&str; 5] = ["memory", "first", "stance", "changes", "spent"];

/// The fields of an open turn in a list; wait_for_turn returns all.
const OF_A_TURN: [&str; 10] = [
    "ticket",
    "meeting",
    "participant",
    "role",
    "kind",
    "round",
    "can_skip",
    "problem",
    "offered_at",
    "deadline_at",
];

fn length(text: &str) -> usize {
    text.chars().count()
}

fn cut(text: &str, most: usize) -> String {
    let mut cut: String = text.chars().take(most).collect();
    cut.push('…');
    cut
}

/// A message of a page: one that is longer than a page says so, and ends there. The facilitator has its name in the
/// reader's language.
pub(crate) fn message(mut said: Value, language: Language) -> Value {
    if said["speaker"]["kind"] == "facilitator" && said["name"] == "" {
        said["name"] = text!(language, "records-facilitator").into();
    }
    let characters = said["content"].as_str().map(length).unwrap_or_default();
    if characters > CHARACTERS_MAX {
        said["content"] = cut(said["content"].as_str().unwrap_or_default(), CHARACTERS_MAX).into();
        said["is_cut"] = true.into();
        said["characters"] = characters.into();
    }
    said
}

/// A participant in a list.
pub(crate) fn participant(mut seat: Value) -> Value {
    if let Some(fields) = seat.as_object_mut() {
        LEFT_OUT.iter().for_each(|name| drop(fields.remove(*name)));
    }
    if let Some(role) = seat.pointer_mut("/participant/role").and_then(Value::as_object_mut) {
        role.remove("system_prompt");
        if let Some(long) = role.get("description").and_then(Value::as_str).filter(|it| length(it) > ROLE_MAX)
        {
            let short = cut(long, ROLE_MAX);
            role.insert("description".to_owned(), short.into());
        }
    }
    seat
}

/// A person in a list.
pub(crate) fn person(person: Value) -> Value {
    let kept = ["name", "kind", "presence", "is_host"];
    kept.iter()
        .map(|name| ((*name).to_owned(), person[*name].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// An open turn in a list.
pub(crate) fn open_turn(turn: &Value) -> Value {
    OF_A_TURN
        .iter()
        .map(|name| ((*name).to_owned(), turn[*name].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// A part of a prompt.
struct Piece {
    text: String,
    /// Whether it is something that was said: such a piece may be left out.
    is_said: bool,
}

/// The parts of a text with messages in their frames: no text of a participant can open or close one.
fn pieces(content: &str) -> Vec<Piece> {
    const BEGIN: &str = "<message ";
    const END: &str = "\n</message>";
    let mut pieces = Vec::new();
    let mut rest = content;
    while let Some(begin) = rest.find(BEGIN) {
        let Some(end) = rest[begin..].find(END).map(|end| begin + end + END.len()) else { break };
        for (text, is_said) in [(&rest[..begin], false), (&rest[begin..end], true)] {
            if !text.trim().is_empty() {
                pieces.push(Piece { text: text.trim_matches('\n').to_owned(), is_said });
            }
        }
        rest = &rest[end..];
    }
    if !rest.trim().is_empty() {
        pieces.push(Piece { text: rest.trim_matches('\n').to_owned(), is_said: false });
    }
    pieces
}

/// Bounds the messages of a turn: the newest stay whole, older ones are left out. Gives how many were left out.
pub(crate) fn bound_turn(turn: &mut Value) -> usize {
    let Some(messages) = turn["messages"].as_array() else { return 0 };
    let content = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    let mut room = CHARACTERS_MAX;
    if messages.iter().map(|message| length(&content(message))).sum::<usize>() <= room {
        return 0;
    }
    let mut parts: Vec<(Value, Vec<Piece>)> = messages
        .iter()
        .map(|message| {
            let content = content(message);
            let pieces = match message["role"] == "assistant" {
                true => vec![Piece { text: content, is_said: true }],
                false => pieces(&content),
            };
            (message["role"].clone(), pieces)
        })
        .collect();
    // What is asked, and what it is about, is always there.
    let others = parts.iter().flat_map(|(_, pieces)| pieces).filter(|piece| !piece.is_said);
    room = room.saturating_sub(others.map(|piece| length(&piece.text)).sum());
    let (mut left_out, mut has_newest) = (0, false);
    for piece in
        parts.iter_mut().rev().flat_map(|(_, pieces)| pieces.iter_mut().rev()).filter(|it| it.is_said)
    {
        let size = length(&piece.text);
        if size <= room {
            room -= size;
        } else if has_newest {
            // From here on nothing older is shown, so that there are no gaps.
            (room, left_out) = (0, left_out + 1);
            piece.text.clear();
        } else {
            piece.text = cut(&piece.text, room);
            room = 0;
        }
        has_newest = true;
    }
    let shown = parts.into_iter().filter_map(|(role, pieces)| {
        let texts: Vec<String> =
            pieces.into_iter().map(|piece| piece.text).filter(|text| !text.is_empty()).collect();
        (!texts.is_empty()).then(|| json!({ "role": role, "content": texts.join("\n\n") }))
    });
    let shown: Vec<Value> = shown.collect();
    turn["messages"] = shown.into();
    turn["messages_left_out"] = left_out.into();
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(id: usize, length: usize) -> String {
        format!("<message id=\"m{id}\" from=\"Ada\">\n{}\n</message>", "x".repeat(length))
    }

    fn turn(said: &[usize]) -> Value {
        let said: Vec<String> = said.iter().enumerate().map(|(id, length)| framed(id, *length)).collect();
        let content = format!("The topic.\n\n{}\n\nWhat do you think?", said.join("\n\n"));
        json!({ "messages": [{ "role": "user", "content": content }] })
    }

    #[test]
    fn a_short_turn_stays_as_it_is() {
        let mut short = turn(&[100, 100]);
        assert_eq!(bound_turn(&mut short), 0);
        assert_eq!(short, turn(&[100, 100]));
    }

    #[test]
    fn the_newest_messages_of_a_long_turn_stay_whole() {
        let mut long = turn(&[20_000, 2_000, 20_000, 15_000, 4_000]);
        assert_eq!(bound_turn(&mut long), 2);
        let content = long["messages"][0]["content"].as_str().expect("a text");
        assert!(
            content.starts_with("The topic.\n\n<message id=\"m2\"")
                && content.ends_with("What do you think?")
        );
        assert!(length(content) <= CHARACTERS_MAX + 20 && !content.contains("m1"), "{}", length(content));
        assert_eq!(long["messages_left_out"], 2);
    }

    #[test]
    fn one_message_that_is_longer_than_all_that_is_returned_is_cut() {
        let mut long = turn(&[100, 500_000]);
        assert_eq!(bound_turn(&mut long), 1);
        let content = long["messages"][0]["content"].as_str().expect("a text");
        assert!(content.contains("id=\"m1\"") && length(content) <= CHARACTERS_MAX + 20);
        assert!(content.ends_with("…\n\nWhat do you think?"));
        let said = message(json!({ "id": "m7", "content": "字".repeat(50_000) }), Language::En);
        assert_eq!((&said["is_cut"], &said["characters"]), (&json!(true), &json!(50_000)));
        assert_eq!(length(said["content"].as_str().expect("a text")), CHARACTERS_MAX + 1);
        assert_eq!(message(json!({ "content": "short" }), Language::En), json!({ "content": "short" }));
        let facilitator = json!({ "speaker": { "kind": "facilitator" }, "name": "", "content": "short" });
        assert_eq!(message(facilitator, Language::Zh)["name"], "协调员");
    }

    #[test]
    fn own_messages_between_those_of_others_are_left_out_with_the_older_ones() {
        let mut long = json!({ "messages": [
            { "role": "user", "content": format!("The topic.\n\n{}", framed(0, 30_000)) },
            { "role": "assistant", "content": "mine".repeat(10) },
            { "role": "user", "content": format!("{}\n\nGo on.", framed(1, 39_000)) },
        ] });
        assert_eq!(bound_turn(&mut long), 1);
        let roles: Vec<&Value> =
            long["messages"].as_array().expect("a list").iter().map(|it| &it["role"]).collect();
        assert_eq!(roles, ["user", "assistant", "user"]);
    }
}
