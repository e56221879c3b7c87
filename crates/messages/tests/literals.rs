//! No source says a text in two languages beside each other, or in English alone: texts lie in the catalogue.

use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Where both languages stand in code, and why. A path that has none any more fails.
const EXCEPT: &[(&str, &str)] = &[
    ("a2a/src/answers.rs", "words by which people say yes and no"),
    ("contract/src/names.rs", "names that nobody may take"),
    ("core/src/prompt/record_shapes.rs", "values of records as models write them"),
    ("runners/src/simulated", "what simulated participants say"),
    (
        "runners/src/model",
        "words by which errors of vendors are known, and what a model is asked beside its prompt",
    ),
    ("sim/src", "what simulated participants and people say"),
    ("store/src/upcast/marks.rs", "what older versions wrote into messages"),
    ("vendor_emulators/src", "what stand-ins of models say"),
];

/// The scripts and templates that hold Chinese, and why. A path that has none any more fails.
const EXCEPT_WITHOUT_RUST: &[(&str, &str)] = &[
    (
        "crates/core/src/prompt/prompts/zh",
        "what models are asked; the prompts of a language are a folder of their own",
    ),
    ("web/app/src/components/providers/vendors.ts", "marks of vendors"),
    ("web/app/src/features/settings/general.tsx", "the name of a language, in that language"),
    ("web/app/src/components/times/fields.tsx", "a pattern of dates, as it is written in every language"),
    ("web/app/src/shell/language.tsx", "the name of a language, in that language"),
];

/// The crates that readers hear: at a terminal, over HTTP, through tools and on the page.
const TELLING: [&str; 10] =
    ["app", "cli", "contract", "core", "engine", "mcp", "print", "server", "store", "views"];

/// Where English prose stands in code of these crates, and why. A path that has none any more fails.
const EXCEPT_PROSE: &[(&str, &str)] = &[
    ("app/src/maintenance.rs", "a line of the log"),
    ("app/src/providers/available.rs", "a command"),
    ("app/src/providers/trial.rs", "what a model is asked"),
    ("app/src/use_cases/backup.rs", "an error of the system for whoever has gone away"),
    ("cli/src/commands/access.rs", "a command"),
    ("cli/src/commands/minutes.rs", "a command"),
    ("cli/src/language/mod.rs", "for a reader who does not understand the guessed language"),
    ("cli/src/language/usage.rs", "words by which errors of the argument parser are known"),
    ("contract/src/event/version.rs", "for the log; the database tells readers which version it has"),
    ("contract/src/ids.rs", "kinds of ids, which decoding.rs of this crate knows again"),
    ("contract/src/rules", "kinds of ids as in ids.rs, and what a serializer is told"),
    ("contract/src/signature.rs", "the bytes that are signed"),
    ("contract/src/timestamp.rs", "what a decoder is told, which decoding.rs of this crate knows again"),
    ("core/src/state/snapshot.rs", "for the log"),
    ("engine/src/error.rs", "for the log; app/src/language tells readers"),
    ("engine/src/stored_fault.rs", "for the log; app/src/language tells readers"),
    ("engine/src/ports/journal.rs", "for the log; app/src/language tells readers"),
    ("mcp/src/arguments.rs", "words by which errors of the library are known"),
    ("mcp/src/service.rs", "what a model is told"),
    ("mcp/src/subscriptions.rs", "a comment in a stream of events"),
    ("app/src/access/guests.rs", "an entry of the audit log"),
    ("server/src/requests/extract.rs", "words by which errors of libraries are known"),
    ("server/src/limits/bodies.rs", "for the log"),
    ("server/src/documentation.rs", "the description of the interface, for programmers"),
    ("server/src/document", "the description of the interface, for programmers"),
    ("server/src/live/sse.rs", "a comment in a stream of events"),
    ("server/src/live/write_timeout.rs", "for the log"),
    ("server/src/ops", "what metrics are called"),
    ("server/src/rest/idempotency.rs", "the description of the interface, for programmers"),
    ("store/src/store/agents.rs", "an invariant"),
    ("store/src/append.rs", "an invariant"),
    ("store/src/audit_spool.rs", "for the log"),
    ("store/src/store/backup.rs", "within an error of the system"),
    ("store/src/error.rs", "for the log; app/src/language tells readers"),
    ("store/src/meeting_summary.rs", "within an error of the database, and columns"),
    ("store/src/passwords.rs", "for the log; app/src/language tells readers"),
    ("store/src/postgres/writer.rs", "an invariant"),
    ("store/src/sql/postgres.rs", "an invariant"),
    ("store/src/sql/row.rs", "an invariant"),
    ("store/src/sqlite/place.rs", "within an error of the system"),
    ("store/src/tags.rs", "within an error of the database"),
    ("store/src/upcast/marks.rs", "what older versions wrote into messages"),
];

