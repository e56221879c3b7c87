//! Tools through the engine: results, tools that fail, break down or never answer, and a process that dies with one.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::*;
use quorate_engine::*;

/// A model that calls these tools before it speaks, and tools by their names.
#[derive(Default)]
struct Bench {
    calls: Vec<(&'static str, bool)>,
    /// How often each tool ran, by its name.
    ran: Mutex<Vec<String>>,
    asked: AtomicU32,
}

impl Runner for Bench {
    fn run(&self, request: Request, _: FragmentSink) -> BoxFuture<'_, Outcome> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let text = match request.prompt.brief.kind() {
            AnswerKind::Conclude => r#"{"conclusion":"yes","disagreements":[],"actions":[]}"#.to_owned(),
            AnswerKind::Minutes => r#"{"content":"yes"}"#.to_owned(),
            _ => "I have looked [t1].".to_owned(),
        };
        let answer = Answer {
            web: WebFindings::default(),
            text,
            reasoning: None,
            usage: Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() },
            stop: StopReason::Stop,
            latency_ms: 1,
            request_id: None,
        };
        let tools = &request.prompt.tools;
        let outcome = match tools.may_call && tools.steps.is_empty() && !self.calls.is_empty() {
            true => {
                assert_eq!(request.tools.len(), 1, "what is offered comes with the request");
                let call = |(tool, effects): &(&str, bool)| ToolRequest {
                    tool: (*tool).to_owned(),
                    arguments: "{}".to_owned(),
                    effects: *effects,
                };
                let calls = self.calls.iter().map(call).collect();
                Outcome::CalledTools(answer, ToolRequests { continuation: String::new(), calls })
            }
            false => Outcome::Answered(answer),
        };
        Box::pin(std::future::ready(outcome))
    }
}

struct Everybody(Arc<Bench>);

impl RunnerDirectory for Everybody {
    fn find(&self, _: &RunnerSpec) -> Arc<dyn Runner> {
        self.0.clone()
    }

    fn tools<'a>(&'a self, sources: &'a [String]) -> BoxFuture<'a, OfferedTools> {
        assert_eq!(sources, ["repo"]);
        let (name, description) = ("repo__read".to_owned(), String::new());
        let parameters = serde_json::json!({ "type": "object" });
        let tools = vec![ToolDefinition { name, description, parameters, effects: false }];
        Box::pin(std::future::ready(OfferedTools { tools, unusable: Vec::new() }))
    }

    fn run_tool(&self, run: ToolRun) -> BoxFuture<'_, ToolOutcome> {
        self.0.ran.lock().expect("no panic").push(run.tool.clone());
        Box::pin(async move {
            match run.tool.as_str() {
                "repo__hang" => std::future::pending().await,
                "repo__panic" => panic!("a tool breaks down, and the meeting goes on"),
                "repo__fail" => ToolOutcome::failed(ToolFailureKind::Failed, "no such issue"),
                _ => ToolOutcome::Returned { text: "found".into(), truncated: false, sources: Vec::new() },
            }
        })
    }
}

fn spec() -> MeetingSpec {
    let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
    let mut rules = Format::Discussion.rules();
    rules.limits.max_rounds = 1;
    MeetingSpec {
        topic: "Shall we?".into(),
        background: String::new(),
        details: Default::default(),
        tools: vec![ToolGrant { name: "repo".into(), participants: Vec::new() }],
        language: Language::En,
        format: Format::Discussion,
        rules,
        seed: 1,
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        facilitator: None,
        participants: vec![Newcomer {
            name: "Ada".into(),
            role: Role { name: "Member".into(), description: "speaks".into(), system_prompt: String::new() },
            runner,
            skip_list: Vec::new(),
        }],
    }
}

fn engine(journal: &Arc<MemoryJournal>, bench: &Arc<Bench>) -> Engine {
    Engine::new(journal.clone(), Arc::new(Everybody(bench.clone())), Arc::new(SystemClock))
}

fn id() -> MeetingId {
    MeetingId::new("m")
}

async fn started(engine: &Engine) -> MeetingHandle {
    let by = Actor::owner();
    let handle = engine.create(id(), RunId::new("run"), by.clone(), spec()).await.expect("created");
    handle.execute(Command::Start { by }).await.expect("started");
    handle
}

/// The events until one is of this kind.
async fn until(handle: &MeetingHandle, kind: &str) -> Vec<EventBody> {
    let mut listener = handle.subscribe(0, false).await.expect("subscribed");
    let mut events = Vec::new();
    loop {
        let notice = listener.next().await.expect("no error");
        let Some(Notice::Event(record)) = notice else { continue };
        events.push(record.event.body.clone());
        if record.event.body.kind() == kind {
            return events;
        }
    }
}

