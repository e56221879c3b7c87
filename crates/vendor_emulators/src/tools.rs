//! Tools, in every format: what the vendors refuse about them, and a model that looks into a folder before it answers.

use serde_json::{Value, json};

/// A call that a model makes.
pub(crate) struct ModelCall {
    pub(crate) name: String,
    pub(crate) arguments: Value,
}

/// The next call of a model that is offered these tools (name and schema) and has read these results; `None` when it
/// answers. It lists the files of a folder and reads the first; then it calls every other tool that needs no arguments.
pub(crate) fn next_call(offered: &[(&str, &Value)], results: &[String]) -> Option<ModelCall> {
    let call = |name: &str, arguments: Value| Some(ModelCall { name: name.to_owned(), arguments });
    let named = |ending: &str| offered.iter().map(|(name, _)| *name).find(|name| name.ends_with(ending));
    let in_folder = |name: &str| FOLDER_TOOLS.iter().any(|ending| name.ends_with(ending));
    let needs = |schema: &Value| schema["required"].as_array().is_some_and(|all| !all.is_empty());
    let mut others = offered.iter().filter(|(name, schema)| !in_folder(name) && !needs(schema));
    let folder = named("__list_files").zip(named("__read_file"));
    match (folder, results) {
        (Some((list, _)), []) => call(list, json!({})),
        (Some((_, read)), [listed]) => {
            let path =
                listed.lines().find_map(|line| Some(line.strip_suffix(" bytes)")?.rsplit_once(" (")?.0))?;
            call(read, json!({ "path": path, "from_line": 1, "to_line": 20 }))
        }
        (folder, results) => {
            let read = if folder.is_some() { 2 } else { 0 };
            call(others.nth(results.len() - read)?.0, json!({}))
        }
    }
}

/// The ends of the names of a folder's tools.
const FOLDER_TOOLS: [&str; 3] = ["__list_files", "__read_file", "__search_files"];

/// An answer with what was read, where it is prose: it is said, and the claim rests on it.
pub(crate) fn with_evidence(text: String, results: &[String], is_prose: bool) -> String {
    let cited = results.iter().rev().find_map(|result| result.split_once("cite them as ")?.1.lines().next());
    match cited.filter(|_| is_prose) {
        Some(cited) => {
            let text = text.replacen("\"claims\":[\"", &format!("\"claims\":[\"{cited} shows: "), 1);
            format!("I have read {cited}.\n\n{text}")
        }
        None => text,
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn ensure(holds: bool, problem: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem.to_owned()) }
}

/// What stands in a request about tools: the tools on offer, with their schemas, and the results so far.
#[derive(Default)]
pub(crate) struct ToolTalk<'b> {
    pub(crate) offered: Vec<(&'b str, &'b Value)>,
    pub(crate) results: Vec<String>,
}

impl<'b> ToolTalk<'b> {
    fn offer(&mut self, name: &'b Value, schema: &'b Value) -> Result<(), String> {
        let name = name.as_str().unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        ensure((1..=64).contains(&name.len()) && name.chars().all(plain), "Invalid tool name")?;
        // Google writes its types in capitals.
        let is_object = schema["type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("object"));
        ensure(is_object, "Invalid schema of a tool: type must be object")?;
        self.offered.push((name, schema));
        Ok(())
    }
}

/// OpenAI's chat completions and Ollama's chat, which differ in ids.
pub(crate) fn in_chat(body: &Value, has_ids: bool) -> Result<ToolTalk<'_>, String> {
    let mut talk = ToolTalk::default();
    for tool in list(&body["tools"]).iter().filter(|tool| tool["type"] != "web_search") {
        ensure(tool["type"] == "function", "Invalid value: tools[0].type")?;
        talk.offer(&tool["function"]["name"], &tool["function"]["parameters"])?;
    }
    let mut open: Vec<&Value> = Vec::new();
    for message in list(&body["messages"]) {
        if message["role"] == "tool" {
            let id = if has_ids { &message["tool_call_id"] } else { &message["tool_name"] };
            let place = open.iter().position(|known| *known == id);
            let problem =
                "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
            open.remove(place.ok_or(problem)?);
            talk.results.push(message["content"].as_str().unwrap_or_default().to_owned());
            continue;
        }
        let problem = "An assistant message with 'tool_calls' must be followed by tool messages responding to each \
                       'tool_call_id'.";
        ensure(open.is_empty(), problem)?;
        for call in list(&message["tool_calls"]) {
            let arguments = &call["function"]["arguments"];
            let read = arguments.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
            let is_good =
                if has_ids { read.is_some_and(|read| read.is_object()) } else { arguments.is_object() };
            ensure(is_good, "Invalid 'tool_calls': arguments")?;
            open.push(if has_ids { &call["id"] } else { &call["function"]["name"] });
        }
    }
    ensure(open.is_empty(), "'tool_calls' without tool messages")?;
    Ok(talk)
}

