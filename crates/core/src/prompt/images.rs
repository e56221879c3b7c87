//! The images of a meeting in a prompt: which are shown, and where.
//!
//! An image stands where it came into the meeting: behind the list of files when it was there from the start, or where
//! the record says that it was attached. When the record of a reader no longer reaches back so far, it stands behind the
//! list of files. So it keeps its place from call to call, and a provider's prompt cache holds it.

use quorate_contract::{IMAGES_MAX, ImageSize, PromptImage, PromptMessage, TaskId};
use quorate_messages::text;

use super::frame::put_frame;
use super::record_parts::RecordPiece;
use super::{history, windows};
use crate::state::{FileRecord, Meeting};

/// About how many tokens the image of a file is read as; 0 when it is none.
pub(super) fn tokens_of(record: &FileRecord) -> u64 {
    record.file.image.map_or(0, ImageSize::tokens)
}

/// The images that the prompt of a task shows: all, as far as they take no more than half of a known window.
pub(super) fn shown(m: &Meeting, task: TaskId) -> Vec<&FileRecord> {
    let images = m.files.iter().map(AsRef::as_ref).filter(|record| record.file.image.is_some());
    let images: Vec<&FileRecord> = images.take(IMAGES_MAX).collect();
    if images.is_empty() {
        return images;
    }
    let mut room = windows::of(m, task).map_or(u64::MAX, |window| window.tokens / 2);
    let has_room = |record: &&FileRecord| {
        let needed = tokens_of(record);
        let fits = needed <= room;
        room -= if fits { needed } else { 0 };
        fits
    };
    images.into_iter().filter(has_room).collect()
}

/// Those of them that stand behind the list of files.
pub(super) fn in_opening<'m>(m: &'m Meeting, task: TaskId, shown: &[&'m FileRecord]) -> Vec<&'m FileRecord> {
    if shown.is_empty() {
        return Vec::new();
    }
    let record = history::of(m, task);
    let is_in_record = |file: &FileRecord| {
        record.iter().any(|piece| matches!(piece, RecordPiece::File(other) if other.file.id == file.file.id))
    };
    shown.iter().copied().filter(|file| !is_in_record(file)).collect()
}

/// Appends an image to a message: a frame that says what it is, and the image behind it.
pub(super) fn put(m: &Meeting, record: &FileRecord, message: &mut PromptMessage) {
    let file = &record.file;
    let Some(image) = file.image else { return };
    let (id, size, pixels) = (file.id.to_string(), file.size.to_string(), image.to_string());
    let attributes = [
        ("file", id.as_str()),
        ("name", file.name.as_str()),
        ("type", file.media_type.as_str()),
        ("size", size.as_str()),
        ("pixels", pixels.as_str()),
    ];
    message.content.push_str("\n\n");
    put_frame(&mut message.content, "image", &attributes, text!(m.language(), "records-image"));
    message.images.push(PromptImage {
        offset: message.content.len(),
        file: file.id,
        name: file.name.clone(),
        media_type: file.media_type.clone(),
        size: file.size,
        sha256: file.sha256.clone(),
        width: image.width,
        height: image.height,
    });
}
