//! Names: equality, likeness, and reserved names.
//!
//! Two names are *equal* when they differ only in case, in how their letters are composed, or in invisible
//! marks (NFKC and full case folding). Mentions find a participant by this rule. A name *passes for* another
//! when a reader may take it for that one (the skeletons of UTS 39): a Cyrillic letter in a Latin name, a
//! mark that is easily overlooked. Every place that takes a name goes through [`check_name`].

use std::sync::LazyLock;

use caseless::Caseless;
use quorate_messages::{Message, message};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use unicode_security::MixedScript;

use crate::actor::Person;
use crate::refusal::Refusal;

/// The kind of holder that a name is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameOf {
    /// A participant or an agent, named by the organizer. The name may be a role, such as a moderator's.
    Seat,
    /// An account's, made by an owner.
    Account,
    /// A guest without an account, who may have chosen the name.
    Guest,
}

/// Names that the meeting itself speaks as.
const OWN: [&str; 15] = [
    "system",
    "rules",
    "facilitator",
    "everyone",
    "all",
    "系统",
    "系統",
    "规则",
    "規則",
    "协调员",
    "協調員",
    "收敛器",
    "收斂器",
    "所有人",
    "全体",
];

/// Names of roles. A guest may not use them.
const ROLES: [&str; 37] = [
    "administrator",
    "admin",
    "assistant",
    "chair",
    "host",
    "moderator",
    "operator",
    "organizer",
    "owner",
    "quorate",
    "root",
    "support",
    "user",
    "person",
    "用户",
    "用戶",
    "真人",
    "you",
    "所有者",
    "主持人",
    "主持",
    "主席",
    "会议主持",
    "会议主持人",
    "管理员",
    "管理員",
    "系统管理员",
    "系統管理員",
    "众议",
    "眾議",
    "助手",
    "助理",
    "你",
    "您",
    "组织者",
    "客服",
    "官方",
];

/// A reserved name with its [`looks`].
type Reserved = (&'static str, [String; 2]);

static LOOKS_OF_OWN: LazyLock<Vec<Reserved>> = LazyLock::new(|| with_looks(&OWN));
static LOOKS_OF_ROLES: LazyLock<Vec<Reserved>> = LazyLock::new(|| with_looks(&ROLES));

fn with_looks(names: &[&'static str]) -> Vec<Reserved> {
    names.iter().map(|name| (*name, looks(name))).collect()
}

/// Whether a character is invisible: zero-width and bidirectional marks, fillers, selectors, blanks without
/// ink.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a text shows nothing: only blanks and invisible marks.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_hidden(c))
}

/// The form in which two texts are compared: composed alike, without case, without invisible marks, blanks as
/// one space. A zero-width space ends a word and counts as a space.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return spaced(text.chars().map(|c| c.to_ascii_lowercase()));
    }
    let seen = text.chars().map(|c| if c == '\u{200b}' { ' ' } else { c }).filter(|c| !is_hidden(*c));
    spaced(seen.nfkc().default_case_fold().nfkc().default_case_fold().filter(|c| !is_hidden(*c)).nfc())
}

/// With one space for each run of blanks.
fn spaced(letters: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for letter in letters {
        match letter.is_whitespace() {
            true if text.ends_with(' ') => {}
            true => text.push(' '),
            false => text.push(letter),
        }
    }
    text
}

/// Whether two names are equal.
pub fn is_same(one: &str, other: &str) -> bool {
    one == other || folded(one) == folded(other)
}

/// The appearance of a name: in lower case, and as written. Letters that look alike count as one letter; blanks, accents and
/// the marks around a name are ignored.
fn looks(name: &str) -> [String; 2] {
    let written: String = name.nfkc().collect();
    [look(&folded(name)), look(&written)]
}