/// OpenAI's responses.
pub(crate) fn in_responses(body: &Value) -> Result<ToolTalk<'_>, String> {
    let mut talk = ToolTalk::default();
    if body["tool_choice"] != "none" {
        for tool in list(&body["tools"]).iter().filter(|tool| tool["type"] != "web_search") {
            ensure(tool["type"] == "function", "Invalid value: tools[0].type")?;
            talk.offer(&tool["name"], &tool["parameters"])?;
        }
    }
    let mut open: Vec<&Value> = Vec::new();
    for item in list(&body["input"]) {
        match item["type"].as_str() {
            Some("function_call") => {
                ensure(item["arguments"].is_string(), "Invalid type for 'arguments'")?;
                open.push(&item["call_id"]);
            }
            Some("function_call_output") => {
                let place = open.iter().position(|known| *known == &item["call_id"]);
                open.remove(place.ok_or("No tool call found for function call output with call_id.")?);
                talk.results.push(item["output"].as_str().unwrap_or_default().to_owned());
            }
            _ => {}
        }
    }
    ensure(open.is_empty(), "No tool output found for function call.")?;
    Ok(talk)
}

/// Anthropic's messages. Its own tools beside the one that takes the answer have a name with `__`.
pub(crate) fn in_messages(body: &Value) -> Result<ToolTalk<'_>, String> {
    let mut talk = ToolTalk::default();
    let choice = body["tool_choice"]["type"].as_str().unwrap_or("auto");
    for tool in list(&body["tools"]).iter().filter(|tool| !is_server_tool(tool)) {
        ensure(tool["input_schema"]["type"] == "object", "tools.0.custom.input_schema.type: Field required")?;
        if tool["name"].as_str().is_some_and(|name| name.contains("__")) && matches!(choice, "auto" | "any") {
            talk.offer(&tool["name"], &tool["input_schema"])?;
        }
    }
    let thinks = body["thinking"]["type"] == "enabled";
    let mut open: Vec<&Value> = Vec::new();
    for message in list(&body["messages"]) {
        let blocks = list(&message["content"]);
        let results: Vec<&Value> = blocks.iter().filter(|block| block["type"] == "tool_result").collect();
        let ids: Vec<&Value> = results.iter().map(|block| &block["tool_use_id"]).collect();
        let problem = "`tool_use` ids were found without `tool_result` blocks immediately after.";
        ensure(ids == open, problem)?;
        talk.results
            .extend(results.iter().map(|block| block["content"].as_str().unwrap_or_default().to_owned()));
        open = blocks.iter().filter(|block| block["type"] == "tool_use").map(|block| &block["id"]).collect();
        let is_thought = blocks.first().is_some_and(|first| {
            first["type"] == "thinking" && first["signature"].as_str().is_some_and(|it| !it.is_empty())
        });
        let problem = "Expected `thinking` or `redacted_thinking`, but found `tool_use`.";
        ensure(open.is_empty() || !thinks || is_thought, problem)?;
        ensure(open.is_empty() || !list(&body["tools"]).is_empty(), "tools: Field required")?;
    }
    ensure(open.is_empty(), "`tool_use` ids were found without `tool_result` blocks.")?;
    Ok(talk)
}

/// Whether a tool runs at Anthropic.
pub(crate) fn is_server_tool(tool: &Value) -> bool {
    tool["type"].as_str().is_some_and(|kind| kind.starts_with("web_search"))
}

/// Google's generateContent.
pub(crate) fn in_contents<'b>(body: &'b Value, model: &str) -> Result<ToolTalk<'b>, String> {
    let mut talk = ToolTalk::default();
    for tool in list(&body["tools"]).iter().flat_map(|tool| list(&tool["functionDeclarations"])) {
        let unknown = tool["parameters"].to_string().contains("\"additionalProperties\"");
        ensure(!unknown, "Invalid JSON payload received. Unknown name \"additionalProperties\"")?;
        talk.offer(&tool["name"], &tool["parameters"])?;
    }
    let shaped = !body["generationConfig"]["responseMimeType"].is_null();
    let problem = "Function calling with a response mime type: 'application/json' is unsupported";
    ensure(talk.offered.is_empty() || !shaped, problem)?;
    let mut open: Vec<&Value> = Vec::new();
    for content in list(&body["contents"]) {
        let parts = list(&content["parts"]);
        let answered: Vec<&Value> = parts.iter().filter_map(|part| part.get("functionResponse")).collect();
        let names: Vec<&Value> = answered.iter().map(|one| &one["name"]).collect();
        let problem = "Please ensure that the number of function response parts is equal to the number of function \
                       call parts of the function call turn.";
        ensure(names == open, problem)?;
        talk.results.extend(
            answered.iter().map(|one| one["response"]["output"].as_str().unwrap_or_default().to_owned()),
        );
        let called: Vec<&Value> = parts.iter().filter(|part| part.get("functionCall").is_some()).collect();
        let is_signed = called.first().is_none_or(|first| first["thoughtSignature"].is_string());
        let problem = "Function call is missing a thought_signature in functionCall parts.";
        ensure(is_signed || !model.starts_with("reasoner"), problem)?;
        open = called.iter().map(|part| &part["functionCall"]["name"]).collect();
    }
    ensure(
        open.is_empty(),
        "Please ensure that function call turn comes immediately before a function response turn.",
    )?;
    Ok(talk)
}
