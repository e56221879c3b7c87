//! Files that are attached to a meeting, and removed.

use quorate_contract::{
    Actor, AttachedFile, EventBody, FILE_EXCERPTS_MAX_CHARS, FILE_NAME_MAX_CHARS, FILES_MAX, FileId,
    FileText, IMAGES_MAX, NewFile, Refusal, clean, invalid, length,
};
use quorate_messages::message;

use crate::decide::transaction::Transaction;
use crate::state::{Meeting, number_after};

/// The most files that a refusal names.
const NAMED_MAX: usize = 20;

/// Attaches a file. The same content under the same name is attached once.
pub(super) fn attach(t: &mut Transaction, by: Actor, file: NewFile) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let NewFile { name, media_type, size, sha256, text, image } = file;
    let name = clean(&name);
    length("name", &name, 1, FILE_NAME_MAX_CHARS)?;
    let is_same = |other: &AttachedFile| other.name == name && other.sha256 == sha256;
    if t.meeting.files.iter().any(|other| is_same(&other.file)) {
        return Ok(());
    }
    if t.meeting.file_count >= FILES_MAX {
        let problem = message!("refusal-files-full", max = FILES_MAX);
        return Err(invalid("file", problem, message!("refusal-files-full-hint")));
    }
    let images = t.meeting.files.iter().filter(|record| record.file.image.is_some()).count();
    if image.is_some() && images >= IMAGES_MAX {
        let problem = message!("refusal-images-full", max = IMAGES_MAX);
        return Err(invalid("file", problem, message!("refusal-images-full-hint")));
    }
    let text = text.map(|text| within_excerpts(&t.meeting, text));
    let id = FileId(number_after(t.meeting.file_count));
    let file = AttachedFile { id, name, media_type, size, sha256, text, image };
    t.emit(EventBody::FileAttached { file, by });
    Ok(())
}

/// The text without its excerpt, where those of other files leave no room for it.
fn within_excerpts(m: &Meeting, text: FileText) -> FileText {
    let excerpts = m.files.iter().filter_map(|record| record.file.text.as_ref());
    let used: usize = excerpts.map(|text| text.excerpt.chars().count()).sum();
    if used + text.excerpt.chars().count() <= FILE_EXCERPTS_MAX_CHARS {
        return text;
    }
    FileText { excerpt: String::new(), ..text }
}

/// Removes a file.
pub(super) fn remove(t: &mut Transaction, by: Actor, file: FileId) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    if t.meeting.file(file).is_none() {
        let named = |record: &std::sync::Arc<crate::state::FileRecord>| {
            format!("{} {}", record.file.id, record.file.name)
        };
        let known = t.meeting.files.iter().take(NAMED_MAX).map(named).collect();
        return Err(Refusal::NoSuchFile { file: file.to_string(), known });
    }
    t.emit(EventBody::FileRemoved { file, by });
    Ok(())
}
