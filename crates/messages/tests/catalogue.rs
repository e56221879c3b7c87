//! The catalogue and the sources that use it fit each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fluent_bundle::FluentResource;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quorate_messages::{FILES, KEYED, Language, Value, filled, fixed, message, text};

type Fields = BTreeSet<String>;

/// Every message of a language with the variables that it mentions.
fn read(language: Language) -> BTreeMap<String, Fields> {
    let folder = root().join("messages/locales").join(language.tag());
    let mut found = BTreeMap::new();
    for file in FILES {
        let path = folder.join(format!("{file}.ftl"));
        let source =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let resource = FluentResource::try_new(source)
            .unwrap_or_else(|(_, errors)| panic!("{}: {errors:?}", path.display()));
        for entry in resource.entries() {
            match entry {
                Entry::Message(entry) => {
                    let id = entry.id.name.to_owned();
                    assert!(
                        id.starts_with(&format!("{file}-")),
                        "{id} does not begin as its file {}",
                        path.display()
                    );
                    assert!(entry.attributes.is_empty(), "{id} has attributes, which nothing reads");
                    let mut fields = Fields::new();
                    collect(entry.value.as_ref().expect("a value"), &mut fields);
                    assert!(found.insert(id.clone(), fields).is_none(), "{id} is there twice");
                }
                Entry::Junk { content } => panic!("{}: {content}", path.display()),
                Entry::Term(_) | Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => {}
            }
        }
    }
    found
}

fn collect(pattern: &Pattern<&str>, into: &mut Fields) {
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { .. } => {}
            PatternElement::Placeable { expression } => expression_fields(expression, into),
        }
    }
}

fn expression_fields(expression: &Expression<&str>, into: &mut Fields) {
    match expression {
        Expression::Inline(inline) => inline_fields(inline, into),
        Expression::Select { selector, variants } => {
            inline_fields(selector, into);
            variants.iter().for_each(|variant| collect(&variant.value, into));
        }
    }
}

fn inline_fields(inline: &InlineExpression<&str>, into: &mut Fields) {
    match inline {
        InlineExpression::VariableReference { id } => {
            into.insert(id.name.to_owned());
        }
        InlineExpression::Placeable { expression } => expression_fields(expression, into),
        InlineExpression::FunctionReference { arguments, .. } => {
            arguments.positional.iter().for_each(|argument| inline_fields(argument, into));
        }
        InlineExpression::StringLiteral { .. }
        | InlineExpression::NumberLiteral { .. }
        | InlineExpression::MessageReference { .. }
        | InlineExpression::TermReference { .. } => {}
    }
}

/// The folder of all crates.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, into),
            false if path.extension().is_some_and(|ending| ending == "rs") => into.push(path),
            false => {}
        }
    }
}

/// The uses of `text!` and `message!` in the sources of all other crates: the place, the id, the fields.
fn used() -> Vec<(PathBuf, String, Fields)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root()).expect("the crates").flatten() {
        if entry.file_name() != "messages" {
            for part in ["src", "tests", "benches"] {
                sources(&entry.path().join(part), &mut files);
            }
        }
    }
    assert!(files.len() > 100, "the sources are found");
    // The sources of this crate that say something themselves.
    files.extend(["decoding.rs", "system.rs"].map(|source| root().join("messages/src").join(source)));
    let mut found = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a source");
        if source.contains("text!") || source.contains("message!") {
            let tokens = source.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            calls(tokens, &mut |id, fields| found.push((file.clone(), id, fields)));
        }
    }
    found
}