fn ends(events: &[EventBody]) -> Vec<(u32, Option<ToolFailureKind>)> {
    let mut ends: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            EventBody::ToolReturned { call, outcome, .. } => Some(match outcome {
                ToolOutcome::Returned { .. } => (call.0, None),
                ToolOutcome::Failed { kind, .. } => (call.0, Some(*kind)),
            }),
            _ => None,
        })
        .collect();
    ends.sort_by_key(|(call, _)| *call);
    ends
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_fails_breaks_down_or_never_answers_ends_its_call_and_not_the_turn() {
    let journal = Arc::new(MemoryJournal::default());
    let calls =
        vec![("repo__read", false), ("repo__fail", false), ("repo__panic", false), ("repo__hang", false)];
    let bench = Arc::new(Bench { calls, ..Bench::default() });
    let engine = engine(&journal, &bench);
    let handle = started(&engine).await;
    let events = until(&handle, "finished").await;
    let expected = [
        (1, None),
        (2, Some(ToolFailureKind::Failed)),
        (3, Some(ToolFailureKind::Failed)),
        (4, Some(ToolFailureKind::TimedOut)),
    ];
    assert_eq!(ends(&events), expected);
    let evidence = events.iter().find_map(|event| match event {
        EventBody::AgentMessage { message, .. } => Some(message.evidence.clone()),
        _ => None,
    });
    assert_eq!(evidence.expect("she spoke").len(), 1);
    assert_eq!(bench.asked.load(Ordering::SeqCst), 2, "once before the tools, once after");
}

#[tokio::test]
async fn after_the_death_of_a_process_a_tool_without_effects_runs_again() {
    let journal = Arc::new(MemoryJournal::default());
    let first = Arc::new(Bench { calls: vec![("repo__hang", false)], ..Bench::default() });
    let dying = engine(&journal, &first);
    let handle = started(&dying).await;
    until(&handle, "tool_called").await;
    while first.ran.lock().expect("no panic").is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    drop((handle, dying));
    // The next process has a tool that answers under the name.
    let second = Arc::new(Bench::default());
    struct Answering(Everybody);
    impl RunnerDirectory for Answering {
        fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner> {
            self.0.find(spec)
        }
        fn tools<'a>(&'a self, sources: &'a [String]) -> BoxFuture<'a, OfferedTools> {
            self.0.tools(sources)
        }
        fn run_tool(&self, run: ToolRun) -> BoxFuture<'_, ToolOutcome> {
            self.0.run_tool(ToolRun { tool: "repo__read".into(), ..run })
        }
    }
    let next: Arc<dyn RunnerDirectory> = Arc::new(Answering(Everybody(second.clone())));
    let engine = Engine::new(journal.clone(), next, Arc::new(SystemClock));
    let handle = engine.open(&id()).await.expect("it opens");
    let events = until(&handle, "finished").await;
    assert_eq!(ends(&events), [(1, None)]);
    assert!(events.iter().any(|event| event.kind() == "recovered"));
    assert_eq!(second.ran.lock().expect("no panic").len(), 1);
}

#[tokio::test]
async fn a_tool_with_effects_runs_only_after_a_persons_yes() {
    let journal = Arc::new(MemoryJournal::default());
    let bench = Arc::new(Bench { calls: vec![("repo__write", true)], ..Bench::default() });
    let engine = engine(&journal, &bench);
    let handle = started(&engine).await;
    until(&handle, "pause").await;
    assert!(bench.ran.lock().expect("no panic").is_empty());
    let answers = [("t1".to_owned(), "once".into())].into();
    let by = Actor::owner();
    handle
        .execute(Command::Resume { by, token: None, answers, take_defaults: false })
        .await
        .expect("allowed");
    let events = until(&handle, "finished").await;
    assert_eq!(ends(&events), [(1, None)]);
    assert_eq!(*bench.ran.lock().expect("no panic"), ["repo__write"]);
}

#[tokio::test]
async fn tools_that_cannot_be_used_are_told_once_a_meeting() {
    struct Without(Everybody);
    impl RunnerDirectory for Without {
        fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner> {
            self.0.find(spec)
        }
        fn tools<'a>(&'a self, sources: &'a [String]) -> BoxFuture<'a, OfferedTools> {
            let reason =
                quorate_messages::message!("failure-tools-not-started", error = "no\u{1b}[2J such file");
            let unusable = vec![UnusableTools { source: sources[0].clone(), reason: reason.into() }];
            Box::pin(std::future::ready(OfferedTools { tools: Vec::new(), unusable }))
        }
    }
    let journal = Arc::new(MemoryJournal::default());
    let directory: Arc<dyn RunnerDirectory> = Arc::new(Without(Everybody(Arc::default())));
    let engine = Engine::new(journal, directory, Arc::new(SystemClock));
    let mut spec = spec();
    spec.rules.limits.max_rounds = 2;
    let by = Actor::owner();
    let handle = engine.create(id(), RunId::new("run"), by.clone(), spec).await.expect("created");
    handle.execute(Command::Start { by }).await.expect("started");
    let events = until(&handle, "finished").await;
    let told: Vec<&Action> = events
        .iter()
        .filter_map(|body| if let EventBody::AgentAction { action, .. } = body { Some(action) } else { None })
        .collect();
    let [told] = told[..] else { panic!("{told:?}") };
    let reason = quorate_messages::message!("failure-tools-not-started", error = "no[2J such file");
    let unusable = UnusableTools { source: "repo".to_owned(), reason: reason.into() };
    assert_eq!((told.title.as_str(), told.unusable.as_ref()), ("", Some(&unusable)));
    assert_eq!(told.told(Language::En), "tools repo: the program cannot be started: no[2J such file");
    assert_eq!(told.told(Language::Zh), "工具 repo：程序无法启动：no[2J such file");
    assert_eq!((told.status, told.permission), (ActionStatus::Failed, ActionPermission::NotNeeded));
    let spoke = |body: &&EventBody| matches!(body, EventBody::AgentMessage { .. });
    assert_eq!(events.iter().filter(spoke).count(), 2, "the meeting goes on");
}
