//! The references in a Rust source file: its `use` lines, the paths in its code, and its definitions.
//!
//! Comments, strings and tests at the end of a file are skipped; the output of macros is not seen.

/// A path, segment by segment, and the name that it gets here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The segments of the path: `crate`, `super`, `quorate_core` …, then the rest; a last `*` imports
    /// everything.
    pub path: Vec<String>,
    pub name: String,
    /// Whether it is re-exported (`pub use`).
    pub is_export: bool,
}

/// The references of one file.
#[derive(Debug, Default)]
pub struct Source {
    pub imports: Vec<Import>,
    /// Paths in the code that begin with `crate`, `super`, `self` or a crate of ours.
    pub paths: Vec<Vec<String>>,
    pub defines: Vec<String>,
    /// Functions that have a `self`.
    pub methods: Vec<String>,
    /// Names that are called after a dot.
    pub calls: Vec<String>,
}

/// Parses one file.
pub fn read(text: &str) -> Source {
    let tokens = tokens(text);
    let mut source = Source::default();
    let mut at = 0;
    while at < tokens.len() {
        at = match tokens[at].as_str() {
            "#" if is_test_module(&tokens[at..]) => after_block(&tokens, at),
            "use" => {
                let is_export = before_use(&tokens[..at]);
                let end = (at..tokens.len()).find(|end| tokens[*end] == ";").unwrap_or(tokens.len());
                expand(&tokens[at + 1..end], &[], is_export, &mut source.imports);
                end
            }
            "fn" | "struct" | "enum" | "trait" | "const" | "static" | "type" | "union" | "macro_rules" => {
                let name = tokens[at + 1..].iter().find(|token| is_name(token));
                source.defines.extend(name.cloned());
                if tokens[at] == "fn" && takes_self(&tokens[at + 1..]) {
                    source.methods.extend(name.cloned());
                }
                at + 1
            }
            "." if tokens.get(at + 2).is_some_and(|next| next == "(") && is_name(&tokens[at + 1]) => {
                source.calls.push(tokens[at + 1].clone());
                at + 2
            }
            token if begins_path(token) && tokens.get(at + 1).is_some_and(|next| next == "::") => {
                let mut path = vec![tokens[at].clone()];
                let mut next = at + 1;
                while tokens.get(next).is_some_and(|token| token == "::")
                    && tokens.get(next + 1).is_some_and(|token| is_name(token))
                {
                    path.push(tokens[next + 1].clone());
                    next += 2;
                }
                source.paths.push(path);
                next
            }
            _ => at + 1,
        };
    }
    source
}

/// The words and signs of a source, without comments, texts and the tests in it.
pub fn words(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "#" && is_test_module(&tokens[at..]) {
            at = after_block(&tokens, at);
            continue;
        }
        found.push(tokens[at].clone());
        at += 1;
    }
    found
}

/// Whether the first parameter of a function, which begins with its name, is a `self`.
fn takes_self(tokens: &[String]) -> bool {
    let open = tokens.iter().position(|token| token == "(").unwrap_or(tokens.len());
    let first =
        tokens[open..].iter().skip(1).take(4).take_while(|token| !matches!(token.as_str(), "," | ")" | ":"));
    first.into_iter().any(|token| token == "self")
}