/// Where `#[error("…")]` says something in English, and who makes the words that a person reads instead. A path that has none
/// any more fails.
const EXCEPT_ERRORS: &[(&str, &str)] = &[
    ("contract/src/ids.rs", "decoding.rs of this crate knows it again"),
    ("engine/src/error.rs", "for the log; app/src/language tells readers"),
    ("engine/src/ports/journal.rs", "for the log; app/src/language tells readers"),
    ("runners/src/acp/files.rs", "for the agent that asked for the file"),
    ("runners/src/address.rs", "within errors of connections; `message` beside it tells readers"),
    ("runners/src/process/exporter.rs", "app/src/transfer/exporters.rs tells readers"),
    ("runners/src/settings.rs", "app/src/providers/available.rs tells readers"),
    ("runners/src/vendor.rs", "app/src/providers/vendors.rs tells readers"),
    ("runners/src/webhook", "app/src/webhooks/error_text.rs tells readers"),
    ("sim/src", "for developers"),
    ("store/src/error.rs", "for the log; app/src/language tells readers"),
    ("store/src/passwords.rs", "for the log; app/src/language tells readers"),
    ("store/src/sql/error.rs", "within an error of the database"),
    ("telemetry/src/lib.rs", "cli/src/commands/serve.rs tells readers"),
    ("views/src/whatif/change.rs", "`text` beside it tells readers"),
];

/// Macros whose words come from the catalogue, go into a log, or end the program.
const NOT_TOLD: [&str; 21] = [
    "message",
    "text",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "debug_span",
    "error",
    "error_span",
    "event",
    "info",
    "info_span",
    "panic",
    "path",
    "trace",
    "unreachable",
    "warn",
    "concat",
    "schema",
];

/// Calls that make an error for a reader: two words beside each other are a text already.
const ERRORS: [&str; 9] =
    ["api", "field", "hint", "invalid", "new", "our_fault", "unreadable", "usage", "wrong"];

fn is_han(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

fn is_latin(text: &str) -> bool {
    !is_han(text) && text.chars().any(|c| c.is_ascii_alphabetic())
}

/// The first string literal of tokens that are a text and little else: `"…"`, `"…".to_owned()`, `format!("…", …)`, a list
/// of these, or an arm of a `match` with one.
fn text(tokens: &[TokenTree]) -> Option<String> {
    let arrow = tokens.windows(2).position(|two| match two {
        [TokenTree::Punct(first), TokenTree::Punct(second)] => {
            first.as_char() == '=' && second.as_char() == '>'
        }
        _ => false,
    });
    let tokens = arrow.map_or(tokens, |at| &tokens[at + 2..]);
    match tokens {
        [TokenTree::Punct(reference), rest @ ..] if reference.as_char() == '&' => text(rest),
        [TokenTree::Literal(literal), rest @ ..] => {
            let calls_alone =
                matches!(rest, [] | [TokenTree::Punct(_), TokenTree::Ident(_), TokenTree::Group(_), ..]);
            let literal = literal.to_string();
            (calls_alone && literal.contains('"')).then_some(literal)
        }
        [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Group(group), ..] if name == "format" => {
            text(&parts(group.stream())[0])
        }
        [TokenTree::Group(group)] => parts(group.stream()).first().and_then(|first| text(first)),
        _ => None,
    }
}

/// Splits tokens at commas.
fn parts(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(mark) if mark.as_char() == ',' => parts.push(Vec::new()),
            _ => parts.last_mut().expect("one at least").push(token),
        }
    }
    parts
}

