//! Markdown as marks on a text: where its headings, lists, emphasis and links lie.
//!
//! The exported page holds each text once, in the event that it was written in. Marks name places in it, counted as
//! JavaScript counts them (in UTF-16), so that the page reads no Markdown and says nothing twice. A mark is a list: its
//! sort, then what it needs, then its contents.
//!
//! - Blocks: `["p", …line]`, `["l", …line]` (a line of a list without paragraphs), `["h", level, …line]`,
//!   `["c", …line]` (code), `["q", …blocks]`, `["u", …items]`, `["o", start, …items]`, `["t", sides, …rows]`, `["r"]`.
//!   An item is `[task, …blocks]`, with 0 for no task, 1 for an open one and 2 for one that is done. A row is a list of
//!   cells, each a line; the first row is the head. `sides` has an `e` for each column whose cells stand at its end.
//! - Parts of a line: two numbers are a place in the text, from and to; a text is itself; `["b", …line]` (strong),
//!   `["i", …line]`, `["s", …line]`, `["k", …line]` (code), `["a", address, …line]`, `["m", tree]` (a formula, `mathml.rs`).

use std::iter::Peekable;
use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};
use serde_json::{Value, json};

use crate::formulas::{added, formula_of, restored};
use crate::markdown::{MARK, events, is_inline, marked};
use crate::mathml;

/// The marks on a text; `None` when it holds nothing but paragraphs that lines without words keep apart.
pub(crate) fn marks(text: &str) -> Option<Value> {
    let marked = marked(text);
    let mut marker = Marker { events: events(&marked).peekable(), places: Places::of(&marked) };
    let blocks = marker.blocks();
    (!is_plain(text, &blocks)).then_some(Value::Array(blocks))
}

/// Whether the text consists of plain paragraphs with only blank lines between them.
fn is_plain(text: &str, blocks: &[Value]) -> bool {
    let letters: Vec<u16> = text.encode_utf16().collect();
    let is_blank =
        |range: Range<usize>| letters[range].iter().all(|letter| [0x20, 0x09, 0x0a].contains(letter));
    let mut at = 0;
    for block in blocks {
        let parts = block.as_array().map_or(&[][..], Vec::as_slice);
        let [Value::String(sort), Value::Number(from), Value::Number(to)] = parts else { return false };
        let (Some(from), Some(to)) = (from.as_u64(), to.as_u64()) else { return false };
        let (from, to) = (from as usize, to as usize);
        if sort != "p" || at > from || to > letters.len() || !is_blank(at..from) {
            return false;
        }
        at = to;
    }
    is_blank(at..letters.len())
}

/// The parsed text, with the place of each of its bytes in the original text.
struct Places<'a> {
    marked: &'a str,
    utf16: Vec<u32>,
}

impl<'a> Places<'a> {
    fn of(marked: &'a str) -> Self {
        let mut utf16 = vec![0; marked.len() + 1];
        let mut count = 0;
        let mut added = added(marked).into_iter().peekable();
        for (at, letter) in marked.char_indices() {
            utf16[at..at + letter.len_utf8()].fill(count);
            while added.next_if(|range| range.end <= at).is_some() {}
            // The mark was not written, nor was what stands around a formula.
            let is_added = letter == MARK || added.peek().is_some_and(|range| range.contains(&at));
            count += if is_added { 0 } else { letter.len_utf16() as u32 };
        }
        utf16[marked.len()] = count;
        Self { marked, utf16 }
    }

    /// Adds a text to a line: its place in the original, or the text itself where it differs.
    fn add(&self, line: &mut Vec<Value>, text: &str, place: &Range<usize>) {
        if text.is_empty() {
            return;
        }
        let written = self.marked.get(place.clone()).unwrap_or_default();
        if written != text {
            line.push(Value::String(restored(text).replace(MARK, "")));
            return;
        }
        let (from, to) = (self.utf16[place.start], self.utf16[place.end]);
        if from == to {
            return;
        }
        match line.as_mut_slice() {
            [.., Value::Number(_), Value::Number(end)] if end.as_u64() == Some(from.into()) => {
                *end = to.into();
            }
            _ => line.extend([from.into(), to.into()]),
        }
    }
}

