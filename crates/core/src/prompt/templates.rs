//! The texts that models read, in files beside this one, rendered here.
//!
//! What a person or a participant wrote goes through the filters `data` or `line`, so that no
//! template can let it out of its frame by mistake.

use std::sync::OnceLock;

use minijinja::{Environment, UndefinedBehavior, Value};
use quorate_contract::Language;

use super::frame;

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        &[$(
            (concat!("zh/", $name), include_str!(concat!("prompts/zh/", $name, ".jinja"))),
            (concat!("en/", $name), include_str!(concat!("prompts/en/", $name, ".jinja"))),
        )*]
    };
}

const TEMPLATES: &[(&str, &str)] = templates![
    "participant",
    "facilitator",
    "opening",
    "blind",
    "speak",
    "agenda",
    "ideas",
    "notes",
    "vote",
    "summarize",
    "facilitate",
    "conclude",
    "contribute",
    "intake",
    "team",
    "evaluate",
    "invite",
    "minutes",
    "artifact_adr",
    "artifact_tasks",
    "artifact_risks",
    "artifact_summary",
];

/// Renders a template of this language. The templates are part of the program and their values are
/// ours, so that it cannot fail; the tests render each of them.
pub(super) fn render(language: Language, name: &str, values: Value) -> String {
    let name = format!("{}/{name}", language.pick("zh", "en"));
    let template = environment().get_template(&name).expect("the template is built in");
    template.render(values).expect("the template renders")
}

fn environment() -> &'static Environment<'static> {
    static ENVIRONMENT: OnceLock<Environment<'static>> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let mut environment = Environment::new();
        // A template that names what its prompt is not given is a mistake, and tests are to find it.
        if cfg!(debug_assertions) {
            environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        }
        environment.add_filter("data", |text: String| frame::data(&text));
        environment.add_filter("line", |text: String| frame::line(&text));
        for (name, source) in TEMPLATES {
            environment.add_template(name, source).expect("a built-in template is well formed");
        }
        environment
    })
}
