//! The tools with which models read the files of their meeting, over the stored content.

use std::sync::Arc;

use futures::future::BoxFuture;
use quorate_contract::{
    MEETING_FILES, MeetingId, PromptImage, RunnerSpec, ToolOutcome, ToolRun, ToolRunFile, source_of_tool,
};
use quorate_engine::{LoadedImage, OfferedTools, Runner, RunnerDirectory};
use quorate_runners::{AttachedTexts, attached_file_tools, run_attached_file_tool};
use quorate_store::Store;

use crate::pdf_text::PdfReader;
use crate::text_of_file::text_of;

/// Runners whose models read the files of their meetings.
pub(crate) struct WithFileTools {
    pub(crate) inner: Arc<dyn RunnerDirectory>,
    pub(crate) store: Store,
    pub(crate) pdf_reader: Arc<PdfReader>,
}

impl AttachedTexts for WithFileTools {
    /// Only content that was attached to this meeting is found.
    fn text<'a>(&'a self, run: &'a ToolRun, file: &'a ToolRunFile) -> BoxFuture<'a, Option<Arc<str>>> {
        Box::pin(async move {
            let uploads = self.store.uploads(&run.meeting).await;
            let uploads = uploads.inspect_err(|error| tracing::warn!(%error, "files cannot be read")).ok()?;
            let upload = uploads.into_iter().find(|upload| upload.sha256 == file.sha256)?;
            let (_, content) = self.store.open_upload(&upload.id).await.ok()?;
            text_of(&self.pdf_reader, &file.media_type, &file.sha256, content).await.ok()?
        })
    }
}

impl RunnerDirectory for WithFileTools {
    fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner> {
        self.inner.find(spec)
    }

    fn tools<'a>(&'a self, sources: &'a [String]) -> BoxFuture<'a, OfferedTools> {
        Box::pin(async move {
            let (own, others): (Vec<_>, Vec<_>) =
                sources.iter().cloned().partition(|name| name == MEETING_FILES);
            let mut offered = self.inner.tools(&others).await;
            if !own.is_empty() {
                offered.tools.extend(attached_file_tools());
            }
            offered
        })
    }

    fn images<'a>(
        &'a self,
        meeting: &'a MeetingId,
        wanted: &'a [PromptImage],
    ) -> BoxFuture<'a, Vec<LoadedImage>> {
        self.inner.images(meeting, wanted)
    }

    fn run_tool(&self, run: ToolRun) -> BoxFuture<'_, ToolOutcome> {
        match source_of_tool(&run.tool) {
            Some(MEETING_FILES) => Box::pin(async move { run_attached_file_tool(&run, self).await }),
            Some(_) | None => self.inner.run_tool(run),
        }
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::{Actor, AttachedFile, ParticipantId, ToolCallId, TurnId};
    use quorate_runners::{Directory, Pace, SimulatedRunner};

    use super::*;
    use crate::meeting_file::create_meeting::CreateMeetingRequest;
    use crate::operation::principal::Principal;
    use crate::use_cases::{App, AppOptions};

    fn run(meeting: &MeetingId, file: &AttachedFile, arguments: &str) -> ToolRun {
        ToolRun {
            meeting: meeting.clone(),
            call: ToolCallId(1),
            turn: TurnId { round: 1, place: 1 },
            participant: ParticipantId(1),
            tool: "files__get_file".to_owned(),
            arguments: arguments.to_owned(),
            approved: false,
            timeout_ms: 10_000,
            max_chars: 2000,
            files: vec![ToolRunFile {
                id: file.id,
                name: file.name.clone(),
                media_type: file.media_type.clone(),
                sha256: file.sha256.clone(),
                has_text: file.text.is_some(),
            }],
        }
    }

    #[tokio::test]
    async fn a_model_reads_the_rest_of_a_file_of_its_meeting_and_of_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path().join("quorate.db")).expect("a database");
        let options = AppOptions::new(folder.path().join("config.toml"));
        let app = App::open(store.clone(), options).await.expect("an app");
        let new = br#"{"topic": "Which cost?", "lang": "en", "simulate": true, "seats": 2, "format": "discussion"}"#;
        let new = CreateMeetingRequest::from_json(new).expect("a sound meeting");
        let by = Actor::person("mia", "mia");
        let one = app.create(&by, &new).await.expect("a meeting");
        let other = app.create(&by, &new).await.expect("another");
        let text: String = (1..=2000).map(|line| format!("第 {line} 行成本\n")).collect();
        let owner = Principal::owner();
        let attached = app.attach_content(&owner, one.id(), "costs.csv", text.as_bytes(), 1 << 20).await;
        let file = attached.expect("attached").file;
        let runners = WithFileTools {
            inner: Arc::new(Directory::new(Arc::new(SimulatedRunner::new(Pace::Instant)))),
            store,
            pdf_reader: Arc::new(PdfReader::new(None)),
        };
        let offered = runners.tools(&["files".to_owned(), "gone".to_owned()]).await;
        let names: Vec<&str> = offered.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["files__get_file", "files__search"]);
        assert_eq!(offered.unusable.len(), 1, "the other source is not configured");
        let asked = r#"{"file": "f1", "from_line": 1999, "to_line": null}"#;
        let ToolOutcome::Returned { text, .. } = runners.run_tool(run(one.id(), &file, asked)).await else {
            panic!("it can be read")
        };
        assert!(
            text.ends_with("cite them as f1#1999-2000\n1999| 第 1999 行成本\n2000| 第 2000 行成本"),
            "{text}"
        );
        let elsewhere = runners.run_tool(run(other.id(), &file, asked)).await;
        assert!(matches!(elsewhere, ToolOutcome::Failed { .. }), "{elsewhere:?}");
    }
}
