//! Cuts a connection whose other end takes nothing, or says nothing to begin with.
//!
//! A stream of events is written for as long as its listener reads. One that has stopped to read, and has
//! not hung up, would be kept for ever: nobody above the socket hears of it. Nor does anybody of one that was to
//! speak HTTP/2 and says nothing.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A connection that fails when for so long nothing could be written that was to be written.
#[derive(Debug)]
pub struct WriteTimeout<S> {
    stream: S,
    write_timeout: Duration,
    /// Runs while something waits to be written.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Runs until the first words are there.
    greeting: Option<Pin<Box<Sleep>>>,
    /// How many bytes the first words still lack.
    lacking: usize,
}

/// As many bytes tell which version of HTTP is spoken.
const FIRST_WORDS: usize = 24;

impl<S> WriteTimeout<S> {
    /// Over a connection, with this write timeout.
    pub fn new(stream: S, write_timeout: Duration) -> Self {
        Self { stream, write_timeout, waiting: None, greeting: None, lacking: FIRST_WORDS }
    }

    /// The same, where the other end has so long to begin.
    pub fn greeted_within(self, write_timeout: Duration) -> Self {
        Self { greeting: Some(Box::pin(sleep(write_timeout))), ..self }
    }

    /// What reading came to, by the bytes that came; time runs until the first words are there.
    fn hear(&mut self, cx: &mut Context<'_>, read: Poll<io::Result<usize>>) -> Poll<io::Result<()>> {
        let Some(greeting) = &mut self.greeting else { return read.map_ok(|_| ()) };
        match read {
            Poll::Ready(Ok(bytes)) => {
                self.lacking = self.lacking.saturating_sub(bytes);
                // At its end a connection says nothing more.
                if self.lacking == 0 || bytes == 0 {
                    self.greeting = None;
                }
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                ready!(greeting.as_mut().poll(cx));
                Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, "the other end says nothing")))
            }
        }
    }

    /// What a write came to; time runs while it came to nothing.
    fn judge<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let write_timeout = self.write_timeout;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(write_timeout)));
        ready!(waiting.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, "the other end takes nothing")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, into);
        let read = read.map_ok(|()| into.filled().len() - before);
        self.hear(cx, read)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.judge(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.judge(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.judge(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.judge(cx, shut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn whoever_says_nothing_to_begin_with_is_cut() {
        for said in [&b""[..], b"P", b"PRI * HTTP/2.0"] {
            let (here, mut there) = tokio::io::duplex(1024);
            there.write_all(said).await.expect("there is room");
            let write_timeout = Duration::from_millis(100);
            let mut here = WriteTimeout::new(here, Duration::from_secs(60)).greeted_within(write_timeout);
            let mut heard = vec![0; said.len()];
            here.read_exact(&mut heard).await.expect("what was said");
            let error = here.read(&mut [0; 16]).await.expect_err("nothing more");
            assert_eq!(error.kind(), ErrorKind::TimedOut);
        }
        let (here, mut there) = tokio::io::duplex(1024);
        let mut here =
            WriteTimeout::new(here, Duration::from_secs(60)).greeted_within(Duration::from_millis(50));
        there.write_all(b"GET /api/v1/me HTTP/1.1\r\n").await.expect("there is room");
        here.read_exact(&mut [0; 25]).await.expect("what was said");
        let later = tokio::time::timeout(Duration::from_millis(200), here.read(&mut [0; 16])).await;
        assert!(later.is_err(), "who has begun is not cut here: {later:?}");
    }

    #[tokio::test]
    async fn whoever_takes_nothing_is_cut_and_whoever_is_slow_is_not() {
        let (here, mut there) = tokio::io::duplex(1024);
        let mut here = WriteTimeout::new(here, Duration::from_millis(200));
        let slow = tokio::spawn(async move {
            let mut piece = [0; 512];
            for _ in 0..8 {
                tokio::time::sleep(Duration::from_millis(60)).await;
                there.read_exact(&mut piece).await.expect("it is written");
            }
            there
        });
        here.write_all(&[7; 4096]).await.expect("slow is good enough");
        let _silent = slow.await.expect("it has read");
        let error = here.write_all(&[7; 4096]).await.expect_err("nobody reads");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }
}
