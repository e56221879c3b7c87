//! Tells a page of HTML from a vendor's answer, whatever its content type says.
//!
//! A proxy or a portal wrote it, and no model. Any other text may stand for work that was done: a gateway that gives up
//! waiting says so in words, too.

/// The beginning of a body: its first byte that is neither blank nor of a byte-order mark.
#[derive(Debug, Default)]
pub(crate) struct BodyStart(Option<u8>);

impl BodyStart {
    /// The beginning of a complete body.
    pub(crate) fn of(body: &[u8]) -> Self {
        let mut start = Self::default();
        start.take(body);
        start
    }

    /// Takes the next bytes.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        let is_content = |byte: &u8| !byte.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(byte);
        self.0 = self.0.or_else(|| bytes.iter().copied().find(is_content));
    }

    /// Whether it is a page of HTML or XML.
    pub(crate) fn is_page(&self) -> bool {
        self.0 == Some(b'<')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_told_from_an_answer_however_it_is_cut() {
        for (body, is_page) in [
            ("\r\n<!DOCTYPE html>", true),
            ("\u{feff}<html>", true),
            ("", false),
            (" {\"a\":\"<p>\"}", false),
            ("\u{feff}data: <x", false),
            ("upstream request timeout", false),
        ] {
            for size in 1..5 {
                let mut start = BodyStart::default();
                body.as_bytes().chunks(size).for_each(|piece| start.take(piece));
                assert_eq!(start.is_page(), is_page, "{body:?} by {size}");
            }
        }
    }
}
