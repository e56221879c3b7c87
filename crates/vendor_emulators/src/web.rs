//! Web searches of the vendors: what each refuses about them, and what their models find. The pages are made up.
//!
//! Models whose names begin with `offline` have no search and refuse it in their vendor's words; of the searches of one that
//! begins with `flaky` the second fails.

use serde_json::{Value, json};

/// A page.
pub(crate) struct Page {
    pub(crate) url: &'static str,
    pub(crate) title: &'static str,
    pub(crate) site: &'static str,
}

/// What every search looks for.
pub(crate) const QUERY: &str = "official rent figures 2026";

/// What every search finds. The first page is cited.
pub(crate) const PAGES: [Page; 2] = [
    Page {
        url: "https://stats.example/rents?year=2026",
        title: "Rents in 2026 | Statistics",
        site: "stats.example",
    },
    Page { url: "https://news.example/housing", title: "\"Housing\" <b>news</b>", site: "news.example" },
];

/// What the first page shows.
pub(crate) const CITED: &str = "Official figures show a fall of 3 %.";

/// An answer with a sentence that rests on a page: what stands before that sentence, and after it. A claim says it again.
pub(crate) fn around_cited(text: &str) -> (String, String) {
    let (said, trailer) = text.split_once("\n\n").unwrap_or((text, ""));
    let claim = CITED.trim_end_matches('.');
    let trailer = trailer.replacen("\"claims\":[\"", &format!("\"claims\":[\"{claim}\",\""), 1);
    (format!("{said} "), format!("\n\n{trailer}"))
}

pub(crate) fn is_flaky(model: &str) -> bool {
    model.starts_with("flaky")
}

