//! The text of stored files: of PDF by a program of its own, of everything else by its bytes.

use std::fs::File;
use std::io::Read as _;
use std::sync::Arc;

use quorate_messages::message;
use quorate_runners::decode;

use crate::error::ServiceError;
use crate::pdf_text::{PDF, PdfReader};

/// Content as text: that of a PDF, or of a file of text; `None` when it is none.
pub(crate) async fn text_of(
    pdf_reader: &PdfReader,
    media_type: &str,
    sha256: &str,
    mut content: File,
) -> Result<Option<Arc<str>>, ServiceError> {
    let is_pdf = media_type == PDF;
    let read = tokio::task::spawn_blocking(move || {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(match is_pdf {
            true => (Some(bytes), None),
            false => (None, decode(&bytes)),
        })
    });
    let read = read.await.map_err(std::io::Error::other).and_then(|read| read);
    match read.map_err(|error| {
        ServiceError::new(message!("app-file-unreadable", %error), message!("app-file-unreadable-hint"))
    })? {
        (Some(bytes), _) => Ok(pdf_reader.text(sha256, bytes).await),
        (None, text) => Ok(text.map(Arc::from)),
    }
}
