//! References in texts to what stands in a meeting: `[m7]`, `[c4, c5]`, `[f1#12-20]`.

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
        match references(from).filter(|_| !in_code && !is_behind_word) {
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

/// What follows the references in brackets with which this begins.
fn references(text: &str) -> Option<&str> {
    let (inside, after) = text.strip_prefix('[')?.split_once(']')?;
    let is_link = after.starts_with(['(', '[', ':']);
    let mut parts = inside.split([',', '，', '、']).map(str::trim);
    (!is_link && parts.all(is_reference)).then_some(after)
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
