//! The public part of an answer in flight: its text, without the JSON trailer that follows, which may hold
//! private notes.

/// What opens a fence of code in Markdown, at least this many times.
const FENCE_LENGTH: usize = 3;

/// The name of the language in which a trailer is fenced.
const JSON: &str = "json";

/// The longest run of white space or of signs of a fence that is looked through again for each piece, in bytes.
const RUN_MAX: usize = 1 << 10;

/// The progress of filtering an answer in flight.
#[derive(Debug, Clone, Default)]
pub struct PublicText {
    /// The length of the public part, in bytes.
    pub len: usize,
    /// Whether the trailer has begun; nothing after it is shown.
    over: bool,
    /// Whether a fence of ordinary text is open; the next one closes it.
    is_fenced: bool,
}

impl PublicText {
    /// Looks through what has come since; `text` only ever grows.
    pub fn advance(&mut self, text: &str) {
        while !self.over {
            let rest = &text[self.len..];
            let Some(at) = rest.find(['{', '`', '~']) else {
                self.len = text.len();
                return;
            };
            self.len += at;
            match judge(&rest[at..], self.is_fenced) {
                Sort::Words(bytes) => self.len += bytes,
                Sort::Fence(bytes) => {
                    self.is_fenced = !self.is_fenced;
                    self.len += bytes;
                }
                Sort::Record => self.over = true,
                Sort::Unclear => return,
            }
        }
    }
}

enum Sort {
    /// This many bytes are ordinary text.
    Words(usize),
    /// This many bytes open or close a fence of ordinary text.
    Fence(usize),
    /// The record begins here.
    Record,
    /// The kind depends on the text that follows.
    Unclear,
}

/// The kind of text that begins at a brace or at the sign of a fence: an object that begins with a key is taken for the
/// trailer, with the fence before it, and so is whatever is fenced as JSON.
fn judge(text: &str, is_fenced: bool) -> Sort {
    if let Some(rest) = text.strip_prefix('{') {
        return object(rest, Sort::Words(1));
    }
    let sign = text.chars().next().unwrap_or('`');
    let rest = text.trim_start_matches(sign);
    let signs = text.len() - rest.len();
    match signs {
        0..=RUN_MAX if rest.is_empty() => return Sort::Unclear,
        FENCE_LENGTH..=RUN_MAX => {}
        _ => return Sort::Words(signs),
    }
    let name = rest.trim_start_matches([' ', '\t']);
    match () {
        () if name.is_empty() => within_space(rest),
        () if begins_with_json(name) => Sort::Record,
        () if begins_json(name) => Sort::Unclear,
        () if is_fenced => Sort::Fence(signs),
        () => match rest.trim_start() {
            "" => within_space(rest),
            code => match code.strip_prefix('{') {
                Some(inner) => object(inner, Sort::Fence(signs)),
                None => Sort::Fence(signs),
            },
        },
    }
}

fn begins_with_json(name: &str) -> bool {
    name.get(..JSON.len()).is_some_and(|name| name.eq_ignore_ascii_case(JSON))
}

/// Whether more may follow that makes it the name.
fn begins_json(name: &str) -> bool {
    JSON.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// The kind of an object by what follows its brace.
fn object(rest: &str, otherwise: Sort) -> Sort {
    match rest.trim_start().chars().next() {
        None => within_space(rest),
        Some('"' | '\'') => Sort::Record,
        Some(_) => otherwise,
    }
}

/// White space alone says nothing yet; more of it than anybody writes is taken for a part of the trailer.
fn within_space(space: &str) -> Sort {
    if space.len() > RUN_MAX { Sort::Record } else { Sort::Unclear }
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
                for fence in ["```json", "```", "~~~json", "~~~", "```JSON", "``` json", "````"] {
                    let fenced = shown(&format!("{before}{fence}\n{record}\n```"), piece);
                    assert_eq!(fenced, before, "{fence} in pieces of {piece}");
                }
            }
            assert_eq!(shown(record, piece), "");
            assert_eq!(shown("plain {words} `and` ```code```\n", piece), "plain {words} `and` ```code```\n");
            let tilde = "~5 % and ~~none~~, not ~~~\ncode\n~~~\n";
            assert_eq!(shown(tilde, piece), tilde);
        }
    }
}
