//! A meeting as a folder to hand on: the files of its layout, its signed log, what participants did beside speaking,
//! and where the contents of its files belong.

use quorate_contract::signature::{ChainEntry, Sealing};
use quorate_contract::{Event, MeetingId};
use quorate_core::Meeting;
use serde_json::{Value, json};

use super::{CHECKSUMS, Files, LayoutError, UPLOADS, export, files, merge, upload_path};
use crate::{Viewer, work};

/// The folder of what participants did beside speaking; an import does not read it.
pub const WORK: &str = "work";
/// The folder of signed logs; an import does not read it.
pub const SIGNATURES: &str = "signatures";

/// The content of an attached file, and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderContent {
    /// The path in the folder: `uploads/MEETING/f1-costs.csv`.
    pub path: String,
    /// The SHA-256 of the content, in hexadecimal digits.
    pub sha256: String,
}

/// The folder of one meeting.
#[derive(Debug, Clone)]
pub struct FolderExport {
    /// The texts, by their paths in the folder.
    pub texts: Files,
    /// The contents of its attached files, which may be missing, as in an imported log.
    pub contents: Vec<FolderContent>,
    meeting: MeetingId,
}

impl FolderExport {
    /// The folder of a meeting. `signed_log` is made by [`signed_log`]; `there` are `agents.json` and `rooms.json` of a
    /// folder to which it is added.
    ///
    /// # Errors
    /// When a file of `there` cannot be read.
    pub fn of(
        meeting: &Meeting,
        events: &[Event],
        signed_log: &Value,
        there: &Files,
    ) -> Result<Self, LayoutError> {
        let mut layout = export(events);
        merge(&mut layout, there)?;
        let mut texts = files(&layout);
        let id = &meeting.id;
        texts.insert(format!("{SIGNATURES}/{id}.json"), pretty(signed_log));
        let done = work(meeting, events, Viewer::of_export(meeting, false), meeting.language());
        if !done.is_empty() {
            texts.insert(format!("{WORK}/{id}.json"), pretty(&json!(done)));
        }
        let content = |file: &quorate_contract::AttachedFile| FolderContent {
            path: upload_path(id, file),
            sha256: file.sha256.clone(),
        };
        let contents = meeting.files.iter().map(|record| content(&record.file)).collect();
        Ok(Self { texts, contents, meeting: id.clone() })
    }

    /// The file of checksums of the contents that are there, with its path; nothing when none is.
    pub fn checksums<'a>(
        &self,
        there: impl IntoIterator<Item = &'a FolderContent>,
    ) -> Option<(String, String)> {
        let line = |content: &FolderContent| {
            let name = content.path.rsplit('/').next().unwrap_or_default();
            format!("{}  {name}\n", content.sha256)
        };
        let sums: String = there.into_iter().map(line).collect();
        (!sums.is_empty()).then(|| (format!("{UPLOADS}/{}/{CHECKSUMS}", self.meeting), sums))
    }
}

/// The log of a meeting as it stands in `signatures/`.
pub fn signed_log(meeting: &MeetingId, chain: &[ChainEntry], sealing: &Sealing) -> Value {
    let (signature, unsigned) = sealing.parts();
    json!({ "meeting_id": meeting, "chain": chain, "signature": signature, "unsigned": unsigned })
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("it has only text keys") + "\n"
}
