//! Words while they are being written, without the JSON that closes them.

use quorate_views::PublicText;

/// Shows the readable part of an answer piece by piece.
#[derive(Debug, Default)]
pub(super) struct Streamed {
    text: String,
    public: PublicText,
    shown: usize,
    /// The number of bytes of the answer that were received, hidden ones included.
    taken: usize,
}

impl Streamed {
    /// Takes the fragment that begins `offset` bytes into the answer, and returns the text to show. Bytes
    /// that were received before are left out: a slow subscriber is sent the answer so far again.
    pub(super) fn push(&mut self, offset: usize, piece: &str) -> String {
        let Some(piece) = piece.get(self.taken.saturating_sub(offset)..) else { return String::new() };
        self.taken = self.taken.max(offset) + piece.len();
        self.text.extend(piece.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')));
        self.public.advance(&self.text);
        // White space before the record belongs to it.
        let readable = self.text[..self.public.len].trim_end().len();
        // What may become a skip is not shown as words.
        if readable <= self.shown || may_skip(&self.text[..readable]) {
            return String::new();
        }
        let fresh = self.text[self.shown..readable].to_owned();
        self.shown = readable;
        fresh
    }

    /// Whether nothing has been shown.
    pub(super) fn is_empty(&self) -> bool {
        self.shown == 0
    }

    /// The part of the complete text that has not been shown; `None` when the shown text differs. The
    /// complete text may have other white space, and has no control characters.
    pub(super) fn rest_of<'a>(&self, whole: &'a str) -> Option<&'a str> {
        let counts = |c: &char| !c.is_whitespace() && !c.is_control();
        let mut chars = whole.char_indices().filter(|(_, c)| counts(c));
        let mut end = 0;
        for shown in self.text[..self.shown].chars().filter(counts) {
            match chars.next() {
                Some((at, c)) if c == shown => end = at + c.len_utf8(),
                Some(_) | None => return None,
            }
        }
        Some(&whole[end..])
    }
}

/// Whether a text of which more may come is the beginning of a skip, as the core reads one.
fn may_skip(begun: &str) -> bool {
    let bare = begun.trim_matches(['[', ']', '【', '】', '.', '。', ' ', '\n', '`', '*']).to_lowercase();
    let begins = |word: &str| word.starts_with(&bare);
    begins("skip") || begins("pass") || begins("跳过")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_json_is_never_shown() {
        let fences = ["```json\n", "```\n", "~~~json\n", "~~~\n", "``` json\n", "````json\n", ""];
        for (size, fence) in (1..8).flat_map(|size| fences.map(|fence| (size, fence))) {
            let text = format!("先说结论。\n\n用 `SQLite`。\n\n{fence}{{\"position\":\"x\"}}\n```");
            let mut streamed = Streamed::default();
            let chars: Vec<char> = text.chars().collect();
            let mut offset = 0;
            let pieces = chars.chunks(size).map(|piece| {
                let piece: String = piece.iter().collect();
                offset += piece.len();
                streamed.push(offset - piece.len(), &piece)
            });
            assert_eq!(pieces.collect::<String>(), "先说结论。\n\n用 `SQLite`。", "{size} {fence:?}");
        }
    }

    #[test]
    fn an_answer_that_is_given_again_from_its_beginning_is_shown_once() {
        let mut streamed = Streamed::default();
        let shown = [(0, "one two"), (0, "one two three"), (13, " four")];
        let shown = shown.map(|(offset, piece)| streamed.push(offset, piece));
        assert_eq!(shown.concat(), "one two three four");
    }

    #[test]
    fn what_is_left_is_found_whatever_became_of_the_white_space() {
        let mut streamed = Streamed::default();
        streamed.push(0, "one\n\n two\u{7}");
        assert_eq!(streamed.rest_of("one two three"), Some(" three"));
        assert_eq!(streamed.rest_of("one  two"), Some(""));
        assert_eq!(streamed.rest_of("one"), None);
        assert_eq!(streamed.rest_of("one or two"), None);
    }

    #[test]
    fn a_skip_is_never_shown_and_what_only_begins_like_one_is() {
        let mut skipped = Streamed::default();
        assert_eq!(["[", "SK", "IP]"].map(|piece| skipped.push(skipped.taken, piece)).concat(), "");
        assert!(skipped.is_empty());
        let mut told = Streamed::default();
        assert_eq!(
            ["[S", "QL", "ite] fits"].map(|piece| told.push(told.taken, piece)).concat(),
            "[SQLite] fits"
        );
    }

    #[test]
    fn a_terminal_is_not_obeyed_through_a_stream() {
        assert_eq!(Streamed::default().push(0, "a\u{1b}[2Jb"), "a[2Jb");
    }
}
