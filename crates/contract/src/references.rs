//! References in texts to what stands in a meeting: `[m7]`, `[c4, c5]`, `[f1#12-20]`.

use std::ops::Range;

/// The longest list of references in brackets, in bytes.
const LONGEST: usize = 400;

/// The text without references, for readers who cannot look them up, and without the space before each. What stands in
/// code, or behind a word (`list[m1]`), is left.
pub fn without_references(text: &str) -> String {
    let (mut kept, mut rest, mut in_code) = (String::with_capacity(text.len()), text, false);
    while let Some(at) = rest.find(['[', '`']) {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        if from.starts_with('`') {
            let ticks = from.len() - from.trim_start_matches('`').len();
            in_code = !in_code;
            kept.push_str(&from[..ticks]);
            rest = &from[ticks..];
            continue;
        }
        let is_behind_word =
            kept.chars().next_back().is_some_and(|sign| sign.is_ascii_alphanumeric() || sign == '_');
        let after = leading_references(from).map(|(_, end)| &from[end..]);
        // What is called by an id and leads elsewhere is a link.
        let is_link = after.is_some_and(|after| after.starts_with(['(', '[', ':']));
        match after.filter(|_| !in_code && !is_behind_word && !is_link) {
            Some(after) => {
                let end = kept.trim_end_matches(' ').len();
                // At the beginning of a line the space is what sets the line in.
                if !kept[..end].is_empty() && !kept[..end].ends_with('\n') {
                    kept.truncate(end);
                }
                rest = after;
            }
            None => {
                kept.push('[');
                rest = &from[1..];
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// The references in brackets with which a text begins, `[m3, c4]`: the places of their ids, and the end of the brackets.
/// `None` where anything else stands between the brackets.
pub fn leading_references(text: &str) -> Option<(Vec<Range<usize>>, usize)> {
    // No further than a list of references can be: a text of brackets alone is read in a time that grows as it does.
    let end = text.starts_with('[').then(|| text.bytes().take(LONGEST).position(|sign| sign == b']'))??;
    let separators = [',', '，', '、'];
    let (mut places, mut at) = (Vec::new(), 1);
    for part in text[1..end].split_inclusive(separators) {
        let word = part.trim_end_matches(separators).trim();
        let from = at + (part.len() - part.trim_start().len());
        places.push(is_reference(word).then(|| from..from + word.len())?);
        at += part.len();
    }
    (!places.is_empty() && !text[..end].ends_with(separators)).then_some((places, end + 1))
}

/// A message, a claim, a call of a tool, or a place in a file: `m7`, `c4`, `t1`, `f1`, `f1#12-20`.
fn is_reference(word: &str) -> bool {
    let number =
        |digits: &str| (1..=6).contains(&digits.len()) && digits.bytes().all(|one| one.is_ascii_digit());
    match word.split_once('#') {
        None => word.strip_prefix(['m', 'c', 't', 'f']).is_some_and(number),
        Some((file, lines)) => {
            let mut lines = lines.splitn(2, '-').map(|line| line.trim_start_matches(['L', 'l']));
            file.strip_prefix('f').is_some_and(number) && lines.all(number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_of_references_are_those_of_their_ids() {
        let found = |text: &str| {
            let (places, end) = leading_references(text)?;
            Some((places.into_iter().map(|place| text[place].to_owned()).collect::<Vec<_>>().join("|"), end))
        };
        assert_eq!(found("[m3, c4、t1，f1#12-20] so"), Some(("m3|c4|t1|f1#12-20".to_owned(), 24)));
        for text in ["", "m3", "[]", "[m3", "[m3,]", "[m3,,c4]", "[m3 is]", "[m1234567]", "x [m3]"] {
            assert_eq!(found(text), None, "{text}");
        }
        let many = "[".repeat(200_000);
        assert_eq!(without_references(&many), many, "and not after a minute");
    }

    #[test]
    fn references_go_and_everything_else_stays() {
        let without = [
            ("Keep it small [m7]. Measure [c4, c5、t1].", "Keep it small. Measure."),
            ("先试点[m3]，再决定 [f1#12-20, f2#L3]。", "先试点，再决定。"),
            ("- [m7] first\n[c1] second", "- first\n second"),
            ("[[m7]", "["),
        ];
        for (text, expected) in without {
            assert_eq!(without_references(text), expected);
        }
        for text in [
            "list[m1] and `x [m1]`",
            "```\na [c1]\n```",
            "[m7](https://a.example) [m7]: x [m7 is] [] [x] [m] [f1#] [f1#a] [",
        ] {
            assert_eq!(without_references(text), text);
        }
    }
}