/// Leaves out modules for tests.
fn without_tests(tokens: TokenStream) -> TokenStream {
    let mut left = Vec::new();
    let mut skipping = false;
    for token in tokens {
        match (&token, left.last()) {
            (TokenTree::Group(group), Some(TokenTree::Punct(mark)))
                if mark.as_char() == '#' && group.stream().to_string().replace(' ', "") == "cfg(test)" =>
            {
                skipping = true;
            }
            (TokenTree::Group(group), _) if skipping && group.delimiter() == Delimiter::Brace => {
                skipping = false;
                continue;
            }
            (TokenTree::Punct(mark), _) if skipping && mark.as_char() == ';' => {
                skipping = false;
                continue;
            }
            _ => {}
        }
        if !skipping {
            left.push(token);
        }
    }
    left.into_iter().collect()
}

/// The pairs in tokens: neighbours in a list, in the arms of a `match` or in the branches of an `if`.
fn pairs(tokens: TokenStream, found: &mut Vec<(String, String)>) {
    let mut compare = |one: Option<String>, two: Option<String>| {
        if let (Some(one), Some(two)) = (one, two)
            && (is_han(&one) && is_latin(&two) || is_latin(&one) && is_han(&two))
        {
            found.push((one, two));
        }
    };
    let list: Vec<TokenTree> = tokens.into_iter().collect();
    for three in list.windows(3) {
        if let [TokenTree::Group(one), TokenTree::Ident(or), TokenTree::Group(two)] = three
            && or == "else"
        {
            let branch = |group: &proc_macro2::Group| text(&group.stream().into_iter().collect::<Vec<_>>());
            compare(branch(one), branch(two));
        }
    }
    let parts = parts(list.iter().cloned().collect());
    for two in parts.windows(2) {
        compare(text(&two[0]), text(&two[1]));
    }
    for token in list {
        if let TokenTree::Group(group) = token {
            pairs(without_tests(group.stream()), found);
        }
    }
}

fn pairs_of(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    pairs(without_tests(source.parse().expect("tokens")), &mut found);
    found
}

/// The files with one of these endings; tests and the texts of the page are left out.
fn sources(folder: &Path, endings: &[&str], into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match path.is_dir() {
            true if entry.file_name() != "tests" && entry.file_name() != "i18n" => {
                sources(&path, endings, into);
            }
            true => {}
            false if endings.contains(&ending) => into.push(path),
            false => {}
        }
    }
}