fn is_offline(model: &str) -> bool {
    model.starts_with("offline")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn fields(value: &Value) -> impl Iterator<Item = &str> {
    value.as_object().into_iter().flatten().map(|(name, _)| name.as_str())
}

/// Anthropic: whether the search is offered.
pub(crate) fn in_messages(body: &Value, model: &str) -> Result<bool, String> {
    let is_search = |tool: &&Value| tool["type"].as_str().is_some_and(|kind| kind.starts_with("web_search"));
    let offered = list(&body["tools"]).iter().find(is_search);
    for message in list(&body["messages"]) {
        let blocks = list(&message["content"]);
        for used in blocks.iter().filter(|block| block["type"] == "server_tool_use") {
            let has_result = blocks
                .iter()
                .any(|block| block["type"] == "web_search_tool_result" && block["tool_use_id"] == used["id"]);
            if !has_result {
                return Err(
                    "`web_search` tool use was found without a corresponding `web_search_tool_result` block"
                        .to_owned(),
                );
            }
            if !used["input"]["query"].is_string() {
                return Err("messages.1.content.0.server_tool_use.input: Field required".to_owned());
            }
            if offered.is_none() {
                return Err("tools: `server_tool_use` blocks need their tool".to_owned());
            }
        }
        for result in blocks.iter().filter(|block| block["type"] == "web_search_tool_result") {
            let is_whole = |page: &Value| page["encrypted_content"].is_string() && page["url"].is_string();
            if !list(&result["content"]).iter().all(is_whole) {
                return Err(
                    "messages.1.content.1.web_search_tool_result.content.0.encrypted_content: Field required"
                        .to_owned(),
                );
            }
        }
    }
    let Some(tool) = offered else { return Ok(false) };
    let kind = tool["type"].as_str().unwrap_or_default();
    if kind != "web_search_20250305" {
        return Err(format!(
            "tools.0: Input tag '{kind}' found using 'type' does not match any of the expected tags"
        ));
    }
    if tool["name"] != "web_search" {
        return Err(format!("tools.0.{kind}.name: Input should be 'web_search'"));
    }
    let known =
        ["type", "name", "max_uses", "allowed_domains", "blocked_domains", "user_location", "cache_control"];
    if let Some(name) = fields(tool).find(|name| !known.contains(name)) {
        return Err(format!("tools.0.{kind}.{name}: Extra inputs are not permitted"));
    }
    if !tool["max_uses"].is_null() && tool["max_uses"].as_u64().is_none_or(|most| most == 0) {
        return Err(format!("tools.0.{kind}.max_uses: Input should be greater than 0"));
    }
    if !body["output_config"]["format"].is_null() {
        return Err("output_config.format: structured outputs are incompatible with citations".to_owned());
    }
    if is_offline(model) {
        return Err(format!("'{model}' does not support tool types: {kind}. Did you mean one of custom?"));
    }
    Ok(true)
}

/// Anthropic: a search and its result, with an error where the search fails.
pub(crate) fn blocks(number: usize, fails: bool) -> [Value; 2] {
    let id = format!("srvtoolu_{number}");
    let pages: Vec<Value> = PAGES
        .iter()
        .map(|page| {
            json!({ "type": "web_search_result", "url": page.url, "title": page.title,
                "encrypted_content": "EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5", "page_age": "April 30, 2026" })
        })
        .collect();
    let content = match fails {
        true => json!({ "type": "web_search_tool_result_error", "error_code": "max_uses_exceeded" }),
        false => pages.into(),
    };
    [
        json!({ "type": "server_tool_use", "id": id, "name": "web_search", "input": { "query": QUERY } }),
        json!({ "type": "web_search_tool_result", "tool_use_id": id, "content": content }),
    ]
}

/// Anthropic: the citation of the first page.
pub(crate) fn location() -> Value {
    let page = &PAGES[0];
    json!({ "type": "web_search_result_location", "url": page.url, "title": page.title,
        "encrypted_index": "Eo8BCioIAhgBIiQyYjQ0OWJmZi1lNm", "cited_text": "Rents fell by 3 % in 2026…" })
}

/// OpenAI's responses: whether the search is offered, and whether its sources are asked for.
pub(crate) fn in_responses(body: &Value, model: &str) -> Result<Option<bool>, String> {
    let known =
        ["web_search_call.action.sources", "reasoning.encrypted_content", "message.output_text.logprobs"];
    let include = list(&body["include"]);
    if include.iter().any(|one| !one.as_str().is_some_and(|one| known.contains(&one))) {
        return Err("Invalid value: 'include[0]'.".to_owned());
    }
    if !body["max_tool_calls"].is_null() && body["max_tool_calls"].as_u64().is_none_or(|most| most == 0) {
        return Err("Invalid 'max_tool_calls': integer below minimum value.".to_owned());
    }
    let Some(tool) = list(&body["tools"]).iter().find(|tool| tool["type"] == "web_search") else {
        return Ok(None);
    };
    let known = ["type", "filters", "search_context_size", "user_location", "external_web_access"];
    if let Some(name) = fields(tool).find(|name| !known.contains(name)) {
        return Err(format!("Unknown parameter: 'tools[0].{name}'."));
    }
    if body["reasoning"]["effort"] == "minimal" {
        return Err(
            "The following tools cannot be used with reasoning.effort 'minimal': web_search.".to_owned()
        );
    }
    if is_offline(model) {
        return Err(format!("Hosted tool 'web_search' is not supported with {model}."));
    }
    Ok(Some(include.iter().any(|one| one == "web_search_call.action.sources")))
}

/// OpenAI's responses: a search.
pub(crate) fn search_call(number: usize, with_sources: bool, fails: bool) -> Value {
    let mut action = json!({ "type": "search", "query": QUERY, "queries": [QUERY] });
    if with_sources && !fails {
        action["sources"] = PAGES.iter().map(|page| json!({ "type": "url", "url": page.url })).collect();
    }
    let status = if fails { "failed" } else { "completed" };
    json!({ "type": "web_search_call", "id": format!("ws_{number}"), "status": status, "action": action })
}

/// OpenAI: the text with the link behind the sentence, and the citation of it, whose places are those of the link.
pub(crate) fn linked(text: &str) -> (String, Value) {
    let (before, after) = around_cited(text);
    let page = &PAGES[0];
    let link = format!("([{}]({}))", page.site, page.url);
    let first = before.chars().count() + CITED.chars().count() + 1;
    let last = first + link.chars().count();
    let citation = json!({ "start_index": first, "end_index": last, "url": page.url, "title": page.title });
    (format!("{before}{CITED} {link}{after}"), citation)
}

/// Google: whether the search is offered.
pub(crate) fn in_contents(body: &Value, model: &str) -> Result<bool, String> {
    let searches = |tool: &Value| tool.get("google_search").or_else(|| tool.get("googleSearch")).is_some();
    let tools = list(&body["tools"]);
    if !tools.iter().any(searches) {
        return Ok(false);
    }
    if tools.iter().any(|tool| tool.get("functionDeclarations").is_some()) {
        return Err("Tool use with function calling is unsupported".to_owned());
    }
    if !body["generationConfig"]["responseMimeType"].is_null() {
        return Err("Tool use with a response mime type: 'application/json' is unsupported".to_owned());
    }
    if is_offline(model) {
        return Err("Search Grounding is not supported.".to_owned());
    }
    Ok(true)
}

/// Google: what was found, for a text with the cited sentence in it. Places are counted in bytes.
pub(crate) fn grounding(text: &str) -> Value {
    let address = |place: usize| {
        format!("https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ{place}=")
    };
    let chunks: Vec<Value> = PAGES
        .iter()
        .enumerate()
        .map(|(place, page)| json!({ "web": { "uri": address(place), "title": page.site } }))
        .collect();
    let first = text.find(CITED).unwrap_or(0);
    json!({
        "webSearchQueries": [QUERY, "rents fall 2026"],
        "searchEntryPoint": { "renderedContent": "<style>…</style><div class=\"container\"></div>" },
        "groundingChunks": chunks,
        "groundingSupports": [{
            "segment": { "startIndex": first, "endIndex": first + CITED.len(), "text": CITED },
            "groundingChunkIndices": [0],
        }],
    })
}

/// How a chat searches the web.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChatSearch {
    None,
    /// GLM's tool; `named` when its pages are named with their addresses.
    Glm {
        named: bool,
        linked: bool,
    },
    /// A model that always searches.
    Always,
}

