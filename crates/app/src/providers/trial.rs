//! Tests of a provider: list its models, a whole answer, a stream, and a structured answer. The test is about
//! the present state, so it does not retry.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quorate_contract::{
    Answer, AnswerSchema, Brief, BriefTask, BriefTurn, Failure, FailureKind, Language, MeetingId,
    ModelParameters, Outcome, Price, Prompt, PromptMessage, PromptRole, RunId, RunnerSpec, TaskId, Usage,
    clean,
};
use quorate_engine::{ActionSink, FragmentSink, Request, RetrySink, Runner};
use quorate_messages::text;
use quorate_runners::{ModelRunner, ProviderConfig, WireFormat};
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::ServiceError;
use crate::language::Speech;
use crate::meeting_file::prices::{OwnPrice, price};
use crate::providers::discover::{fitting_in_order, list};

/// The time limit for a server to list its models.
const LIST_TIMEOUT: Duration = Duration::from_secs(20);
/// The time limit of one answer: a local model may have to be loaded first.
const TIMEOUT: Duration = Duration::from_secs(120);
/// So many models are asked, where none is named and the first ones are not for this account.
const MODELS_MAX: usize = 4;

/// The result of one check.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderTestResult {
    /// What was checked: `models`, `answer`, `stream` or `schema`.
    pub what: &'static str,
    /// Whether the check succeeded.
    pub ok: bool,
    /// The result, in one line.
    pub detail: String,
    /// How to resolve a failed check.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hint: String,
    /// The time from the request to the last byte, in milliseconds.
    pub latency_ms: u64,
    /// The usage of the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The cost in millionths of the currency; absent when no price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    /// Whether all further checks depend on this one.
    #[serde(skip)]
    hopeless: bool,
    /// Whether another model of the provider may answer all the same.
    #[serde(skip)]
    of_model: bool,
}

impl ProviderTestResult {
    fn bad(what: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        // A server's text is cleaned of control characters before it is shown.
        let (detail, hint) = (clean(&detail.into()), clean(&hint.into()));
        let (latency_ms, usage, cost_micros) = (0, None, None);
        Self {
            what,
            ok: false,
            detail,
            hint,
            latency_ms,
            usage,
            cost_micros,
            hopeless: false,
            of_model: false,
        }
    }

    /// A failed check.
    fn failed(what: &'static str, failure: &Failure, speech: Speech) -> Self {
        let [detail, hint] = [&failure.detail, &failure.hint].map(|text| text.in_language(speech.0));
        Self {
            hopeless: hopeless(failure.kind),
            of_model: of_model(failure.kind),
            ..Self::bad(what, detail, hint)
        }
    }
}

/// The result of testing a provider.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderTestReport {
    /// The provider's name.
    pub provider: String,
    /// The model that was tested.
    pub model: Option<String>,
    /// Whether all checks succeeded.
    pub ok: bool,
    /// The checks, in order.
    pub tried: Vec<ProviderTestResult>,
}