/// A script without its comments. What looks like one inside of a text, or of a regular expression, is none.
fn without_comments(script: &str) -> String {
    let mut left = String::new();
    let mut rest = script;
    let mut within: Option<char> = None;
    while let Some(c) = rest.chars().next() {
        let skipped = match (within, c) {
            (None, '/') if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            (None, '/') if rest.starts_with("//") && !left.ends_with(['\\', ':', '/']) => {
                rest.find('\n').unwrap_or(rest.len())
            }
            _ => 0,
        };
        if skipped > 0 {
            rest = &rest[skipped..];
            continue;
        }
        let escapes = within.is_some() && c == '\\';
        match within {
            None if matches!(c, '"' | '\'' | '`') => within = Some(c),
            Some(quote) if quote == c || (c == '\n' && quote != '`') => within = None,
            _ => {}
        }
        left.push(c);
        rest = &rest[c.len_utf8()..];
        if escapes && let Some(next) = rest.chars().next() {
            left.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    left
}

/// A template without its comments.
fn without_remarks(template: &str) -> String {
    let mut parts = template.split("{#");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |left, part| left + part.split_once("#}").map_or("", |(_, rest)| rest))
}

#[test]
fn no_source_says_a_text_in_two_languages() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&crates).expect("the crates").flatten() {
        sources(&entry.path().join("src"), &["rs"], &mut files);
    }
    assert!(files.len() > 100, "the sources are found");
    let mut said = Vec::new();
    let mut needed = vec![false; EXCEPT.len()];
    for file in files.iter().filter(|file| !file.ends_with("tests.rs")) {
        let source = std::fs::read_to_string(file).expect("a source");
        let path = file.strip_prefix(&crates).expect("a crate").to_string_lossy().into_owned();
        for (one, two) in pairs_of(&source) {
            match EXCEPT.iter().position(|(except, _)| path.starts_with(except)) {
                Some(at) => needed[at] = true,
                None => said.push(format!("crates/{path}: {one}, {two}")),
            }
        }
    }
    let idle = EXCEPT.iter().zip(needed).filter(|(_, needed)| !needed);
    said.extend(idle.map(|((path, _), _)| format!("{path} needs to be no exception any more")));
    assert!(
        said.is_empty(),
        "put these into crates/messages/locales (docs/messages.md):\n{}",
        said.join("\n")
    );
}

#[test]
fn no_script_and_no_template_says_a_text_of_its_own_in_chinese() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root.join("crates")).expect("the crates").flatten() {
        sources(&entry.path().join("src"), &["js", "jinja"], &mut files);
    }
    sources(&root.join("web/app/src"), &["ts", "tsx"], &mut files);
    assert!(files.len() > 250, "the scripts and the templates are found");
    let mut said = Vec::new();
    let mut needed = vec![false; EXCEPT_WITHOUT_RUST.len()];
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a source");
        let is_template = file.extension().is_some_and(|ending| ending == "jinja");
        let code = if is_template { without_remarks(&source) } else { without_comments(&source) };
        let Some(line) = code.lines().find(|line| is_han(line)) else { continue };
        let path = file.strip_prefix(&root).expect("below the root").to_string_lossy().into_owned();
        match EXCEPT_WITHOUT_RUST.iter().position(|(except, _)| path.starts_with(except)) {
            Some(at) => needed[at] = true,
            None => said.push(format!("{path}: {}", line.trim())),
        }
    }
    let idle = EXCEPT_WITHOUT_RUST.iter().zip(needed).filter(|(_, needed)| !needed);
    said.extend(idle.map(|((path, _), _)| format!("{path} needs to be no exception any more")));
    assert!(
        said.is_empty(),
        "put these into crates/messages/locales or web/app/src/i18n (docs/messages.md):\n{}",
        said.join("\n")
    );
}

/// Whether so many words of English stand beside each other in a literal.
fn has_words(literal: &str, least: usize) -> bool {
    const STATEMENTS: [&str; 8] =
        ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "PRAGMA ", "WHERE ", "FROM "];
    if STATEMENTS.iter().any(|word| literal.contains(word)) {
        return false;
    }
    let (mut most, mut now) = (0, 0);
    for word in literal.trim_matches(|c: char| !c.is_alphanumeric()).split(' ') {
        let word = word.trim_end_matches([';', ':', '.']);
        let is_word = (word.len() > 1 || word == "a") && word.chars().all(|c| c.is_ascii_lowercase());
        now = if is_word { now + 1 } else { 0 };
        most = most.max(now);
    }
    most >= least
}

