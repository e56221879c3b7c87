//! The pretended vendors: the real wire formats without a socket, in all the ways in which they fail, with a bill of
//! their own.
//!
//! A request comes from the real runner as its HTTP client would send it. The emulators of the vendors answer it, as strictly
//! as the vendors do, with words that the dice give; what is sent back is then cut, garbled, delayed, or lost.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::*;
use quorate_engine::{FragmentSink, Request, RetrySink, Runner, RunnerDirectory};
use quorate_runners::{
    Directory, ModelPorts, ModelRunner, Pace, ProviderConfig, RandomSource, Secret, SendError,
    SimulatedRunner, Transport, TurnBoard, WireFormat, forget_lessons,
};
use quorate_vendor_emulators::{KEY, Question, VendorRequest, respond, tokens};
use reqwest::{RequestBuilder, Response};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::sleep;

use super::delivery::{WAYS, Way, in_one, on_the_way, refused, whole};
use super::world::{World, locked};
use crate::report::count;
use crate::rng::Rng;
use crate::world::{self, AnswerInputs};

/// The providers: name, wire format, path, and models that their vendor has.
const PROVIDERS: [(&str, WireFormat, &str, &[&str]); 5] = [
    (
        "chat",
        WireFormat::Openai,
        "v1",
        &["gpt-5-mini", "gpt-4o-mini", "deepseek-chat", "glm-4.6", SMALL, SMALL],
    ),
    ("responses", WireFormat::Responses, "v1", &["gpt-5-mini", "gpt-4o-mini"]),
    ("claude", WireFormat::Anthropic, "", &["claude-sonnet", "claude-haiku"]),
    ("google", WireFormat::Gemini, "", &["gemini-flash"]),
    ("local", WireFormat::Ollama, "", &["qwen3:8b"]),
];

/// A model with a small context window, as its name says.
const SMALL: &str = "llama-1200-small";

/// The shortest time that a program waits for the first byte of an answer, in milliseconds.
const FIRST_BYTE_LEAST_MS: u64 = 5_000;

/// The most tokens of words that the dice give; a huge answer is longer.
const WORDS: u64 = 6_000;

/// What the vendors know of one attempt of a task.
#[derive(Debug, Default, Clone)]
struct Attempt {
    /// The process that asked.
    process: u64,
    /// How often it was asked.
    requests: u32,
    /// How often the work was done, and the tokens of it.
    done: u32,
    billed: u64,
    /// The tokens of an answer that came whole, as the vendor reported them.
    reported: Option<u64>,
}

/// The prompts that a meeting sends to the model with a small window.
#[derive(Debug, Default)]
struct SmallWindow {
    /// The task whose prompt was the first that did not fit, and told the size.
    told_by: Option<String>,
    /// The other tasks since, and those whose first prompt did not fit.
    asked: BTreeSet<String>,
    too_long: BTreeSet<String>,
    /// Those of them that fitted when they were sent again: they could have been sent so at first. What cannot be
    /// shortened may be tried, because a refusal costs nothing.
    fitted_later: BTreeSet<String>,
}

/// All vendors of one simulation.
pub(super) struct Vendors {
    configs: Vec<ProviderConfig>,
    /// When each provider cannot be reached, in milliseconds.
    outages: Vec<(u64, u64)>,
    attempts: Mutex<BTreeMap<String, Attempt>>,
    /// What the models are asked, by the key of the attempt. A real one reads that in its prompt.
    inputs: Mutex<BTreeMap<String, AnswerInputs>>,
    /// The attempts that are in a log, so that they may be asked, and what is held back for each.
    started: Mutex<BTreeMap<String, u64>>,
    /// What became of prompts of the model with a small window, for each meeting.
    small: Mutex<BTreeMap<String, SmallWindow>>,
    /// The attempts whose runner broke down: in which process, and when.
    broken: Mutex<BTreeMap<String, (u64, u64)>>,
    requests: Mutex<u64>,
}

