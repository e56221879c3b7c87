//! The public part of an answer in flight: its text, without the JSON trailer that follows, which may hold
//! private notes.

const FENCE: &str = "```json";

/// The progress of filtering an answer in flight.
#[derive(Debug, Clone, Default)]
pub struct PublicText {
    /// The length of the public part, in bytes.
    pub len: usize,
    /// Whether the trailer has begun; nothing after it is shown.
    over: bool,
}

impl PublicText {
    /// Looks through what has come since; `text` only ever grows.
    pub fn advance(&mut self, text: &str) {
        while !self.over {
            let rest = &text[self.len..];
            let Some(at) = rest.find(['{', '`']) else {
                self.len = text.len();
                return;
            };
            self.len += at;
            match judge(&rest[at..]) {
                Sort::Words(bytes) => self.len += bytes,
                Sort::Record => self.over = true,
                Sort::Unclear => return,
            }
        }
    }
}

enum Sort {
    /// This many bytes are ordinary text.
    Words(usize),
    /// The record begins here.
    Record,
    /// The kind depends on the text that follows.
    Unclear,
}

/// The kind of text that begins at a brace or a backtick: an object that begins with a key, or is fenced as
/// one, is taken for the trailer.
fn judge(text: &str) -> Sort {
    if let Some(rest) = text.strip_prefix('{') {
        return match rest.trim_start().chars().next() {
            None => Sort::Unclear,
            Some('"' | '\'') => Sort::Record,
            Some(_) => Sort::Words(1),
        };
    }
    match () {
        () if text.starts_with(FENCE) => Sort::Record,
        () if FENCE.starts_with(text) => Sort::Unclear,
        () => Sort::Words(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The public text of an answer that comes in fragments of `piece` characters.
    fn shown(text: &str, piece: usize) -> String {
        let (mut plain, mut so_far) = (PublicText::default(), String::new());
        let chars: Vec<char> = text.chars().collect();
        for piece in chars.chunks(piece) {
            so_far.extend(piece);
            plain.advance(&so_far);
            assert!(so_far.is_char_boundary(plain.len));
        }
        so_far[..plain.len].to_owned()
    }

    #[test]
    fn words_are_shown_and_the_record_is_not() {
        let record = r#"{"position":"x","memory":{"notes":["secret"]}}"#;
        for piece in [1, 2, 3, 7, 1000] {
            for before in
                ["Yes. ", "用 `SQLite`，理由是 {x}。\n\n", "```rust\nfn f() {}\n```\n", "a ` b `` c\n"]
            {
                assert_eq!(shown(&format!("{before}{record}"), piece), before);
                let fenced = shown(&format!("{before}```json\n{record}\n```"), piece);
                assert_eq!(fenced, before, "in pieces of {piece}");
            }
            assert_eq!(shown(record, piece), "");
            assert_eq!(shown("plain {words} `and` ```code```\n", piece), "plain {words} `and` ```code```\n");
        }
    }
}
