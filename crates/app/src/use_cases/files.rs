//! The files of meetings: their content is stored beside the log, the log says which are attached.

use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;

use quorate_contract::{
    AttachedFile, Command, FILE_NAME_MAX_CHARS, FileId, FileText, ImageSize, MeetingId, NewFile, Refusal,
    clean,
};
use quorate_core::{FileRecord, Meeting};
use quorate_engine::MeetingHandle;
use quorate_messages::{Message, message};
use quorate_runners::{
    IMAGE_PIXELS_MAX, IMAGE_SIDE_MAX, ImageProblem, ShownImage, find_secret, hides_secret, is_image,
    is_secret_name, media_type,
};
use quorate_store::{NewUpload, StoreError, Upload, UploadTotal, Uploading};
use serde::Serialize;

use super::App;
use crate::error::{ErrorKind, ServiceError};
use crate::images::{ExportedFiles, exported_files};
use crate::operation::principal::Principal;
use crate::text_of_file::text_of;

/// The most lines that are read at once.
const LINES_MAX: u32 = 400;
/// The most characters that are read at once.
const CHARS_MAX: usize = 20_000;
/// How old content is before it counts as left behind by an upload that was never attached.
const LEFT_BEHIND_MS: u64 = 60 * 60 * 1000;
/// The most files that an error names.
const NAMED_MAX: usize = 20;

/// Some lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FileLines {
    /// The file.
    pub file: FileId,
    /// Its name.
    pub name: String,
    /// The number of lines of the file.
    pub lines: u32,
    /// The first line that was read, counted from 1; 0 when there is none.
    pub first: u32,
    /// The last line that was read; 0 when there is none.
    pub last: u32,
    /// The text of these lines, at most 400 lines and 20,000 characters.
    pub text: String,
    /// The line to go on from; `null` at the end of the file.
    pub next: Option<u32>,
}

