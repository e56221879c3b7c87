//! The contents of attached files that come with an import: read, checked, and held back where a meeting may not have them.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quorate_contract::hex::to_hex;
use quorate_contract::{FileText, ImageSize, NewFile, Phrase};
use quorate_messages::message;
use quorate_runners::{decode, find_secret, hides_secret, is_image, is_secret_name, media_type, shown_image};
use quorate_views::folder_layouts::{
    CHECKSUMS, Layout, UploadReference, Uploads, read_checksums, upload_references,
};
use sha2::{Digest, Sha256};

use crate::error::{ErrorKind, ServiceError};
use crate::pdf_text::{PDF, PdfReader};
use crate::use_cases::path_of;

/// The most bytes of one content.
pub const CONTENT_MAX_BYTES: u64 = 20 << 20;
/// The most bytes of all contents of an import.
pub const CONTENTS_MAX_BYTES: u64 = 200 << 20;

/// Contents in a folder, by their paths: `uploads/MEETING/f1-costs.csv`; a checksum file is one of them.
pub type Contents = BTreeMap<String, Vec<u8>>;

/// Contents as a request holds them: in base64.
pub fn encoded_contents(contents: &Contents) -> BTreeMap<String, String> {
    contents.iter().map(|(path, content)| (path.clone(), STANDARD.encode(content))).collect()
}

/// Contents as a request holds them.
///
/// # Errors
/// When one of them is not base64.
pub fn decoded_contents(given: BTreeMap<String, String>) -> Result<Contents, ServiceError> {
    let decode = |(path, text): (String, String)| match STANDARD.decode(text.trim()) {
        Ok(content) => Ok((path, content)),
        Err(_) => {
            let problem = message!("app-import-not-base64", %path);
            let error = ServiceError::usage(problem, message!("app-import-not-base64-hint"));
            Err(error.of(ErrorKind::Validation).with("field", "uploads"))
        }
    };
    given.into_iter().map(decode).collect()
}

/// What the messages of a folder name, read and checked, and the contents by their checksums.
///
/// # Errors
/// When a content is not what its checksum says, or all of them are too large.
pub(crate) async fn read_uploads(
    pdf: &PdfReader,
    layout: &Layout,
    mut contents: Contents,
) -> Result<(Uploads, BTreeMap<String, Vec<u8>>), ServiceError> {
    let bytes: u64 = contents.values().map(|content| content.len() as u64).sum();
    if bytes > CONTENTS_MAX_BYTES {
        let problem = message!("app-import-contents-large", %bytes, most = %CONTENTS_MAX_BYTES);
        let error = ServiceError::usage(problem, message!("app-import-contents-large-hint"));
        return Err(error.of(ErrorKind::Validation).with("field", "uploads"));
    }
    let mut sums: BTreeMap<String, String> = BTreeMap::new();
    for (path, content) in &contents {
        if let Some((folder, CHECKSUMS)) = path.rsplit_once('/') {
            sums.extend(read_checksums(folder, &String::from_utf8_lossy(content)));
        }
    }
    let (mut uploads, mut by_sum) = (Uploads::default(), BTreeMap::new());
    for UploadReference { path, name } in upload_references(layout) {
        let Some(content) = contents.remove(&path) else { continue };
        let sum = to_hex(&Sha256::digest(&content));
        if sums.get(&path).is_some_and(|expected| *expected != sum) {
            let problem = message!("app-import-content-changed", %path);
            let hint = message!("app-import-content-changed-hint");
            return Err(ServiceError::usage(problem, hint)
                .of(ErrorKind::Validation)
                .with("field", "uploads"));
        }
        let name = path_of(if name.is_empty() { path.rsplit('/').next().unwrap_or_default() } else { &name });
        match read(pdf, name, &content, &sum).await {
            Ok(file) => {
                uploads.files.insert(path, file);
                by_sum.insert(sum, content);
            }
            Err(why) => _ = uploads.left_out.insert(path, why),
        }
    }
    Ok((uploads, by_sum))
}

/// A content as a file of a meeting, or why it is none.
async fn read(pdf: &PdfReader, name: String, content: &[u8], sha256: &str) -> Result<NewFile, Phrase> {
    if name.is_empty() || content.is_empty() {
        return Err(message!("note-file-empty", %name).into());
    }
    if content.len() as u64 > CONTENT_MAX_BYTES {
        return Err(message!("note-file-large", %name, megabytes = CONTENT_MAX_BYTES >> 20).into());
    }
    if is_secret_name(&name) {
        return Err(message!("note-file-secret", %name).into());
    }
    let media_type = media_type(&name, content);
    let text = match media_type == PDF {
        true => pdf.text(sha256, content.to_vec()).await.map(|text| text.to_string()),
        false => decode(content),
    };
    let is_secret = match &text {
        Some(text) => find_secret(text).is_some(),
        None => hides_secret(content),
    };
    if is_secret {
        return Err(message!("note-file-secret", %name).into());
    }
    let image = match is_image(&media_type) {
        true => image_size(&media_type, content.to_vec()).await,
        false => None,
    };
    let (size, sha256) = (content.len() as u64, sha256.to_owned());
    Ok(NewFile { name, media_type, size, sha256, text: text.as_deref().map(FileText::of), image })
}

/// The size of an image that models can be shown; what cannot be read is a file like any other.
async fn image_size(media_type: &str, content: Vec<u8>) -> Option<ImageSize> {
    let media_type = media_type.to_owned();
    let shown = tokio::task::spawn_blocking(move || shown_image(&media_type, &content));
    shown.await.ok()?.ok().map(|image| image.size)
}