fn look(text: &str) -> String {
    // The marks around the name go first: some of them look like letters.
    let inner = text.trim_matches(|c: char| is_fringe(c) || c.is_whitespace() || is_hidden(c));
    let text = if inner.is_empty() { text } else { inner };
    let alike: String = unicode_security::skeleton(text).collect();
    let letters = alike.chars().flat_map(char::to_lowercase).nfd();
    let letters = letters.filter(|c| !is_hidden(*c) && !c.is_whitespace() && !is_accent(*c));
    let whole: String = letters.nfc().collect();
    let bare = whole.trim_matches(is_fringe);
    if bare.is_empty() { whole } else { bare.to_owned() }
}

/// A mark on a letter of any script; those of Indic, Arabic, Hebrew and Japanese are letters' own.
fn is_accent(c: char) -> bool {
    is_combining_mark(c) && c.script() == Script::Inherited && !matches!(c, '\u{3099}' | '\u{309a}')
}

/// Whether a mark can stand around a name without changing how it reads.
fn is_fringe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '.' | ',' | ':' | ';' | '!' | '?' | '\'' | '"' | '`' | '*' | '_' | '~' | '-' | '|' | '/' | '\\'
        )
        || matches!(
            c,
            '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '·' | '•' | '、' | '。' | '〔' | '〕' | '—' | '–'
        )
        || matches!(
            c,
            '‘' | '’'
                | '“'
                | '”'
                | '「'
                | '」'
                | '『'
                | '』'
                | '【'
                | '】'
                | '《'
                | '》'
                | '‹'
                | '›'
                | '«'
                | '»'
        )
        || matches!(c, '\u{2010}'..='\u{2015}' | '\u{2190}'..='\u{21ff}' | '\u{2500}'..='\u{27bf}')
}

/// Checks whether a name may be used beside these others.
///
/// # Errors
/// [`Refusal::Invalid`] for this field when the name holds invisible marks, no visible character, letters
/// under a pile of marks, or a word of several scripts, or when it is a name that the meeting speaks as
/// (`system`, `p1`, 协调员) or, for a guest, a role; [`Refusal::NameTaken`] with the other's name when it passes
/// for that.
pub fn check_name<'a>(
    field: &str,
    name: &str,
    whose: NameOf,
    others: impl IntoIterator<Item = &'a str>,
) -> Result<(), Refusal> {
    let invalid = |problem: Message| {
        let hint = message!("contract-names-choose-another-name");
        Refusal::Invalid { field: field.to_owned(), problem: problem.into(), hint: hint.into() }
    };
    if let Some(hidden) = hidden_mark(name) {
        let code = format!("{:04X}", u32::from(hidden));
        return Err(invalid(message!("contract-names-hidden-mark", code)));
    }
    if whose == NameOf::Account && folded(name).starts_with(Person::GUEST_PREFIX) {
        return Err(invalid(message!("contract-names-id-of-guest")));
    }
    let looks_of_it = looks(name);
    if !looks_of_it[0].chars().any(|c| !is_fringe(c)) {
        return Err(invalid(message!("contract-names-no-letters")));
    }
    if is_piled(name) {
        return Err(invalid(message!("contract-names-too-many-marks")));
    }
    if let Some(word) =
        name.split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c)).find(|word| is_mixed(word))
    {
        return Err(invalid(message!("contract-names-mixed-scripts", word)));
    }
    if let Some(word) = suffix_of_person(name) {
        return Err(invalid(message!("contract-names-reserved", name, word)));
    }
    if let Some(word) = reserved(name, &looks_of_it, whose) {
        return Err(invalid(message!("contract-names-reserved", name, word)));
    }
    let is_taken = |other: &&str| looks(other).iter().zip(&looks_of_it).any(|(one, other)| one == other);
    match others.into_iter().find(is_taken) {
        Some(other) => Err(Refusal::NameTaken { name: other.to_owned() }),
        None => Ok(()),
    }
}

