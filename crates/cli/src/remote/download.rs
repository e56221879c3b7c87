//! A download from the server, read synchronously.

use std::io::{Error, Read, Result as IoResult};

use futures::StreamExt;
use tokio::sync::mpsc;

use super::Remote;
use crate::error::CliError;

/// The number of buffered pieces.
const WAITING: usize = 4;

/// A response body, piece by piece. Read it outside of async workers.
pub(crate) struct Download {
    piece: std::io::Cursor<Vec<u8>>,
    pieces: mpsc::Receiver<IoResult<Vec<u8>>>,
}

impl Remote {
    /// Begins a download; `path` begins after `/api/v1`.
    ///
    /// # Errors
    /// With the server's own words when it refuses; when it does not answer.
    pub(crate) async fn download(&self, method: reqwest::Method, path: &str) -> Result<Download, CliError> {
        let response = self.send(self.request(method, path)).await?;
        let (sender, pieces) = mpsc::channel(WAITING);
        tokio::spawn(async move {
            let mut stream = response.bytes_stream();
            while let Some(piece) = stream.next().await {
                if sender.send(piece.map(Into::into).map_err(Error::other)).await.is_err() {
                    break;
                }
            }
        });
        Ok(Download { piece: std::io::Cursor::default(), pieces })
    }
}

impl Read for Download {
    fn read(&mut self, into: &mut [u8]) -> IoResult<usize> {
        loop {
            match self.piece.read(into)? {
                0 if !into.is_empty() => match self.pieces.blocking_recv() {
                    Some(piece) => self.piece = std::io::Cursor::new(piece?),
                    None => return Ok(0),
                },
                read => return Ok(read),
            }
        }
    }
}