/// Tries out what a provider can do, with the model that is named or the first that answers: a vendor lists models
/// that an account may not use, and some that only draw or listen.
///
/// # Errors
/// When no request could be made at all. What does not work is in the report.
pub async fn try_out(
    mut config: ProviderConfig,
    named: Option<&str>,
    prices: &BTreeMap<String, OwnPrice>,
    speech: Speech,
) -> Result<ProviderTestReport, ServiceError> {
    config.retries = 0;
    let Listed { tried: listed, candidates } = models(&config, named, speech).await;
    let is_hopeless = listed.hopeless;
    let mut tried = vec![listed];
    let runner = ModelRunner::new(config.clone())?;
    let trial_of = |model: &str| {
        let price = price(prices, Some(&config), &config.name, model);
        Trial { runner: &runner, config: &config, model: model.to_owned(), price, speech }
    };
    let mut trials = candidates.iter().map(|model| trial_of(model));
    let mut trial = trials.next().filter(|_| !is_hopeless);
    if let Some(first) = &trial {
        let mut answer = first.ask("answer").await;
        // The next models are asked only where this one was refused; what is reported is the one that answered, and
        // when none did, the first.
        if answer.of_model {
            for next in trials {
                let other = next.ask("answer").await;
                if other.ok {
                    (trial, answer) = (Some(next), other);
                    break;
                }
            }
        }
        tried.push(answer);
    }
    if let Some(trial) = &trial {
        // Whether a remote agent streams its card says, and nobody asks it for JSON but a ballot.
        let checks: &[&'static str] = match config.wire {
            WireFormat::A2a => &[],
            _ => &["stream", "schema"],
        };
        for what in checks.iter().copied() {
            if tried.iter().any(|tried| tried.hopeless) {
                break;
            }
            tried.push(trial.ask(what).await);
        }
    }
    let ok = tried.iter().all(|tried| tried.ok);
    let model = trial.map(|trial| trial.model).or_else(|| candidates.first().cloned());
    Ok(ProviderTestReport { provider: config.name, model, ok, tried })
}

/// The list of models, and those to ask, the best first. A server that lists none can still answer for one that
/// was named.
async fn models(config: &ProviderConfig, named: Option<&str>, speech: Speech) -> Listed {
    let began = Instant::now();
    let listed = list(config, LIST_TIMEOUT).await;
    let latency_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let models = match listed {
        Ok(models) => models,
        Err(failure) => {
            let tried =
                ProviderTestResult { latency_ms, ..ProviderTestResult::failed("models", &failure, speech) };
            return Listed { tried, candidates: named.into_iter().map(str::to_owned).collect() };
        }
    };
    let candidates: Vec<String> = match named {
        Some(named) => vec![named.to_owned()],
        None => fitting_in_order(config, &models).take(MODELS_MAX).cloned().collect(),
    };
    let count = models.len();
    let tried = match candidates.is_empty() {
        false => {
            let card = match ModelRunner::new(config.clone()) {
                Ok(runner) => runner.shown_card().await,
                Err(_) => None,
            };
            let detail = card.unwrap_or_else(|| text!(speech, "app-trial-listed", count));
            ProviderTestResult { ok: true, latency_ms, ..ProviderTestResult::bad("models", detail, "") }
        }
        true => {
            let detail = text!(speech, "app-trial-listed-none-can-talk", count);
            let hint = text!(speech, "app-trial-load-one-name-one");
            ProviderTestResult {
                latency_ms,
                hopeless: true,
                ..ProviderTestResult::bad("models", detail, hint)
            }
        }
    };
    Listed { tried, candidates }
}

/// The result of listing the models.
struct Listed {
    tried: ProviderTestResult,
    /// Those to ask, the best first; one where it was named.
    candidates: Vec<String>,
}

/// Whether every other check would fail for the same reason.
fn hopeless(kind: FailureKind) -> bool {
    use FailureKind as K;
    matches!(kind, K::Authentication | K::Network | K::Quota | K::ModelUnknown | K::NotConfigured)
}

/// Whether it may be for the model's sake alone that nothing was answered.
fn of_model(kind: FailureKind) -> bool {
    use FailureKind as K;
    matches!(kind, K::ModelUnknown | K::BadRequest | K::Overloaded | K::Empty | K::Malformed)
}

/// A model that is asked.
struct Trial<'a> {
    runner: &'a ModelRunner,
    config: &'a ProviderConfig,
    model: String,
    price: Option<Price>,
    speech: Speech,
}