/// The first invisible mark. Joiners and selectors stay where a script or a picture needs them.
fn hidden_mark(name: &str) -> Option<char> {
    let mut before: Option<char> = None;
    name.chars().find(|c| {
        let before = before.replace(*c);
        let joins = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
        let plain = [Script::Latin, Script::Greek, Script::Cyrillic, Script::Han, Script::Hangul];
        let may_join = before.is_some_and(|c| !c.is_ascii() && !is_hidden(c) && !plain.contains(&c.script()));
        // A picture may have a selector before its joiner.
        let after_selector = *c == '\u{200d}' && before == Some('\u{fe0f}');
        is_hidden(*c) && !(joins && (may_join || after_selector))
    })
}

/// Whether a letter has more marks than any script needs, or one of them twice.
fn is_piled(name: &str) -> bool {
    let (mut marks, mut before) = (0, None);
    name.nfd().any(|c| {
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        let twice = marks > 1 && before.replace(c) == Some(c);
        before = Some(c);
        marks > 4 || twice
    })
}

/// Whether a word has letters of scripts that are not written together. Latin letters occur in Chinese,
/// Japanese and Korean words, as in `小明Bot`.
fn is_mixed(word: &str) -> bool {
    if word.is_single_script() {
        return false;
    }
    let other: String = word.chars().filter(|c| c.script() != Script::Latin).collect();
    let is_east_asian = |c: char| {
        matches!(
            c.script(),
            Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Hangul
                | Script::Bopomofo
                | Script::Common
                | Script::Inherited
        )
    };
    !(other.is_single_script() && other.chars().all(is_east_asian))
}

/// The mark that prompts put behind the name of a person, when a name ends with it.
fn suffix_of_person(name: &str) -> Option<&'static str> {
    let inner = name.trim_end().strip_suffix([')', '）', ']', '】'])?;
    let (_, word) = inner.rsplit_once(['(', '（', '[', '【'])?;
    let looks_of_it = looks(word);
    let is_it = |mark: &&str| looks(mark).iter().zip(&looks_of_it).any(|(one, other)| one == other);
    ["person", "真人"].into_iter().find(is_it)
}

/// The reserved name that looks like this one.
fn reserved(name: &str, looks_of_it: &[String; 2], whose: NameOf) -> Option<&'static str> {
    let is_it = |(_, looks): &&Reserved| looks.iter().zip(looks_of_it).any(|(one, other)| one == other);
    let roles: &[Reserved] = if whose == NameOf::Guest { &LOOKS_OF_ROLES } else { &[] };
    let word = LOOKS_OF_OWN.iter().chain(roles).find(is_it).map(|(name, _)| *name);
    let has_digits = name.nfkc().any(|c| c.is_ascii_digit());
    word.or_else(|| looks_of_it.iter().any(|look| is_number(look, has_digits)).then_some("p1"))
}

