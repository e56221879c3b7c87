//! The contents of attached files in a folder: where they lie, what a message says of them, and their checksums.

use std::collections::BTreeMap;

use quorate_contract::{FILE_EXCERPTS_MAX_CHARS, FILES_MAX, FileId, FileText, IMAGES_MAX, NewFile, Phrase};
use quorate_core::Meeting;

use super::{Layout, RoomMessage};

/// The folder of contents.
pub const UPLOADS: &str = "uploads";
/// The file of checksums in the folder of a meeting's contents, as `sha256sum` writes and reads it.
pub const CHECKSUMS: &str = "SHA256SUMS";
/// The most parts of a path.
const PARTS_MAX: usize = 4;

/// A content that a message names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadReference {
    /// Where it lies in the folder: `uploads/MEETING/f1-costs.csv`.
    pub path: String,
    /// The name of the file.
    pub name: String,
}

/// What is known of the contents in a folder, by their paths.
#[derive(Debug, Clone, Default)]
pub struct Uploads {
    /// Those that are taken over, read and checked.
    pub files: BTreeMap<String, NewFile>,
    /// Why others are not.
    pub left_out: BTreeMap<String, Phrase>,
}

/// A file that a message names, and its number at the meeting it was attached to.
#[derive(Debug, Clone)]
pub(super) struct UploadedFile {
    pub(super) id: Option<FileId>,
    pub(super) file: NewFile,
}

/// The number of a file in the path of its content: `uploads/MEETING/f3-costs.csv`.
pub(super) fn number_of(path: &str) -> Option<FileId> {
    path.rsplit('/').next()?.split_once('-')?.0.parse().ok()
}

/// The contents that the messages of a folder name, each once, in the order of the messages.
pub fn upload_references(layout: &Layout) -> Vec<UploadReference> {
    let mut all: Vec<UploadReference> = Vec::new();
    for message in layout.messages.values().flatten() {
        if let Some(path) = upload_of(message)
            && !all.iter().any(|known| known.path == path)
        {
            all.push(UploadReference { path, name: message.text_content.trim().to_owned() });
        }
    }
    all
}

/// Where the content lies that a message names; `None` when it names none in the folder.
pub(super) fn upload_of(message: &RoomMessage) -> Option<String> {
    let path = message.file_url.trim().trim_start_matches('/');
    let parts: Vec<&str> = path.split('/').collect();
    let plain =
        |part: &str| !part.is_empty() && !matches!(part, "." | "..") && !part.contains(['\\', '\0', ':']);
    let is_inside = parts.first() == Some(&UPLOADS) && (2..=PARTS_MAX).contains(&parts.len());
    (is_inside && parts.iter().all(|part| plain(part))).then(|| path.to_owned())
}

/// The checksums of a folder, by the paths of the contents: `uploads/MEETING/f1-costs.csv`.
pub fn read_checksums(folder: &str, text: &str) -> BTreeMap<String, String> {
    let line = |line: &str| {
        let (sum, name) = line.split_once("  ").or_else(|| line.split_once(" *"))?;
        (sum.len() == 64).then(|| (format!("{folder}/{}", name.trim()), sum.to_ascii_lowercase()))
    };
    text.lines().filter_map(line).collect()
}

/// The file as it is attached to a meeting; `None` when the meeting has no room for it.
pub(super) fn fitting(m: &Meeting, file: NewFile) -> Option<NewFile> {
    if m.files.len() >= FILES_MAX {
        return None;
    }
    let images = m.files.iter().filter(|record| record.file.image.is_some()).count();
    let image = file.image.filter(|_| images < IMAGES_MAX);
    let excerpts = m.files.iter().filter_map(|record| record.file.text.as_ref());
    let used: usize = excerpts.map(|text| text.excerpt.chars().count()).sum();
    let text = file.text.map(|text| match used + text.excerpt.chars().count() <= FILE_EXCERPTS_MAX_CHARS {
        true => text,
        false => FileText { excerpt: String::new(), ..text },
    });
    Some(NewFile { image, text, ..file })
}
