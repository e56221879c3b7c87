//! Calls of tools by simulated participants: they look into a folder, read a file of it, and cite what they read.

use quorate_contract::{BriefTask, Language, Prompt, ToolRequest, ToolRequests, ToolStep};
use quorate_engine::ToolDefinition;
use quorate_messages::text;
use serde_json::json;

/// What a result of reading a file says about how to cite it.
const CITE: &str = "cite them as ";

/// The calls before the answer; `None` when the participant knows enough.
pub(super) fn calls(prompt: &Prompt, tools: &[ToolDefinition]) -> Option<ToolRequests> {
    if !prompt.tools.may_call {
        return None;
    }
    let named = |ending: &str| tools.iter().find(|tool| tool.name.ends_with(ending));
    let (tool, arguments) = match prompt.tools.steps.as_slice() {
        [] => match named("__list_files") {
            Some(list) => (list, "{}".to_owned()),
            // Of other tools, one that changes nothing and needs nothing.
            None => {
                let is_free = |tool: &&ToolDefinition| {
                    let needs = tool.parameters["required"].as_array().is_some_and(|names| !names.is_empty());
                    !tool.effects && !needs
                };
                (tools.iter().find(is_free)?, "{}".to_owned())
            }
        },
        [listed] => {
            let path = a_file(listed, prompt.brief.seed)?;
            (named("__read_file")?, json!({ "path": path, "from_line": 1, "to_line": 20 }).to_string())
        }
        _ => return None,
    };
    let call = ToolRequest { tool: tool.name.clone(), arguments, effects: tool.effects };
    Some(ToolRequests { continuation: String::new(), calls: vec![call] })
}

/// One of the files that were listed, by the seed.
fn a_file(listed: &ToolStep, seed: u64) -> Option<String> {
    let call = listed.calls.first().filter(|call| !call.failed && call.tool.ends_with("__list_files"))?;
    let files: Vec<&str> = call
        .result
        .lines()
        .filter_map(|line| line.rsplit_once(" (").filter(|(_, size)| size.ends_with(" bytes)")))
        .map(|(path, _)| path)
        .collect();
    let place = seed.checked_rem(files.len() as u64)?;
    files.get(usize::try_from(place).ok()?).map(|path| (*path).to_owned())
}

/// The answer with what was read, where it is prose.
pub(super) fn with_evidence(answer: String, prompt: &Prompt) -> String {
    let is_prose = matches!(prompt.brief.task, BriefTask::Speak(_)) && answer != super::answers::SKIP;
    let read = prompt.tools.steps.iter().flat_map(|step| &step.calls).filter(|call| !call.failed);
    let cited = read.filter_map(|call| call.result.split_once(CITE)?.1.lines().next()).next_back();
    match cited.filter(|_| is_prose) {
        None => answer,
        Some(cited) => {
            let language: Language = prompt.brief.language;
            format!("{}\n\n{answer}", text!(language, "labels-simulated-evidence", %cited))
        }
    }
}
