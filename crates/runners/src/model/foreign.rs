//! Tells whether a body comes from something in front of the vendor, such as a proxy or a portal, whatever its type says.
//!
//! A vendor answers in JSON or in events that hold JSON. What is neither was not written by a model, and costs nothing.

/// The number of bytes at the beginning of a body by which this is told.
const START: usize = 8;

/// How lines of an event stream begin.
const EVENT_FIELDS: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];

/// The beginning of a body, without blanks.
#[derive(Debug, Default)]
pub(crate) struct BodyStart(Vec<u8>);

impl BodyStart {
    /// The beginning of a complete body.
    pub(crate) fn of(body: &[u8]) -> Self {
        let mut start = Self::default();
        start.take(body);
        start
    }

    /// Takes the next bytes.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        let bytes = match self.0.is_empty() {
            true => {
                let bytes = bytes.trim_ascii_start();
                bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
            }
            false => bytes,
        };
        let room = START - self.0.len();
        self.0.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Whether it is a page of HTML or XML.
    pub(crate) fn is_page(&self) -> bool {
        self.0.starts_with(b"<")
    }

    /// Whether it is neither JSON of a vendor nor an event. Of an empty body nobody knows.
    pub(crate) fn is_foreign(&self) -> bool {
        let is_json = matches!(self.0.first(), None | Some(b'{' | b'['));
        !is_json && !EVENT_FIELDS.iter().any(|field| self.0.starts_with(field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_vendor_writes_is_told_from_what_stands_before_it() {
        for own in
            ["", "{\"a\":1}", " [1]", "\u{feff}{", "data: x", "event: x", ": ping", "id: 7", "retry: 1"]
        {
            for size in 1..5 {
                let mut start = BodyStart::default();
                own.as_bytes().chunks(size).for_each(|piece| start.take(piece));
                assert!(!start.is_foreign() || own.starts_with('\u{feff}'), "{own}");
            }
            assert!(!BodyStart::of(own.as_bytes()).is_foreign(), "{own}");
        }
        for (foreign, is_page) in [
            ("\r\n<!DOCTYPE html>", true),
            ("\u{feff}<html>", true),
            ("upstream error", false),
            ("null", false),
        ] {
            let start = BodyStart::of(foreign.as_bytes());
            assert_eq!((start.is_foreign(), start.is_page()), (true, is_page), "{foreign}");
        }
    }
}