impl Vendors {
    /// The vendors that the dice give.
    pub(super) fn new(rng: &mut Rng) -> Self {
        let config = |rng: &mut Rng, (name, wire, path, _): (&str, WireFormat, &str, &[&str])| {
            // Lessons belong to an address: no two simulations of one process have the same.
            let url = format!("http://{name}-{:016x}.test/{path}", rng.roll());
            let mut config = ProviderConfig::new(name, url.parse().expect("a URL"));
            (config.wire, config.key) = (wire, Some(Secret::new(KEY)));
            config.requests_per_minute = rng.maybe(200, |rng| rng.small(20, 200));
            config.tokens_per_minute = rng.maybe(100, |rng| rng.small(20_000, 200_000));
            config.concurrency = rng.maybe(300, |rng| rng.between(1, 4) as usize);
            config.timeouts.first_byte_ms = rng.pick(&[FIRST_BYTE_LEAST_MS, 30_000, 150_000]);
            config.timeouts.idle_ms = rng.pick(&[2_000, 60_000]);
            config.retries = rng.small(0, 3);
            config
        };
        let configs = PROVIDERS.iter().map(|provider| config(rng, *provider)).collect();
        let mut outage = |_: &_| match rng.per_mille(400) {
            true => {
                let from = rng.below(600_000);
                (from, from + rng.pick(&[5_000, 120_000, 900_000]))
            }
            false => (0, 0),
        };
        let outages = PROVIDERS.iter().map(&mut outage).collect();
        Self {
            configs,
            outages,
            attempts: Mutex::default(),
            inputs: Mutex::default(),
            started: Mutex::default(),
            small: Mutex::default(),
            broken: Mutex::default(),
            requests: Mutex::default(),
        }
    }

    /// Puts models of these vendors in the place of those that nobody has.
    pub(super) fn settle(rng: &mut Rng, runner: &mut RunnerSpec) {
        let RunnerSpec::Model { provider, model, fallback, .. } = runner else { return };
        // Now and then somebody misspells a name.
        if !rng.per_mille(30) {
            let (name, _, _, models) = rng.pick(&PROVIDERS);
            *provider = name.to_owned();
            *model = if rng.per_mille(20) { "gpt-4o-mimi" } else { rng.pick(models) }.to_owned();
        }
        let (provider, model) = (provider.clone(), model.clone());
        if let Some(other) = fallback {
            Self::settle(rng, other);
            let is_itself = matches!(&**other, RunnerSpec::Model { provider: p, model: m, .. } if (p, m) == (&provider, &model));
            if is_itself {
                *fallback = None;
            }
        }
    }

    /// The runners of one process.
    pub(super) fn directory(
        &self,
        world: &Arc<World>,
        board: Arc<TurnBoard>,
    ) -> Result<ModelDirectory, String> {
        let mut directory = Directory::new(Arc::new(SimulatedRunner::new(Pace::Brisk)));
        directory.offer_on(board);
        let mut dice = Rng::new(world.rng().roll());
        let jitter = Arc::new(Mutex::new(Rng::new(dice.roll())));
        for (place, config) in self.configs.iter().enumerate() {
            // A process begins with what it was told, which is nothing.
            forget_lessons(config);
            let dice = Arc::clone(&jitter);
            let random = RandomSource::of(move || (locked(&dice).roll() >> 32) as u32);
            let transport = Arc::new(Wire { world: Arc::downgrade(world), place });
            let runner = ModelRunner::over(config.clone(), ModelPorts { transport, random });
            let runner = runner.map_err(|error| error.to_string())?;
            let inner = Arc::new(runner);
            directory.add(config.name.clone(), Arc::new(AskedRunner { inner, world: Arc::downgrade(world) }));
        }
        Ok(ModelDirectory(directory))
    }

    /// An event of a log is gone with the power: nobody may have been asked because of it.
    pub(super) fn forget_start(&self, meeting: &MeetingId, event: &Event) -> Result<(), String> {
        let EventBody::CallStarted { task, attempt, .. } = &event.body else { return Ok(()) };
        let key = format!("{meeting}/{task}#{attempt}");
        locked(&self.started).remove(&key);
        match locked(&self.attempts).contains_key(&key) {
            true => Err(format!("{key} was asked, and its beginning is lost")),
            false => Ok(()),
        }
    }

