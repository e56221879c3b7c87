//! Invalid files. Each is refused as a whole, with where, what, and what to do.

use quorate_views::folder_layouts::*;
use serde_json::{Value, json};

use super::imported;
use super::shown::{meetings, rooms};

/// The error for this folder, after one change to one of its files.
fn said(files: &Files, path: &str, change: impl FnOnce(&mut Value)) -> LayoutError {
    let mut files = files.clone();
    let mut value: Value = serde_json::from_str(&files[path]).expect("a fixture");
    change(&mut value);
    files.insert(path.to_owned(), value.to_string());
    error(&files)
}

fn error(files: &Files) -> LayoutError {
    let result = read(files).and_then(|layout| imported(&layout));
    let error = result.map(|all| all.len()).expect_err("it is refused");
    assert!(!error.problem.is_empty() && !error.hint.is_empty(), "{error:?}");
    assert!(error.to_string().len() < 700, "an error is a line");
    error
}

const MEETING: &str = "meetings/meeting-1.json";
const MESSAGES: &str = "room_messages/tea-room-1.json";

#[test]
fn wrong_types_are_said_with_file_and_field() {
    let wrong = said(&meetings(), MEETING, |m| m["topic"] = json!(5));
    assert_eq!((wrong.file.as_str(), wrong.field.as_str()), (MEETING, "topic"));
    let wrong = said(&meetings(), MEETING, |m| m["status"] = json!("asleep"));
    assert!(wrong.problem.english().contains("paused"), "it names what there is: {wrong}");
    said(&meetings(), MEETING, |m| _ = m.as_object_mut().expect("an object").remove("participants"));
    said(&rooms(), "rooms.json", |m| *m = json!({}));
    said(&rooms(), MESSAGES, |m| m[0] = json!(7));
    error(&Files::from([(MEETING.to_owned(), "{".repeat(200_000))]));
    error(&Files::from([(MEETING.to_owned(), String::new())]));
    error(&Files::from([(MEETING.to_owned(), "[".repeat(200_000))]));
}

#[test]
fn what_is_too_long_is_refused() {
    let long = said(&meetings(), MEETING, |m| m["topic"] = json!("x".repeat(1_000_000)));
    assert_eq!(long.field, "topic");
    let long = said(&meetings(), MEETING, |m| m["messages"][0]["content"] = json!("x".repeat(10_000_000)));
    assert!(long.problem.english().contains("bytes"), "{long}");
    said(&meetings(), MEETING, |m| m["messages"] = vec![m["messages"][0].clone(); 20_001].into());
    let many =
        said(&meetings(), MEETING, |m| m["participants"] = vec![m["participants"][0].clone(); 17].into());
    assert!(many.field.starts_with("participants"), "{many}");
}

#[test]
fn ids_lead_to_no_other_place_and_are_there_once() {
    for id in ["../../etc/passwd", "a/b", "..", "", "a\u{0}b"] {
        assert_eq!(said(&meetings(), MEETING, |m| m["id"] = json!(id)).field, "id");
        said(&rooms(), "rooms.json", |m| m[0]["room_id"] = json!(id));
        said(&rooms(), MESSAGES, |m| m[0]["message_id"] = json!(id));
        said(&rooms(), MESSAGES, |m| m[0] = json!(id));
    }
    let twice = said(&meetings(), MEETING, |m| m["messages"][1]["id"] = m["messages"][0]["id"].clone());
    assert_eq!(twice.field, "messages[1].id");
    said(&meetings(), MEETING, |m| m["participants"][1]["id"] = json!("agent-1"));
    said(&meetings(), MEETING, |m| m["participants"][1]["name"] = json!("林晚"));
    said(&rooms(), MESSAGES, |m| m[1]["message_id"] = m[0]["message_id"].clone());
    said(&rooms(), "rooms.json", |m| *m = vec![m[0].clone(); 2].into());
    let mut two = meetings();
    two.insert("meetings/other.json".into(), two[MEETING].clone());
    error(&two);
}

#[test]
fn whoever_speaks_or_is_called_is_at_the_table() {
    let unknown = said(&meetings(), MEETING, |m| m["messages"][1]["speaker_id"] = json!("agent-9"));
    assert_eq!(unknown.field, "messages[1].speaker_id");
    assert!(unknown.hint.english().contains("agent-1"), "{}", unknown.hint);
    said(&meetings(), MEETING, |m| {
        m["messages"][0]["mentions"][0]["mentioned_participant_id"] = json!("agent-9");
    });
    said(&meetings(), MEETING, |m| (m["moderator_type"], m["moderator_id"]) = (json!("agent"), json!("x")));
    said(&meetings(), MEETING, |m| m["config"]["speaking_length_preferences"] = json!({"x": "brief"}));
    said(&rooms(), MESSAGES, |m| m[0]["sender"] = json!("Eve"));
    said(&rooms(), MESSAGES, |m| m[0]["mentions"] = json!(["Eve"]));
}

#[test]
fn answers_go_back_in_time_and_never_round() {
    let own = said(&rooms(), MESSAGES, |m| m[0]["response_to"] = m[0]["message_id"].clone());
    assert_eq!(own.field, "messages[0].response_to");
    said(&rooms(), MESSAGES, |m| {
        (m[0]["response_to"], m[1]["response_to"]) = (m[1]["message_id"].clone(), m[0]["message_id"].clone());
    });
    said(&rooms(), MESSAGES, |m| m[2]["response_to"] = json!("nowhere"));
    said(&rooms(), MESSAGES, |m| m[2]["room_id"] = json!("another"));
    said(&rooms(), MESSAGES, |m| m[1]["visible"] = json!(false));
}

#[test]
fn numbers_and_times_are_sound() {
    said(&meetings(), MEETING, |m| m["messages"][0]["timestamp"] = json!("yesterday"));
    said(&meetings(), MEETING, |m| m["created_at"] = json!("2026-13-01T00:00:00Z"));
    said(&meetings(), MEETING, |m| m["messages"][0]["round_number"] = json!(3));
    said(&meetings(), MEETING, |m| m["messages"][3]["round_number"] = json!(4_000_000_000_u32));
    said(&meetings(), MEETING, |m| m["config"]["max_rounds"] = json!(0));
    said(&meetings(), MEETING, |m| m["messages"][0]["content"] = json!(" \u{7}\n"));
    said(&meetings(), MEETING, |m| m["minutes_history"][0]["version"] = json!(0));
    said(&meetings(), MEETING, |m| m["current_minutes"]["content"] = json!("another"));
    said(&meetings(), MEETING, |m| m["participants"][0]["model_config"]["parameters"] = json!({"top_p": 7}));
}

#[test]
fn files_that_are_missing_are_named() {
    assert!(error(&Files::new()).hint.english().contains("rooms.json"));
    let mut files = rooms();
    files.insert(MESSAGES.to_owned(), r#"["5d0e8f6a"]"#.to_owned());
    assert!(error(&files).problem.english().contains("messages/5d0e8f6a.json is missing"));
    files.remove(MESSAGES);
    let all = read(&files).and_then(|layout| imported(&layout)).expect("a room in which nobody has spoken");
    assert_eq!(all.len(), 1);
}
