//! A parser of JSON as models write it: other quotes, comments, missing or additional commas, Python
//! literals, full-width punctuation, a missing end. It never invents a value.

use serde_json::{Map, Number, Value};

/// Deeper than any answer; nothing is read below it.
const DEPTH_MAX: u32 = 48;

/// The value that was read from a position on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParsedObject {
    pub(super) object: Map<String, Value>,
    /// Its end, in bytes of the text.
    pub(super) end: usize,
    /// Whether it needed repair.
    pub(super) mended: bool,
    /// Whether it was complete.
    pub(super) cut: Cut,
}

/// The completeness of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cut {
    /// The object was complete.
    No,
    /// Only closing brackets were missing.
    AfterValue,
    /// A value broke off, and was left out with the object that holds it.
    InValue,
}

/// Reads the object that begins here, at a `{`. In a text that was `cut_off`, a list or an object inside
/// that has no end may have had more to it, and counts as broken. `fuel` bounds the work over all
/// attempts at a text.
///
/// # Errors
/// Where the objects begin that were still open when no more could be made of the text: each of them comes
/// to the same end, so that none is worth another attempt.
pub(super) fn object(
    text: &str,
    from: usize,
    cut_off: bool,
    fuel: &mut usize,
) -> Result<ParsedObject, Vec<usize>> {
    let open = Vec::new();
    let mut reader = Reader { text, at: from, cut_off, mended: false, cut: Cut::No, open, fuel };
    match reader.members(0) {
        Some(object) => Ok(ParsedObject { object, end: reader.at, mended: reader.mended, cut: reader.cut }),
        None => Err(reader.open),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    cut_off: bool,
    mended: bool,
    cut: Cut,
    /// The start positions of the objects that are open.
    open: Vec<usize>,
    fuel: &'a mut usize,
}

/// A value, or what is left of it.
enum LenientValue {
    Whole(Value),
    /// The text ended inside the value; its parent leaves it out.
    Broken,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Uses up some of the allowed work; when it is used up, nothing more is read.
    fn burn(&mut self, steps: usize) -> Option<()> {
        *self.fuel = self.fuel.saturating_sub(steps);
        (*self.fuel > 0).then_some(())
    }

    fn next(&mut self) -> Option<char> {
        self.burn(1)?;
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Passes over blanks and comments.
    fn skip(&mut self) -> Option<()> {
        loop {
            let rest = &self.text[self.at..];
            let comment = match rest.chars().next() {
                Some(c) if c.is_whitespace() || c == '\u{feff}' => {
                    self.next()?;
                    continue;
                }
                Some('#') => rest.find('\n').unwrap_or(rest.len()),
                Some('/') if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                Some('/') if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
                _ => return Some(()),
            };
            self.burn(comment)?;
            self.at += comment;
            self.mended = true;
        }
    }

    fn ends(&self) -> bool {
        self.at >= self.text.len()
    }

    fn ends_inside(&mut self, how: Cut) {
        self.mended = true;
        self.cut = self.cut.max(how);
    }

    /// The members of an object, from its `{` to behind its `}`.
    fn members(&mut self, depth: u32) -> Option<Map<String, Value>> {
        self.open.push(self.at);
        let members = self.members_inside(depth)?;
        self.open.pop();
        Some(members)
    }

    fn members_inside(&mut self, depth: u32) -> Option<Map<String, Value>> {
        let mut members = Map::new();
        self.next()?;
        loop {
            self.commas()?;
            if self.ends() {
                self.ends_inside(Cut::AfterValue);
                return Some(members);
            }
            if self.peek() == Some('}') {
                self.next()?;
                return Some(members);
            }
            let Some(key) = self.key()? else {
                self.ends_inside(Cut::InValue);
                return Some(members);
            };
            self.skip()?;
            match self.peek() {
                Some(':') => _ = self.next()?,
                Some('：') => {
                    self.next()?;
                    self.mended = true;
                }
                None => {
                    self.ends_inside(Cut::InValue);
                    return Some(members);
                }
                Some(_) => return None,
            }
            match self.value(depth + 1)? {
                LenientValue::Whole(value) => _ = members.insert(key, value),
                LenientValue::Broken => {
                    self.ends_inside(Cut::InValue);
                    return Some(members);
                }
            }
        }
    }

    /// The items of a list, from its `[` to behind its `]`.
    fn items(&mut self, depth: u32) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        self.next()?;
        loop {
            self.commas()?;
            if self.ends() {
                self.ends_inside(Cut::AfterValue);
                return Some(items);
            }
            if self.peek() == Some(']') {
                self.next()?;
                return Some(items);
            }
            match self.value(depth + 1)? {
                LenientValue::Whole(value) => items.push(value),
                LenientValue::Broken => {
                    self.ends_inside(Cut::InValue);
                    return Some(items);
                }
            }
        }
    }

    /// Skips everything between two values. A missing or additional comma does no harm, because values have
    /// ends of their own.
    fn commas(&mut self) -> Option<()> {
        self.skip()?;
        let before = self.text[..self.at].trim_end();
        let mut commas = 0;
        while let Some(comma @ (',' | '，' | '、')) = self.peek() {
            self.mended |= comma != ',';
            commas += 1;
            self.next()?;
            self.skip()?;
        }
        let first = before.ends_with(['{', '[']);
        let last = self.ends() || matches!(self.peek(), Some('}' | ']'));
        self.mended |= commas != u32::from(!first && !last);
        Some(())
    }

    /// A key: in quotes of any kind, or a bare word. `None` inside when the text ends in it.
    fn key(&mut self) -> Option<Option<String>> {
        if let Some(close) = self.peek().and_then(closing) {
            return self.string(close);
        }
        let rest = &self.text[self.at..];
        let fits = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.burn(end)?;
        if end == 0 || end > 60 {
            return None;
        }
        let key = rest[..end].to_owned();
        self.at += end;
        self.mended = true;
        Some(if self.ends() { None } else { Some(key) })
    }

    fn value(&mut self, depth: u32) -> Option<LenientValue> {
        self.skip()?;
        if depth > DEPTH_MAX {
            return None;
        }
        let Some(first) = self.peek() else { return Some(LenientValue::Broken) };
        if let Some(close) = closing(first) {
            return Some(
                self.string(close)?
                    .map_or(LenientValue::Broken, |text| LenientValue::Whole(Value::String(text))),
            );
        }
        let value = match first {
            '{' => Value::Object(self.members(depth)?),
            '[' => Value::Array(self.items(depth)?),
            _ => return self.word(),
        };
        let broken = self.cut == Cut::InValue || (self.cut == Cut::AfterValue && self.cut_off);
        Some(if broken { LenientValue::Broken } else { LenientValue::Whole(value) })
    }

    /// A number, or one of the few words that are values.
    fn word(&mut self) -> Option<LenientValue> {
        let rest = &self.text[self.at..];
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '}' | ']' | '，' | '、' | '#');
        let mut signs = rest.char_indices();
        let end = signs.find(|(at, c)| ends(*c) || (*c == '/' && rest[at + 1..].starts_with(['/', '*'])));
        let end = end.map_or(rest.len(), |(at, _)| at);
        let word = &rest[..end];
        self.burn(end)?;
        self.at += end;
        let (value, proper) = match word {
            "true" => (Value::Bool(true), true),
            "false" => (Value::Bool(false), true),
            "null" => (Value::Null, true),
            "True" | "TRUE" => (Value::Bool(true), false),
            "False" | "FALSE" => (Value::Bool(false), false),
            "None" | "NULL" | "undefined" => (Value::Null, false),
            _ if self.ends() => return Some(LenientValue::Broken), // there may have been another digit
            _ => match serde_json::from_str::<Number>(word) {
                Ok(number) => (Value::Number(number), true),
                Err(_) => (loose_number(word)?, false),
            },
        };
        self.mended |= !proper;
        Some(LenientValue::Whole(value))
    }

    /// The text up to its closing quote; `None` inside when it never comes.
    fn string(&mut self, close: &[char]) -> Option<Option<String>> {
        let open = self.next()?;
        self.mended |= open != '"';
        let mut text = String::new();
        loop {
            if self.ends() {
                return Some(None);
            }
            let c = self.next()?;
            if close.contains(&c) {
                // A quote in the middle of a word was not escaped.
                let goes_on = matches!(c, '"' | '\'') && self.peek().is_some_and(char::is_alphanumeric);
                if !goes_on {
                    return Some(Some(text));
                }
                self.mended = true;
                text.push(c);
                continue;
            }
            match c {
                '\\' if self.ends() => return Some(None),
                '\\' => match self.escape()? {
                    Some(c) => text.push(c),
                    None => return Some(None),
                },
                c => {
                    self.mended |= c < ' ';
                    text.push(c);
                }
            }
        }
    }

    /// Reads the character behind a backslash; `None` inside when the text ends in it.
    fn escape(&mut self) -> Option<Option<char>> {
        let c = match self.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => return self.code(),
            c @ ('"' | '\\' | '/') => c,
            c => {
                self.mended = true;
                c
            }
        };
        Some(Some(c))
    }

    /// A sign by its number, which may be one of a pair.
    fn code(&mut self) -> Option<Option<char>> {
        let Some(first) = self.hex() else { return if self.ends() { Some(None) } else { None } };
        if !(0xD800..0xDC00).contains(&first) {
            return Some(Some(char::from_u32(first).unwrap_or('\u{fffd}')));
        }
        let before = self.at;
        if self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            if let Some(second @ 0xDC00..=0xDFFF) = self.hex() {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Some(char::from_u32(code));
            }
        }
        self.at = before;
        Some(Some('\u{fffd}'))
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4);
        let code = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(code) = code else {
            if self.text.len() - self.at < 4 {
                self.at = self.text.len();
            }
            return None;
        };
        self.at += 4;
        u32::from_str_radix(code, 16).ok()
    }
}

/// The closing quotes of a text that begins with this sign, when it is a quote.
fn closing(open: char) -> Option<&'static [char]> {
    match open {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '“' | '”' | '＂' => Some(&['“', '”', '＂']),
        '‘' | '’' => Some(&['‘', '’']),
        _ => None,
    }
}

/// `+5`, `.5`, `85/100`, `85%`: what can only be meant as one number stays as it was written.
fn loose_number(word: &str) -> Option<Value> {
    let fits = |c: char| c.is_ascii_digit() || matches!(c, '.' | '/' | '%' | '+' | '-' | '分');
    let number = word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
    (number && word.chars().all(fits)).then(|| Value::String(word.trim_start_matches('+').to_owned()))
}
