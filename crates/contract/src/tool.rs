//! Tools: what a meeting allows its participants to call, the calls, and their results.
//!
//! A tool has a name that begins with the name of its source: `repo__read_file`. Sources are configured by the
//! operator of the server; a meeting allows some of them by name.

use serde::{Deserialize, Serialize};

use crate::ids::{FileId, MeetingId, ParticipantId, ToolCallId, TurnId};
use crate::phrase::Phrase;
use crate::web::is_web_address;

/// The most calls that one answer may ask for; further ones are not recorded.
pub const TOOL_CALLS_PER_ANSWER: usize = 16;
/// The longest arguments of a call, in characters; a call with longer ones is not carried out.
pub const TOOL_ARGUMENTS_MAX_CHARS: usize = 4000;
/// The longest result of a call, in characters; longer ones are cut.
pub const TOOL_RESULT_MAX_CHARS: u32 = 12_000;
/// The longest text that a vendor wants back verbatim with the results, in bytes.
pub const TOOL_CONTINUATION_MAX_BYTES: usize = 65_536;
/// The most files of which a result says which lines it shows.
pub const TOOL_SOURCES_MAX: usize = 50;
/// The longest name of a source of tools, in characters.
pub const TOOL_SOURCE_NAME_MAX_CHARS: usize = 30;
/// The most sources of tools of one meeting.
pub const TOOL_GRANTS_MAX: usize = 20;
/// The mark between the name of a source and the name of a tool in it.
pub const TOOL_NAME_MARK: &str = "__";
/// The source of tools that read the files of the meeting itself (`files__get_file`). Nobody has to allow it: whoever
/// attaches a file gives it to the participants to read. No configured source has this name.
pub const MEETING_FILES: &str = "files";

/// Whether a text can be the name of a source of tools: lower-case letters, digits and single hyphens.
pub fn is_tool_source_name(name: &str) -> bool {
    let fits = (1..=TOOL_SOURCE_NAME_MAX_CHARS).contains(&name.len());
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    fits && name.chars().all(plain) && !name.starts_with('-') && !name.ends_with('-')
}

/// The source in the name of a tool; `None` when it names none.
pub fn source_of_tool(tool: &str) -> Option<&str> {
    tool.split_once(TOOL_NAME_MARK).map(|(source, _)| source).filter(|source| is_tool_source_name(source))
}

/// A source of tools that a new meeting allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolGrant {
    /// The configured name of the source.
    pub name: String,
    /// The names of the participants who may call its tools; all of them when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<String>,
}

/// A source of tools that a meeting allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AllowedTools {
    /// The configured name of the source.
    pub name: String,
    /// The participants who may call its tools; all of them when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<ParticipantId>,
}

/// A model's answer that calls tools.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolRequests {
    /// What the vendor wants back verbatim with the results, such as signed thinking; may be empty. Only the wire
    /// format that wrote it reads it.
    pub continuation: String,
    /// The calls, in the order of the answer.
    pub calls: Vec<ToolRequest>,
}

/// One call of a tool, as a model asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRequest {
    /// The name of the tool.
    pub tool: String,
    /// The arguments as the model wrote them: JSON, unless it wrote something else.
    pub arguments: String,
    /// Whether the tool can change something, so that a person has to allow the call. A tool is without effects
    /// only when its operator says so.
    pub effects: bool,
}

/// A call of a tool that is owed to the meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRun {
    /// The meeting.
    pub meeting: MeetingId,
    /// The id of the call.
    pub call: ToolCallId,
    /// The turn in which it was made.
    pub turn: TurnId,
    /// The participant who called.
    pub participant: ParticipantId,
    /// The name of the tool.
    pub tool: String,
    /// The arguments: a JSON object.
    pub arguments: String,
    /// Whether a person has allowed the call. A tool with effects does not run without.
    pub approved: bool,
    /// The time limit, in milliseconds.
    pub timeout_ms: u64,
    /// The longest result, in characters.
    pub max_chars: u32,
    /// The files of the meeting, for a tool that reads them ([`MEETING_FILES`]); empty for every other one.
    pub files: Vec<ToolRunFile>,
}

/// A file of the meeting, for a tool that reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRunFile {
    /// The id.
    pub id: FileId,
    /// The name.
    pub name: String,
    /// The media type.
    pub media_type: String,
    /// The SHA-256 of the content, in hexadecimal.
    pub sha256: String,
    /// Whether it has text.
    pub has_text: bool,
}

/// How a call of a tool ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum ToolOutcome {
    /// The tool returned a result.
    Returned {
        /// The result, at most 12,000 characters.
        text: String,
        /// Whether the result was longer and has been cut.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        truncated: bool,
        /// The lines of files that the result shows.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sources: Vec<ToolSource>,
    },
    /// The tool returned no result.
    Failed {
        /// The kind of failure.
        kind: ToolFailureKind,
        /// A one-line description for the model and for people; may be empty.
        #[serde(default, skip_serializing_if = "Phrase::is_empty")]
        detail: Phrase,
    },
}

