//! What a remote agent says: tasks, messages and updates of both versions, as one kind of value.

use serde_json::Value;

use crate::model::response::MAX_ANSWER;

/// The most artifacts of one task.
const ARTIFACTS_MAX: usize = 100;
/// The most parts of one message or artifact.
const PARTS_MAX: usize = 200;

/// The state of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskState {
    /// Submitted or working.
    Going,
    Completed,
    Failed,
    Canceled,
    Rejected,
    InputRequired,
    AuthRequired,
}

/// A state as it is written: `input-required`, `TASK_STATE_INPUT_REQUIRED`.
pub(crate) fn state(text: &str) -> Option<TaskState> {
    let plain = text.strip_prefix("TASK_STATE_").unwrap_or(text).to_ascii_lowercase().replace('_', "-");
    match plain.as_str() {
        "submitted" | "working" | "unknown" | "unspecified" => Some(TaskState::Going),
        "completed" => Some(TaskState::Completed),
        "failed" => Some(TaskState::Failed),
        "canceled" | "cancelled" => Some(TaskState::Canceled),
        "rejected" => Some(TaskState::Rejected),
        "input-required" => Some(TaskState::InputRequired),
        "auth-required" => Some(TaskState::AuthRequired),
        _ => None,
    }
}

/// Why what came cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadingProblem {
    /// It is neither a message nor a task nor an update of one.
    Unreadable,
    /// It is about another task than the one that was begun.
    OtherTask,
    /// It is longer than an answer may be.
    TooLong,
}

/// One artifact as far as it has come.
#[derive(Debug, Default)]
struct ArtifactText {
    id: String,
    text: String,
    data: String,
}

/// An answer while it comes in.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) task: Option<String>,
    pub(crate) context: Option<String>,
    pub(crate) state: Option<TaskState>,
    artifacts: Vec<ArtifactText>,
    /// A message instead of a task.
    message: Option<ArtifactText>,
    /// What the latest status says.
    status: ArtifactText,
    /// The last message of the agent in the history of the task.
    last: ArtifactText,
}

impl Reading {
    /// Takes a result: `new` is handed the text of a piece that continues the answer.
    pub(crate) fn take(&mut self, result: &Value, mut new: impl FnMut(&str)) -> Result<(), ReadingProblem> {
        let of_kind = |field: &str, kind: &str| match &result[field] {
            inner if inner.is_object() => Some(inner.clone()),
            _ if result["kind"] == kind => Some(result.clone()),
            _ => None,
        };
        if let Some(message) = of_kind("message", "message").filter(|message| message["parts"].is_array()) {
            self.belongs(&message["taskId"], &message["contextId"])?;
            let text = parts(&message["parts"]);
            new(&text.text);
            self.message = Some(text);
        } else if let Some(update) = of_kind("statusUpdate", "status-update") {
            self.belongs(&update["taskId"], &update["contextId"])?;
            self.take_status(&update["status"])?;
        } else if let Some(update) = of_kind("artifactUpdate", "artifact-update") {
            self.belongs(&update["taskId"], &update["contextId"])?;
            let piece = self.take_artifact(&update["artifact"], update["append"] == true)?;
            new(&piece);
        } else if let Some(task) = of_kind("task", "task").or_else(|| is_task(result).then(|| result.clone()))
        {
            self.belongs(&task["id"], &task["contextId"])?;
            let before = self.text().len();
            self.take_status(&task["status"])?;
            for artifact in task["artifacts"].as_array().into_iter().flatten().take(ARTIFACTS_MAX) {
                let piece = self.take_artifact(artifact, false)?;
                if before == 0 {
                    new(&piece);
                }
            }
            let mut history = task["history"].as_array().into_iter().flatten();
            let last =
                history.rfind(|message| matches!(message["role"].as_str(), Some("agent" | "ROLE_AGENT")));
            if let Some(message) = last {
                self.last = parts(&message["parts"]);
            }
        } else {
            return Err(ReadingProblem::Unreadable);
        }
        match self.length() > MAX_ANSWER {
            true => Err(ReadingProblem::TooLong),
            false => Ok(()),
        }
    }

    /// Whether nothing more is to come.
    pub(crate) fn is_over(&self) -> bool {
        self.message.is_some() || self.state.is_some_and(|state| state != TaskState::Going)
    }

    /// The answer so far: of a task what its artifacts say, else its last status, else its history. Data stands for a text that
    /// is missing, and files are described.
    pub(crate) fn text(&self) -> String {
        if let Some(message) = &self.message {
            return message.told();
        }
        let artifacts: Vec<String> =
            self.artifacts.iter().map(ArtifactText::told).filter(|text| !text.trim().is_empty()).collect();
        let texts = [artifacts.join("\n\n"), self.status.told(), self.last.told()];
        texts.into_iter().find(|text| !text.trim().is_empty()).unwrap_or_default()
    }