impl App {
    /// The total size of the stored content of a meeting, or of all meetings.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn upload_total(&self, meeting: Option<&MeetingId>) -> Result<UploadTotal, StoreError> {
        self.store().upload_total(meeting).await
    }

    /// Starts to receive the content of a file of at most this many bytes, within the limit `in_all` of all files.
    ///
    /// # Errors
    /// When the meeting does not exist, the name is invalid, or the disk cannot be written.
    pub async fn begin_upload(
        &self,
        what: NewUpload,
        most: u64,
        in_all: UploadTotal,
    ) -> Result<Uploading, ServiceError> {
        if is_secret_name(&what.name) {
            return Err(secret(message!("app-file-secret-name", name = &what.name)));
        }
        Ok(self.store().begin_upload(what, most).await?.within(in_all))
    }

    /// Attaches a file from this machine.
    ///
    /// # Errors
    /// As [`App::begin_upload`] and [`App::attach`]; when the file is empty or too large.
    pub async fn attach_content(
        &self,
        principal: &Principal,
        meeting: &MeetingId,
        name: &str,
        content: &[u8],
        most: u64,
    ) -> Result<FileRecord, ServiceError> {
        let what = NewUpload {
            id: uuid::Uuid::now_v7().to_string(),
            meeting: meeting.clone(),
            name: name.to_owned(),
            media_type: media_type(name, content),
            by: principal.actor(),
            created_ms: crate::clock::now(),
        };
        let in_all = UploadTotal { files: u64::MAX, bytes: u64::MAX };
        let mut uploading = self.begin_upload(what, most, in_all).await?;
        uploading.write(content).await?;
        let upload = uploading.finish().await?;
        self.attach(principal, upload, name).await
    }

    /// Attaches a file whose content has been received; of one that cannot be attached, nothing is kept. The same
    /// content under the same name is attached once.
    ///
    /// # Errors
    /// When the file holds a secret, the meeting is over or has too many files, or the database cannot be written.
    pub async fn attach(
        &self,
        principal: &Principal,
        upload: Upload,
        name: &str,
    ) -> Result<FileRecord, ServiceError> {
        let attached = self.attach_stored(principal, &upload, path_of(name)).await;
        if !attached.as_ref().is_ok_and(|(_, is_new)| *is_new) {
            _ = self.store().delete_upload(&upload.id).await;
        }
        attached.map(|(file, _)| file)
    }

    async fn attach_stored(
        &self,
        principal: &Principal,
        upload: &Upload,
        name: String,
    ) -> Result<(FileRecord, bool), ServiceError> {
        let id = &upload.meeting;
        let before = self.load(id).await?;
        let find = |meeting: &Meeting| {
            let same = |file: &AttachedFile| file.name == name && file.sha256 == upload.sha256;
            meeting.files.iter().find(|record| same(&record.file)).map(|record| record.as_ref().clone())
        };
        if let Some(there) = find(&before) {
            return Ok((there, false));
        }
        self.remove_left_behind(&before).await?;
        let text = self.text(&upload.id).await?;
        if let Some(line) = text.as_deref().and_then(find_secret) {
            return Err(secret(message!("app-file-secret-line", %name, %line)));
        }
        if text.is_none() && self.hides_secret(&upload.id).await? {
            return Err(secret(message!("app-file-secret-name", name = &name)));
        }
        let image = self.image_size(upload, &name).await?;
        let file = NewFile {
            name: name.clone(),
            media_type: upload.media_type.clone(),
            size: upload.size,
            sha256: upload.sha256.clone(),
            text: text.as_deref().map(FileText::of),
            image,
        };
        self.command(principal, id, Command::AttachFile { by: principal.actor(), file: Box::new(file) })
            .await?;
        let attached = find(&self.load(id).await?);
        // It may have been removed again by now.
        attached.map(|file| (file, true)).ok_or_else(|| no_such_file(&before, &name))
    }

    /// Deletes content that was received and never attached, as a process leaves it behind that was killed in between.
    async fn remove_left_behind(&self, meeting: &Meeting) -> Result<(), ServiceError> {
        let now = crate::clock::now();
        for upload in self.store().uploads(&meeting.id).await? {
            let is_attached = meeting.files.iter().any(|record| record.file.sha256 == upload.sha256);
            if !is_attached && now.since_ms(upload.created_ms) > LEFT_BEHIND_MS {
                self.store().delete_upload(&upload.id).await?;
            }
        }
        Ok(())
    }

    /// Removes a file from a meeting, and deletes its content unless another file has the same.
    ///
    /// # Errors
    /// When the meeting has no such file or is over, or the database cannot be written.
    pub async fn remove_file(
        &self,
        principal: &Principal,
        id: &MeetingId,
        file: &str,
    ) -> Result<u64, ServiceError> {
        let meeting = self.load(id).await?;
        let file = file_in(&meeting, file)?;
        let command = Command::RemoveFile { by: principal.actor(), file: file.id };
        let seq = self.command(principal, id, command).await?;
        let meeting = self.load(id).await?;
        if !meeting.files.iter().any(|other| other.file.sha256 == file.sha256) {
            for upload in self.store().uploads(id).await? {
                if upload.sha256 == file.sha256 {
                    self.store().delete_upload(&upload.id).await?;
                }
            }
        }
        Ok(seq)
    }

    /// A file of a meeting with its content, open to be read.
    ///
    /// # Errors
    /// When the meeting has no such file, or its content is not here, as in an imported log.
    pub async fn open_file(&self, id: &MeetingId, file: &str) -> Result<(AttachedFile, File), ServiceError> {
        let file = file_in(&self.load(id).await?, file)?;
        let uploads = self.store().uploads(id).await?;
        let stored = uploads.into_iter().find(|upload| upload.sha256 == file.sha256);
        let stored = stored.ok_or_else(|| absent(&file))?;
        let (_, content) = self.store().open_upload(&stored.id).await?;
        Ok((file, content))
    }

    /// The contents of the files of a meeting that are here, each once and open to be read, by their checksums.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn file_contents(&self, id: &MeetingId) -> Result<Vec<(String, File)>, ServiceError> {
        let attached = self.load(id).await?;
        let mut contents: Vec<(String, File)> = Vec::new();
        for stored in self.store().uploads(id).await? {
            let is_new = contents.iter().all(|(sha256, _)| *sha256 != stored.sha256);
            if is_new && attached.files.iter().any(|record| record.file.sha256 == stored.sha256) {
                contents.push((stored.sha256, self.store().open_upload(&stored.id).await?.1));
            }
        }
        Ok(contents)
    }

    /// The size of the image that a stored file is. One that cannot be read is a file like any other.
    async fn image_size(&self, upload: &Upload, name: &str) -> Result<Option<ImageSize>, ServiceError> {
        if !is_image(&upload.media_type) {
            return Ok(None);
        }
        match self.images().make(self.store(), upload).await? {
            Ok(made) => Ok(Some(made.image.size)),
            Err(ImageProblem::Broken) => Ok(None),
            Err(problem @ ImageProblem::TooLarge(_)) => Err(unshown(problem, name)),
        }
    }

    /// An image of a meeting as models are given it: PNG or JPEG without anything behind the pixels, no edge longer than
    /// 1,568 pixels.
    ///
    /// # Errors
    /// When the meeting has no such file, the file is no image, or its content is not here.
    pub async fn file_image(
        &self,
        id: &MeetingId,
        file: &str,
    ) -> Result<(AttachedFile, ShownImage), ServiceError> {
        let file = file_in(&self.load(id).await?, file)?;
        if file.image.is_none() {
            let detail = message!("app-file-no-image", name = &file.name, media_type = &file.media_type);
            return Err(ServiceError::usage(detail, message!("app-file-no-image-hint")).with("field", "file"));
        }
        let uploads = self.store().uploads(id).await?;
        let stored = uploads.into_iter().find(|upload| upload.sha256 == file.sha256);
        let stored = stored.ok_or_else(|| absent(&file))?;
        let made = self.images().make(self.store(), &stored).await?;
        let image = made.map_err(|problem| unshown(problem, &file.name))?.image.clone();
        Ok((file, image))
    }

    /// The attached files of a meeting for an export that loads nothing.
    pub async fn files_for_export(&self, id: &MeetingId) -> ExportedFiles {
        match self.load(id).await {
            Ok(meeting) => exported_files(self.store(), self.images(), &meeting).await,
            // What is left of a damaged log is exported without.
            Err(_) => ExportedFiles::default(),
        }
    }

    /// Lines of a file: from `first` (1 when it is not given) to `last`, as many as are read at once.
    ///
    /// # Errors
    /// When the meeting has no such file, the file has no text or not so many lines, or its content is not here.
    pub async fn file_lines(
        &self,
        id: &MeetingId,
        file: &str,
        first: Option<u32>,
        last: Option<u32>,
    ) -> Result<FileLines, ServiceError> {
        let (file, content) = self.open_file(id, file).await?;
        let Some(known) = &file.text else {
            let detail = message!("app-file-without-text", name = &file.name, media_type = &file.media_type);
            return Err(ServiceError::usage(detail, message!("app-file-without-text-hint")));
        };
        let first = first.unwrap_or(1);
        if first == 0 || last.is_some_and(|last| last < first) || (first > known.lines && known.lines > 0) {
            let detail = message!("app-file-no-such-lines", name = &file.name, lines = known.lines);
            return Err(
                ServiceError::usage(detail, message!("app-file-no-such-lines-hint")).with("field", "first")
            );
        }
        let text = text_of(self.pdf_reader(), &file.media_type, &file.sha256, content).await?;
        let text = text.ok_or_else(|| unreadable(message!("app-file-no-text-now", name = &file.name)))?;
        Ok(lines_of(&file, known.lines, &text, first, last))
    }

    /// The text of stored content, when it is text.
    /// Whether content that is no text holds a key.
    async fn hides_secret(&self, upload: &str) -> Result<bool, ServiceError> {
        let (_, mut content) = self.store().open_upload(upload).await?;
        let looked_through = tokio::task::spawn_blocking(move || {
            let mut bytes = Vec::new();
            content.read_to_end(&mut bytes).map(|_| hides_secret(&bytes))
        });
        // What cannot be read cannot be handed out either.
        Ok(looked_through.await.is_ok_and(|found| found.unwrap_or(false)))
    }

    async fn text(&self, upload: &str) -> Result<Option<Arc<str>>, ServiceError> {
        let (stored, content) = self.store().open_upload(upload).await?;
        text_of(self.pdf_reader(), &stored.media_type, &stored.sha256, content).await
    }

    /// Gives a fork the content of its files.
    pub(super) async fn copy_files(
        &self,
        from: &MeetingId,
        fork: &MeetingHandle,
    ) -> Result<(), ServiceError> {
        let fork = fork.look().await?;
        if fork.files.is_empty() {
            return Ok(());
        }
        let contents = fork.files.iter().map(|record| record.file.sha256.clone()).collect();
        Ok(self.store().copy_uploads(from, &fork.id, contents).await?)
    }
}