impl ToolOutcome {
    /// A failure of this kind.
    pub fn failed(kind: ToolFailureKind, detail: impl Into<Phrase>) -> Self {
        Self::Failed { kind, detail: detail.into() }
    }
}

/// The lines of a file that a result shows, or a page of the web that it names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolSource {
    /// The path in its folder, with `/` between the parts; the address of a page of the web.
    pub path: String,
    /// The title of a page of the web; absent when it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The first line that is shown, counted from 1; of a page, the line of the result that names it.
    pub first: u32,
    /// The last line that is shown.
    pub last: u32,
}

impl ToolSource {
    /// Lines of a file.
    pub fn lines(path: impl Into<String>, first: u32, last: u32) -> Self {
        Self { path: path.into(), title: None, first, last }
    }
}

/// Why a call of a tool has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ToolFailureKind {
    /// A person refused the call, or it would have needed one who allows it.
    Denied,
    /// The participant may call no tool of this name.
    UnknownTool,
    /// The arguments do not fit the tool.
    InvalidArguments,
    /// The tool reported an error, or could not be reached.
    Failed,
    /// No result came in time.
    TimedOut,
    /// The turn or the meeting has no calls left.
    TooMany,
    /// The budget has no room for the result.
    Budget,
    /// The process stopped while the tool ran. Whether it took effect is unknown.
    Lost,
    /// The turn ended before the result came.
    Cancelled,
}

/// A person's answer to a call of a tool with effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ToolDecision {
    /// This call is allowed.
    Once,
    /// This call is allowed, and further ones of the tool in this meeting.
    Meeting,
    /// The call is refused.
    Refused,
}

impl ToolDecision {
    /// All decisions, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Once, Self::Meeting, Self::Refused];

    /// The word for it, as in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Meeting => "meeting",
            Self::Refused => "refused",
        }
    }
}

/// What a prompt says of tools.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PromptTools {
    /// The sources whose tools the reader may call; empty when it may call none.
    pub sources: Vec<String>,
    /// Whether it may call a tool now. When it has used up its calls, it is asked for its answer.
    pub may_call: bool,
    /// The calls of this turn so far, after the last message of the prompt.
    pub steps: Vec<ToolStep>,
    /// How many searches the provider's own web search may make for this answer; 0 when the reader may not use it.
    pub web_searches: u32,
}

/// One answer of a turn that called tools, with the results.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolStep {
    /// What was said before the calls; may be empty.
    pub text: String,
    /// What the vendor wants back verbatim.
    pub continuation: String,
    /// The calls with their results.
    pub calls: Vec<ToolStepCall>,
}

/// A call in a prompt, with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolStepCall {
    /// The id.
    pub id: ToolCallId,
    /// The name of the tool.
    pub tool: String,
    /// The arguments as the model wrote them.
    pub arguments: String,
    /// What the model reads: the result, escaped so that it cannot pass for a part of the prompt, or the failure.
    pub result: String,
    /// Whether it is a failure.
    pub failed: bool,
}

/// A citation of the result of a tool, which the cited lines were read from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evidence {
    /// The call whose result is cited.
    pub call: ToolCallId,
    /// The sequence number of the event that holds the result.
    pub seq: u64,
    /// The path of the file that it showed, or the address of the page of the web; absent when the result as such is
    /// cited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The title of the page of the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The first line that is cited, counted from 1; absent when the file or result is cited as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// The last line; absent when it is one line, or the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<u32>,
}

impl Evidence {
    /// The address of the page of the web that is cited. It can be a link: what is no address of `http` or `https` is
    /// none.
    pub fn address(&self) -> Option<&str> {
        self.path.as_deref().filter(|path| is_web_address(path))
    }
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.path {
            Some(path) => f.write_str(path)?,
            None => write!(f, "{}", self.call)?,
        }
        match (self.first, self.last) {
            (Some(first), Some(last)) => write!(f, "#L{first}-L{last}"),
            (Some(first), None) => write!(f, "#L{first}"),
            (None, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_names_its_source() {
        assert_eq!(source_of_tool("repo__read_file"), Some("repo"));
        assert_eq!(source_of_tool("my-repo__a__b"), Some("my-repo"));
        for wrong in ["read_file", "__read_file", "Repo__x", "../x__y", "-a__b", ""] {
            assert_eq!(source_of_tool(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn evidence_is_written_as_it_is_cited() {
        let lines = |first, last| Evidence {
            call: ToolCallId(3),
            seq: 9,
            path: Some("src/a.rs".into()),
            title: None,
            first,
            last,
        };
        assert_eq!(lines(Some(10), Some(20)).to_string(), "src/a.rs#L10-L20");
        assert_eq!(lines(Some(10), None).to_string(), "src/a.rs#L10");
        assert_eq!(Evidence { path: None, ..lines(None, None) }.to_string(), "t3");
    }
}
