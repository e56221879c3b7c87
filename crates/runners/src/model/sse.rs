//! A parser of server-sent events.
//!
//! Our own rather than a crate's because of its limit: an endless line must not fill the memory, whatever a
//! server sends. Providers write one line of JSON per event, so each `data:` line is an event at once; that
//! also accepts servers that leave out the blank line between two events. A bare line of JSON counts too:
//! some gateways report their own errors in the middle of a stream without the prefix. So does an object over
//! several lines, as Google writes errors, and whole responses when no stream was requested. An object whose
//! `data:` line ends within it goes on in the next ones until a blank line, as the standard says.

/// The longest line that is taken, in bytes.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// A line was longer than [`MAX_LINE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineTooLong;

/// The incomplete line at the end of the previous chunk.
#[derive(Default)]
pub(crate) struct Lines {
    rest: Vec<u8>,
    /// Whether the previous chunk ended in CR: an LF at the start of the next belongs to it.
    after_cr: bool,
    begun: bool,
    /// The part so far of an object over several lines.
    object: Vec<u8>,
    /// Whether that object is written in `data:` lines, which a blank one ends.
    in_data: bool,
}

impl Lines {
    /// Hands the data of every event that ends in `chunk` to `event`, until that breaks off.
    pub(crate) fn feed<B>(
        &mut self,
        mut chunk: &[u8],
        mut event: impl FnMut(&[u8]) -> std::ops::ControlFlow<B>,
    ) -> Result<std::ops::ControlFlow<B>, LineTooLong> {
        use std::ops::ControlFlow;
        if self.after_cr
            && let Some((first, others)) = chunk.split_first()
        {
            self.after_cr = false;
            if *first == b'\n' {
                chunk = others;
            }
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', chunk) {
            let (head, tail) = chunk.split_at(end);
            let flow = if self.rest.is_empty() {
                fits(head.len())?;
                self.take(head, &mut event)?
            } else {
                self.keep(head)?;
                let mut line = std::mem::take(&mut self.rest);
                let flow = self.take(&line, &mut event)?;
                line.clear();
                self.rest = line;
                flow
            };
            self.begun = true;
            chunk = match tail {
                [b'\r', b'\n', others @ ..] => others,
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [_, others @ ..] => others,
                [] => &[],
            };
            if let Some(ControlFlow::Break(reason)) = flow {
                return Ok(ControlFlow::Break(reason));
            }
        }
        self.keep(chunk)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Hands over the data of a last line that the stream did not end.
    pub(crate) fn finish<B>(
        &mut self,
        mut event: impl FnMut(&[u8]) -> std::ops::ControlFlow<B>,
    ) -> std::ops::ControlFlow<B> {
        let rest = std::mem::take(&mut self.rest);
        let flow = self.take(&rest, &mut event).ok().flatten();
        match flow.unwrap_or(std::ops::ControlFlow::Continue(())) {
            std::ops::ControlFlow::Continue(()) if self.in_data => self.end_object(&mut event),
            flow => flow,
        }
    }

    /// Takes one line, and hands over the data of the event that ends in it.
    fn take<B>(
        &mut self,
        line: &[u8],
        event: &mut impl FnMut(&[u8]) -> std::ops::ControlFlow<B>,
    ) -> Result<Option<std::ops::ControlFlow<B>>, LineTooLong> {
        let line = if self.begun { line } else { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) };
        if self.in_data {
            let Some(more) = line.strip_prefix(b"data:") else {
                return Ok(if line.is_empty() { Some(self.end_object(event)) } else { None });
            };
            fits(self.object.len() + more.len())?;
            self.object.extend_from_slice(more.trim_ascii());
            return Ok(None);
        }
        let line = match (self.object.is_empty(), line) {
            (true, b"{" | b"[{") => b"{",
            (true, _) => {
                let Some(data) = data_of(line) else { return Ok(None) };
                if !(line.starts_with(b"data:") && data.starts_with(b"{") && !data.ends_with(b"}")) {
                    return Ok(Some(event(data)));
                }
                self.in_data = true;
                self.object.extend_from_slice(data);
                return Ok(None);
            }
            (false, _) => line,
        };
        fits(self.object.len() + line.len())?;
        if !matches!(line, b"}" | b"}," | b"}]") {
            self.object.extend_from_slice(line);
            return Ok(None);
        }
        self.object.push(b'}');
        Ok(Some(self.end_object(event)))
    }

    /// Hands over an object that was written over several lines.
    fn end_object<B>(
        &mut self,
        event: &mut impl FnMut(&[u8]) -> std::ops::ControlFlow<B>,
    ) -> std::ops::ControlFlow<B> {
        self.in_data = false;
        let mut object = std::mem::take(&mut self.object);
        let flow = event(&object);
        object.clear();
        self.object = object;
        flow
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), LineTooLong> {
        fits(self.rest.len() + bytes.len())?;
        self.rest.extend_from_slice(bytes);
        Ok(())
    }
}

