//! The images of meetings as models and pages are given them: made of the stored files, and kept for the next call.

use std::collections::{BTreeMap, VecDeque};
use std::io::Read as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::future::BoxFuture;
use quorate_contract::{IMAGES_MAX, MeetingId, PromptImage, RunnerSpec, ToolOutcome, ToolRun};
use quorate_core::Meeting;
use quorate_engine::{LoadedImage, OfferedTools, Runner, RunnerDirectory};
use quorate_runners::{ImageProblem, ShownImage, decode, shown_image};
use quorate_store::{Store, StoreError, Upload};
use tokio::sync::Semaphore;

/// Images that are read at once: each takes memory for all of its pixels.
const AT_ONCE: usize = 2;
/// Images that are kept, in bytes.
const KEPT_BYTES: usize = 64 << 20;

/// An image as it was made of a file.
#[derive(Debug)]
pub(crate) struct MadeImage {
    sha256: String,
    /// The image.
    pub(crate) image: ShownImage,
    base64: Arc<str>,
}

impl MadeImage {
    fn size(&self) -> usize {
        self.image.bytes.len() + self.base64.len()
    }
}

/// Makes images as they are shown, and keeps the last ones.
#[derive(Debug, Clone)]
pub(crate) struct ImageMaker(Arc<Maker>);

#[derive(Debug)]
struct Maker {
    places: Semaphore,
    kept: Mutex<VecDeque<Arc<MadeImage>>>,
}

impl Default for ImageMaker {
    fn default() -> Self {
        Self(Arc::new(Maker { places: Semaphore::new(AT_ONCE), kept: Mutex::default() }))
    }
}

impl ImageMaker {
    /// The image in a stored file.
    ///
    /// # Errors
    /// When the file cannot be read, or is no image that is shown.
    pub(crate) async fn make(
        &self,
        store: &Store,
        upload: &Upload,
    ) -> Result<Result<Arc<MadeImage>, ImageProblem>, StoreError> {
        if let Some(made) = self.find(&upload.sha256) {
            return Ok(Ok(made));
        }
        let Ok(_place) = self.0.places.acquire().await else { return Ok(Err(ImageProblem::Broken)) };
        if let Some(made) = self.find(&upload.sha256) {
            return Ok(Ok(made));
        }
        let (stored, mut content) = store.open_upload(&upload.id).await?;
        let read = tokio::task::spawn_blocking(move || {
            let mut bytes = Vec::new();
            content.read_to_end(&mut bytes)?;
            Ok::<_, std::io::Error>(shown_image(&stored.media_type, &bytes).map(|image| {
                let base64 = STANDARD.encode(&image.bytes).into();
                Arc::new(MadeImage { sha256: stored.sha256, image, base64 })
            }))
        });
        match read.await {
            Ok(Ok(made)) => {
                made.iter().for_each(|made| self.keep(made));
                Ok(made)
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, sha256 = upload.sha256, "an image cannot be read");
                Ok(Err(ImageProblem::Broken))
            }
            Err(error) => {
                // No content may stop the program.
                tracing::error!(%error, sha256 = upload.sha256, "reading an image broke down");
                Ok(Err(ImageProblem::Broken))
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Arc<MadeImage>>> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, sha256: &str) -> Option<Arc<MadeImage>> {
        let mut kept = self.kept();
        let place = kept.iter().position(|made| made.sha256 == sha256)?;
        let found = kept.remove(place)?;
        kept.push_back(Arc::clone(&found));
        Some(found)
    }

    fn keep(&self, made: &Arc<MadeImage>) {
        let mut kept = self.kept();
        kept.push_back(Arc::clone(made));
        while kept.len() > 1 && kept.iter().map(|made| made.size()).sum::<usize>() > KEPT_BYTES {
            kept.pop_front();
        }
    }
}

/// The images of a meeting as they are shown, by the ids of their files, each as an address that holds it: for an export
/// that loads nothing. One whose content is not here is missing.
pub(crate) async fn shown_images(
    store: &Store,
    maker: &ImageMaker,
    meeting: &Meeting,
) -> BTreeMap<String, String> {
    let mut shown = BTreeMap::new();
    let images = meeting.files.iter().filter(|record| record.file.image.is_some()).take(IMAGES_MAX);
    let Ok(uploads) = store.uploads(&meeting.id).await else { return shown };
    for record in images {
        let stored = uploads.iter().find(|upload| upload.sha256 == record.file.sha256);
        let Some(stored) = stored else { continue };
        if let Ok(Ok(made)) = maker.make(store, stored).await {
            let uri = format!("data:{};base64,{}", made.image.media_type, made.base64);
            shown.insert(record.file.id.to_string(), uri);
        }
    }
    shown
}

/// The contents of attached files for an export that loads nothing, by the ids of their files.
#[derive(Debug, Clone, Default)]
pub struct ExportedFiles {
    /// Images as they are shown, each as an address that holds it.
    pub images: BTreeMap<String, String>,
    /// Whole texts.
    pub texts: BTreeMap<String, String>,
}

/// The longest text of one file in an export, and of all files together, in bytes.
const TEXT_MAX_BYTES: usize = 512 << 10;
const TEXTS_MAX_BYTES: usize = 4 << 20;

/// What an export shows of the attached files. Content that is not here is missing, and so is a text that is too long: of
/// it the log holds the beginning.
pub(crate) async fn exported_files(store: &Store, maker: &ImageMaker, meeting: &Meeting) -> ExportedFiles {
    let images = shown_images(store, maker, meeting).await;
    let mut texts = BTreeMap::new();
    let Ok(uploads) = store.uploads(&meeting.id).await else { return ExportedFiles { images, texts } };
    let mut left = TEXTS_MAX_BYTES;
    for record in meeting.files.iter().filter(|record| record.file.text.is_some()) {
        let stored = uploads.iter().find(|upload| upload.sha256 == record.file.sha256);
        let Some(stored) = stored.filter(|stored| stored.size <= TEXT_MAX_BYTES as u64) else { continue };
        let Ok((_, mut content)) = store.open_upload(&stored.id).await else { continue };
        let read = tokio::task::spawn_blocking(move || {
            let mut bytes = Vec::new();
            content.read_to_end(&mut bytes).ok().and_then(|_| decode(&bytes))
        });
        if let Ok(Some(text)) = read.await
            && text.len() <= left
        {
            left -= text.len();
            texts.insert(record.file.id.to_string(), text);
        }
    }
    ExportedFiles { images, texts }
}

/// Runners that are given the images of their meetings.
pub(crate) struct WithImages {
    pub(crate) inner: Arc<dyn RunnerDirectory>,
    pub(crate) store: Store,
    pub(crate) maker: ImageMaker,
}

impl RunnerDirectory for WithImages {
    fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner> {
        self.inner.find(spec)
    }

