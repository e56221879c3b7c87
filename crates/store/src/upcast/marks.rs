//! Texts that versions before 5 wrote into messages: marks of what is missing, and the name of the facilitator.

use serde_json::{Map, Value};

/// Whether this is the name that the facilitator had.
pub(super) fn is_facilitator(name: &str) -> bool {
    matches!(name, "Facilitator" | "收敛器")
}

/// Takes the marks off the end of a message that was cut or ended early.
pub(super) fn take_off(payload: &mut Map<String, Value>) {
    let cut = payload.get("cut_from_chars").and_then(Value::as_u64);
    let early = payload.get("ended_early").is_some_and(|reason| !reason.is_null());
    let Some(content) = payload.get_mut("message").and_then(|message| message.get_mut("content")) else {
        return;
    };
    let Some(text) = content.as_str() else { return };
    let mut said = text;
    if let Some(chars) = cut {
        let marks = [format!("[cut: {chars} characters in all]"), format!("〔已截断：原文 {chars} 字〕")];
        said = without(said, marks.iter().map(String::as_str));
    }
    if early {
        said = without(said, EARLY_MARKS.iter().copied());
    }
    if said.len() < text.len() && !said.is_empty() {
        *content = said.to_owned().into();
    }
}

/// The marks of an answer that ended early.
const EARLY_MARKS: &[&str] = &[
    "[cut off at the token limit]",
    "[the provider withheld the rest]",
    "〔未完：达到 token 上限〕",
    "〔未完：供应商扣下了余下部分〕",
];

/// A text without one of these marks at its end.
fn without<'t, 'm>(text: &'t str, mut marks: impl Iterator<Item = &'m str>) -> &'t str {
    let unmarked = marks.find_map(|mark| text.strip_suffix(mark)?.strip_suffix("\n\n"));
    unmarked.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_of_version_4_loses_the_marks_that_its_fields_say() {
        let said = |content: &str, fields: Value| {
            let mut payload = json!({ "message": { "name": "Ada", "content": content } });
            for (name, value) in fields.as_object().into_iter().flatten() {
                payload[name] = value.clone();
            }
            take_off(payload.as_object_mut().expect("an object"));
            payload["message"]["content"].as_str().expect("a text").to_owned()
        };
        let (cut, early) = (json!({ "cut_from_chars": 60 }), json!({ "ended_early": "length" }));
        assert_eq!(said("We should\n\n[cut: 60 characters in all]", cut.clone()), "We should");
        assert_eq!(said("先试点\n\n〔已截断：原文 60 字〕", cut.clone()), "先试点");
        assert_eq!(said("We should\n\n[cut off at the token limit]", early.clone()), "We should");
        assert_eq!(said("先试点\n\n〔未完：达到 token 上限〕", early), "先试点");
        let withheld = json!({ "ended_early": "content_filter" });
        assert_eq!(said("先试点\n\n〔未完：供应商扣下了余下部分〕", withheld), "先试点");
        let both = json!({ "cut_from_chars": 60, "ended_early": "length" });
        let marked = "So\n\n[cut off at the token limit]\n\n[cut: 60 characters in all]";
        assert_eq!(said(marked, both), "So");
        // What somebody said stays: no field says that it is a mark, or it is another one.
        for (own, fields) in
            [("So\n\n[cut off at the token limit]", json!({})), ("So\n\n[cut: 9 characters in all]", cut)]
        {
            assert_eq!(said(own, fields), own);
        }
    }
}