fn fits(length: usize) -> Result<(), LineTooLong> {
    if length > MAX_LINE { Err(LineTooLong) } else { Ok(()) }
}

/// The data in a line; nothing in comments, blank lines and the other fields of an event.
fn data_of(line: &[u8]) -> Option<&[u8]> {
    let data = match line.strip_prefix(b"data:") {
        Some(data) => data.trim_ascii(),
        None if line.starts_with(b"{") => line.trim_ascii(),
        None => return None,
    };
    (!data.is_empty()).then_some(data)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    fn events(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        let mut take = |data: &[u8]| {
            found.push(String::from_utf8(data.to_vec()).expect("the tests write UTF-8"));
            ControlFlow::<()>::Continue(())
        };
        for chunk in chunks {
            assert_eq!(lines.feed(chunk, &mut take), Ok(ControlFlow::Continue(())));
        }
        assert_eq!(lines.finish(&mut take), ControlFlow::Continue(()));
        found
    }

    const WIRE: &str = "\u{feff}: hello\r\ndata: {\"a\":\"众议\"}\r\n\r\nevent: x\nid: 7\ndata:two\n\
        data: three\n\n:ping\rdata: four\r\r{\"error\":1}\n\ndata:\n\ndata: [DONE]";

    #[test]
    fn every_kind_of_line_end_comment_and_spacing_is_read() {
        let expected = [r#"{"a":"众议"}"#, "two", "three", "four", r#"{"error":1}"#, "[DONE]"];
        assert_eq!(events(&[WIRE.as_bytes()]), expected);
    }

    #[test]
    fn it_does_not_matter_where_the_bytes_are_cut() {
        let whole = events(&[WIRE.as_bytes()]);
        for size in 1..WIRE.len() {
            let chunks: Vec<&[u8]> = WIRE.as_bytes().chunks(size).collect();
            assert_eq!(events(&chunks), whole, "in pieces of {size} bytes");
        }
    }

    #[test]
    fn an_object_over_several_lines_is_one_event() {
        let wire =
            "data: one\n\n[{\n  \"a\": {\n    \"b\": 1\n  }\n}\n,\r\n{\r\n  \"c\": 2\r\n}\n]\n{\n\"d\": 3\n}";
        let expected = ["one", r#"{  "a": {    "b": 1  }}"#, r#"{  "c": 2}"#, r#"{"d": 3}"#];
        for size in 1..wire.len() {
            let chunks: Vec<&[u8]> = wire.as_bytes().chunks(size).collect();
            assert_eq!(events(&chunks), expected, "in pieces of {size} bytes");
        }
        let mut lines = Lines::default();
        lines.feed(b"{\n", |_| ControlFlow::Break(())).expect("a short line").is_continue();
        let piece = [b"x".repeat(1 << 16), b"\n".to_vec()].concat();
        let fed = (1..).find(|_| lines.feed(&piece, |_| ControlFlow::Break(())).is_err());
        assert_eq!(fed, Some(MAX_LINE / (1 << 16)), "the limit holds for the whole object");
    }

    #[test]
    fn an_object_over_several_data_lines_is_one_event() {
        let wire = "\u{feff}data: {\"a\":\ndata:  {\ndata: \"b\": 1}\n: ping\ndata: }\n\ndata: two\n\n\
            data: {\r\ndata: \"c\": {}\r\ndata: }\r\n\r\ndata: {\ndata: \"d\": 3\ndata: }";
        let expected = [r#"{"a":{"b": 1}}"#, "two", r#"{"c": {}}"#, r#"{"d": 3}"#];
        for size in 1..wire.len() {
            let chunks: Vec<&[u8]> = wire.as_bytes().chunks(size).collect();
            assert_eq!(events(&chunks), expected, "in pieces of {size} bytes");
        }
        let mut lines = Lines::default();
        lines.feed(b"data: {\n", |_| ControlFlow::Break(())).expect("a short line").is_continue();
        let piece = [b"data:".to_vec(), b"x".repeat(1 << 16), b"\n".to_vec()].concat();
        let fed = (1..).find(|_| lines.feed(&piece, |_| ControlFlow::Break(())).is_err());
        assert_eq!(fed, Some(MAX_LINE / (1 << 16)), "the limit holds for the whole object");
    }

    #[test]
    fn a_line_that_does_not_end_is_refused_at_the_limit() {
        let mut lines = Lines::default();
        let piece = [b'x'; 1 << 16];
        let fed = (1..).find(|_| lines.feed(&piece, |_| ControlFlow::Break(())).is_err());
        assert_eq!(fed, Some(MAX_LINE / piece.len() + 1));
        assert!(lines.rest.capacity() <= 2 * MAX_LINE);
        let mut one_chunk = vec![b'x'; MAX_LINE + 1];
        one_chunk.push(b'\n');
        let refused = Lines::default().feed(&one_chunk, |_| ControlFlow::Break(()));
        assert_eq!(refused, Err(LineTooLong));
    }
}
