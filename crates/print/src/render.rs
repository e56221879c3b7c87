//! A PDF from another process: its input and its output.
//!
//! The texts are of foreign origin. A process of its own can be given a limit and be killed; a thread of a
//! server cannot.

use std::borrow::Cow;

use quorate_core::Meeting;
use serde::{Deserialize, Serialize};

use crate::RecordEntry;

/// The input of a rendering process, as JSON on its standard input.
#[derive(Debug, Serialize, Deserialize)]
pub struct RenderJob<'a> {
    /// The meeting, without what its reader may not see.
    pub meeting: Cow<'a, Meeting>,
    /// Whether hidden marks are printed, too.
    pub with_marks: bool,
    /// A note for the reader.
    pub note: Option<String>,
    /// What happened beside what was said.
    pub record: Vec<RecordEntry>,
}

/// The reason why there is no PDF, as JSON on standard output; a PDF is written as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "no_pdf", rename_all = "snake_case")]
pub enum RenderRefusal {
    /// The meeting contains Chinese characters, and no font of this machine has them.
    NoChineseFont,
    /// The font file that was named cannot be used.
    Font {
        /// What is wrong with it.
        problem: String,
    },
    /// The pages cannot be set; a fault of Quorate itself.
    Setting {
        /// The error of the typesetter.
        problem: String,
    },
}

/// Reads the output of a rendering process.
///
/// # Errors
/// The refusal that it wrote; `None` for output that is neither a PDF nor a refusal.
pub fn read_rendered(output: Vec<u8>) -> Result<Vec<u8>, Option<RenderRefusal>> {
    match output.starts_with(b"%PDF-") {
        true => Ok(output),
        false => Err(serde_json::from_slice(&output).ok()),
    }
}

/// Makes the pages of a job with the fonts of this machine and of a file, which come first.
///
/// # Errors
/// A refusal, to be written as JSON in place of the pages.
#[cfg(feature = "pdf")]
pub fn render(job: &RenderJob<'_>, font: Option<&std::path::Path>) -> Result<Vec<u8>, RenderRefusal> {
    use crate::{Fonts, Options, PdfError, Times, pdf};

    let fonts = Fonts::of_machine(font).map_err(|error| {
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
        RenderRefusal::Font { problem: format!("{error}{cause}") }
    })?;
    let (with_marks, note) = (job.with_marks, job.note.clone());
    let (times, record) = (Times::of_meeting(&job.meeting), job.record.clone());
    let options = Options { with_marks, times, note, record, ..Options::default() };
    pdf(&job.meeting, &options, &fonts).map_err(|error| match error {
        PdfError::NoChineseFont => RenderRefusal::NoChineseFont,
        PdfError::Setting(problem) => RenderRefusal::Setting { problem },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_is_pages_a_refusal_or_neither() {
        assert_eq!(read_rendered(b"%PDF-1.7 x".to_vec()), Ok(b"%PDF-1.7 x".to_vec()));
        let refusal = RenderRefusal::Setting { problem: "no such font".to_owned() };
        let written = serde_json::to_vec(&refusal).expect("plain");
        assert_eq!(read_rendered(written), Err(Some(refusal)));
        for neither in [&b""[..], b"%PD", b"{}", b"memory allocation failed"] {
            assert_eq!(read_rendered(neither.to_vec()), Err(None));
        }
    }
}
