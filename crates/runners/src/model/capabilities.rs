//! Capabilities of a model: what its server does not accept, and how to ask it instead.
//!
//! "OpenAI-compatible" is a family of dialects. The known properties in the table of vendors apply from the
//! first request on. Beyond that, because a table ages, the runner asks in the common way, reads what a
//! server refuses, and asks again without that part. Each step only goes forward, so a request cannot loop;
//! the form that led to an answer is remembered for the model.

pub(crate) mod images;
mod thinking_steps;

use quorate_contract::Effort;

pub(crate) use self::thinking_steps::{EffortStep, ThinkStep};
use crate::provider::Structured;
use crate::vendor::{LeastEffort, Thinking, ThinkingOff, Vendor};

/// How an answer is constrained to its schema; each step asks less of the server than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FormatStep {
    /// The schema as it is.
    Schema,
    /// The schema without the keywords that restrict values.
    TrimmedSchema,
    /// Any JSON object.
    Object,
    /// The prompt's own words alone.
    Nothing,
}

/// The way in which one model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Capabilities {
    pub(crate) format: FormatStep,
    /// Whether `format` may step down.
    steps_down: bool,
    /// `max_completion_tokens` instead of `max_tokens`.
    pub(crate) completion_tokens: bool,
    pub(crate) no_temperature: bool,
    pub(crate) no_top_p: bool,
    pub(crate) no_stream_options: bool,
    /// Whether its answers are not streamed.
    pub(crate) no_stream: bool,
    /// The instruction goes into the first user message.
    pub(crate) no_system_role: bool,
    pub(crate) effort: EffortStep,
    /// Without marks where a cached prefix ends.
    pub(crate) no_cache: bool,
    /// How the model is told how much to think, where the format has a parameter for it.
    pub(crate) think: ThinkStep,
    /// How a model that thinks by default is told not to.
    pub(crate) off: Option<ThinkingOff>,
    /// Whether the display of reasoning is not requested.
    pub(crate) no_display: bool,
    /// Whether no tools are offered.
    pub(crate) no_tools: bool,
    /// Whether no tool may be forced.
    pub(crate) no_forced_tool: bool,
    /// Whether the model sees no images.
    pub(crate) no_images: bool,
    /// Whether the model, or its account, has no web search.
    pub(crate) no_search: bool,
    /// The context window to request, in tokens, where the server has to be told; never less than before,
    /// because a server loads the model again for another number.
    pub(crate) window: u32,
}

/// Which of the parts that a server may refuse were in the request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SentFeatures {
    pub(crate) format: bool,
    pub(crate) temperature: bool,
    pub(crate) top_p: bool,
    pub(crate) stream_options: bool,
    /// Whether streaming is requested, where the settings do not insist on it.
    pub(crate) stream: bool,
    pub(crate) system: bool,
    /// The limit under its older name, `max_tokens`, where it has two.
    pub(crate) max_tokens: bool,
    /// An effort in one word.
    pub(crate) effort: Option<Effort>,
    pub(crate) cache: bool,
    /// A tool that takes the answer.
    pub(crate) tool: bool,
    /// Tools that the model may call.
    pub(crate) tools: bool,
    pub(crate) think: bool,
    /// Whether the display of reasoning is requested.
    pub(crate) display: bool,
    /// Images.
    pub(crate) images: bool,
    /// The vendor's own web search.
    pub(crate) search: bool,
}

const FORMAT_WORDS: [&str; 22] = [
    "text.format",
    "output_config",
    "output_format",
    "output format",
    "response_format",
    "response format",
    "json_schema",
    "json_object",
    "json schema",
    "json mode",
    "schema",
    "structured output",
    "guided",
    "grammar",
    "maxlength",
    "minimum",
    "maxitems",
    "additionalproperties",
    "'json'",
    "chatrequest.format",
    "invalid format",
    // All that Google says about a schema that is too much for one of its larger models.
    "request contains an invalid argument",
];

const THINK_WORDS: [&str; 8] = [
    "thinking",
    "thoughts",
    "chatrequest.think",
    "think value",
    "budget 0",
    "budget_tokens",
    "effort",
    "maximum allowed number of output tokens",
];