/// The error of an image that cannot be shown.
fn unshown(problem: ImageProblem, name: &str) -> ServiceError {
    let (detail, hint) = match problem {
        ImageProblem::Broken => (message!("app-image-broken", %name), message!("app-image-broken-hint")),
        ImageProblem::TooLarge(ImageSize { width, height }) => {
            let millions = IMAGE_PIXELS_MAX / 1_000_000;
            let hint = message!("app-image-too-large-hint", %millions, side = %IMAGE_SIDE_MAX);
            (message!("app-image-too-large", %name, %width, %height), hint)
        }
    };
    ServiceError::usage(detail, hint).of(ErrorKind::Validation).with("field", "body")
}

fn absent(file: &AttachedFile) -> ServiceError {
    let hint = message!("app-file-content-absent-hint");
    ServiceError::new(message!("app-file-content-absent", name = &file.name), hint)
        .not_found("file", &file.id.to_string())
}

fn unreadable(detail: Message) -> ServiceError {
    ServiceError::new(detail, message!("app-file-unreadable-hint"))
}

/// The lines from `first` on that are read at once.
fn lines_of(file: &AttachedFile, lines: u32, text: &str, first: u32, last: Option<u32>) -> FileLines {
    let most = last.map_or(LINES_MAX, |last| (last - first + 1).min(LINES_MAX));
    let mut read = String::new();
    let (mut chars, mut count) = (0, 0);
    for line in text.lines().skip(first as usize - 1).take(most as usize) {
        let length = line.chars().count() + 1;
        if chars + length > CHARS_MAX {
            if count == 0 {
                read.extend(line.chars().take(CHARS_MAX));
                count = 1;
            }
            break;
        }
        chars += length;
        count += 1;
        read.push_str(line);
        read.push('\n');
    }
    read.truncate(read.trim_end_matches('\n').len());
    let end = first + count;
    FileLines {
        file: file.id,
        name: file.name.clone(),
        lines,
        first: if count == 0 { 0 } else { first },
        last: if count == 0 { 0 } else { end - 1 },
        text: read,
        next: Some(end).filter(|next| *next <= lines && count > 0),
    }
}