/// The literals with English prose. `least`: how many words beside each other are prose here.
fn prose(tokens: TokenStream, least: usize, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = without_tests(tokens).into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let before = |back: usize| at.checked_sub(back).map(|place| tokens[place].to_string());
        match token {
            TokenTree::Literal(literal) => {
                let literal = literal.to_string();
                if literal.contains('"') && has_words(&literal, least) {
                    found.push(literal);
                }
            }
            TokenTree::Group(group) => {
                let (last, one_before) = (before(1).unwrap_or_default(), before(2).unwrap_or_default());
                let is_attribute = last == "#" || last == "!" && one_before == "#";
                let is_macro = last == "!" && NOT_TOLD.contains(&one_before.as_str());
                // What is missing is a key of the catalogue.
                let is_expected = matches!(last.as_str(), "expect" | "expect_err" | "not_found");
                if is_attribute || is_macro || is_expected {
                    continue;
                }
                let is_error = group.delimiter() == Delimiter::Parenthesis && ERRORS.contains(&last.as_str());
                let is_block = group.delimiter() == Delimiter::Brace;
                let least = if is_error {
                    2
                } else if is_block {
                    3
                } else {
                    least
                };
                prose(group.stream(), least, found);
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

#[test]
fn no_source_tells_a_reader_something_in_english_alone() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    TELLING.iter().for_each(|name| sources(&crates.join(name).join("src"), &["rs"], &mut files));
    assert!(files.len() > 500, "the sources are found");
    let mut said = Vec::new();
    let mut needed = vec![false; EXCEPT_PROSE.len()];
    for file in files.iter().filter(|file| !file.ends_with("tests.rs")) {
        let source = std::fs::read_to_string(file).expect("a source");
        let path = file.strip_prefix(&crates).expect("a crate").to_string_lossy().into_owned();
        let mut found = Vec::new();
        prose(source.parse().expect("tokens"), 3, &mut found);
        for literal in found {
            match EXCEPT_PROSE.iter().position(|(except, _)| path.starts_with(except)) {
                Some(at) => needed[at] = true,
                None => {
                    let first = literal.lines().next().unwrap_or_default().trim_end_matches('\\').to_owned();
                    let line = source.lines().position(|line| line.contains(&first)).map_or(0, |at| at + 1);
                    said.push(format!("crates/{path}:{line}: {literal}"));
                }
            }
        }
    }
    let idle = EXCEPT_PROSE.iter().zip(needed).filter(|(_, needed)| !needed);
    said.extend(idle.map(|((path, _), _)| format!("{path} needs to be no exception any more")));
    assert!(
        said.is_empty(),
        "put these into crates/messages/locales (docs/messages.md):\n{}",
        said.join("\n")
    );
}

/// The texts of `#[error("…")]` with English prose.
fn errors(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = without_tests(tokens).into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let is_attribute = at > 0 && tokens[at - 1].to_string() == "#";
        let parts: Vec<TokenTree> = group.stream().into_iter().collect();
        match (is_attribute, parts.as_slice()) {
            (true, [TokenTree::Ident(name), TokenTree::Group(said)]) if name == "error" => {
                let literals = said.stream().into_iter().map(|token| token.to_string());
                found.extend(literals.filter(|literal| literal.contains('"') && has_words(literal, 2)));
            }
            (true, _) => {}
            (false, _) => errors(group.stream(), found),
        }
    }
}

#[test]
fn no_error_tells_a_reader_something_in_english_alone() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&crates).expect("the crates").flatten() {
        sources(&entry.path().join("src"), &["rs"], &mut files);
    }
    let mut said = Vec::new();
    let mut needed = vec![false; EXCEPT_ERRORS.len()];
    for file in files.iter().filter(|file| !file.ends_with("tests.rs")) {
        let source = std::fs::read_to_string(file).expect("a source");
        let path = file.strip_prefix(&crates).expect("a crate").to_string_lossy().into_owned();
        let mut found = Vec::new();
        errors(source.parse().expect("tokens"), &mut found);
        for literal in found {
            match EXCEPT_ERRORS.iter().position(|(except, _)| path.starts_with(except)) {
                Some(at) => needed[at] = true,
                None => said.push(format!("crates/{path}: {literal}")),
            }
        }
    }
    let idle = EXCEPT_ERRORS.iter().zip(needed).filter(|(_, needed)| !needed);
    said.extend(idle.map(|((path, _), _)| format!("{path} needs to be no exception any more")));
    assert!(
        said.is_empty(),
        "give these a message of crates/messages/locales, or say in this test who makes the words for readers:\n{}",
        said.join("\n")
    );
}

