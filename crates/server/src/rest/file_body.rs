//! A file as the body of a response.

use std::fs::File;

use axum::body::Body;
use tokio::io::AsyncReadExt as _;

/// The content of a file from where it stands, read while it is sent.
pub(super) fn of_file(file: File) -> Body {
    let file = tokio::fs::File::from_std(file);
    Body::from_stream(futures::stream::try_unfold(file, |mut file| async move {
        let mut piece = vec![0; 64 << 10];
        let read = file.read(&mut piece).await?;
        piece.truncate(read);
        Ok::<_, std::io::Error>((read > 0).then_some((piece, file)))
    }))
}