/// Walks through tokens, into macros, too.
fn calls(tokens: TokenStream, found: &mut dyn FnMut(String, Fields)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let name = match at.checked_sub(2).map(|before| &tokens[before..at]) {
            Some([TokenTree::Ident(name), TokenTree::Punct(mark)]) if mark.as_char() == '!' => {
                name.to_string()
            }
            _ => String::new(),
        };
        let skipped = match name.as_str() {
            "text" => Some(1),
            "message" => Some(0),
            _ => None,
        };
        if let Some(skipped) = skipped.filter(|_| group.delimiter() == Delimiter::Parenthesis) {
            let parts = parts(group.stream());
            let id = parts.get(skipped).and_then(|part| match part.as_slice() {
                [TokenTree::Literal(id)] => Some(id.to_string().trim_matches('"').to_owned()),
                _ => None,
            });
            if let Some(id) = id {
                let names = parts[skipped + 1..].iter().filter_map(|part| {
                    part.iter().find_map(|token| match token {
                        TokenTree::Ident(name) => Some(name.to_string()),
                        _ => None,
                    })
                });
                found(id, names.collect());
            }
        }
        calls(group.stream(), found);
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
    parts.retain(|part| !part.is_empty());
    parts
}

#[test]
fn every_language_has_the_same_messages_with_the_same_fields() {
    let first = read(Language::ALL[0]);
    assert!(!first.is_empty());
    for language in &Language::ALL[1..] {
        let other = read(*language);
        let only = |one: &BTreeMap<String, Fields>, two: &BTreeMap<String, Fields>| {
            one.keys().filter(|id| !two.contains_key(*id)).cloned().collect::<Vec<_>>()
        };
        assert_eq!(only(&first, &other), [""; 0], "missing in {}", language.tag());
        assert_eq!(only(&other, &first), [""; 0], "only in {}", language.tag());
        for (id, fields) in &first {
            assert_eq!(fields, &other[id], "the fields of {id} in {}", language.tag());
        }
    }
}

#[test]
fn every_file_of_a_language_is_read() {
    for language in Language::ALL {
        let folder = root().join("messages/locales").join(language.tag());
        let names = std::fs::read_dir(folder).expect("a folder for each language").flatten();
        let mut names: Vec<String> =
            names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        let mut known: Vec<String> = FILES.iter().map(|file| format!("{file}.ftl")).collect();
        known.sort();
        assert_eq!(names, known);
    }
}

