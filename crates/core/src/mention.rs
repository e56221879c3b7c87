//! Finds who is called by name in a message (requirement 000 §5, properties 55-57).
//!
//! `@name` and `@"name with spaces"`, also beside full-width punctuation and without a space in
//! Chinese text. The longest name wins. What stands in code or in a quotation calls nobody.

use crate::ids::ParticipantId;

/// The mentioned in order of first mention, each once.
pub(crate) fn find<'a>(
    text: &str,
    names: impl Iterator<Item = (ParticipantId, &'a str)> + Clone,
) -> Vec<ParticipantId> {
    let mut found = Vec::new();
    for line in spoken_lines(text) {
        for (at, sign) in line.char_indices().filter(|&(_, c)| matches!(c, '@' | '＠')) {
            let before = line[..at].chars().next_back();
            if before.is_some_and(|c| c.is_ascii_alphanumeric()) {
                continue; // an address such as ada@example.org
            }
            let rest = &line[at + sign.len_utf8()..];
            if let Some(id) = named(rest, names.clone())
                && !found.contains(&id)
            {
                found.push(id);
            }
        }
    }
    found
}

/// The lines of a text without code and quotations.
fn spoken_lines(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && !start.starts_with('>') {
            // Between backticks is code; an unpaired backtick opens nothing.
            let parts: Vec<&str> = line.split('`').collect();
            let paired = parts.len() - (parts.len() + 1) % 2;
            let spoken = parts.iter().enumerate().filter(|(i, _)| i % 2 == 0 || *i >= paired);
            let spoken = spoken.map(|(_, part)| *part).collect::<Vec<_>>().join(" ");
            lines.push(without_quotations(&spoken));
        }
    }
    lines
}

/// A line without what stands between quotation marks; those of a name, right after the `@`, stay.
fn without_quotations(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['"', '“', '「', '『']) {
        let (before, quoted) = rest.split_at(at);
        let mark = quoted.chars().next().unwrap_or('"');
        let close = match mark {
            '“' => '”',
            '「' => '」',
            '『' => '』',
            other => other,
        };
        let inner = &quoted[mark.len_utf8()..];
        kept.push_str(before);
        match inner.find(close) {
            // A name in quotation marks is what is called.
            Some(end) if before.ends_with(['@', '＠']) => {
                let end = mark.len_utf8() + end + close.len_utf8();
                kept.push_str(&quoted[..end]);
                rest = &quoted[end..];
            }
            Some(end) => {
                kept.push(' ');
                rest = &inner[end + close.len_utf8()..];
            }
            // An unpaired mark opens nothing.
            None => {
                kept.push(mark);
                rest = inner;
            }
        }
    }
    kept + rest
}

fn named<'a>(rest: &str, names: impl Iterator<Item = (ParticipantId, &'a str)>) -> Option<ParticipantId> {
    let (quoted, rest) = match rest.strip_prefix(['"', '“', '”']) {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let fits = |name: &str| {
        let Some(after) = rest.strip_prefix(name) else { return false };
        if quoted {
            return after.starts_with(['"', '”', '“']);
        }
        // A Latin name must end where the word ends; a Chinese one may run on.
        let ends_in_word = name.chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric());
        !(ends_in_word && after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    names
        .filter(|(_, name)| !name.is_empty() && fits(name))
        .max_by_key(|(_, name)| name.len())
        .map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentions(text: &str) -> Vec<u32> {
        let names = ["Ada", "Ada Lovelace", "林晚", "林晚秋", "Ben"];
        let table = names.iter().enumerate().map(|(i, name)| (ParticipantId(i as u32), *name));
        find(text, table).into_iter().map(|id| id.0).collect()
    }

    #[test]
    fn names_are_found_beside_any_punctuation() {
        assert_eq!(mentions("请@林晚，说说"), [2]);
        assert_eq!(mentions("你觉得呢@林晚你怎么看"), [2]);
        assert_eq!(mentions("＠Ben：同意吗？（@Ada）"), [4, 0]);
        assert_eq!(mentions("@\"Ada Lovelace\" and @“Ben”"), [1, 4]);
    }

    #[test]
    fn the_longest_name_wins() {
        assert_eq!(mentions("@林晚秋 先说"), [3]);
        assert_eq!(mentions("@Ada Lovelace first"), [1]);
        assert_eq!(mentions("@Adam is nobody here"), Vec::<u32>::new());
    }

    #[test]
    fn code_quotations_and_addresses_call_nobody() {
        assert_eq!(mentions("> @Ben said\n`@Ada` and ```\n```\n@Ben\n```\nben@Ben.org"), Vec::<u32>::new());
        assert_eq!(mentions("a stray ` and @Ben"), [4]);
        assert_eq!(mentions("“@Ada”这句话是@林晚说的，「@Ben 同意」"), [2]);
        assert_eq!(mentions("she wrote \"ask @Ben\" to @\"Ada Lovelace\", 5\" tall @Ben"), [1, 4]);
    }
}