    /// Checks an event of a log against what the vendors have seen.
    pub(super) fn check(&self, meeting: &MeetingId, event: &Event) -> Result<(), String> {
        match &event.body {
            EventBody::CallStarted { task, attempt, reserved, .. } => {
                locked(&self.started).insert(format!("{meeting}/{task}#{attempt}"), reserved.tokens);
                Ok(())
            }
            EventBody::CallEnded { task, attempt, end, usage, .. } => {
                let key = format!("{meeting}/{task}#{attempt}");
                let attempts = locked(&self.attempts);
                let Some(known) = attempts.get(&key) else { return Ok(()) };
                let reserved = locked(&self.started).get(&key).copied().unwrap_or_default();
                if known.billed > reserved {
                    let billed = known.billed;
                    return Err(format!(
                        "{reserved} tokens were held back for {key}, and {billed} are billed"
                    ));
                }
                if known.reported.is_some() && *end == (CallEnd::Failed { kind: FailureKind::Network }) {
                    return Err(format!("{key} was answered whole, and its end is {end:?}"));
                }
                // What no response said is estimated and marked; that may be less, by a quarter at the most.
                let least = if usage.estimated { known.billed * 3 / 4 } else { known.billed };
                if usage.total() < least {
                    return Err(format!(
                        "{key} ends with {} tokens ({end:?}), and its vendor billed {}: {usage:?}",
                        usage.total(),
                        known.billed
                    ));
                }
                match known.reported {
                    Some(told) if *end == CallEnd::Answered && told != usage.total() => {
                        Err(format!("{key} used {told} tokens, and the log says {}", usage.total()))
                    }
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Checks that a size that a server has told is respected from then on: of ten prompts at most one does not fit.
    pub(super) fn check_windows(&self) -> Result<(), String> {
        let all = locked(&self.small);
        let forgets = |one: &&SmallWindow| one.fitted_later.len() > 2 + one.asked.len() / 10;
        match all.iter().find(|(_, one)| forgets(one)) {
            None => Ok(()),
            Some((meeting, one)) => Err(format!(
                "{meeting} knows how much {SMALL} takes, and sends more in {} of {} tasks",
                one.fitted_later.len(),
                one.asked.len()
            )),
        }
    }

    /// For how long the runner of an attempt has been broken down in the present process; `None` if it has not.
    pub(super) fn broken_for_ms(&self, world: &World, key: &str) -> Option<u64> {
        let (process, since) = *locked(&self.broken).get(key)?;
        (process == world.process.load(Ordering::Relaxed)).then(|| world.now_ms().saturating_sub(since))
    }

    /// Checks what a runner made of an answer that its vendor sent whole.
    fn check_outcome(&self, key: &str, outcome: &Outcome) -> Result<(), String> {
        let Outcome::Failed(failure) = outcome else { return Ok(()) };
        let is_unread = matches!(failure.kind, FailureKind::Network | FailureKind::Malformed);
        let came_whole = locked(&self.attempts).get(key).is_some_and(|one| one.reported.is_some());
        match is_unread && came_whole {
            true => Err(format!("{key} was answered whole, and its runner says {:?}", failure.kind)),
            false => Ok(()),
        }
    }

    /// The tokens that the vendors have billed for a meeting.
    pub(super) fn billed(&self, meeting: &MeetingId) -> u64 {
        let prefix = format!("{meeting}/");
        locked(&self.attempts)
            .iter()
            .filter(|(key, _)| key.starts_with(&prefix))
            .map(|(_, one)| one.billed)
            .sum()
    }
}

/// The runners of one process: those of the vendors, and simulated participants.
pub(super) struct ModelDirectory(Directory);

impl RunnerDirectory for ModelDirectory {
    fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner> {
        self.0.find(spec)
    }
}

/// The real runner; the pretended model is told what it is asked.
struct AskedRunner {
    inner: Arc<ModelRunner>,
    world: Weak<World>,
}

impl Runner for AskedRunner {
    fn admit(&self) -> BoxFuture<'_, Option<OwnedSemaphorePermit>> {
        self.inner.admit()
    }
    fn ready<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, ()> {
        self.inner.ready(request)
    }
    fn takes_images(&self) -> bool {
        self.inner.takes_images()
    }
    fn paused_for(&self) -> Option<Duration> {
        self.inner.paused_for()
    }
    fn try_now(&self) {
        self.inner.try_now();
    }
    fn run(&self, mut request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        if let Some(world) = self.world.upgrade() {
            let (told, key, noted) = (request.retries, request.idempotency_key.clone(), self.world.clone());
            request.retries = RetrySink::new(move |retry: Retry, recorded| {
                if let Some(world) = noted.upgrade() {
                    let why = retry.detail.in_language(Language::En);
                    world.note(format!("    {key} is asked again in {} ms: {why}", retry.wait_ms));
                }
                told.pass(retry, recorded);
            });
            let inputs = inputs_of(&request.prompt, request.timeout_ms);
            locked(&world.vendors.inputs).insert(request.idempotency_key.clone(), inputs);
        }
        let breaks = self.world.upgrade().is_some_and(|world| {
            let breaks = !world.is_calm() && world.rng().per_mille(world.fault_plan.trouble / 20);
            if breaks {
                let when = (world.process.load(Ordering::Relaxed), world.now_ms());
                locked(&world.vendors.broken).insert(request.idempotency_key.clone(), when);
                count(&mut world.report().answers, "a runner breaks down");
            }
            breaks
        });
        Box::pin(async move {
            assert!(!breaks, "{}", super::RUNNER_BREAKS);
            let key = request.idempotency_key.clone();
            let outcome = self.inner.run(request, sink).await;
            if let Some(world) = self.world.upgrade()
                && let Err(what) = world.vendors.check_outcome(&key, &outcome)
            {
                world.breach(what);
            }
            outcome
        })
    }
}

/// What somebody is asked, as its prompt says.
pub(super) fn inputs_of(prompt: &Prompt, timeout_ms: u64) -> AnswerInputs {
    let brief = &prompt.brief;
    AnswerInputs {
        kind: brief.kind(),
        names: brief.participants.iter().map(|participant| participant.name.clone()).collect(),
        claims: brief.task.turn().map_or(0, |turn| turn.targets.len() as u64),
        said: brief.task.messages().len() as u64,
        artifact: match &brief.task {
            BriefTask::Artifact(wanted) => wanted.artifact,
            _ => ArtifactKind::Minutes,
        },
        tokens: WORDS,
        timeout_ms,
    }
}

/// The way to one vendor.
struct Wire {
    world: Weak<World>,
    place: usize,
}

impl Transport for Wire {
    fn send(&self, request: RequestBuilder) -> BoxFuture<'_, Result<Response, SendError>> {
        Box::pin(async move {
            let Some(world) = self.world.upgrade() else { return std::future::pending().await };
            let request = request.build().map_err(SendError::Client)?;
            self.serve(&world, &request).await
        })
    }

    /// One for all: a client reads all certificates of the machine, and nothing goes through it.
    fn client(&self) -> Option<reqwest::Client> {
        static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
        Some(CLIENT.get_or_init(reqwest::Client::new).clone())
    }
}

impl Wire {
    async fn serve(&self, world: &Arc<World>, request: &reqwest::Request) -> Result<Response, SendError> {
        let vendors = &world.vendors;
        let text = |value: &reqwest::header::HeaderValue| value.to_str().unwrap_or_default().to_owned();
        let headers: Vec<(String, String)> =
            request.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
        let key = headers.iter().find(|(name, _)| name == "idempotency-key");
        let key =
            key.map(|(_, key)| key.split('~').next().unwrap_or_default().to_owned()).unwrap_or_default();
        let number = {
            let mut requests = locked(&vendors.requests);
            *requests += 1;
            *requests
        };
        let times = self.enter(world, &key);
        let mix = key
            .bytes()
            .fold(world.seed ^ u64::from(times), |mix, byte| Rng::new(mix ^ u64::from(byte)).roll());
        let mut rng = Rng::new(mix);
        let name = &vendors.configs[self.place].name;
        let trouble = if world.is_calm() { 0 } else { world.fault_plan.trouble };
        let tell = |what: &'static str| {
            count(&mut world.report().answers, what);
            world.note(format!("    {name} {what}: {key} ({times})"));
        };

        let (from, until) = vendors.outages[self.place];
        if !world.is_calm() && world.fault_plan.trouble > 0 && (from..until).contains(&world.now_ms()) {
            tell("cannot be reached");
            sleep(Duration::from_millis(rng.below(50))).await;
            return match rng.below(3) {
                0 => Ok(whole(503, "application/json", r#"{"error":{"message":"down for maintenance"}}"#)),
                _ => Err(SendError::NoConnection(ErrorKind::ConnectionRefused)),
            };
        }

        let inputs = locked(&vendors.inputs).get(&key).cloned();
        let Some(inputs) = inputs else {
            // A list of models.
            sleep(Duration::from_millis(rng.below(500))).await;
            return Ok(in_one(respond(&self.read(request, headers), number, &|_| String::new())));
        };
        let reply = world::reply(&mut rng, &inputs, trouble / 2);
        let answer = match &reply.outcome {
            Outcome::Answered(answer) | Outcome::CalledTools(answer, _) => {
                world.canaries.plant(inputs.kind, answer.text.clone())
            }
            Outcome::Failed(failure) => {
                tell(reply.name);
                sleep(Duration::from_millis(reply.after_ms)).await;
                return refused(&mut rng, failure.kind);
            }
        };
        let way = match rng.per_mille(trouble / 2) {
            true => rng.weighted(&WAYS.map(|(weight, way, name)| (weight, (way, name)))),
            false => (Way::Whole, reply.name),
        };
        let billed = Mutex::new(0);
        let say = |question: &Question| {
            // What goes beyond the tokens of the request is neither sent nor billed.
            *locked(&billed) = question.tokens() + tokens(&answer).min(question.max_tokens);
            answer.clone()
        };
        let asked = self.read(request, headers);
        let body = asked.body.clone();
        let sent = respond(&asked, number, &say);
        let billed = *locked(&billed);
        if body["model"] == SMALL {
            self.note_small(world, &key, sent.status);
        }
        if sent.status != 200 {
            tell(if body["model"] == SMALL { "names its window" } else { "refuses the form" });
            sleep(Duration::from_millis(rng.below(300))).await;
            return Ok(in_one(sent));
        }
        let arrives = matches!(way.0, Way::Whole | Way::Twice | Way::Trails | Way::Resets);
        self.bill(world, &key, billed, arrives);
        tell(way.1);
        let slow = world.is_calm() || rng.per_mille(800);
        let wait = if slow { reply.after_ms.min(inputs.timeout_ms / 2) } else { reply.after_ms };
        // Where nothing fails any more, no vendor takes longer than the shortest time that a program waits for one.
        let wait = if world.is_calm() { wait.min(FIRST_BYTE_LEAST_MS / 2) } else { wait };
        match way.0 {
            Way::Lost => {
                sleep(Duration::from_millis(wait)).await;
                return Err(SendError::Cut);
            }
            Way::Silent => std::future::pending().await,
            Way::Gateway => {
                sleep(Duration::from_millis(wait)).await;
                let status = rng.pick(&[502, 504, 524]);
                return Ok(whole(status, "text/html", "<html><h1>Bad gateway</h1></html>"));
            }
            Way::Whole | Way::Cut | Way::Stalls | Way::Garbled => {}
            Way::Twice | Way::Trails | Way::Resets => {}
        }
        Ok(on_the_way(&mut rng, sent, way.0, wait))
    }

    /// Notes that an attempt is asked for; returns how often it was.
    fn enter(&self, world: &World, key: &str) -> u32 {
        if key.is_empty() {
            return 0;
        }
        let process = world.process.load(Ordering::Relaxed);
        if !locked(&world.vendors.started).contains_key(key) {
            world.breach(format!("{key} is asked, and no log says that it begins"));
        }
        let mut attempts = locked(&world.vendors.attempts);
        let known = attempts.entry(key.to_owned()).or_default();
        if known.requests > 0 && known.process != process {
            world.breach(format!("{key} is asked by two processes"));
        }
        known.process = process;
        known.requests += 1;
        known.requests
    }

    /// Notes what became of a prompt of the model with a small window.
    fn note_small(&self, world: &World, key: &str, status: u16) {
        let Some((meeting, attempt)) = key.split_once('/') else { return };
        let Some((task, attempt)) = attempt.split_once('#') else { return };
        let mut all = locked(&world.vendors.small);
        let known = all.entry(meeting.to_owned()).or_default();
        match &known.told_by {
            None if status == 400 => known.told_by = Some(task.to_owned()),
            Some(first)
                if first != task
                    && attempt == "1"
                    && known.asked.insert(task.to_owned())
                    && status == 400 =>
            {
                known.too_long.insert(task.to_owned());
            }
            Some(_) if attempt != "1" && status == 200 && known.too_long.contains(task) => {
                known.fitted_later.insert(task.to_owned());
            }
            _ => {}
        }
    }

    fn bill(&self, world: &World, key: &str, billed: u64, arrives: bool) {
        let mut attempts = locked(&world.vendors.attempts);
        let known = attempts.entry(key.to_owned()).or_default();
        known.done += 1;
        known.billed += billed;
        known.reported = arrives.then_some(billed);
        if known.done > 1 {
            world.breach(format!("the work of {key} is done {} times", known.done));
        }
    }

    fn read(&self, request: &reqwest::Request, headers: Vec<(String, String)>) -> VendorRequest {
        let url = request.url();
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
        let body = serde_json::from_slice(body).unwrap_or_default();
        VendorRequest { method: request.method().to_string(), path, headers, body }
    }
}
