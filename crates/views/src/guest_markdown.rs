//! Markdown that participants have written, inside a document of ours. It looks as they meant it, but changes
//! nothing outside of itself: its HTML is text, it defines no links, and what it begins ends with it.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag};

/// How often a text is read again after a change: without one tag or definition, another may come to be one.
const PASSES: usize = 32;

/// A paragraph that is put behind a text: it is code where the text ends in a block of code.
const AFTER: &str = "after";

/// The words of somebody as a quotation.
pub fn quoted(words: &str) -> String {
    let lines = words.lines().map(|line| format!("> {}", line.replace('\t', "    ")).trim_end().to_owned());
    defused(lines.collect::<Vec<_>>().join("\n"), false)
}

/// The words of somebody below a heading of the second level: their own headings are smaller.
pub(crate) fn below_heading(words: &str) -> String {
    let mut text = defused(words.replace('\t', "    "), true);
    if let Some(fence) = open_fence(&text) {
        text = format!("{}\n{fence}", text.trim_end());
    }
    text
}

fn defused(mut text: String, lower_headings: bool) -> String {
    for _ in 0..PASSES {
        let edits = edits(&text, lower_headings);
        if edits.is_empty() {
            return text;
        }
        text = edited(&text, edits);
    }
    text.replace('<', "&lt;").replace("]:", "]\\:")
}

/// What is put in the places of what, in order.
fn edits(text: &str, lower_headings: bool) -> Vec<(Range<usize>, String)> {
    let parser = Parser::new_ext(text, options());
    let definitions = parser.reference_definitions().iter().map(|(_, definition)| definition.span.start);
    let brackets = definitions.filter_map(|start| Some(start + text[start..].find('[')?));
    let mut edits: Vec<_> = brackets.map(|at| (at..at, "\\".to_owned())).collect();
    for (event, place) in parser.into_offset_iter() {
        match event {
            Event::Html(_) | Event::InlineHtml(_) if text[place.clone()].contains('<') => {
                edits.push((place.clone(), text[place].replace('<', "&lt;")));
            }
            Event::Start(Tag::Heading { level, .. }) if lower_headings && level < HeadingLevel::H3 => {
                edits.extend(as_third_level(text, place));
            }
            _ => {}
        }
    }
    edits.sort_by_key(|(place, _)| place.start);
    edits
}

/// A heading with signs before it gets more of them, and one with a line below it becomes a paragraph.
fn as_third_level(text: &str, place: Range<usize>) -> Vec<(Range<usize>, String)> {
    let heading = &text[place.clone()];
    if heading.starts_with('#') {
        let signs = heading.bytes().take_while(|byte| *byte == b'#').count();
        return vec![(place.start..place.start + signs, "###".to_owned())];
    }
    // The line below is the last one, and has nothing else in it.
    let line = heading.trim_end().rfind('\n').map_or(place.start, |at| place.start + at + 1);
    let signs = text[line..place.end].find(['=', '-']).map_or(line, |at| line + at);
    vec![(signs..signs, "\\".to_owned())]
}

fn edited(text: &str, edits: Vec<(Range<usize>, String)>) -> String {
    let (mut safe, mut done) = (String::with_capacity(text.len() + edits.len()), 0);
    for (place, instead) in edits {
        if place.start >= done {
            safe.push_str(&text[done..place.start]);
            safe.push_str(&instead);
            done = place.end;
        }
    }
    safe.push_str(&text[done..]);
    safe
}

/// What ends the block of code in which a text ends; `None` when it does not end in one.
fn open_fence(text: &str) -> Option<String> {
    let probe = format!("{text}\n\n{AFTER}");
    let mut fence = None;
    for (event, place) in Parser::new_ext(&probe, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                let sign = probe[place.start..].chars().next()?;
                fence = Some(probe[place.start..].chars().take_while(|next| *next == sign).collect());
            }
            Event::Text(_) if place.end == probe.len() => return fence,
            Event::End(_) => fence = None,
            _ => {}
        }
    }
    None
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether HTML or a definition of a link is left.
    fn is_armed(text: &str) -> bool {
        let parser = Parser::new_ext(text, options());
        parser.reference_definitions().iter().next().is_some()
            || parser.into_offset_iter().any(|(event, place)| {
                matches!(event, Event::Html(_) | Event::InlineHtml(_)) && text[place].contains('<')
            })
    }

    /// The level of the largest heading.
    fn largest(text: &str) -> Option<HeadingLevel> {
        let level = |event| match event {
            Event::Start(Tag::Heading { level, .. }) => Some(level),
            _ => None,
        };
        Parser::new_ext(text, options()).filter_map(level).min()
    }

    #[test]
    fn nothing_in_a_message_ends_its_quotation() {
        let words = "Yes.\n\n**Ben** [m2] · 10:00\n\n## Conclusion\n<script>a()</script>\n\n1 < 2, `<b>`\n\n```\nopen";
        assert_eq!(
            quoted(words),
            "> Yes.\n>\n> **Ben** [m2] · 10:00\n>\n> ## Conclusion\n> &lt;script>a()&lt;/script>\n>\n> 1 < 2, `<b>`\n>\n> ```\n> open"
        );
    }

    #[test]
    fn no_tag_and_no_definition_is_left() {
        for words in [
            "<div>\n\\<script>alert(1)</script>",
            "Hi\n\n\t<script>alert(1)\n</script>",
            "<a title=\"\\<b>\">x</a>",
            "<!-- `x -->\n`<img src=x onerror=a()>`",
            "[m1]: https://elsewhere.example",
            "[m1]: https://one.example\n[m1]: https://two.example\n\n[M1]:\n  <https://three.example>",
        ] {
            for safe in [quoted(words), below_heading(words)] {
                assert!(!is_armed(&safe), "{safe}");
            }
        }
        let many = "[m1]: https://elsewhere.example\n".repeat(PASSES * 2);
        assert!(!is_armed(&quoted(&many)));
    }

    #[test]
    fn a_conclusion_has_small_headings_and_ends_what_it_begins() {
        let safe = below_heading(
            "# Votes\nAll.\n\nDissent\n=======\n\n#### Detail\n\n```rust\nlet a = 1 << 2;\n# no heading",
        );
        assert!(largest(&safe) >= Some(HeadingLevel::H3), "{safe}");
        assert!(safe.contains("let a = 1 << 2;\n# no heading\n```"), "{safe}");
        for plain in [
            "Use SQLite.\n\n**Why**: one file [m1].\n\n- a\n- b",
            "### Conditions\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        ] {
            assert_eq!(below_heading(plain), plain);
        }
        assert_eq!(below_heading("~~~~\n```\na"), "~~~~\n```\na\n~~~~");
        for closed in ["```\nafter\n```\nYes.", "```\n\u{fdd1}\n```", "- ```\n  a", "> ```\n> a"] {
            assert_eq!(below_heading(closed), closed);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn whatever_is_written_stays_inside(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "<b>", "</b>", "<!--", "-->", "`", "```", "~~~", "\n", "\n\n", "> ", "- ", "    ", "[m1]:", " http://x", "# ",
                "===", "---", "\\", "a", "<script>", "1. ", "\t", "|",
            ]), 0..24),
        ) {
            let words = pieces.concat();
            let (quotation, below) = (quoted(&words), below_heading(&words));
            prop_assert!(!is_armed(&quotation), "{quotation}");
            prop_assert!(!is_armed(&below), "{below}");
            prop_assert!(largest(&below).is_none_or(|level| level >= HeadingLevel::H3), "{below}");
            prop_assert_eq!(open_fence(&below), None, "{}", below);
        }
    }
}
