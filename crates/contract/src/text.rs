//! Checked and bounded text. Lengths are counted in characters, never in bytes.

/// Takes out what a terminal or a page would obey: control characters, except line feeds and tabs,
/// and invisible marks that reverse the direction of reading.
pub fn clean(text: &str) -> String {
    let is_kept = |c: &char| {
        let control = c.is_control() && *c != '\n' && *c != '\t';
        let direction = matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}');
        !control && !direction
    };
    // Hardly any text has such characters.
    if text.chars().all(|c| is_kept(&c)) {
        return text.trim().to_owned();
    }
    text.chars().filter(is_kept).collect::<String>().trim().to_owned()
}

/// What [`clean`] leaves of a text, when the text has at most `max` characters as it was sent, and `min` of them are left.
pub fn clean_within(text: &str, min: usize, max: usize) -> Option<String> {
    let cleaned = clean(text);
    (text.chars().count() <= max && cleaned.chars().count() >= min).then_some(cleaned)
}

/// At most `max` characters; what is longer ends in `…`.
pub fn shorten(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) if max == 0 => String::new(),
        Some(_) => {
            let end = text.char_indices().nth(max - 1).map_or(0, |(at, _)| at);
            format!("{}…", text[..end].trim_end())
        }
    }
}

/// The first sentence of a text, at most `max` characters.
pub fn first_sentence(text: &str, max: usize) -> String {
    let line = text
        .lines()
        .map(|line| line.trim_start_matches(['#', '*', '>', '-', ' ']))
        .find(|line| !line.is_empty())
        .unwrap_or("");
    let end = line
        .char_indices()
        .find(|&(at, c)| match c {
            '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' => line[at + c.len_utf8()..].starts_with(' '),
            _ => false,
        })
        .map_or(line.len(), |(at, c)| at + c.len_utf8());
    shorten(line[..end].trim_end_matches("**").trim(), max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_reach_a_terminal() {
        assert_eq!(clean("\u{1b}[2Jhello\u{202e}\r\n\tworld\0 "), "[2Jhello\n\tworld");
    }

    #[test]
    fn a_cut_counts_characters() {
        assert_eq!(shorten("先做试点", 4), "先做试点");
        assert_eq!(shorten("先做试点再说", 4), "先做试…");
        assert_eq!(shorten("ab", 0), "");
    }

    #[test]
    fn the_first_sentence_ends_at_a_full_stop() {
        assert_eq!(first_sentence("**先试点。** 然后推广。", 50), "先试点。");
        assert_eq!(first_sentence("## Use v1.2 first. Then more", 50), "Use v1.2 first.");
    }
}
