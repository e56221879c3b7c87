//! The files of meetings.

use std::fs::File;

use quorate_contract::MeetingId;
use quorate_store::{NewUpload, StoreError, Upload, UploadTotal, Uploading};

use super::App;

impl App {
    /// The files of a meeting, and how much they are together.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn uploads(&self, meeting: &MeetingId) -> Result<(Vec<Upload>, UploadTotal), StoreError> {
        let uploads = self.store().uploads(meeting).await?;
        Ok((uploads, self.store().upload_total(Some(meeting)).await?))
    }

    /// The total size of the files of a meeting, or of all meetings.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn upload_total(&self, meeting: Option<&MeetingId>) -> Result<UploadTotal, StoreError> {
        self.store().upload_total(meeting).await
    }

    /// Starts to receive a file of at most this many bytes, within the limit `in_all` of all files.
    ///
    /// # Errors
    /// When the meeting does not exist, the name is invalid, or the disk cannot be written.
    pub async fn begin_upload(
        &self,
        what: NewUpload,
        most: u64,
        in_all: UploadTotal,
    ) -> Result<Uploading, StoreError> {
        Ok(self.store().begin_upload(what, most).await?.within(in_all))
    }

    /// A file of this meeting.
    ///
    /// # Errors
    /// When the meeting has no such file.
    pub async fn upload(&self, meeting: &MeetingId, id: &str) -> Result<Upload, StoreError> {
        match self.store().upload(id).await? {
            found if found.meeting == *meeting => Ok(found),
            _ => Err(StoreError::NoSuchUpload { id: id.to_owned() }),
        }
    }

    /// A file of this meeting, open to be read.
    ///
    /// # Errors
    /// When the meeting has no such file, or it cannot be read.
    pub async fn open_upload(&self, meeting: &MeetingId, id: &str) -> Result<(Upload, File), StoreError> {
        self.upload(meeting, id).await?;
        self.store().open_upload(id).await
    }

    /// Deletes a file of this meeting.
    ///
    /// # Errors
    /// When the meeting has no such file, or the database cannot be written.
    pub async fn delete_upload(&self, meeting: &MeetingId, id: &str) -> Result<(), StoreError> {
        self.upload(meeting, id).await?;
        self.store().delete_upload(id).await
    }
}