fn begins_path(token: &str) -> bool {
    matches!(token, "crate" | "super" | "self") || token.starts_with("quorate_")
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Whether the tokens before a `use` re-export it: `pub`, `pub(crate)`, `pub(super)` …
fn before_use(before: &[String]) -> bool {
    match before.last().map(String::as_str) {
        Some("pub") => true,
        Some(")") => before.iter().rev().take(8).any(|token| token == "pub"),
        _ => false,
    }
}

/// Whether a test module begins here: `#[cfg(test)] mod …`
fn is_test_module(tokens: &[String]) -> bool {
    let begin: Vec<&str> = tokens.iter().take(8).map(String::as_str).collect();
    begin == ["#", "[", "cfg", "(", "test", ")", "]", "mod"]
}

/// The position after the next block in braces, or after a `;` that comes before one.
fn after_block(tokens: &[String], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.as_str() {
            "{" => depth += 1,
            "}" if depth <= 1 => return at + 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The paths of a `use` with its braces.
fn expand(tree: &[String], before: &[String], is_export: bool, into: &mut Vec<Import>) {
    let mut path = before.to_vec();
    let mut at = 0;
    while at < tree.len() {
        match tree[at].as_str() {
            "::" => {}
            "{" => {
                for part in split(&tree[at + 1..closing(tree, at)]) {
                    expand(part, &path, is_export, into);
                }
                return;
            }
            "as" => {
                let name = tree.get(at + 1).cloned().unwrap_or_default();
                into.push(Import { path, name, is_export });
                return;
            }
            // A module that is named in braces: `{self, Name}`.
            "self" if at + 1 == tree.len() && !path.is_empty() => {}
            token => path.push(token.to_owned()),
        }
        at += 1;
    }
    if let Some(name) = path.last().cloned() {
        into.push(Import { path, name, is_export });
    }
}

fn closing(tokens: &[String], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "{" => depth += 1,
            "}" if depth == 1 => return at,
            "}" => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// At the commas that no braces hold.
fn split(tokens: &[String]) -> Vec<&[String]> {
    let mut parts = Vec::new();
    let (mut begin, mut depth) = (0, 0_usize);
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                parts.push(&tokens[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[begin..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The tokens of a source: names, `::` and single characters, without comments, strings and character
/// literals.
fn tokens(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        at = match letter {
            _ if letter.is_whitespace() => at + 1,
            '/' if next == Some('/') => skip_line(&letters, at),
            '/' if next == Some('*') => skip_comment(&letters, at),
            '"' => skip_text(&letters, at),
            'r' | 'b' | 'c' if raw_begins(&letters, at) => skip_raw(&letters, at),
            '\'' => skip_letter(&letters, at),
            ':' if next == Some(':') => {
                found.push("::".to_owned());
                at + 2
            }
            _ if letter.is_alphanumeric() || letter == '_' => {
                let end = (at..letters.len())
                    .find(|end| !(letters[*end].is_alphanumeric() || letters[*end] == '_'))
                    .unwrap_or(letters.len());
                found.push(letters[at..end].iter().collect());
                end
            }
            _ => {
                found.push(letter.to_string());
                at + 1
            }
        };
    }
    found
}

fn skip_line(letters: &[char], from: usize) -> usize {
    (from..letters.len()).find(|at| letters[*at] == '\n').unwrap_or(letters.len())
}

fn skip_comment(letters: &[char], from: usize) -> usize {
    let (mut at, mut depth) = (from, 0_usize);
    while at < letters.len() {
        match (letters[at], letters.get(at + 1)) {
            ('/', Some('*')) => (at, depth) = (at + 2, depth + 1),
            ('*', Some('/')) if depth == 1 => return at + 2,
            ('*', Some('/')) => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    at
}

fn skip_text(letters: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < letters.len() {
        match letters[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// `r"`, `r#"`, `br"`, `cr#"` …; `r#type` is a name.
fn raw_begins(letters: &[char], from: usize) -> bool {
    let in_word = from > 0 && (letters[from - 1].is_alphanumeric() || letters[from - 1] == '_');
    let mut at = from;
    if matches!(letters[at], 'b' | 'c') {
        at += 1;
    }
    if letters.get(at) != Some(&'r') || in_word {
        return false;
    }
    at += 1;
    while letters.get(at) == Some(&'#') {
        at += 1;
    }
    letters.get(at) == Some(&'"')
}

fn skip_raw(letters: &[char], from: usize) -> usize {
    let open = (from..letters.len()).find(|at| letters[*at] == '"').unwrap_or(letters.len());
    let marks = letters[from..open].iter().filter(|letter| **letter == '#').count();
    let ends = |at: &usize| {
        letters[*at] == '"'
            && letters[at + 1..].iter().take(marks).filter(|one| **one == '#').count() == marks
    };
    (open + 1..letters.len()).find(ends).map_or(letters.len(), |at| at + 1 + marks)
}

/// Skips a character literal or a lifetime.
fn skip_letter(letters: &[char], from: usize) -> usize {
    match (letters.get(from + 1), letters.get(from + 2)) {
        (Some('\\'), _) => {
            (from + 3..letters.len()).find(|at| letters[*at] == '\'').map_or(letters.len(), |at| at + 1)
        }
        (Some(_), Some('\'')) => from + 3,
        _ => from + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(text: &str) -> Vec<String> {
        let said = |one: Import| format!("{} as {}", one.path.join("::"), one.name);
        read(text).imports.into_iter().map(said).collect()
    }

    #[test]
    fn braces_stars_and_other_names_are_read() {
        assert_eq!(
            imports("use crate::{a::{self, B}, c::*}; pub use super::d::E as F;"),
            ["crate::a as a", "crate::a::B as B", "crate::c::* as *", "super::d::E as F"]
        );
        assert!(read("pub(crate) use a::B;").imports[0].is_export);
        assert!(!read("fn f() {} use a::B;").imports[0].is_export);
    }

    #[test]
    fn texts_comments_letters_and_tests_say_nothing() {
        let text = r##"
            // use crate::one::One;
            /* use crate::two::Two; /* and */ still */
            const A: &str = "use crate::three::Three;";
            const B: &str = r#"use "crate::four::Four;"#;
            fn f<'a>(c: char) -> bool { c == '"' || c == '\'' || crate::five::six(c) }
            #[cfg(test)]
            mod tests { use crate::seven::Seven; fn g() { {} } }
            use crate::eight::Eight;
        "##;
        let source = read(text);
        assert_eq!(imports(text), ["crate::eight::Eight as Eight"]);
        assert_eq!(source.paths, [["crate", "five", "six"]]);
        assert_eq!(source.defines, ["A", "B", "f"]);
    }
}