struct Marker<'a, I: Iterator<Item = (Event<'a>, Range<usize>)>> {
    events: Peekable<I>,
    places: Places<'a>,
}

impl<'a, I: Iterator<Item = (Event<'a>, Range<usize>)>> Marker<'a, I> {
    /// All blocks up to the end of what encloses them, which is consumed.
    fn blocks(&mut self) -> Vec<Value> {
        let mut made = Vec::new();
        while let Some((event, _)) = self.events.peek() {
            match event {
                Event::End(_) => {
                    self.events.next();
                    break;
                }
                Event::Start(tag) if !is_inline(tag) => {
                    let Some((Event::Start(tag), _)) = self.events.next() else { break };
                    self.block(tag, &mut made);
                }
                Event::Rule => {
                    self.events.next();
                    made.push(json!(["r"]));
                }
                _ => {
                    let line = self.line(false);
                    if !line.is_empty() {
                        made.push(mark("l", line));
                    }
                }
            }
        }
        made
    }

    fn block(&mut self, tag: Tag<'a>, made: &mut Vec<Value>) {
        match tag {
            Tag::Heading { level, .. } => {
                let mut parts = vec![json!(depth(level))];
                parts.extend(self.line(true));
                made.push(mark("h", parts));
            }
            Tag::CodeBlock(kind) => {
                let is_formula = matches!(&kind, CodeBlockKind::Fenced(language) if &**language == "math");
                let from = is_formula.then(|| self.events.peek().map_or(0, |(_, place)| place.start));
                let code = self.verbatim();
                let formula = from.and_then(|from| self.block_formula(from, &code));
                made.push(
                    formula.map_or_else(|| mark("c", code), |tree| mark("p", vec![mark("m", vec![tree])])),
                );
            }
            Tag::HtmlBlock => {
                let text = self.verbatim();
                made.push(mark("p", text));
            }
            Tag::BlockQuote(_) => {
                let inner = self.blocks();
                made.push(mark("q", inner));
            }
            Tag::List(start) => {
                let mut parts: Vec<Value> = start.map(Value::from).into_iter().collect();
                while let Some((Event::Start(Tag::Item), _)) = self.events.next() {
                    let task = match self.events.peek() {
                        Some((Event::TaskListMarker(done), _)) => 1 + u8::from(*done),
                        _ => 0,
                    };
                    if task > 0 {
                        self.events.next();
                    }
                    let mut item = vec![task.into()];
                    item.extend(self.blocks());
                    parts.push(Value::Array(item));
                }
                made.push(mark(if start.is_some() { "o" } else { "u" }, parts));
            }
            Tag::Table(sides) => {
                let side = |side: &Alignment| if *side == Alignment::Right { 'e' } else { 's' };
                let mut parts = vec![Value::String(sides.iter().map(side).collect())];
                while let Some((Event::Start(Tag::TableHead | Tag::TableRow), _)) = self.events.next() {
                    let mut row = Vec::new();
                    while let Some((Event::Start(Tag::TableCell), _)) = self.events.next() {
                        row.push(Value::Array(self.line(true)));
                    }
                    parts.push(Value::Array(row));
                }
                made.push(mark("t", parts));
            }
            Tag::Paragraph => {
                let line = self.line(true);
                if !line.is_empty() {
                    made.push(mark("p", line));
                }
            }
            // All other elements contain blocks.
            _ => made.extend(self.blocks()),
        }
    }

    /// The parts of a line; `closed`: up to the end of what encloses them, which is consumed.
    fn line(&mut self, closed: bool) -> Vec<Value> {
        let mut line = Vec::new();
        while let Some((event, _)) = self.events.peek() {
            match event {
                Event::End(_) if closed => {
                    self.events.next();
                    break;
                }
                Event::End(_) | Event::Rule => break,
                Event::Start(tag) if !is_inline(tag) => break,
                _ => {}
            }
            let Some((event, place)) = self.events.next() else { break };
            match event {
                Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                    self.places.add(&mut line, &text, &place);
                }
                Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                    let formula = formula_of(&text);
                    let tree = |tex: &str, display| mathml::tree(&tex.replace(MARK, ""), display);
                    if let Some(tree) =
                        formula.as_ref().and_then(|formula| tree(formula.tex, formula.display))
                    {
                        line.push(mark("m", vec![tree]));
                        continue;
                    }
                    let text = formula.map_or(&*text, |formula| formula.source);
                    let inside = self.inside(text, &place);
                    let mut code = Vec::new();
                    self.places.add(&mut code, text, &inside);
                    line.push(mark("k", code));
                }
                Event::SoftBreak => self.places.add(&mut line, "\n", &place),
                Event::HardBreak => line.push(Value::String("\n".to_owned())),
                Event::Start(tag) => {
                    let inner = self.line(true);
                    match tag {
                        Tag::Strong => line.push(mark("b", inner)),
                        Tag::Emphasis => line.push(mark("i", inner)),
                        Tag::Strikethrough => line.push(mark("s", inner)),
                        Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                            let mut parts = vec![Value::String(restored(&dest_url).replace(MARK, ""))];
                            parts.extend(inner);
                            line.push(mark("a", parts));
                        }
                        _ => line.extend(inner),
                    }
                }
                _ => {}
            }
        }
        line
    }

    /// The place of the text within the backticks of a piece of code.
    fn inside(&self, text: &str, place: &Range<usize>) -> Range<usize> {
        let written = self.places.marked.get(place.clone()).unwrap_or_default();
        match written.find(text) {
            Some(at) => place.start + at..place.start + at + text.len(),
            None => place.clone(),
        }
    }

    /// The formula that a block of code is, which begins at this place.
    fn block_formula(&self, from: usize, code: &[Value]) -> Option<Value> {
        let [Value::Number(start), Value::Number(end)] = code else { return None };
        let length = (end.as_u64()? - start.as_u64()?) as usize;
        let mut written = String::new();
        let mut counted = 0;
        for letter in self.places.marked[from..].chars().filter(|letter| *letter != MARK) {
            counted += letter.len_utf16();
            if counted > length {
                break;
            }
            written.push(letter);
        }
        mathml::tree(written.trim(), true)
    }

    /// The text of a code block or a block of HTML.
    fn verbatim(&mut self) -> Vec<Value> {
        let mut line = Vec::new();
        for (event, place) in self.events.by_ref() {
            match event {
                Event::Text(part) | Event::Html(part) => self.places.add(&mut line, &part, &place),
                Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock) => break,
                _ => {}
            }
        }
        line
    }
}