    fn tools<'a>(&'a self, sources: &'a [String]) -> BoxFuture<'a, OfferedTools> {
        self.inner.tools(sources)
    }

    fn run_tool(&self, run: ToolRun) -> BoxFuture<'_, ToolOutcome> {
        self.inner.run_tool(run)
    }

    /// Only content that was attached to this meeting is found, whatever a prompt names.
    fn images<'a>(
        &'a self,
        meeting: &'a MeetingId,
        wanted: &'a [PromptImage],
    ) -> BoxFuture<'a, Vec<LoadedImage>> {
        Box::pin(async move {
            let uploads = match self.store.uploads(meeting).await {
                Ok(uploads) => uploads,
                Err(error) => {
                    tracing::warn!(%error, %meeting, "the images of a meeting cannot be read");
                    return Vec::new();
                }
            };
            let mut loaded: Vec<LoadedImage> = Vec::with_capacity(wanted.len());
            for image in wanted {
                let Some(upload) = uploads.iter().find(|upload| upload.sha256 == image.sha256) else {
                    continue;
                };
                if loaded.iter().any(|loaded| loaded.sha256 == image.sha256) {
                    continue;
                }
                if let Ok(Ok(made)) = self.maker.make(&self.store, upload).await {
                    loaded.push(LoadedImage {
                        sha256: image.sha256.clone(),
                        media_type: made.image.media_type,
                        base64: Arc::clone(&made.base64),
                    });
                }
            }
            loaded
        })
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::Actor;
    use quorate_runners::{Directory, Pace, SimulatedRunner};

    use super::*;
    use crate::meeting_file::create_meeting::CreateMeetingRequest;
    use crate::operation::principal::Principal;
    use crate::use_cases::{App, AppOptions};

    /// A PNG of 3 × 2 pixels.
    const PNG: &[u8] =
        b"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x03\x00\x00\x00\x02\
          \x08\x02\x00\x00\x00\x12\x16\xf1\x4d\x00\x00\x00\x10\x49\x44\x41\x54\x78\x9c\x63\x38\x21\x27\x07\
          \x41\x0c\x70\x16\x00\x41\x00\x06\x19\x3c\x45\x41\x96\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\
          \x82";

    #[tokio::test]
    async fn an_image_is_found_by_the_meeting_that_it_was_attached_to_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path().join("quorate.db")).expect("a database");
        let options = AppOptions::new(folder.path().join("config.toml"));
        let app = App::open(store.clone(), options).await.expect("an app");
        let new = br#"{"topic": "Which chart?", "lang": "en", "simulate": true, "seats": 2, "format": "discussion"}"#;
        let new = CreateMeetingRequest::from_json(new).expect("a sound meeting");
        let by = Actor::person("mia", "mia");
        let one = app.create(&by, &new).await.expect("a meeting");
        let other = app.create(&by, &new).await.expect("another");
        let attached = app.attach_content(&Principal::owner(), one.id(), "chart.png", PNG, 1 << 20).await;
        let file = attached.expect("attached").file;
        let size = file.image.expect("an image");
        let wanted = [PromptImage {
            offset: 0,
            file: file.id,
            name: file.name,
            media_type: file.media_type,
            size: file.size,
            sha256: file.sha256,
            width: size.width,
            height: size.height,
        }];
        let runners = WithImages {
            inner: Arc::new(Directory::new(Arc::new(SimulatedRunner::new(Pace::Instant)))),
            store,
            maker: ImageMaker::default(),
        };
        let found = runners.images(one.id(), &wanted).await;
        assert_eq!((found.len(), found[0].media_type), (1, "image/png"));
        assert!(runners.images(other.id(), &wanted).await.is_empty(), "another meeting does not see it");
    }
}
