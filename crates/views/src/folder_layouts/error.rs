//! Errors of an import.

use quorate_contract::{Refusal, Wording};
use quorate_messages::{decoding_problem, message};

/// The reason why files cannot be imported: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.placed())]
pub struct LayoutError {
    /// The file, as it was given.
    pub file: String,
    /// The field, such as `messages[3].speaker_id`; empty for the file as a whole.
    pub field: String,
    /// What is wrong.
    pub problem: Wording,
    /// What to do about it.
    pub hint: Wording,
}

impl LayoutError {
    pub(super) fn new(
        file: &str,
        field: impl Into<String>,
        problem: impl Into<Wording>,
        hint: impl Into<Wording>,
    ) -> Self {
        let (field, problem, hint) = (field.into(), problem.into(), hint.into());
        Self { file: file.to_owned(), field, problem, hint }
    }

    pub(super) fn refused(file: &str, field: &str, refusal: &Refusal) -> Self {
        match refusal {
            Refusal::Invalid { field, problem, hint } => {
                Self::new(file, field.as_str(), problem.clone(), hint.clone())
            }
            other => Self::new(file, field, other.problem(), other.hint()),
        }
    }

    /// A file that is not the JSON it should be.
    pub(super) fn json(file: &str, text: &str, error: &serde_json::Error) -> Self {
        let field = field_before(text, error.line(), error.column());
        let mut problem = decoding_problem(&error.to_string());
        if error.is_syntax() || error.is_eof() {
            problem = message!("common-at-line", line = error.line(), problem);
        }
        Self::new(file, field, problem, message!("views-layout-file-hint"))
    }

    /// What is wrong, with the file and the field before it.
    pub fn placed(&self) -> Wording {
        self.problem.map(|problem| match self.field.is_empty() {
            true => format!("{}: {problem}", self.file),
            false => format!("{}: {}: {problem}", self.file, self.field),
        })
    }
}

/// The name of the field whose value ends at this place of a JSON text.
fn field_before(text: &str, line: usize, column: usize) -> String {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let at = (before + column).min(text.len());
    let seen = &text.as_bytes()[at.saturating_sub(400)..at];
    let Some(colon) = memchr::memmem::rfind(seen, b"\":") else { return String::new() };
    let Some(open) = memchr::memrchr(b'"', &seen[..colon]) else { return String::new() };
    let name = String::from_utf8_lossy(&seen[open + 1..colon]).into_owned();
    if name.len() <= 40 { name } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_type_is_said_with_its_field() {
        let text = "{\n  \"id\": \"m\",\n  \"topic\": 5\n}";
        assert_eq!(field_before(text, 3, 12), "topic");
        assert_eq!(field_before("[]", 1, 1), "");
    }
}
