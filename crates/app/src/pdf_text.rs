//! The text of PDF files, read by a program of its own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Semaphore;

use crate::limited_program::{LimitedProgram, ProcessLimits};

/// The media type of a PDF.
pub(crate) const PDF: &str = "application/pdf";
/// What one file may take: seconds, MiB of address space, and bytes of text.
const LIMITS: ProcessLimits = ProcessLimits { seconds: 60, megabytes: 1024, output_bytes: 16 << 20 };
/// Files that are read at once.
const AT_ONCE: usize = 2;
/// Texts that are kept, in bytes: a file is read by range, and each reading needs all of it.
const KEPT_BYTES: usize = 32 << 20;

/// Reads the text of PDF files, and keeps that of the last ones.
#[derive(Debug)]
pub(crate) struct PdfReader {
    program: Option<LimitedProgram>,
    places: Semaphore,
    kept: Mutex<VecDeque<(String, Arc<str>)>>,
}

impl PdfReader {
    /// A reader with this program; without one, PDF files have no text.
    pub(crate) fn new(program: Option<LimitedProgram>) -> Self {
        Self { program, places: Semaphore::new(AT_ONCE), kept: Mutex::default() }
    }

    /// The text of a file, by its checksum and content; `None` when it holds none, such as scanned pages, or cannot be read.
    pub(crate) async fn text(&self, sha256: &str, content: Vec<u8>) -> Option<Arc<str>> {
        let program = self.program.as_ref()?;
        let _place = self.places.acquire().await.ok()?;
        if let Some(text) = self.find(sha256) {
            return Some(text);
        }
        let ended = match program.run(content, LIMITS).await {
            Ok(ended) => ended,
            Err(error) => {
                tracing::warn!(?error, sha256, "the text of a PDF cannot be read");
                return None;
            }
        };
        if !ended.status.success() {
            tracing::warn!(status = %ended.status, errors = ended.errors, sha256, "the text of a PDF cannot be read");
            return None;
        }
        let text: Arc<str> = String::from_utf8_lossy(&ended.output).into();
        if text.trim().is_empty() {
            return None;
        }
        self.keep(sha256, &text);
        Some(text)
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<(String, Arc<str>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, sha256: &str) -> Option<Arc<str>> {
        let mut kept = self.kept();
        let place = kept.iter().position(|(of, _)| of == sha256)?;
        let found = kept.remove(place)?;
        let text = Arc::clone(&found.1);
        kept.push_back(found);
        Some(text)
    }

    fn keep(&self, sha256: &str, text: &Arc<str>) {
        let mut kept = self.kept();
        kept.push_back((sha256.to_owned(), Arc::clone(text)));
        while kept.len() > 1 && kept.iter().map(|(_, text)| text.len()).sum::<usize>() > KEPT_BYTES {
            kept.pop_front();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn reader(script: &str) -> (PdfReader, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("read");
        let text = format!("#!/bin/sh\ncd {}\necho >> started\n{script}\n", folder.path().display());
        std::fs::write(&program, text).expect("written");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("set");
        (PdfReader::new(Some(LimitedProgram { program, args: Vec::new() })), folder)
    }

    #[tokio::test]
    async fn a_file_is_read_once() {
        let (reader, folder) = reader("cat");
        for _ in 0..3 {
            assert_eq!(reader.text("a", b"words".to_vec()).await.as_deref(), Some("words"));
        }
        assert_eq!(reader.text("b", b"others".to_vec()).await.as_deref(), Some("others"));
        let started = std::fs::read_to_string(folder.path().join("started")).expect("written");
        assert_eq!(started.lines().count(), 2);
    }

    #[tokio::test]
    async fn a_file_that_cannot_be_read_has_no_text() {
        for script in
            ["cat > /dev/null; exit 1", "kill -ABRT $$", "cat > /dev/null", "printf ' \\n'; cat > /dev/null"]
        {
            let (reader, _folder) = reader(script);
            assert_eq!(reader.text("a", b"words".to_vec()).await, None, "{script}");
        }
        assert_eq!(PdfReader::new(None).text("a", b"words".to_vec()).await, None);
    }

    #[tokio::test]
    async fn the_texts_that_are_kept_are_bounded() {
        let reader = PdfReader::new(None);
        let text: Arc<str> = "x".repeat(KEPT_BYTES / 2).into();
        for name in ["a", "b", "c"] {
            reader.keep(name, &text);
        }
        assert_eq!((reader.find("a").is_some(), reader.find("c").is_some()), (false, true));
    }
}
