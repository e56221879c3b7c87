//! Answers of the models: a few sentences, or an object by the schema.

use serde_json::{Map, Value, json};

use crate::question::{ModelBehaviour, Question, temper};

/// The text of the answer.
pub(crate) fn answer(question: &Question, number: u64) -> String {
    let chinese = question.words.chars().any(|c| matches!(c, '\u{4e00}'..='\u{9fff}'));
    let Some(schema) = &question.schema else { return prose(question, number, chinese) };
    if temper(&question.model, number) == ModelBehaviour::Dumb {
        return format!("Sure! Here is what you asked for, as {} sees it: all is well.", question.model);
    }
    object(schema, question, number, chinese).to_string()
}

/// A turn of speech, with the trailer that the prompt asks for.
fn prose(question: &Question, number: u64, chinese: bool) -> String {
    let model = &question.model;
    let (said, position, claim) = match (chinese, number % 3) {
        (true, 0) => ("先用单机方案，等写入者多于一个再换。", "先用单机方案", "目前只有一个写入者"),
        (true, 1) => ("备份要先演练一次，恢复时间才知道。", "先演练恢复", "没有人试过恢复"),
        (true, _) => ("迁移的代价今天小，明年大，要写下换的条件。", "写下换的条件", "迁移代价逐年上升"),
        (false, 0) => {
            ("One file is enough until a second writer comes.", "One file is enough", "there is one writer")
        }
        (false, 1) => {
            ("A restore has to be tried before it is relied on.", "Try a restore first", "nobody tried one")
        }
        (false, _) => {
            ("Moving is cheap now and dear in a year: write the condition down.", "Write it down", "it grows")
        }
    };
    // A file that was given is cited.
    let claim = match question.words.contains("<file id=\"f1\"") {
        true => format!("{claim} [f1#1-2]"),
        false => claim.to_owned(),
    };
    let stance = json!({ "position": position, "confidence": 70 + number % 20, "claims": [claim] });
    format!("{said} ({model})\n\n```json\n{stance}\n```")
}

/// An object of this shape. What the tasks of a meeting have in common is filled in with sense.
fn object(schema: &Value, question: &Question, number: u64, chinese: bool) -> Value {
    let mut filled = fill(schema, "", chinese);
    let Some(fields) = filled.as_object_mut() else { return filled };
    let mut put = |name: &str, value: Value| {
        if fields.contains_key(name) {
            fields.insert(name.to_owned(), value);
        }
    };
    let holders = people(question);
    let draft = match chinese {
        true => "先用单机数据库；出现第二个写入者或恢复超过一小时时更换。",
        false => "Use one file; change when a second writer comes, or a restore takes more than an hour.",
    };
    put("score", (82 + number % 15).into());
    put("pass", true.into());
    put("missing", json!([]));
    put("draft", draft.into());
    put("positions", json!([{ "text": draft, "holders": holders }]));
    put("disagreements", json!([]));
    filled
}

/// The participants, as named in the prompt.
fn people(question: &Question) -> Vec<String> {
    let opening = question.words.split("</meeting>").next().unwrap_or_default();
    let named = opening.lines().filter_map(|line| line.strip_prefix("- ")?.split([' ', '（']).next());
    named.map(str::to_owned).collect()
}

/// Any value that conforms to a schema.
fn fill(schema: &Value, name: &str, chinese: bool) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or_default();
    match kind.to_ascii_lowercase().as_str() {
        "object" => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            let filled = fields.map(|(name, schema)| (name.clone(), fill(schema, name, chinese)));
            filled.collect::<Map<_, _>>().into()
        }
        "array" => {
            let least = schema["minItems"].as_u64().unwrap_or(0);
            (0..least.max(1)).map(|_| fill(&schema["items"], name, chinese)).collect::<Vec<_>>().into()
        }
        "integer" | "number" => 75.into(),
        "boolean" => true.into(),
        "null" => Value::Null,
        _ if name == "sources" => "m1".into(),
        _ if chinese => format!("只有一个写入者时单机方案够用（{name}）").into(),
        _ => format!("one file is enough for one writer ({name})").into(),
    }
}