    /// What the agent says of the state of the task.
    pub(crate) fn words(&self) -> String {
        let said = self.status.told();
        if said.trim().is_empty() { self.text() } else { said }
    }

    fn belongs(&mut self, task: &Value, context: &Value) -> Result<(), ReadingProblem> {
        for (given, known) in [(task, &mut self.task), (context, &mut self.context)] {
            let Some(given) = given.as_str().filter(|id| !id.is_empty() && id.len() <= 500) else { continue };
            match known {
                Some(known) if known != given => return Err(ReadingProblem::OtherTask),
                Some(_) => {}
                None => *known = Some(given.to_owned()),
            }
        }
        Ok(())
    }

    fn take_status(&mut self, status: &Value) -> Result<(), ReadingProblem> {
        let state = status["state"].as_str().and_then(state).ok_or(ReadingProblem::Unreadable)?;
        self.state = Some(state);
        if status["message"].is_object() {
            self.status = parts(&status["message"]["parts"]);
        }
        Ok(())
    }

    fn take_artifact(&mut self, artifact: &Value, append: bool) -> Result<String, ReadingProblem> {
        if !artifact.is_object() {
            return Err(ReadingProblem::Unreadable);
        }
        let id = artifact["artifactId"].as_str().unwrap_or_default();
        let piece = parts(&artifact["parts"]);
        let at = match self.artifacts.iter().position(|known| known.id == id) {
            Some(at) => at,
            None if self.artifacts.len() >= ARTIFACTS_MAX => return Err(ReadingProblem::TooLong),
            None => {
                self.artifacts.push(ArtifactText { id: id.to_owned(), ..ArtifactText::default() });
                self.artifacts.len() - 1
            }
        };
        let known = &mut self.artifacts[at];
        if !append {
            (known.text, known.data) = Default::default();
        }
        known.text.push_str(&piece.text);
        known.data.push_str(&piece.data);
        // Artifacts are paragraphs, too; the pieces of one are not.
        let begins = known.text.len() == piece.text.len() && !piece.text.is_empty();
        let follows = begins && self.artifacts[..at].iter().any(|before| !before.text.trim().is_empty());
        Ok(if follows { format!("\n\n{}", piece.text) } else { piece.text })
    }

    fn length(&self) -> usize {
        let all = self.artifacts.iter().chain(&self.message).chain([&self.status, &self.last]);
        all.map(|text| text.text.len() + text.data.len()).sum()
    }
}

impl ArtifactText {
    fn told(&self) -> String {
        if self.text.trim().is_empty() { self.data.clone() } else { self.text.clone() }
    }
}

/// A task without its kind, as `tasks/get` of version 1.0 answers.
fn is_task(value: &Value) -> bool {
    value["id"].is_string() && value["status"].is_object()
}

/// The text of parts, each a paragraph of its own. Files are described, not fetched.
fn parts(parts: &Value) -> ArtifactText {
    let mut told = ArtifactText::default();
    let put = |told: &mut String, text: &str| {
        // Whitespace between them is the agent's own way to part them, or not to.
        let is_parted = told.ends_with(char::is_whitespace) || text.starts_with(char::is_whitespace);
        if !(told.is_empty() || text.is_empty() || is_parted) {
            told.push_str("\n\n");
        }
        told.push_str(text);
    };
    for part in parts.as_array().into_iter().flatten().take(PARTS_MAX) {
        if let Some(text) = part["text"].as_str() {
            put(&mut told.text, text);
        } else if !part["data"].is_null() {
            if !told.data.is_empty() {
                told.data.push('\n');
            }
            told.data.push_str(&part["data"].to_string());
        } else if let Some(file) = described(part) {
            put(&mut told.text, &file);
        }
    }
    told
}