impl Trial<'_> {
    async fn ask(&self, what: &'static str) -> ProviderTestResult {
        let pieces = Arc::new(AtomicUsize::new(0));
        let sink = match what {
            "stream" => {
                let pieces = Arc::clone(&pieces);
                FragmentSink::new(move |_| _ = pieces.fetch_add(1, Ordering::Relaxed))
            }
            _ => FragmentSink::nobody(),
        };
        let asked = self.runner.run(self.request(what), sink);
        match tokio::time::timeout(TIMEOUT, asked).await {
            Ok(Outcome::Answered(answer) | Outcome::CalledTools(answer, _)) => {
                self.judge(what, &answer, pieces.load(Ordering::Relaxed))
            }
            Ok(Outcome::Failed(failure)) => {
                let (latency_ms, usage) = (failure.latency_ms, failure.usage);
                let tried = ProviderTestResult::failed(what, &failure, self.speech);
                ProviderTestResult { latency_ms, usage, ..tried }
            }
            Err(_) => {
                let seconds = TIMEOUT.as_secs();
                let detail = text!(self.speech, "app-trial-no-answer-within-s", %seconds);
                let hint = text!(self.speech, "app-trial-try-again-choose-smaller-model");
                ProviderTestResult { hopeless: true, ..ProviderTestResult::bad(what, detail, hint) }
            }
        }
    }

    fn judge(&self, what: &'static str, answer: &Answer, pieces: usize) -> ProviderTestResult {
        let speech = self.speech;
        let said = quoted(&answer.text);
        let in_shape = || {
            serde_json::from_str::<Value>(answer.text.trim()).is_ok_and(|value| value["ready"].is_boolean())
        };
        let (ok, detail, hint) = match what {
            "stream" => (
                pieces > 0 || answer.text.is_empty(),
                text!(speech, "app-trial-pieces", pieces, %said),
                text!(speech, "app-trial-meetings-work-all-same-answers"),
            ),
            "schema" if !in_shape() => (
                false,
                text!(speech, "app-trial-not-shape-asked", %said),
                text!(speech, "app-trial-choose-another-model-set-structured"),
            ),
            _ => (true, said, ""),
        };
        let hint = if ok { "" } else { hint };
        let micros = |tokens: u64, per_million: u64| tokens as f64 * per_million as f64 / 1e6;
        let cost = |price: Price| {
            (micros(answer.usage.input_tokens, price.input_micros)
                + micros(answer.usage.output_tokens, price.output_micros))
            .round() as u64
        };
        ProviderTestResult {
            ok,
            latency_ms: answer.latency_ms,
            usage: Some(answer.usage),
            cost_micros: self.price.map(cost),
            ..ProviderTestResult::bad(what, detail, hint)
        }
    }

    fn request(&self, what: &'static str) -> Request {
        let question = match what {
            "schema" => "Answer with a JSON object whose only field is \"ready\": true.",
            _ => "Answer with the word ready.",
        };
        let schema = json!({
            "type": "object", "properties": { "ready": { "type": "boolean" } },
            "required": ["ready"], "additionalProperties": false,
        });
        Request {
            meeting: MeetingId::new("test"),
            run: RunId::new("test"),
            task: TaskId::Conclude,
            attempt: 1,
            idempotency_key: format!("test-{}", uuid::Uuid::now_v7()),
            runner: RunnerSpec::Model {
                provider: self.config.name.clone(),
                model: self.model.clone(),
                parameters: ModelParameters::default(),
                price: None,
                fallback: None,
            },
            prompt: Prompt {
                system: String::new(),
                messages: vec![PromptMessage::text(PromptRole::User, question)],
                task_at: 0,
                schema: (what == "schema").then(|| AnswerSchema { name: "ready", schema: Arc::new(schema) }),
                // Enough for a model that reasons first.
                max_tokens: 512,
                brief: Arc::new(Brief::new(BriefTask::Speak(BriefTurn::default()), Language::En, "")),
                tools: Default::default(),
            },
            timeout_ms: TIMEOUT.as_millis() as u64,
            retries: RetrySink::nobody(),
            actions: ActionSink::nobody(),
            tools: Arc::from([]),
            images: Arc::from([]),
        }
    }
}

/// The beginning of an answer, in a line.
fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(60).collect();
    match short.len() < line.len() {
        true => format!("“{short}…”"),
        false => format!("“{short}”"),
    }
}