const SEARCH_WORDS: [&str; 7] = [
    "web_search",
    "web search",
    "google_search",
    "google search",
    "search tool",
    "search grounding",
    "max_tool_calls",
];

const REFUSING_WORDS: [&str; 17] = [
    "not support",
    "unsupported",
    "n't support",
    "only the default",
    "not permitted",
    "not allowed",
    "not accepted",
    "no longer",
    "removed",
    "unknown",
    "unrecognized",
    "unexpected",
    "extra_forbidden",
    "deprecated",
    "cannot both",
    "cannot be used",
    "instead",
];

impl Capabilities {
    /// The capabilities of a model of which nothing is known.
    pub(crate) fn new(structured: Structured) -> Self {
        Self {
            format: match structured {
                Structured::Auto | Structured::JsonSchema => FormatStep::Schema,
                Structured::JsonObject => FormatStep::Object,
                Structured::None => FormatStep::Nothing,
            },
            steps_down: structured == Structured::Auto,
            completion_tokens: false,
            no_temperature: false,
            no_top_p: false,
            no_stream_options: false,
            no_stream: false,
            no_system_role: false,
            effort: EffortStep::Asked,
            no_cache: false,
            think: ThinkStep::First,
            off: None,
            no_display: false,
            no_tools: false,
            no_forced_tool: false,
            no_images: false,
            no_search: false,
            window: 0,
        }
    }

    /// The capabilities that are known before the first request. The format in the provider's settings is
    /// fixed; otherwise the format may still step down.
    pub(crate) fn known(set: Structured, vendor: Option<&Vendor>, model: &str) -> Self {
        let Some(vendor) = vendor else { return Self::new(set) };
        let note = vendor.note(model);
        let usual = note.and_then(|note| note.structured).unwrap_or(vendor.structured);
        let begins = if set == Structured::Auto { usual } else { set };
        let no_images = vendor.sees_images(model) == Some(false);
        let plain = Self { steps_down: set == Structured::Auto, no_images, ..Self::new(begins) };
        match note {
            None => plain,
            Some(note) => Self {
                completion_tokens: note.max_completion_tokens,
                no_temperature: note.no_temperature,
                no_top_p: note.no_top_p,
                no_system_role: note.no_system_role,
                no_forced_tool: note.no_forced_tool,
                effort: match note.least_effort {
                    None => EffortStep::Asked,
                    Some(LeastEffort::Minimal) => EffortStep::Minimal,
                    Some(LeastEffort::Low) => EffortStep::Low,
                },
                think: match note.thinking {
                    Some(Thinking::Adaptive) => ThinkStep::Second,
                    Some(Thinking::Switch | Thinking::SwitchAndEffort) | None => ThinkStep::First,
                },
                off: note.thinking_off,
                ..plain
            },
        }
    }

    /// The capabilities to try after a refusal (its body, in lower case); `None` when the refusal is about
    /// nothing that could be left out.
    pub(crate) fn learn(self, refusal: &str, sent: SentFeatures) -> Option<Self> {
        let speaks_of = |word: &str| refusal.contains(word);
        let refuses = |word: &str| speaks_of(word) && REFUSING_WORDS.iter().any(|w| speaks_of(w));
        let mut next = self;
        if sent.images && images::are_refused(refusal) {
            next.no_images = true;
        } else if sent.search && refuses_search(refusal) {
            next.no_search = true;
        } else if sent.stream_options && (speaks_of("stream_options") || speaks_of("include_usage")) {
            next.no_stream_options = true;
        } else if sent.stream && refuses_streams(refusal) {
            next.no_stream = true;
        } else if sent.cache && speaks_of("cache_control") {
            next.no_cache = true;
        } else if sent.tool && refuses_tools(refusal) && self.steps_down {
            next.format = self.format.max(FormatStep::Object);
        } else if sent.tools && refuses_offered_tools(refusal) {
            next.no_tools = true;
        } else if let Some(asked) = sent.effort
            && ["reasoning_effort", "reasoning.effort", "reasoning effort"].iter().any(|w| speaks_of(w))
        {
            next.effort = self.effort.below(asked, refusal);
        } else if sent.display && speaks_of("display") {
            next.no_display = true;
        } else if sent.think && is_about_thinking(refusal, sent) {
            next.think = match self.think {
                ThinkStep::First => ThinkStep::Second,
                ThinkStep::Second | ThinkStep::Nothing => ThinkStep::Nothing,
            };
        } else if sent.max_tokens && (speaks_of("max_completion_tokens") || refuses("max_tokens")) {
            next.completion_tokens = true;
        } else if sent.top_p && (refuses("top_p") || refuses("topp")) {
            // First of the two: some models take one of them, and then temperature is the usual.
            next.no_top_p = true;
        } else if sent.temperature && refuses("temperature") {
            next.no_temperature = true;
        } else if sent.system
            && (speaks_of("alternate")
                || refuses("system role")
                || refuses("system message")
                || refuses("'system'")
                || refuses("role: system")
                || speaks_of("developer instruction")
                || speaks_of("only user and assistant roles"))
        {
            next.no_system_role = true;
        } else if sent.format && self.steps_down && FORMAT_WORDS.iter().any(|w| speaks_of(w)) {
            next.format = match self.format {
                FormatStep::Schema => FormatStep::TrimmedSchema,
                FormatStep::TrimmedSchema => FormatStep::Object,
                FormatStep::Object | FormatStep::Nothing => FormatStep::Nothing,
            };
        }
        (next != self).then_some(next)
    }