/// The file of this id, or the only one with this name.
fn file_in(meeting: &Meeting, file: &str) -> Result<AttachedFile, ServiceError> {
    let by_id = file.trim().parse().ok().and_then(|id: FileId| meeting.file(id));
    let by_name = || {
        let mut named = meeting.files.iter().rev().filter(|record| record.file.name == file.trim());
        named.next().map(AsRef::as_ref)
    };
    let found = by_id.or_else(by_name).map(|record| record.file.clone());
    found.ok_or_else(|| no_such_file(meeting, file))
}

fn no_such_file(meeting: &Meeting, file: &str) -> ServiceError {
    let names =
        meeting.files.iter().take(NAMED_MAX).map(|record| format!("{} {}", record.file.id, record.file.name));
    Refusal::NoSuchFile { file: file.to_owned(), known: names.collect() }.into()
}

fn secret(detail: quorate_messages::Message) -> ServiceError {
    ServiceError::usage(detail, message!("app-file-secret-hint"))
        .of(ErrorKind::Validation)
        .with("field", "name")
}

/// A name as a path: `/` between its parts, none of which leads up.
pub(crate) fn path_of(name: &str) -> String {
    // As the event says it, so that the file is found again by it.
    let name = clean(&name.chars().filter(|c| !c.is_control()).collect::<String>());
    let parts = name.split(['/', '\\']).map(str::trim).filter(|part| !matches!(*part, "" | "." | ".."));
    let path = parts.collect::<Vec<_>>().join("/");
    clean(&path.chars().take(FILE_NAME_MAX_CHARS).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> AttachedFile {
        AttachedFile {
            id: FileId(1),
            name: "notes.txt".to_owned(),
            media_type: "text/plain".to_owned(),
            size: text.len() as u64,
            sha256: String::new(),
            text: Some(FileText::of(text)),
            image: None,
        }
    }

    fn read(text: &str, first: u32, last: Option<u32>) -> FileLines {
        let file = file(text);
        let lines = file.text.as_ref().map_or(0, |text| text.lines);
        lines_of(&file, lines, text, first, last)
    }

    #[test]
    fn a_file_is_read_in_portions_without_gap_or_repetition() {
        let text: String = (1..=1234).map(|n| format!("line {n}\n")).collect();
        let (mut next, mut all) = (Some(1), Vec::new());
        while let Some(first) = next {
            let portion = read(&text, first, None);
            assert_eq!(portion.first, first);
            all.extend(portion.text.lines().map(str::to_owned));
            next = portion.next;
        }
        assert_eq!(all, text.lines().map(str::to_owned).collect::<Vec<_>>());
    }

    #[test]
    fn an_endless_line_is_cut_and_passed() {
        let portion = read(&format!("{}\nend\n", "字".repeat(60_000)), 1, None);
        assert_eq!((portion.text.chars().count(), portion.last, portion.next), (CHARS_MAX, 1, Some(2)));
    }

    #[test]
    fn an_empty_file_has_no_lines() {
        let portion = read("", 1, None);
        assert_eq!((portion.first, portion.last, portion.next), (0, 0, None));
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        assert_eq!(path_of("../../etc/./passwd"), "etc/passwd");
        assert_eq!(path_of("src\\main.rs"), "src/main.rs");
        assert_eq!(path_of("\u{202e}../x"), "x");
        for name in ["x\u{202e}txt.exe", "\u{2066}会议 纪要\u{2069}.md", "\u{feff}a\u{0007}.txt "] {
            let path = path_of(name);
            assert_eq!(clean(&path), path, "the event names it so");
        }
    }
}
