//! Calls of tools by simulated participants: they look into a folder and read a file of it, or read a file of the meeting,
//! and cite what they read.

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
            None if named("__get_file").is_some() => {
                let file = json!({ "file": a_file_of_meeting(prompt)?, "from_line": 1, "to_line": 20 });
                (named("__get_file")?, file.to_string())
            }
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

/// One of the meeting's files that have text, by the seed: the prompt names each in a frame of its own.
fn a_file_of_meeting(prompt: &Prompt) -> Option<&str> {
    let frames = prompt.messages.iter().flat_map(|message| message.content.split("<file id=\"").skip(1));
    let with_text = frames.filter_map(|frame| {
        let (head, _) = frame.split_once('>')?;
        head.contains(" lines=\"").then(|| head.split_once('"').map(|(id, _)| id))?
    });
    let files: Vec<&str> = with_text.collect();
    let place = prompt.brief.seed.checked_rem(files.len() as u64)?;
    files.get(usize::try_from(place).ok()?).copied()
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