    /// Both experiences together: two calls may have learned different things at once.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            format: self.format.max(other.format),
            steps_down: self.steps_down,
            completion_tokens: self.completion_tokens | other.completion_tokens,
            no_temperature: self.no_temperature | other.no_temperature,
            no_top_p: self.no_top_p | other.no_top_p,
            no_stream_options: self.no_stream_options | other.no_stream_options,
            no_stream: self.no_stream | other.no_stream,
            no_system_role: self.no_system_role | other.no_system_role,
            effort: self.effort.max(other.effort),
            no_cache: self.no_cache | other.no_cache,
            think: self.think.max(other.think),
            off: self.off,
            no_display: self.no_display | other.no_display,
            no_tools: self.no_tools | other.no_tools,
            no_forced_tool: self.no_forced_tool | other.no_forced_tool,
            no_images: self.no_images | other.no_images,
            no_search: self.no_search | other.no_search,
            window: self.window.max(other.window),
        }
    }
}

/// Whether the server makes no web searches for this model or account. A complaint about the effort beside a search is one
/// about the effort.
fn refuses_search(refusal: &str) -> bool {
    SEARCH_WORDS.iter().any(|word| refusal.contains(word)) && !refusal.contains("effort")
}

/// Whether the server accepts no tools, or no forced tool. A path into the tool's schema is a complaint about
/// the schema.
fn refuses_tools(refusal: &str) -> bool {
    let speaks_of = |word: &str| refusal.contains(word);
    let any = speaks_of("tool_choice") || speaks_of("forces tool use");
    any || (speaks_of("tool") && !speaks_of("tools.0") && REFUSING_WORDS.iter().any(|w| speaks_of(w)))
}

/// Whether the server, or its model, takes no tools at all.
fn refuses_offered_tools(refusal: &str) -> bool {
    let speaks_of = |word: &str| refusal.contains(word);
    let names =
        ["tool", "function call", "function_call", "functiondeclaration"].iter().any(|word| speaks_of(word));
    let more = ["requires --", "no endpoints found", "not enabled", "does not have"];
    names && REFUSING_WORDS.iter().chain(&more).any(|word| speaks_of(word))
}

/// Whether the server does not stream. Gateways call the server behind them `upstream`.
fn refuses_streams(refusal: &str) -> bool {
    let is_word = |(at, _): (usize, &str)| !refusal[..at].ends_with(|sign: char| sign.is_alphabetic());
    let speaks_of_it = refusal.match_indices("stream").any(is_word);
    speaks_of_it
        && (REFUSING_WORDS.iter().any(|word| refusal.contains(word))
            || refusal.contains("verified to stream"))
}