#[test]
fn an_error_is_found_with_its_words_and_nothing_else() {
    let found = |source: &str| {
        let mut found = Vec::new();
        errors(source.parse().expect("tokens"), &mut found);
        found.len()
    };
    assert_eq!(
        found(
            r#"enum E { #[error("{path} cannot be read: {error}")] Unreadable { path: u8 }, #[error("no such row")] No }"#
        ),
        2
    );
    for nothing in [
        r#"#[error("{}", self.told().text(Language::En))] struct Bad;"#,
        r#"enum E { #[error(transparent)] A(B), #[error("{0}")] C(String) }"#,
        r#"#[doc = "it cannot be read"] struct Bad;"#,
    ] {
        assert_eq!(found(nothing), 0, "{nothing}");
    }
}

#[test]
fn prose_is_found_in_each_form_and_nothing_else() {
    let found = |source: &str| {
        let mut found = Vec::new();
        prose(source.parse().expect("tokens"), 3, &mut found);
        found.len()
    };
    for prose in [
        r#"fn f() { CliError::new(format!("{path} cannot be read: {error}"), message!("cli-x")) }"#,
        r#"fn f() { CliError::usage(message!("cli-x"), "try again") }"#,
        r#"fn f() { Problem::not_found(a, b).hint("look elsewhere") }"#,
        r#"fn f() { let hint = "it looks like this"; }"#,
        r#"fn f() -> &'static str { match self { Self::Full => "the disk is full" } }"#,
        r##"fn f() { g(r#"write {"a":1} without a ticket"#) }"##,
    ] {
        assert_eq!(found(prose), 1, "{prose}");
    }
    for no_prose in [
        r#"fn f() { CliError::new(message!("cli-x", path = "the given path"), text!(speech, "cli-y")) }"#,
        r#"fn f() { tracing::warn!(%error, "the log cannot be written") }"#,
        r#"fn f() { one.expect("a list has one") }"#,
        r#"fn f() { sql("SELECT key, id from meeting where id is not null") }"#,
        r#"#[error("it cannot be read")] struct Bad;"#,
        r#"#[cfg(test)] mod tests { const A: &str = "it cannot be read"; }"#,
    ] {
        assert_eq!(found(no_prose), 0, "{no_prose}");
    }
}

#[test]
fn chinese_in_a_comment_is_no_text() {
    let code = without_comments("a(); // 没有\n/* 没有 */ b(\"https://x\", '没有 // 有', `没有`);\n// 没有");
    assert_eq!(code, "a(); \n b(\"https://x\", '没有 // 有', `没有`);\n");
    assert_eq!(without_remarks("{# 没有 #}{{ a }}{# x #}有"), "{{ a }}有");
}

#[test]
fn a_pair_is_found_in_each_form_and_nothing_else() {
    let found = |source: &str| pairs_of(source).len();
    for pair in [
        r#"fn f() { g(("there is none", "没有")) }"#,
        r#"fn f() { g((format!("{x} is there"), format!("有 {x}").into())) }"#,
        r#"fn f() { speech.pick("没有".to_owned(), "none".to_owned()) }"#,
        r#"const ALL: [(&str, &str); 1] = [("none", "没有")];"#,
        r#"fn f() { match language { Language::Zh => "没有", Language::En => "none" } }"#,
        r#"fn f() { if chinese { "没有" } else { "none" } }"#,
        r#"fn f() { pick(["加入", "角色"], ["joins", "role"]) }"#,
    ] {
        assert_eq!(found(pair), 1, "{pair}");
    }
    for no_pair in [
        r#"fn f() { matches!(answer, "yes" | "是") }"#,
        r#"fn f() { g("没有", "无") }"#,
        r#"fn f() { text!(language, "app-none", path) }"#,
        r#"#[cfg(test)] mod tests { const A: (&str, &str) = ("none", "没有"); }"#,
    ] {
        assert_eq!(found(no_pair), 0, "{no_pair}");
    }
}