fn described(part: &Value) -> Option<String> {
    let file = if part["file"].is_object() { &part["file"] } else { part };
    let is_file = ["url", "uri", "raw", "bytes"].iter().any(|field| file[*field].is_string());
    if !is_file {
        return None;
    }
    let short = |fields: &[&str]| {
        let text = fields.iter().find_map(|field| file[*field].as_str()).unwrap_or_default();
        quorate_contract::clean(&text.chars().take(100).collect::<String>())
    };
    let (name, media) = (short(&["filename", "name"]), short(&["mediaType", "mimeType"]));
    let told = [name, media].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ");
    Some(format!("[{}]", if told.is_empty() { "file".to_owned() } else { told }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn heard(results: &[Value]) -> (Reading, String) {
        let (mut reading, mut pieces) = (Reading::default(), String::new());
        for result in results {
            reading.take(result, |piece| pieces.push_str(piece)).expect("it is read");
        }
        (reading, pieces)
    }

    #[test]
    fn a_stream_of_either_version_becomes_one_answer() {
        let now = [
            json!({ "task": { "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_SUBMITTED" } } }),
            json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": { "state": "TASK_STATE_WORKING",
                "message": { "role": "ROLE_AGENT", "parts": [{ "text": "looking" }] } } } }),
            json!({ "artifactUpdate": { "taskId": "t", "artifact": { "artifactId": "a", "parts": [{ "text": "Rain" }] } } }),
            json!({ "artifactUpdate": { "taskId": "t", "append": true, "artifact": { "artifactId": "a", "parts": [{ "text": " today" }] } } }),
            json!({ "statusUpdate": { "taskId": "t", "status": { "state": "TASK_STATE_COMPLETED" } } }),
        ];
        let before = [
            json!({ "kind": "task", "id": "t", "contextId": "c", "status": { "state": "submitted" } }),
            json!({ "kind": "artifact-update", "taskId": "t", "contextId": "c", "artifact": { "artifactId": "a", "parts": [{ "kind": "text", "text": "Rain today" }] } }),
            json!({ "kind": "status-update", "taskId": "t", "contextId": "c", "final": true, "status": { "state": "completed" } }),
        ];
        for results in [&now[..], &before[..]] {
            let (reading, pieces) = heard(results);
            assert_eq!((reading.text().as_str(), pieces.as_str()), ("Rain today", "Rain today"));
            assert_eq!((reading.state, reading.is_over()), (Some(TaskState::Completed), true));
            assert_eq!((reading.task.as_deref(), reading.context.as_deref()), (Some("t"), Some("c")));
        }
    }

    #[test]
    fn a_message_is_an_answer_and_data_stands_for_a_missing_text() {
        let (reading, _) =
            heard(&[json!({ "message": { "messageId": "m", "parts": [{ "data": { "pass": true } }] } })]);
        assert_eq!((reading.text().as_str(), reading.is_over()), (r#"{"pass":true}"#, true));
        let file = json!({ "kind": "message", "parts": [{ "kind": "text", "text": "See " },
            { "kind": "file", "file": { "uri": "https://x.example/a.pdf", "name": "a.pdf", "mimeType": "application/pdf" } }] });
        assert_eq!(heard(&[file]).0.text(), "See [a.pdf, application/pdf]");
    }

    #[test]
    fn parts_and_artifacts_are_paragraphs_and_pieces_of_one_are_not() {
        let message = json!({ "kind": "message", "parts": [{ "text": "First." }, { "text": "Second." }, { "text": " Still." }] });
        assert_eq!(heard(&[message]).0.text(), "First.\n\nSecond. Still.");
        let update = |id: &str, append: bool, texts: [&str; 2]| {
            let parts = texts.map(|text| json!({ "text": text }));
            json!({ "artifactUpdate": { "taskId": "t", "append": append, "artifact": { "artifactId": id, "parts": parts } } })
        };
        let (reading, pieces) = heard(&[
            update("a", false, ["One.", "Tw"]),
            update("a", true, ["o.", "Three."]),
            update("b", false, ["Four.", ""]),
        ]);
        assert_eq!(reading.text(), "One.\n\nTwo.\n\nThree.\n\nFour.");
        assert_eq!(pieces, reading.text(), "it is heard live as it is kept");
    }

    #[test]
    fn a_task_without_artifacts_answers_with_its_status_or_its_history() {
        let status = json!({ "id": "t", "status": { "state": "TASK_STATE_COMPLETED", "message": { "parts": [{ "text": "Yes." }] } } });
        assert_eq!(heard(&[status]).0.text(), "Yes.");
        let history = json!({ "id": "t", "status": { "state": "TASK_STATE_COMPLETED" }, "history": [
            { "role": "ROLE_USER", "parts": [{ "text": "?" }] }, { "role": "ROLE_AGENT", "parts": [{ "text": "No." }] }] });
        assert_eq!(heard(&[history]).0.text(), "No.");
    }

    #[test]
    fn another_task_and_garbage_are_refused() {
        let (mut reading, _) =
            heard(&[json!({ "kind": "task", "id": "t", "status": { "state": "working" } })]);
        let other = json!({ "kind": "status-update", "taskId": "u", "status": { "state": "completed" } });
        assert_eq!(reading.take(&other, |_| ()), Err(ReadingProblem::OtherTask));
        for odd in [
            json!(null),
            json!(7),
            json!([]),
            json!({}),
            json!({ "task": 7 }),
            json!({ "kind": "task" }),
            json!({ "task": { "id": "t", "status": { "state": "flying" } } }),
            json!({ "artifactUpdate": { "artifact": 3 } }),
        ] {
            assert!(Reading::default().take(&odd, |_| ()).is_err(), "{odd}");
        }
        let long = "x".repeat(MAX_ANSWER + 1);
        let long = json!({ "kind": "message", "parts": [{ "text": long }] });
        assert_eq!(Reading::default().take(&long, |_| ()), Err(ReadingProblem::TooLong));
    }
}