/// Whether a refusal is about thinking, or about the tokens that it needs on top of the answer.
fn is_about_thinking(refusal: &str, sent: SentFeatures) -> bool {
    THINK_WORDS.iter().any(|word| refusal.contains(word))
        || (!sent.format && refusal.contains("output_config"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: SentFeatures = SentFeatures {
        format: true,
        temperature: true,
        top_p: true,
        stream_options: true,
        stream: true,
        system: true,
        max_tokens: true,
        effort: Some(Effort::High),
        cache: false,
        tool: false,
        tools: false,
        think: true,
        display: false,
        images: false,
        search: false,
    };

    /// The capabilities after a refusal in these words.
    fn learned(refusal: &str) -> Option<Capabilities> {
        Capabilities::new(Structured::Auto).learn(&refusal.to_lowercase(), ALL)
    }

    #[test]
    fn each_dialects_refusal_leads_to_the_part_it_speaks_of() {
        let plain = Capabilities::new(Structured::Auto);
        let cases = [
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. \
                 Use 'max_completion_tokens' instead.",
                Capabilities { completion_tokens: true, ..plain },
            ),
            (
                "Unsupported value: 'temperature' does not support 0.2 with this model. \
                 Only the default (1) value is supported.",
                Capabilities { no_temperature: true, ..plain },
            ),
            (
                "`temperature` and `top_p` cannot both be specified for this model. \
                 top_p is not allowed with temperature",
                Capabilities { no_top_p: true, ..plain },
            ),
            (
                r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}"#,
                Capabilities { no_stream_options: true, ..plain },
            ),
            (
                "Your organization must be verified to stream this model.",
                Capabilities { no_stream: true, ..plain },
            ),
            ("Streaming is not supported by this deployment", Capabilities { no_stream: true, ..plain }),
            (
                "Conversation roles must alternate user/assistant/user/assistant/...",
                Capabilities { no_system_role: true, ..plain },
            ),
            (
                "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                Capabilities { no_system_role: true, ..plain },
            ),
            ("`temperature` was removed in this API version", Capabilities { no_temperature: true, ..plain }),
            ("top_k, top_p: no longer accepted", Capabilities { no_top_p: true, ..plain }),
            ("System role not supported", Capabilities { no_system_role: true, ..plain }),
            (
                "Developer instruction is not enabled for models/gemma-3-27b-it",
                Capabilities { no_system_role: true, ..plain },
            ),
            (
                "Budget 0 is invalid. This model only works in thinking mode.",
                Capabilities { think: ThinkStep::Second, ..plain },
            ),
            (
                "json: cannot unmarshal string into Go struct field ChatRequest.think of type bool",
                Capabilities { think: ThinkStep::Second, ..plain },
            ),
            (
                "Invalid schema for response_format 'vote': 'maxLength' is not permitted.",
                Capabilities { format: FormatStep::TrimmedSchema, ..plain },
            ),
            (
                "This response_format type is unavailable now",
                Capabilities { format: FormatStep::TrimmedSchema, ..plain },
            ),
            (
                "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
                Capabilities { effort: EffortStep::LeftOut, ..plain },
            ),
        ];
        for (refusal, expected) in cases {
            assert_eq!(learned(refusal), Some(expected), "{refusal}");
        }
    }

    #[test]
    fn a_refusal_about_something_else_teaches_nothing() {
        for refusal in [
            "temperature must be between 0 and 2",
            "max_tokens is too large: 100000",
            "messages must not be empty",
        ] {
            assert_eq!(learned(refusal), None, "{refusal}");
        }
    }

    #[test]
    fn the_format_steps_down_to_nothing_and_no_further_and_not_at_all_when_it_is_fixed() {
        let mut capabilities = Capabilities::new(Structured::Auto);
        let mut steps = vec![capabilities.format];
        let sent = SentFeatures { format: true, ..SentFeatures::default() };
        while let Some(next) = capabilities.learn("no response_format", sent) {
            capabilities = next;
            steps.push(capabilities.format);
        }
        use FormatStep::{Nothing, Object, Schema, TrimmedSchema};
        assert_eq!(steps, [Schema, TrimmedSchema, Object, Nothing]);
        let fixed = Capabilities::new(Structured::JsonSchema);
        assert_eq!(fixed.learn("no response_format", sent), None);
    }

    #[test]
    fn what_anthropic_refuses_is_told_apart() {
        let plain = Capabilities::new(Structured::Auto);
        let sent = SentFeatures { format: true, cache: true, tool: true, ..SentFeatures::default() };
        let thinking = SentFeatures { format: true, cache: true, think: true, ..SentFeatures::default() };
        let stepped = |format| Capabilities { format, ..plain };
        let thinks = |think| Capabilities { think, ..plain };
        let cases = [
            (
                sent,
                "system.0.cache_control: extra inputs are not permitted",
                Capabilities { no_cache: true, ..plain },
            ),
            (
                sent,
                "tools.0.custom: for 'integer' type, properties maximum, minimum are not supported",
                stepped(FormatStep::TrimmedSchema),
            ),
            (
                sent,
                "thinking may not be enabled when tool_choice forces tool use.",
                stepped(FormatStep::Object),
            ),
            (
                thinking,
                "\"thinking.type.enabled\" is not supported for this model. use \"thinking.type.adaptive\" \
                 and \"output_config.effort\" to control thinking behavior.",
                thinks(ThinkStep::Second),
            ),
            (thinking, "thinking: extra inputs are not permitted", thinks(ThinkStep::Second)),
            (
                thinking,
                "max_tokens: 8492 > 8192, which is the maximum allowed number of output tokens for x",
                thinks(ThinkStep::Second),
            ),
            (
                SentFeatures { display: true, ..thinking },
                "thinking.adaptive.display: extra inputs are not permitted",
                Capabilities { no_display: true, ..plain },
            ),
            (
                thinking,
                "output_config.format: 'x' does not support output format",
                stepped(FormatStep::TrimmedSchema),
            ),
        ];
        for (sent, refusal, expected) in cases {
            assert_eq!(plain.learn(refusal, sent), Some(expected), "{refusal}");
        }
        let adaptive = thinks(ThinkStep::Second);
        let refused = "adaptive thinking is not supported on this model";
        assert_eq!(adaptive.learn(refused, thinking), Some(thinks(ThinkStep::Nothing)));
    }

    #[test]
    fn what_the_vendors_table_knows_needs_no_refusal() {
        let vendor = crate::vendor::vendor;
        let o3 = Capabilities::known(Structured::Auto, vendor("openai"), "o3-mini");
        let plain = Capabilities::new(Structured::Auto);
        let thinks = Capabilities { completion_tokens: true, no_temperature: true, no_top_p: true, ..plain };
        assert_eq!(o3, Capabilities { effort: EffortStep::Low, no_images: true, ..thinks });
        assert_eq!(Capabilities::known(Structured::Auto, vendor("openai"), "gpt-6-luna"), thinks);
        let claude = |model| Capabilities::known(Structured::Auto, vendor("anthropic"), model);
        let adaptive = Capabilities { think: ThinkStep::Second, ..plain };
        assert_eq!(claude("claude-sonnet-4-6"), adaptive);
        let newest = Capabilities {
            no_temperature: true,
            no_top_p: true,
            no_forced_tool: true,
            off: Some(ThinkingOff::BetweenTools),
            ..adaptive
        };
        assert_eq!(claude("claude-sonnet-5-5"), newest);
        assert_eq!(claude("claude-haiku-4-5-20251001"), plain, "it is told a number of tokens");
        let glm = Capabilities::known(Structured::Auto, vendor("glm"), "glm-4.6");
        assert_eq!(glm, Capabilities { format: FormatStep::Object, ..plain }, "and may step down further");
        let deepseek = Capabilities::known(Structured::Auto, vendor("deepseek"), "deepseek-v4-flash");
        assert!(deepseek.no_images, "none of its models sees");
        let set = Capabilities::known(Structured::JsonSchema, vendor("glm"), "glm-4.6");
        assert_eq!(set, Capabilities::new(Structured::JsonSchema));
        assert_eq!(Capabilities::known(Structured::Auto, None, "o3-mini"), plain);
    }

    #[test]
    fn two_calls_experiences_add_up() {
        let plain = Capabilities::new(Structured::Auto);
        let one = Capabilities { no_top_p: true, ..plain };
        let other =
            Capabilities { format: FormatStep::Object, think: ThinkStep::Nothing, window: 8192, ..plain };
        let both = Capabilities { no_top_p: true, ..other };
        assert_eq!(one.and(other), both);
    }
}
