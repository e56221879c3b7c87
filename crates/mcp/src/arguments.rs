//! What the tools are called with.

use std::borrow::Cow;

use quorate_messages::{Message, decoding_problem, text};
use rmcp::handler::server::common::FromContextPart;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::{ErrorData, ServerHandler};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

use crate::bounds::{self, Misfit};
use crate::service::QuorateMcp;

/// What an error of arguments begins with: the library makes an error of the tool of such a one, so that the model reads it.
const UNFIT: &str = "failed to deserialize parameters: ";

/// Up to here every whole number is exact as a number with a fraction.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// The arguments of a tool. The name is the one by which the library finds their schema.
pub(crate) struct Parameters<P>(pub(crate) P);

impl<P: JsonSchema> JsonSchema for Parameters<P> {
    fn schema_name() -> Cow<'static, str> {
        P::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        P::json_schema(generator)
    }
}

impl<P: DeserializeOwned> FromContextPart<ToolCallContext<'_, QuorateMcp>> for Parameters<P> {
    fn from_context_part(context: &mut ToolCallContext<'_, QuorateMcp>) -> Result<Self, ErrorData> {
        let mut arguments = Value::Object(context.arguments.take().unwrap_or_default());
        whole_numbers(&mut arguments);
        let schema = context.service.get_tool(&context.name).map(|tool| tool.input_schema);
        let misfit = schema.and_then(|schema| bounds::misfit(&schema, &arguments));
        let language = context.service.language(&context.request_context);
        let refused = |path: &str, problem: Message| {
            let argument = match path {
                "." => problem.field("field").unwrap_or_default(),
                path => path.split(['.', '[']).next().unwrap_or_default(),
            };
            let argument = argument.to_owned();
            let told = match path {
                "." => problem.text(language),
                field => text!(language, "refusal-is-invalid", field, problem),
            };
            ErrorData::invalid_params(unfit(&argument, &told), None)
        };
        if let Some(Misfit { path, problem }) = misfit {
            return Err(refused(&path, problem));
        }
        serde_path_to_error::deserialize(arguments)
            .map(Self)
            .map_err(|error| refused(&error.path().to_string(), decoding_problem(&error.inner().to_string())))
    }
}

/// An error of an argument: its name on the first line, for [`wrong_argument`], and what is wrong on the next ones.
pub(crate) fn unfit(argument: &str, told: &str) -> String {
    format!("{UNFIT}{argument}\n{told}")
}

/// The argument of an error of an argument, and what is wrong with it; `None` for other errors.
pub(crate) fn wrong_argument(told: &str) -> Option<(&str, &str)> {
    told.strip_prefix(UNFIT)?.split_once('\n')
}

/// Writes numbers without a fraction as integers: to JSON Schema, `1.0` is the integer 1.
fn whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().filter(|value| value.fract() == 0.0 && value.abs() <= EXACT_MAX);
            if let Some(whole) = whole {
                *number = Number::from(whole as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(whole_numbers),
        Value::Object(fields) => fields.values_mut().for_each(whole_numbers),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// How an agent introduces itself.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegisterAgent {
    /// Your strengths and your point of view, 1-2000 characters. The other participants read it.
    #[schemars(length(min = 1, max = 2000))]
    pub(crate) introduction: String,
    /// The name of your role, 1-50 characters, such as `Security engineer`. Default: `Agent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 50))]
    pub(crate) role: Option<String>,
    /// Your capabilities, such as `rust` or `code review`: at most 20, of 1-50 characters each. Shown with your entry in the
    /// list of agents.
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 50)))]
    pub(crate) capabilities: Vec<String>,
    /// Your preferred language as a BCP 47 tag of 1-50 characters, such as `zh-CN` or `en`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 50))]
    pub(crate) language: Option<String>,
    /// Your time zone as an IANA name of 1-50 characters, such as `Asia/Shanghai`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 50))]
    pub(crate) time_zone: Option<String>,
    /// Phrases that need no reply from you, such as `ok` or `收到`: at most 50, of 1-200 characters each. When every message
    /// since your last one is such a phrase, your turn is skipped without asking you. A phrase that begins with `/` or `!`,
    /// such as `/status`, also matches with any text after it. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 50), inner(length(min = 1, max = 200)))]
    pub(crate) skip_list: Vec<String>,
}

/// Which meetings are listed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListMeetings {
    /// Return only meetings in these states, separated by commas: `draft`, `preparation`, `discussion`, `ballot`, `closing`,
    /// `paused`, `ended`. Default: all.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(crate) state: Option<String>,
    /// The `next_cursor` of the previous page. Default: the first page.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(crate) cursor: Option<String>,
}