fn depth(level: HeadingLevel) -> u8 {
    level as u8
}

fn mark(sort: &str, parts: Vec<Value>) -> Value {
    let mut all = vec![Value::String(sort.to_owned())];
    all.extend(parts);
    Value::Array(all)
}

/// The events whose texts the page shows as Markdown.
const SHOWN: [&str; 13] = [
    "agent_message",
    "announcement_published",
    "conclusion_written",
    "draft_revised",
    "evaluation_written",
    "facilitation_written",
    "memory_written",
    "minutes_written",
    "pause",
    "round_started",
    "summary_written",
    "user_message",
    "vote_cast",
];

/// The fields that hold such texts, or lists of them.
const FIELDS: [&str; 9] =
    ["ask", "conclusion", "content", "focus", "position", "reason", "reasoning", "reasons", "text"];

/// The marks on the texts of an event, each with the JSON pointer to its text.
pub(crate) fn marks_of_event(event: &Value) -> Vec<(String, Value)> {
    let kind = event["type"].as_str().unwrap_or_default();
    let mut found = Vec::new();
    if SHOWN.contains(&kind) {
        walk(&event["payload"], "/payload", kind == "memory_written", &mut found);
    }
    found
}

/// `is_text`: whether a text found here is shown.
fn walk(value: &Value, pointer: &str, is_text: bool, found: &mut Vec<(String, Value)>) {
    match value {
        Value::String(text) if is_text => {
            found.extend(marks(text).map(|marks| (pointer.to_owned(), marks)));
        }
        Value::Array(all) => {
            for (place, one) in all.iter().enumerate() {
                walk(one, &format!("{pointer}/{place}"), is_text, found);
            }
        }
        Value::Object(fields) => {
            for (name, one) in fields {
                let is_shown = FIELDS.contains(&name.as_str());
                // The page splits a pointer at its slashes.
                if !name.contains('/') {
                    walk(one, &format!("{pointer}/{name}"), is_text || is_shown, found);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The marks with the pieces of the text in the places of their numbers.
    fn read(text: &str) -> Value {
        let letters: Vec<u16> = text.encode_utf16().collect();
        fn resolved(value: &Value, letters: &[u16], keeps_first: bool) -> Value {
            let Value::Array(all) = value else { return value.clone() };
            let mut made = Vec::new();
            let mut parts = all.iter().enumerate();
            while let Some((place, part)) = parts.next() {
                match part {
                    Value::Number(_) if keeps_first && place <= 1 => made.push(part.clone()),
                    Value::Number(from) => {
                        let (_, to) = parts.next().expect("numbers come in pairs");
                        let range = from.as_u64().unwrap() as usize..to.as_u64().unwrap() as usize;
                        made.push(Value::String(String::from_utf16(&letters[range]).unwrap()));
                    }
                    Value::Array(inner) => {
                        let first = inner.first().and_then(Value::as_str);
                        let item = matches!(all.first().and_then(Value::as_str), Some("u" | "o"));
                        made.push(resolved(part, letters, item || matches!(first, Some("h" | "o"))));
                    }
                    other => made.push(other.clone()),
                }
            }
            Value::Array(made)
        }
        resolved(&marks(text).expect("it has marks"), &letters, false)
    }

    #[test]
    fn paragraphs_alone_need_no_marks() {
        for plain in ["", "one line", "one\ntwo\n\nthree 😀 [m3] 1 < 2", "\n\n一行\n", "a\n \t\n\nb"] {
            assert_eq!(marks(plain), None, "{plain:?}");
        }
    }

    #[test]
    fn marks_name_places_in_the_text() {
        assert_eq!(
            read("😀 **注意：**必须 `a` *b*"),
            json!([["p", "😀 ", ["b", "注意："], "必须 ", ["k", "a"], " ", ["i", "b"]]])
        );
        assert_eq!(
            read("# T\n\n- [x] a\n- b\n\n3. c"),
            json!([["h", 1, "T"], ["u", [2, ["l", "a"]], [0, ["l", "b"]]], ["o", 3, [0, ["l", "c"]]]])
        );
        assert_eq!(read("```rust\nlet a = 1;\n```"), json!([["c", "let a = 1;\n"]]));
        assert_eq!(read("> q\n\n---"), json!([["q", ["p", "q"]], ["r"]]));
        assert_eq!(read("|a|b|\n|-|-:|\n|1|2|"), json!([["t", "se", [["a"], ["b"]], [["1"], ["2"]]]]));
        assert_eq!(
            read("[x](https://e.org) ~~y~~"),
            json!([["p", ["a", "https://e.org", "x"], " ", ["s", "y"]]])
        );
    }

    #[test]
    fn what_is_written_in_another_way_than_it_reads_is_named_itself() {
        assert_eq!(read("a &lt; \\*b*"), json!([["p", "a ", "<", " ", "*b*"]]));
        assert_eq!(read("a  \nb"), json!([["p", "a", "\n", "b"]]));
    }

    #[test]
    fn no_word_gets_lost() {
        assert_eq!(read("**x**\n\n[m3]: 同意"), json!([["p", ["b", "x"]], ["p", "[m3]: 同意"]]));
        assert_eq!(read("<b>*x*</b>"), json!([["p", "<b>", ["i", "x"], "</b>"]]));
    }

    #[test]
    fn nothing_nests_deeper_than_a_page_can_take() {
        for deep in
            ["> ".repeat(5_000) + "x", "- ".repeat(5_000) + "x", "*a ".repeat(5_000) + &"b*".repeat(5_000)]
        {
            let json = marks(&deep).expect("it has marks").to_string();
            assert!(serde_json::from_str::<Value>(&json).is_ok(), "serde_json reads 128 levels");
        }
    }
}