/// OpenAI's chats and GLM: what is offered. The tool is taken out of `tools`, which only hold functions otherwise.
pub(crate) fn in_chat(body: &Value, model: &str) -> Result<ChatSearch, String> {
    let options = &body["web_search_options"];
    let always = model.contains("-search-preview") || model.contains("-search-api");
    if !options.is_null() && !always {
        return Err("Web search options not supported with this model.".to_owned());
    }
    if always && !body["temperature"].is_null() {
        return Err("Model incompatible request argument supplied: temperature".to_owned());
    }
    let tool = list(&body["tools"]).iter().find(|tool| tool["type"] == "web_search");
    match tool {
        None if always => Ok(ChatSearch::Always),
        None => Ok(ChatSearch::None),
        Some(_) if !model.contains("glm") => {
            Err("Invalid value: 'web_search'. Supported values are: 'function' and 'custom'.".to_owned())
        }
        Some(tool) => {
            let options = &tool["web_search"];
            let engine = options["search_engine"].as_str().unwrap_or_default();
            let engines =
                ["search_std", "search_pro", "search_pro_sogou", "search_pro_quark", "search-prime"];
            if !engines.contains(&engine) {
                return Err("search_engine:The search_engine cannot both be empty.".to_owned());
            }
            if options["count"].as_u64().is_some_and(|count| !(1..=50).contains(&count)) {
                return Err("count:must be between 1 and 50".to_owned());
            }
            if is_offline(model) {
                return Err("该模型不支持 tools.web_search 参数".to_owned());
            }
            let linked = !matches!(engine, "search_std" | "search_pro");
            Ok(ChatSearch::Glm { named: options["search_result"] == json!(true), linked })
        }
    }
}

/// GLM: the pages.
pub(crate) fn glm_pages(linked: bool) -> Value {
    let pages = PAGES.iter().zip(1..).map(|(page, number)| {
        json!({ "title": page.title, "link": if linked { page.url } else { "" }, "media": page.site,
            "content": "…", "icon": "", "refer": format!("ref_{number}"), "publish_date": "2026-04-30" })
    });
    pages.collect()
}

/// GLM: the text with the mark of the first page behind the sentence.
pub(crate) fn marked(text: &str) -> String {
    let (before, after) = around_cited(text);
    format!("{before}{CITED}[ref_1]{after}")
}