/// A meeting.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OneMeeting {
    /// The id of the meeting, as list_meetings or create_meeting returns it.
    #[schemars(length(min = 1))]
    pub(crate) meeting: String,
}

/// From where on a meeting is read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetContext {
    /// The id of the meeting, as list_meetings or create_meeting returns it.
    #[schemars(length(min = 1))]
    pub(crate) meeting: String,
    /// The `cursor` of an earlier call, or 0 for all messages: only later messages are returned, and what counts as given to you
    /// stays as it is. Default: the messages that you have not been given yet.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub(crate) after: Option<u64>,
    /// Whether to read all messages from the beginning once more, in place of `after`. Default: false.
    #[serde(default)]
    pub(crate) from_start: bool,
    /// The most messages to return, 1-200. A page ends before that at about 40,000 characters. Default: 200.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    pub(crate) limit: Option<u32>,
}

/// For how long a turn is waited for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitForTurn {
    /// Wait only for turns at the meeting with this id. Default: turns at all meetings.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(crate) meeting: Option<String>,
    /// How many seconds to wait, 0-25. Default: 25.
    #[serde(default)]
    #[schemars(range(min = 0, max = 25))]
    pub(crate) wait_seconds: Option<u32>,
}

/// A message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SendMessage {
    /// The id of the meeting, as list_meetings or create_meeting returns it.
    #[schemars(length(min = 1))]
    pub(crate) meeting: String,
    /// The message in Markdown, 1-100,000 characters; outside of a turn at most 10,000. If the turn has an `answer_schema`,
    /// a JSON object that matches it. `@Name` mentions a participant, who then speaks next.
    #[schemars(length(min = 1, max = 100_000))]
    pub(crate) content: String,
    /// The `ticket` of the turn that this answers. Default: your oldest open turn at this meeting that is not a vote.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(crate) ticket: Option<String>,
}

/// A turn that is skipped.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SkipResponse {
    /// The id of the meeting, as list_meetings or create_meeting returns it.
    #[schemars(length(min = 1))]
    pub(crate) meeting: String,
    /// The `ticket` of the turn to skip. Default: your oldest open turn at this meeting.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(crate) ticket: Option<String>,
}

/// A vote.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CastVote {
    /// The id of the meeting, as list_meetings or create_meeting returns it.
    #[schemars(length(min = 1))]
    pub(crate) meeting: String,
    /// Your score for the draft, a whole number from 0 (unusable) to 100 (nothing to improve).
    #[schemars(range(min = 0, max = 100))]
    pub(crate) score: u8,
    /// Whether you accept the draft as it is.
    pub(crate) pass: bool,
    /// Your reason in one or two sentences, 1-300 characters. It is shown to everyone when the ballot closes.
    #[schemars(length(min = 1, max = 300))]
    pub(crate) reason: String,
    /// What the draft still lacks, such as information or evidence: at most 3 items of 1-200 characters each. Default: none.
    #[serde(default)]
    #[schemars(length(max = 3), inner(length(min = 1, max = 200)))]
    pub(crate) missing: Vec<String>,
    /// The `ticket` of the turn to vote. Default: your oldest open turn of the kind `vote` at this meeting.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(crate) ticket: Option<String>,
}

/// How a paused meeting goes on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResumeMeeting {
    /// The id of the meeting, as list_meetings or create_meeting returns it.
    #[schemars(length(min = 1))]
    pub(crate) meeting: String,
    /// Answers to the questions of the pause, by their `key`, such as `{"team": "accept"}`. Default: none.
    #[serde(default)]
    pub(crate) answers: Map<String, Value>,
    /// Whether questions without an answer take their default. Otherwise required ones are asked again. Default: false.
    #[serde(default)]
    pub(crate) take_defaults: bool,
    /// The `token` of the pause that the answers are for, as get_result returns it. Default: the current pause.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(crate) token: Option<String>,
}

/// What is searched for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchMessages {
    /// The words to search for. A hit contains all of them. Chinese words need at least two characters.
    #[schemars(length(min = 1))]
    pub(crate) query: String,
    /// Search only the meeting with this id. Default: all meetings that you may see.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(crate) meeting: Option<String>,
    /// The largest number of hits to return, 1-100. Default: 20.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub(crate) limit: Option<u32>,
    /// The `next_cursor` of the previous page. Default: the first page.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub(crate) cursor: Option<String>,
}

