//! The report as Markdown: a template, and one for its artifacts, with the texts of the report's language from the catalogue.

use std::collections::HashMap;
use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Serde, Value};
use minijinja::{Environment, Error};
use quorate_contract::Language;
use quorate_messages::{Value as Field, filled};

use super::{Report, ReportArtifact};
use crate::guest_markdown::{below_heading, quoted};

const TEMPLATE: &str = include_str!("../templates/result.md.jinja");
const NAME: &str = "result";
const ARTIFACTS: &str = include_str!("../templates/artifacts.md.jinja");
const ARTIFACTS_NAME: &str = "artifacts";

/// The report as Markdown.
pub(super) fn render(report: &Report) -> String {
    let template = ENVIRONMENTS[&report.language].get_template(NAME).expect("the template is built in");
    template.render(Serde(report)).expect("the template renders")
}

/// One artifact as Markdown.
pub(super) fn render_artifact(language: Language, artifact: &ReportArtifact) -> String {
    let template = ENVIRONMENTS[&language].get_template(ARTIFACTS_NAME).expect("the template is built in");
    let context = serde_json::json!({ "artifacts": [artifact] });
    template.render(Serde(context)).expect("the template renders")
}

/// An environment for each language.
static ENVIRONMENTS: LazyLock<HashMap<Language, Environment<'static>>> =
    LazyLock::new(|| Language::ALL.into_iter().map(|language| (language, environment(language))).collect());

fn environment(language: Language) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.add_function("t", move |name: &str, fields: Kwargs| text(language, name, &fields));
    // Money in units of the currency, from millionths.
    environment.add_filter("money", |micros: u64| format!("{:.4}", micros as f64 / 1e6));
    environment.add_filter("line", |text: String| line(&text));
    // A title from elsewhere is no markup.
    environment.add_filter("escaped", |text: String| escaped(&text));
    // Another sentence follows.
    environment.add_filter("clause", |text: String| line(&text).trim_end_matches(['.', '。']).to_owned());
    // A bar would end a table cell.
    environment.add_filter("cell", |text: String| line(&text).replace('|', "\\|"));
    environment.add_filter("backing", move |item: Value| backing(language, &item));
    environment.add_filter("quoted", |text: String| quoted(&text));
    environment.add_filter("below_heading", |text: String| below_heading(&text));
    let lines = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(lines.expect("the marks are Jinja's own"));
    for (name, template) in [(NAME, TEMPLATE), (ARTIFACTS_NAME, ARTIFACTS)] {
        environment.add_template(name, template).expect("a built-in template is well formed");
    }
    environment
}

/// A message of the report by its name without `report-`; whole numbers choose the plural.
fn text(language: Language, name: &str, fields: &Kwargs) -> Result<String, Error> {
    let fields = fields.args().map(|name| {
        let value: Value = fields.get(name)?;
        let number = value.is_integer().then(|| i64::try_from(value.clone()).ok()).flatten();
        Ok((name, number.map_or_else(|| Field::Text(value.to_string()), Field::Number)))
    });
    let fields = fields.collect::<Result<Vec<_>, Error>>()?;
    Ok(filled(language, &format!("report-{name}"), &fields))
}

/// A text without signs of Markdown or HTML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '!') {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

/// A participant's text is one line of the report; a line feed would let it add headings, and a tag is text.
fn line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut safe = String::with_capacity(line.len());
    let mut letters = line.chars().peekable();
    let mut is_escaped = false;
    while let Some(letter) = letters.next() {
        let begins_tag = |next: &char| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?');
        if letter == '<' && !is_escaped && letters.peek().is_some_and(begins_tag) {
            safe.push('\\');
        }
        is_escaped = letter == '\\' && !is_escaped;
        safe.push(letter);
    }
    safe
}

/// The owner of a line, its quote, and its sources.
fn backing(language: Language, item: &Value) -> String {
    let words = |field: &str| item.get_attr(field).ok().and_then(|value| value.as_str().map(line));
    let around = |id: &str, text: Option<String>| {
        text.map(|text| filled(language, id, &[("text", Field::Text(text))])).unwrap_or_default()
    };
    let who = around("report-paren", words("who"));
    let quote = around("report-quote", words("quote"));
    let sources = item.get_attr("sources").ok().and_then(|sources| sources.try_iter().ok());
    let sources: Vec<String> = sources.into_iter().flatten().map(|id| id.to_string()).collect();
    let sources = if sources.is_empty() { String::new() } else { format!(" [{}]", sources.join(", ")) };
    format!("{who}{quote}{sources}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quorate_messages::ids;

    use super::*;

    /// The beginnings of names that the template puts together, with what it puts after them.
    const COMPOSED: [(&str, &[&str]); 3] = [
        ("status-", &["accepted", "proposed"]),
        ("level-", &["high", "medium", "low"]),
        ("state-", &["passed", "failed", "interrupted", "open", "not-counted"]),
    ];

    #[test]
    fn the_template_uses_every_message_of_the_report_and_no_other() {
        let templates = [TEMPLATE, ARTIFACTS].concat();
        let named = templates.split("t(\"").skip(1).filter_map(|rest| rest.split('"').next());
        let mut used: BTreeSet<String> = BTreeSet::from(["report-quote".to_owned()]);
        for name in named {
            match COMPOSED.iter().find(|(start, _)| *start == name) {
                Some((start, ends)) => used.extend(ends.iter().map(|end| format!("report-{start}{end}"))),
                None => _ = used.insert(format!("report-{name}")),
            }
        }
        let known: BTreeSet<String> = ids(Language::En, "report").map(str::to_owned).collect();
        assert_eq!(used, known);
    }
}