#[test]
fn the_sources_use_every_message_and_no_other_and_give_its_fields() {
    let known = read(Language::En);
    let mut left: BTreeSet<&String> = known.keys().collect();
    let mut wrong = Vec::new();
    for (file, id, fields) in used() {
        match known.get(&id) {
            None => wrong.push(format!("{}: there is no message {id}", file.display())),
            Some(wanted) if *wanted != fields => {
                wrong.push(format!(
                    "{}: {id} has the fields {wanted:?} and is given {fields:?}",
                    file.display()
                ));
            }
            Some(_) => {
                left.remove(known.get_key_value(&id).expect("known").0);
            }
        }
    }
    // The form for tools is read where the message itself is.
    let unused = left.clone();
    left.retain(|id| {
        id.strip_suffix("-tools").is_none_or(|id| unused.contains(&id.to_owned()) || !known.contains_key(id))
    });
    left.retain(|id| !KEYED.iter().any(|file| id.starts_with(&format!("{file}-"))));
    wrong.extend(left.iter().map(|id| format!("nothing uses {id}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The files whose messages agents read over the Model Context Protocol, in refusals and in what tools return.
const TOLD_TO_TOOLS: [&str; 12] = [
    "answer", "app", "common", "contract", "failure", "mcp", "note", "question", "refusal", "remedy",
    "server", "store",
];

/// Messages that no tool returns: of uses that have no tool (the check of the machine, signing in, settings, WebSocket, agents of the command line), and
/// of the repetition of a request with its key, which tools do not send.
const NOT_OF_TOOLS: [&str; 27] = [
    "app-doctor-give-its-address-quorate-providers",
    "app-doctor-set-openai-api-key-another",
    "app-doctor-store-another-key-quorate-providers",
    "app-look-list",
    "app-look-log",
    "app-look-meeting",
    "app-look-meetings",
    "app-look-part",
    "app-look-turns",
    "app-no-account-hint",
    "app-no-token-hint",
    "server-has-accounts-hint",
    "server-not-by-session-hint",
    "server-proxy-without-accounts-hint",
    "server-see-docs",
    "server-see-docs-meeting",
    "server-see-docs-socket",
    "server-settings-hint",
    "server-socket-only",
    "server-start-no-owner-hint",
    "server-wrong-host-hint",
    "server-wrong-origin-hint",
    "remedy-acp-flag-folder-gone",
    "remedy-acp-flag-install-program",
    "remedy-acp-flag-is-it-an-agent",
    "remedy-acp-flag-model",
    "remedy-acp-flag-sign-in",
];

#[test]
fn what_tools_return_names_neither_addresses_nor_commands() {
    for language in Language::ALL {
        let known = read(language);
        let told = |id: &str| {
            let fields = known[id].iter().map(|name| (&*name.clone().leak(), Value::Text("x".into())));
            filled(language, id, &fields.collect::<Vec<_>>())
        };
        let names_other = |text: &str| {
            let methods =
                ["GET ", "POST ", "PUT ", "PATCH ", "DELETE ", "/api/v1", "…/", "quorate ", " --", "fork it"];
            methods.into_iter().find(|name| text.contains(name))
        };
        let mut forms = 0;
        for (id, fields) in &known {
            if let Some(of) = id.strip_suffix("-tools").filter(|_| !id.starts_with("help-")) {
                forms += 1;
                assert_eq!(known.get(of), Some(fields), "{id} is a form of {of}");
                assert_eq!(names_other(&told(id)), None, "{id}: {}", told(id));
                continue;
            }
            let is_told = TOLD_TO_TOOLS.iter().any(|file| id.starts_with(&format!("{file}-")));
            let is_elsewhere = id.ends_with("-terminal") || NOT_OF_TOOLS.contains(&id.as_str());
            if is_told && !is_elsewhere && names_other(&told(id)).is_some() {
                assert!(
                    known.contains_key(&format!("{id}-tools")),
                    "{id} has a form for tools: {}",
                    told(id)
                );
            }
        }
        assert!(forms >= 15, "{forms}");
        for id in NOT_OF_TOOLS {
            assert!(known.contains_key(id) && names_other(&told(id)).is_some(), "{id} is no exception");
        }
    }
}

#[test]
fn every_message_becomes_a_text_without_a_gap() {
    for language in Language::ALL {
        for (id, fields) in read(language) {
            for value in [Value::Number(1), Value::Number(7), Value::Text("x".into())] {
                let names = fields.iter().map(|name| (&*name.clone().leak(), value.clone()));
                let text = filled(language, &id, &names.collect::<Vec<_>>());
                assert!(!text.contains("{$") && text != id, "{id}: {text}");
                assert!(!text.contains(['\u{2068}', '\u{2069}']), "{id}: {text:?}");
            }
            if fields.is_empty() {
                let fixed = fixed(language, id.clone().leak());
                assert_ne!(fixed, id, "{id} in {}", language.tag());
            }
        }
    }
}

#[test]
fn a_text_without_fields_is_kept_and_one_with_fields_is_filled() {
    let name = "Zoe";
    assert_eq!(text!(Language::En, "refusal-is-paused"), "the meeting is paused");
    assert_eq!(text!(Language::Zh, "refusal-name-taken", name), "已经有参会者“Zoe”");
    let taken = message!("refusal-name-taken", name = %name);
    assert_eq!(
        (taken.id(), taken.text(Language::En).as_str()),
        ("refusal-name-taken", "there is already a participant \"Zoe\"")
    );
}

#[test]
fn a_list_and_a_message_within_a_message_are_in_its_language() {
    let inner = message!("refusal-no-such-participant-hint", present = &["Ada", "Ben"][..]);
    let outer = message!("refusal-is-invalid", field = "x", problem = inner);
    assert_eq!(outer.text(Language::En), "x: at the table: Ada, Ben");
    assert_eq!(outer.text(Language::Zh), "x：在场的有：Ada、Ben");
}

#[test]
fn a_call_is_found_inside_of_others_with_its_fields() {
    let tokens =
        r#"fn f() { format!("{}", text!(speech.0, "a-b", name, path = %p.display(), n = f(1, 2))) }"#;
    let mut found = Vec::new();
    calls(tokens.parse().expect("tokens"), &mut |id, fields| found.push((id, fields)));
    let fields = ["n", "name", "path"].map(str::to_owned);
    assert_eq!(found, [("a-b".to_owned(), Fields::from(fields))]);
}