/// A message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetFullMessage {
    /// The id of the meeting, as list_meetings or create_meeting returns it.
    #[schemars(length(min = 1))]
    pub(crate) meeting: String,
    /// The id of the message, such as `m7`, or the `seq` of a result of search_messages.
    #[schemars(length(min = 1))]
    pub(crate) message_id: String,
}

/// Lines of a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetFile {
    /// The id of the meeting, as list_meetings or create_meeting returns it.
    #[schemars(length(min = 1))]
    pub(crate) meeting: String,
    /// The id of the file, such as `f1`, or its name. get_context lists the files.
    #[schemars(length(min = 1))]
    pub(crate) file: String,
    /// The first line to read, counted from 1. Default: 1.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub(crate) first: Option<u32>,
    /// The last line to read. Default: as many lines as are read at once (400 lines, 20,000 characters).
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub(crate) last: Option<u32>,
}

/// The format of an export.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ExportFormat {
    /// Markdown, returned in `content`.
    #[default]
    Markdown,
    /// JSON with the report and all events, returned in `content`.
    Json,
    /// One HTML page that works offline, at the `download` address.
    Html,
    /// A PDF, at the `download` address.
    Pdf,
}

/// What is exported.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportChatHistory {
    /// The id of the meeting, as list_meetings or create_meeting returns it.
    #[schemars(length(min = 1))]
    pub(crate) meeting: String,
    /// The file format. Default: `markdown`.
    #[serde(default)]
    pub(crate) format: ExportFormat,
}

/// A participant of a new meeting.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewParticipant {
    /// The participant's name, 1-50 characters, unique at the meeting. Leave it out if `agent` is set.
    #[serde(default)]
    #[schemars(length(max = 50))]
    pub(crate) name: String,
    /// The name of an agent in the library, which takes part as it is described there. Leave out all other fields then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 50))]
    pub(crate) agent: Option<String>,
    /// Who answers for the participant: `PROVIDER/MODEL` for a model, `agent/NAME` for an agent that calls these tools,
    /// `person/NAME` for a person. Default: one of the configured models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub(crate) model: Option<String>,
    /// The role. Default: one is chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<NewRole>,
    /// Phrases that need no reply from the participant: at most 50, of 1-200 characters each. When every message since its
    /// last one is such a phrase, its turn is skipped. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 50), inner(length(min = 1, max = 200)))]
    pub(crate) skip_list: Vec<String>,
}

/// The role of a participant.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRole {
    /// The name of the role, 1-50 characters, such as `Security engineer`.
    #[schemars(length(min = 1, max = 50))]
    pub(crate) name: String,
    /// What the participant pays attention to and how it argues, 1-2000 characters.
    #[schemars(length(min = 1, max = 2000))]
    pub(crate) description: String,
}

/// The format of a new meeting.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NewFormat {
    /// For a choice that must hold: blind first answers, rounds of discussion, and ballots until a draft is accepted.
    Consensus,
    /// For a topic with an agenda: rounds in a fixed order, without ballots. Yields minutes.
    Discussion,
    /// For a plan or an architecture: structured turns until the views converge, without ballots. Yields an ADR, tasks and risks.
    Decision,
    /// For an open conversation, which continues until end_meeting is called.
    Room,
    /// For ideas that build on each other, with a team chosen for the topic. Yields the best ideas.
    Brainstorm,
}

/// The language of a new meeting.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NewLanguage {
    /// Chinese.
    Zh,
    /// English.
    En,
}

/// A new meeting.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateMeeting {
    /// The question to discuss, 1-200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub(crate) topic: String,
    /// What the participants need to know to answer the question: facts, constraints, what was tried. At most 20,000
    /// characters.
    #[serde(default)]
    #[schemars(length(max = 20_000))]
    pub(crate) background: Option<String>,
    /// The format, which sets the rules. Default: `consensus`.
    #[serde(default)]
    pub(crate) format: Option<NewFormat>,
    /// The language of the meeting. Default: the language of the topic.
    #[serde(default)]
    pub(crate) language: Option<NewLanguage>,
    /// The participants, at most 16. Default: participants with chosen roles that use the configured models.
    #[serde(default)]
    #[schemars(length(max = 16))]
    pub(crate) participants: Vec<NewParticipant>,
    /// Whether participants are simulated instead of asking models, at no cost. Agents and people still answer for their own
    /// seats. Default: only if no model is configured.
    #[serde(default)]
    pub(crate) simulate: Option<bool>,
    /// Rules that differ from those of the format, in groups as `GET /api/v1/formats` lists them, such as
    /// `{"limits": {"max_rounds": 2}}`. Default: the rules of the format.
    #[serde(default)]
    pub(crate) rules: Option<Map<String, Value>>,
}