/// Whether the name looks like the id of a participant: `p1`, `P 12`, `pl`. No id begins with 0, so that a word such as
/// `Poll` is none.
fn is_number(look: &str, has_digits: bool) -> bool {
    let digits = look.strip_prefix('p').unwrap_or_default();
    // As skeletons are, 0 is o and 1 is l.
    !digits.is_empty()
        && (has_digits || !digits.starts_with('o'))
        && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, 'o' | 'l'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, whose: NameOf) -> bool {
        check_name("name", name, whose, ["Ada", "René", "林晚", "Иван", "GPT-4"]).is_err()
    }

    #[test]
    fn names_are_one_whatever_their_case_and_composition() {
        for (one, other) in
            [("René", "RENE\u{301}"), ("Straße", "STRASSE"), ("ＡＤＡ", "Ada"), ("A\u{ad}da", "ada")]
        {
            assert!(is_same(one, other), "{one} {other}");
        }
        for (one, other) in [("Ren", "René"), ("Иван", "Иванов"), ("Ада", "Ada")] {
            assert!(!is_same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn nobody_takes_a_name_that_looks_like_another() {
        let alike = [
            "Ada",
            "ada",
            "ADA",
            "Аdа",
            "Аԁа",
            "Ａｄａ",
            "A da",
            "Ada.",
            "“Ada”",
            "*Ada*",
            "Adạ",
            "Åda",
            "𝐀𝐝𝐚",
            "rene",
            "Rene\u{301}",
            "林 晚",
            "林晚。",
            "Ивaн",
            "lвaн".replace('l', "И").as_str(),
            "GPT−4",
            "gpt-4",
        ]
        .map(str::to_owned);
        for name in alike {
            for whose in [NameOf::Seat, NameOf::Account, NameOf::Guest] {
                assert!(refused(&name, whose), "{name:?}");
            }
        }
        for name in [
            "Adam",
            "Ada Lovelace",
            "Ren",
            "林晚秋",
            "Иванов",
            "GPT-4o mini",
            "Zoë",
            "小明",
            "C++",
            "नेहा",
            "👩‍💻",
        ] {
            assert!(!refused(name, NameOf::Guest), "{name:?}");
        }
    }

    #[test]
    fn nobody_takes_what_the_meeting_speaks_as() {
        for name in [
            "system",
            "System",
            "ЅYSTEM",
            "s y s t e m",
            "[system]",
            "all",
            "Lin (person)",
            "林（真人）",
            "Lin [Реrson]",
            "rules",
            "Facilitator",
            "p1",
            "P12",
            "р1",
            "pl",
            "Pll",
            "p0",
            "P01",
            "po1",
            "ｐ１",
        ] {
            assert!(refused(name, NameOf::Seat), "{name:?}");
            assert!(refused(name, NameOf::Guest), "{name:?}");
        }
        for name in ["系统", "系統", "规则", "协调员", "【协调员】", "收敛器", "系 统"] {
            assert!(refused(name, NameOf::Seat), "{name:?}");
        }
        for name in ["主持人", "Host", "moderator", "Owner", "众议", "you", "管理员", "User", "用户"]
        {
            assert!(refused(name, NameOf::Guest), "{name:?}");
            assert!(!refused(name, NameOf::Seat), "{name:?}");
        }
        // Letters of two scripts in one word are refused for guests and participants alike.
        assert!(refused("аdmin", NameOf::Guest) && refused("аdmin", NameOf::Seat));
        for name in
            ["Pa", "pole", "Paul", "systema", "Rulesby", "p", "Poll", "POLL", "Pol", "Po", "Pool", "Pollo"]
        {
            assert!(!refused(name, NameOf::Guest), "{name:?}");
        }
    }

    #[test]
    fn a_word_is_of_one_script() {
        for name in ["Zоe", "Мarta", "Αlex", "Kοstas", "Иvan", "小明Иван", "Ζoe Miller"] {
            for whose in [NameOf::Seat, NameOf::Account, NameOf::Guest] {
                assert!(refused(name, whose), "{name:?}");
            }
        }
        for name in [
            "小明Bot",
            "AI助手",
            "Марта",
            "Марта (QA)",
            "Anna-Мария",
            "さくらT",
            "김Bot",
            "ビットB2",
            "Κώστας",
            "GPT-4o",
            "R2D2",
        ] {
            assert!(!refused(name, NameOf::Guest), "{name:?}");
        }
    }

    #[test]
    fn what_nobody_sees_is_no_part_of_a_name() {
        for name in [
            "Zoe\u{200b}",
            "\u{202e}eoZ",
            "Zo\u{ad}e",
            "\u{3164}",
            "\u{2800}",
            "Z\u{200d}oe",
            "\u{e0041}Zoe",
            "...",
            "小\u{fe0f}明",
        ] {
            assert!(refused(name, NameOf::Guest), "{name:?}");
        }
        let pile = format!("Z{}", "\u{336}\u{337}".repeat(20));
        assert!(refused(&pile, NameOf::Guest));
        assert!(refused("Zo\u{308}\u{308}e", NameOf::Guest));
        for name in ["می\u{200c}خواهم", "क\u{94d}\u{200d}ष", "❤\u{fe0f}\u{200d}🔥", "Việt", "Nguyễn"]
        {
            assert!(!refused(name, NameOf::Guest), "{name:?}");
        }
    }
}
