//! Lines out of a stream of bytes, however they were cut on the way, and none longer than a bound.

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest line that is taken, its end left out, in bytes.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// The result of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, without its end. The last one needs none.
    Whole(BytesMut),
    /// More than a line may hold; nothing after it is read.
    TooLong,
    /// The end of the stream.
    End,
}

/// Reads lines.
pub(crate) struct Lines<R> {
    from: R,
    buffer: BytesMut,
    /// The number of bytes of the buffer that contain no line end.
    looked_at: usize,
    ended: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(from: R) -> Self {
        Self { from, buffer: BytesMut::new(), looked_at: 0, ended: false }
    }

    /// Reads the next line. Cancellation loses no data.
    pub(crate) async fn next(&mut self) -> Line {
        loop {
            let end = self.buffer[self.looked_at..].iter().position(|byte| *byte == b'\n');
            if let Some(end) = end {
                let mut line = self.buffer.split_to(self.looked_at + end + 1);
                self.looked_at = 0;
                line.truncate(line.len() - 1);
                return if line.len() > MAX_LINE { self.give_up() } else { Line::Whole(line) };
            }
            self.looked_at = self.buffer.len();
            if self.looked_at > MAX_LINE {
                return self.give_up();
            }
            if self.ended {
                self.looked_at = 0;
                return if self.buffer.is_empty() { Line::End } else { Line::Whole(self.buffer.split()) };
            }
            self.buffer.reserve(16 << 10);
            // An error of the pipe is its end; the exit status tells the reason.
            self.ended = !matches!(self.from.read_buf(&mut self.buffer).await, Ok(1..));
        }
    }

    fn give_up(&mut self) -> Line {
        self.buffer = BytesMut::new();
        self.looked_at = 0;
        Line::TooLong
    }

    /// Reads and discards, so that the writer is not blocked. Never returns.
    pub(crate) async fn ignore(&mut self) {
        loop {
            self.buffer.clear();
            self.buffer.reserve(16 << 10);
            if !matches!(self.from.read_buf(&mut self.buffer).await, Ok(1..)) {
                std::future::pending::<()>().await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(wire: &[u8], pieces: usize) -> Vec<Line> {
        let mut mock = Vec::new();
        for piece in wire.chunks(pieces) {
            mock.push(std::io::Cursor::new(piece.to_vec()));
        }
        // A reader that gives one piece at a time.
        struct Pieces(std::collections::VecDeque<std::io::Cursor<Vec<u8>>>);
        impl AsyncRead for Pieces {
            fn poll_read(
                mut self: std::pin::Pin<&mut Self>,
                _: &mut std::task::Context<'_>,
                into: &mut tokio::io::ReadBuf<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                if let Some(piece) = self.0.pop_front() {
                    into.put_slice(piece.get_ref());
                }
                std::task::Poll::Ready(Ok(()))
            }
        }
        let mut lines = Lines::new(Pieces(mock.into()));
        futures::executor::block_on(async {
            let mut all = Vec::new();
            loop {
                match lines.next().await {
                    Line::End => return all,
                    line => all.push(line),
                }
            }
        })
    }

    #[test]
    fn lines_are_the_same_however_they_were_cut() {
        let wire = "众议🙂\n\nlast".as_bytes();
        let whole = |text: &str| Line::Whole(text.as_bytes().into());
        for pieces in 1..wire.len() {
            assert_eq!(lines(wire, pieces), [whole("众议🙂"), whole(""), whole("last")]);
        }
    }

    #[test]
    fn a_line_of_a_megabyte_is_taken_and_a_longer_one_is_not() {
        let mut wire = vec![b'x'; MAX_LINE];
        assert!(matches!(&lines(&wire, 9_000)[..], [Line::Whole(line)] if line.len() == MAX_LINE));
        wire.push(b'x');
        assert_eq!(lines(&wire, 9_000), [Line::TooLong]);
    }
}
