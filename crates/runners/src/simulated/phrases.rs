//! The sentences that simulated participants draw on, kept as data in `phrases/zh.txt` and `en.txt`.
//!
//! A template has slots, `{o}`, and places where one of several wordings is picked, `<a|b>`.
//! What is put into a slot is never read again, so a topic may contain braces and brackets.

use std::collections::HashMap;
use std::sync::LazyLock;

use quorate_contract::Language;

use super::rng::Rng;
use super::text::is_han;

/// All templates of one language, by section.
pub(super) struct Bank {
    sections: HashMap<&'static str, Vec<&'static str>>,
}

/// The bank of a language.
pub(super) fn bank(language: Language) -> &'static Bank {
    static ZH: LazyLock<Bank> = LazyLock::new(|| Bank::read(include_str!("phrases/zh.txt")));
    static EN: LazyLock<Bank> = LazyLock::new(|| Bank::read(include_str!("phrases/en.txt")));
    match language {
        Language::Zh => &ZH,
        Language::En => &EN,
    }
}

impl Bank {
    fn read(source: &'static str) -> Self {
        let mut sections: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut current = "";
        for line in source.lines().filter(|line| !line.is_empty() && !line.starts_with("// ")) {
            match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                Some(name) => current = name,
                None => sections.entry(current).or_default().push(line),
            }
        }
        Self { sections }
    }

    /// The templates of a section; none when there is no such section.
    pub(super) fn lines(&self, section: &str) -> &[&'static str] {
        self.sections.get(section).map_or(&[], Vec::as_slice)
    }

    /// All templates; what models are good at stands in every log.
    #[cfg(test)]
    pub(super) fn all_lines(&self) -> Vec<&'static str> {
        let said = self.sections.iter().filter(|(section, _)| !section.starts_with("offer."));
        said.flat_map(|(_, lines)| lines.iter().copied()).collect()
    }

    /// The template at a place of a section, counted round and round; empty when there is none.
    pub(super) fn line(&self, section: &str, place: usize) -> &'static str {
        let lines = self.lines(section);
        if lines.is_empty() { "" } else { lines[place % lines.len()] }
    }
}

/// A template's slots and what goes into them.
pub(super) type Slots<'a> = [(&'a str, &'a str)];

/// Fills a template: chooses wordings with the dice and puts the values into the slots. A slot without a
/// value vanishes. Between Chinese and Latin letters goes a thin space.
pub(super) fn fill(template: &str, slots: &Slots<'_>, rng: &mut Rng) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '<']) {
        append(&mut out, &rest[..at]);
        let (closing, inside) = if rest[at..].starts_with('{') { ('}', false) } else { ('>', true) };
        let Some(end) = rest[at..].find(closing).map(|offset| at + offset) else {
            break;
        };
        let body = &rest[at + 1..end];
        if inside {
            let wordings: Vec<&str> = body.split('|').collect();
            let wording = wordings[rng.below(wordings.len())];
            append(&mut out, &fill(wording, slots, rng));
        } else {
            let value = slots.iter().find(|(name, _)| *name == body).map_or("", |(_, value)| value);
            append(&mut out, value);
        }
        rest = &rest[end + 1..];
    }
    append(&mut out, rest);
    out
}

fn append(out: &mut String, piece: &str) {
    if let (Some(last), Some(first)) = (out.chars().next_back(), piece.chars().next()) {
        let latin = |c: char| c.is_ascii_alphanumeric();
        if (is_han(last) && latin(first)) || (latin(last) && is_han(first)) {
            out.push(' ');
        }
    }
    out.push_str(piece);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn both() -> [(&'static str, &'static Bank); 2] {
        [("zh", bank(Language::Zh)), ("en", bank(Language::En))]
    }

    #[test]
    fn both_languages_have_the_same_sections_and_enough_in_each() {
        let [(_, zh), (_, en)] = both();
        let names = |bank: &Bank| bank.sections.keys().copied().collect::<BTreeSet<_>>();
        assert_eq!(names(en), names(zh));
        for (language, bank) in both() {
            for (section, lines) in &bank.sections {
                let kind = section.rsplit('.').next().unwrap_or_default();
                let least = match kind {
                    "claim" => 6,
                    "counter" => 4,
                    "condition" | "alt" => 3,
                    _ => 1,
                };
                if kind == "words" {
                    let small = |line: &&str| **line == line.to_ascii_lowercase();
                    assert!(lines.iter().all(small), "{language} [{section}] is searched in small letters");
                }
                assert!(lines.len() >= least, "{language} [{section}] has {} lines", lines.len());
            }
        }
    }

    #[test]
    fn templates_use_known_slots_and_close_what_they_open() {
        let known = ["o", "r", "k", "t", "w", "x", "l", "n", "m", "c", "f", "s", "d", "owner"];
        for (language, bank) in both() {
            for (section, lines) in bank.sections.iter().filter(|(name, _)| **name != "inject") {
                for line in lines {
                    let place = format!("{language} [{section}] {line}");
                    assert_eq!(line.matches('<').count(), line.matches('>').count(), "{place}");
                    assert_eq!(line.matches('「').count(), line.matches('」').count(), "{place}");
                    assert_eq!(line.matches('“').count(), line.matches('”').count(), "{place}");
                    for slot in line.split('{').skip(1) {
                        let name = slot.split('}').next().unwrap_or_default();
                        assert!(known.contains(&name), "{place}: unknown slot {name}");
                    }
                }
            }
        }
    }

    /// Nothing is known of the grammar of a topic, so it stands in quotation marks or not at all.
    #[test]
    fn a_topic_is_quoted_wherever_it_stands() {
        for (language, bank) in both() {
            for (section, lines) in &bank.sections {
                for line in lines {
                    let bare = line.replace("「{k}」", "").replace("“{k}”", "");
                    assert!(!bare.contains("{k}"), "{language} [{section}] {line}");
                }
            }
        }
    }

    #[test]
    fn chinese_templates_are_chinese_throughout() {
        for (section, lines) in bank(Language::Zh).sections.iter().filter(|(name, _)| **name != "inject") {
            for line in lines {
                let filled = fill(line, &[], &mut Rng::new(&[1]));
                let stray = filled.chars().find(|c| c.is_ascii_alphabetic() || ",;:!?()\"".contains(*c));
                assert_eq!(stray, None, "[{section}] {line}");
            }
        }
    }

    #[test]
    fn values_are_not_read_again() {
        let filled = fill("选{o}", &[("o", "{k}<a|b>")], &mut Rng::new(&[1]));
        assert_eq!(filled, "选{k}<a|b>");
    }

    #[test]
    fn latin_words_keep_a_distance_from_chinese_ones() {
        let filled = fill("把{o}用<起来|起来>，再看", &[("o", "SQLite")], &mut Rng::new(&[1]));
        assert_eq!(filled, "把 SQLite 用起来，再看");
    }
}
