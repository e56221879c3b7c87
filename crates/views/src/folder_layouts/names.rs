//! Ids and names that files need and a log does not have: the same log gives the same ones.

use quorate_contract::{Participant, RunnerSpec, shorten};
use sha2::{Digest, Sha256};

/// A UUID of version 8 (RFC 9562) that follows from these texts and nothing else.
pub(super) fn uuid(of: &[&str]) -> String {
    let mut sum = Sha256::new();
    for text in of {
        sum.update((text.len() as u64).to_be_bytes());
        sum.update(text.as_bytes());
    }
    let mut bytes: Vec<u8> = sum.finalize()[..16].to_vec();
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// The id of an agent. Equal descriptions at two meetings are one agent.
pub(super) fn agent(of: &Participant) -> String {
    let runner = match &of.runner {
        RunnerSpec::Model { parameters, .. } => {
            format!("{} {}", of.runner.label(), serde_json::to_string(parameters).unwrap_or_default())
        }
        RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::External { .. } => of.runner.label(),
    };
    uuid(&["agent", &of.name, &of.role.name, &of.role.description, &of.role.system_prompt, &runner])
}

/// An English name for a room, out of its topic.
pub(super) fn room(topic: &str) -> String {
    let words = topic.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("-").to_lowercase();
    match name.get(..40).unwrap_or(&name).trim_matches('-') {
        "" => "room".to_owned(),
        name => name.to_owned(),
    }
}

/// A room's description: 10 characters of Chinese or 30 of English.
pub(super) fn description(topic: &str) -> String {
    let line = topic.split_whitespace().collect::<Vec<_>>().join(" ");
    shorten(&line, if line.is_ascii() { 30 } else { 10 })
}

/// Whether an id can be the name of a file.
pub(super) fn is_id(id: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '~');
    (1..=100).contains(&id.chars().count()) && id.chars().all(plain) && !id.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_ids_are_uuids_and_differ_by_what_they_are_made_of() {
        let id = uuid(&["meeting", "m1"]);
        assert_eq!(id, uuid(&["meeting", "m1"]));
        assert_ne!(id, uuid(&["meetingm", "1"]));
        assert_eq!((id.len(), id.as_bytes()[14]), (36, b'8'), "{id}");
    }

    #[test]
    fn an_id_leads_nowhere_else() {
        assert!(is_id("agent-1") && is_id("会议_2"));
        for wrong in ["", ".", "..", "../x", "a/b", "a\\b", "a\0", &"x".repeat(101)] {
            assert!(!is_id(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn a_room_has_an_english_name() {
        assert_eq!(room("Is SQLite enough?"), "is-sqlite-enough");
        assert_eq!(room("数据库"), "room");
        assert_eq!(description("我们的服务该用哪种数据库"), "我们的服务该用哪种…");
    }
}
