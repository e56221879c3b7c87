//! Tells a page of HTML from a vendor's answer, whatever its content type says.
//!
//! A proxy or a portal wrote it, and no model. Any other text may stand for work that was done: a gateway that gives up
//! waiting says so in words, too.

/// So many bytes say whether a page begins.
const LENGTH: usize = 64;

/// How an answer begins, whole or as a stream of events.
const ANSWERS: [&[u8]; 3] = [b"{", b"data:", b"event:"];

/// The beginning of a body, without what is blank before it and a byte-order mark.
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
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || b"\xef\xbb\xbf".contains(byte);
        let blank =
            if self.0.is_empty() { bytes.iter().take_while(|byte| is_blank(byte)).count() } else { 0 };
        let wanted = LENGTH - self.0.len();
        self.0.extend(bytes[blank..].iter().take(wanted));
    }

    /// Whether it is a page of HTML or XML: it begins with a tag or a declaration. An answer that lost a byte on the way
    /// may begin with `<`, too, and an answer may stand behind a tag that a proxy has put before it; both were paid for.
    pub(crate) fn is_page(&self) -> bool {
        let Some((b'<', rest)) = self.0.split_first() else { return false };
        let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
        let is_tag = match (rest.first(), rest.get(name)) {
            (Some(b'!' | b'?'), _) => true,
            (Some(first), Some(end)) => {
                first.is_ascii_alphabetic() && (end.is_ascii_whitespace() || b"/>".contains(end))
            }
            _ => false,
        };
        let behind = rest.splitn(2, |byte| *byte == b'>').nth(1).unwrap_or_default().trim_ascii_start();
        is_tag && !ANSWERS.iter().any(|answer| behind.starts_with(answer))
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
            ("<html lang=\"en\">", true),
            ("<?xml version=\"1.0\"?>", true),
            ("<Error><Code>", true),
            ("<html>{}", false),
            ("<html>\ndata: {", false),
            ("<html>event: message_start", false),
            ("", false),
            ("<", false),
            ("<\"id\":\"r\"}", false),
            ("<ata: {\"id\":\"r\"}", false),
            ("<vent: message_start", false),
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
