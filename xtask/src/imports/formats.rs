//! Where a format may be asked for by name: a format only sets defaults, and every setting works in every format.

use super::tokens::words;

/// Where a meeting comes to be, which has to name one: the presets, the default of a new meeting, the blank state, the
/// folders of other programs, and the meetings that the simulator invents.
const MAY_NAME: [&str; 5] = [
    "crates/contract/src/rules/format.rs",
    "crates/app/src/meeting_file/create_meeting.rs",
    "crates/core/src/state/mod.rs",
    "crates/views/src/folder_layouts/",
    "crates/sim/src/meeting_spec.rs",
];

const FORMATS: [&str; 5] = ["Brainstorm", "Consensus", "Decision", "Discussion", "Room"];

/// The format that a file asks for without being allowed to.
pub fn check(file: &str, text: &str) -> Option<String> {
    if MAY_NAME.iter().any(|allowed| file.starts_with(allowed)) {
        return None;
    }
    let words = words(text);
    let named = words
        .windows(3)
        .find(|three| three[0] == "Format" && three[1] == "::" && FORMATS.contains(&three[2].as_str()))?;
    Some(format!(
        "{file}: Format::{} is asked for by name; make it a rule that the format sets (xtask/src/imports/formats.rs)",
        named[2]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_that_is_asked_for_by_name_is_found() {
        let text = "fn f(format: Format) -> bool { format == Format::Room }";
        assert!(
            check("crates/core/src/policy/order.rs", text)
                .is_some_and(|wrong| wrong.contains("Format::Room"))
        );
        assert_eq!(check("crates/contract/src/rules/format.rs", text), None);
        assert_eq!(check("crates/core/src/policy/order.rs", "fn f() { Format::rules() }"), None);
        let test = format!("#[cfg(test)]\nmod tests {{ {text} }}");
        assert_eq!(check("crates/core/src/policy/order.rs", &test), None);
    }
}
