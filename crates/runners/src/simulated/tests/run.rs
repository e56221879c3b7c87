//! The runner itself: pieces, time, cancellation, failures, usage.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quorate_contract::{
    Answer, BriefSummary, BriefTask, BriefTurn, FailureKind, Language, MeetingId, Outcome, Prompt,
    PromptMessage, PromptRole, RunId, RunnerSpec, SimulatedPace, TaskId, Temperament,
};
use quorate_engine::{FragmentSink, Request, Runner};

use super::table::{brief, speak};
use crate::simulated::{Pace, SimulatedRunner};

fn request(
    task: BriefTask,
    temperament: Temperament,
    language: Language,
    seed: u64,
    attempt: u32,
) -> Request {
    let topic = match language {
        Language::Zh => "周末爬山还是看展",
        Language::En => "Hiking or a museum?",
    };
    let brief = quorate_contract::Brief { seed, round: 1, ..brief(task, language, topic) };
    Request {
        meeting: MeetingId::new("m-1"),
        run: RunId::new("r-1"),
        task: TaskId::Conclude,
        attempt,
        idempotency_key: "m/conclude#1".to_owned(),
        runner: RunnerSpec::Simulated { temperament },
        prompt: Prompt {
            system: "你是参会者".to_owned(),
            messages: vec![PromptMessage::text(PromptRole::User, "please")],
            schema: None,
            max_tokens: 1500,
            brief: Arc::new(brief),
            task_at: 0,
            tools: Default::default(),
        },
        timeout_ms: 180_000,
        retries: quorate_engine::RetrySink::nobody(),
        actions: quorate_engine::ActionSink::nobody(),
        tools: Arc::from([]),
        images: Arc::from([]),
    }
}

fn listener() -> (FragmentSink, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = heard.clone();
    (FragmentSink::new(move |fragment| ear.lock().expect("one thread").push(fragment.text)), heard)
}

fn answered(outcome: Outcome) -> Answer {
    match outcome {
        Outcome::Answered(answer) | Outcome::CalledTools(answer, _) => answer,
        Outcome::Failed(failure) => panic!("{failure:?}"),
    }
}

#[test]
fn an_instant_answer_needs_no_runtime_and_comes_in_one_piece() {
    let (sink, heard) = listener();
    let run = SimulatedRunner::new(Pace::Instant);
    let request = request(speak(BriefTurn::default()), Temperament::Balanced, Language::Zh, 1, 1);
    let answer = answered(futures::executor::block_on(run.run(request, sink)));
    assert_eq!(*heard.lock().unwrap(), std::slice::from_ref(&answer.text));
    assert_eq!(answer.latency_ms, 0);
    assert!(answer.usage.estimated && answer.usage.output_tokens > 40);
    // Five Chinese characters, and six others for two more.
    assert_eq!(answer.usage.input_tokens, 5 + 2);
}

#[tokio::test(start_paused = true)]
async fn a_live_answer_is_written_where_people_can_watch() {
    for (language, most) in [(Language::Zh, 3), (Language::En, 24)] {
        let (sink, heard) = listener();
        let run = SimulatedRunner::new(Pace::Live { chars_per_second: 20 });
        let start = tokio::time::Instant::now();
        let answer = answered(
            run.run(request(speak(BriefTurn::default()), Temperament::Balanced, language, 1, 1), sink).await,
        );
        let pieces = heard.lock().unwrap().clone();
        assert_eq!(pieces.concat(), answer.text);
        let prose = pieces.iter().take_while(|piece| !piece.contains('`'));
        let longest = prose
            .map(|piece| piece.chars().filter(|c| !c.is_ascii() || language == Language::En).count())
            .max();
        assert!(longest <= Some(most), "{pieces:?}");
        assert!(pieces.len() > 20);
        let took = start.elapsed().as_millis() as u64;
        assert!(took.abs_diff(answer.latency_ms) <= 5, "{took} and {}", answer.latency_ms);
        let writing = answer.text.chars().count() as u64 * 50;
        assert!((writing + 400..=writing + 1500).contains(&answer.latency_ms));
    }
}

#[tokio::test(start_paused = true)]
async fn a_meeting_s_own_pace_holds_whether_or_not_somebody_watches() {
    let ask = |pace| {
        let mut request = request(speak(BriefTurn::default()), Temperament::Balanced, Language::Zh, 1, 1);
        Arc::make_mut(&mut request.prompt.brief).pace = pace;
        request
    };
    let run = SimulatedRunner::new(Pace::Instant);
    let (sink, heard) = listener();
    let watched = answered(run.run(ask(Some(SimulatedPace::Live)), sink).await);
    let alone = answered(run.run(ask(Some(SimulatedPace::Live)), FragmentSink::nobody()).await);
    assert!(watched.latency_ms > 1_000 && alone.latency_ms == watched.latency_ms);
    assert_eq!(watched.text, alone.text);
    assert!(heard.lock().unwrap().len() > 20);
    assert_eq!(answered(run.run(ask(None), FragmentSink::nobody()).await).latency_ms, 0);
}

#[tokio::test(start_paused = true)]
async fn what_nobody_reads_while_it_is_written_is_not_written_at_a_reader_s_pace() {
    let run = SimulatedRunner::new(Pace::Instant);
    for language in [Language::Zh, Language::En] {
        let per_char = async |task: BriefTask| {
            let mut request = request(task, Temperament::Balanced, language, 1, 1);
            Arc::make_mut(&mut request.prompt.brief).pace = Some(SimulatedPace::Live);
            let answer = answered(run.run(request, FragmentSink::nobody()).await);
            // The thinking before it takes at most 1.5 s.
            answer.latency_ms.saturating_sub(1_500) as f64 / answer.text.chars().count() as f64
        };
        let read = per_char(speak(BriefTurn::default())).await;
        let unseen = per_char(BriefTask::Summarize(BriefSummary::default())).await;
        assert!(unseen < 1_000.0 / 300.0 && read <= 1_000.0 / 60.0, "{language:?}: {unseen}, {read}");
        assert!(language == Language::Zh || read <= 1_000.0 / 120.0, "{read}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_slow_take_five_times_as_long() {
    let run = SimulatedRunner::new(Pace::Live { chars_per_second: 20 });
    let slow = request(BriefTask::Vote, Temperament::Slow, Language::Zh, 1, 1);
    let swift = request(BriefTask::Vote, Temperament::Balanced, Language::Zh, 1, 1);
    let slow = answered(run.run(slow, FragmentSink::nobody()).await);
    let swift = answered(run.run(swift, FragmentSink::nobody()).await);
    assert_eq!(slow.text, swift.text);
    assert_eq!(slow.latency_ms, swift.latency_ms * 5);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_writes_nothing_more() {
    let (sink, heard) = listener();
    let run = SimulatedRunner::new(Pace::Live { chars_per_second: 20 });
    let call = run.run(request(speak(BriefTurn::default()), Temperament::Balanced, Language::Zh, 1, 1), sink);
    assert!(tokio::time::timeout(Duration::from_secs(3), call).await.is_err());
    let before = heard.lock().unwrap().len();
    assert!(before > 0);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(heard.lock().unwrap().len(), before);
}

#[tokio::test]
async fn a_brisk_answer_takes_milliseconds_and_leaves_room_in_between() {
    let (sink, heard) = listener();
    let run = SimulatedRunner::new(Pace::Brisk);
    let answer = answered(
        run.run(request(speak(BriefTurn::default()), Temperament::Balanced, Language::Zh, 1, 1), sink).await,
    );
    assert!((1..40).contains(&answer.latency_ms), "{}", answer.latency_ms);
    assert!((2..20).contains(&heard.lock().unwrap().len()));
}

#[test]
fn the_flaky_fail_three_times_in_ten_and_say_how() {
    let run = SimulatedRunner::new(Pace::Instant);
    let mut kinds = std::collections::HashSet::new();
    let mut failed = 0;
    for seed in 0..300 {
        let request = request(BriefTask::Vote, Temperament::Flaky, Language::En, seed, 1 + (seed % 2) as u32);
        let outcome = futures::executor::block_on(run.run(request.clone(), FragmentSink::nobody()));
        assert_eq!(outcome, futures::executor::block_on(run.run(request, FragmentSink::nobody())));
        if let Outcome::Failed(failure) = outcome {
            failed += 1;
            assert!(failure.detail.to_string().starts_with("simulated: ") && !failure.hint.is_empty());
            kinds.insert(failure.kind);
        }
    }
    assert!((60..=120).contains(&failed), "{failed} of 300");
    let expected = [FailureKind::Network, FailureKind::Overloaded, FailureKind::TimedOut, FailureKind::Empty];
    assert_eq!(kinds, expected.into());
}

#[tokio::test(start_paused = true)]
async fn a_broken_connection_has_brought_the_beginning() {
    let run = SimulatedRunner::new(Pace::Live { chars_per_second: 20 });
    for seed in 0..200 {
        let (sink, heard) = listener();
        let request = request(speak(BriefTurn::default()), Temperament::Flaky, Language::Zh, seed, 1);
        if let Outcome::Failed(failure) = run.run(request, sink).await
            && failure.kind == FailureKind::Network
        {
            assert!(!heard.lock().unwrap().is_empty());
            return;
        }
    }
    panic!("no connection broke in 200 calls");
}

#[test]
fn a_model_is_not_pretended_to_be_one() {
    let run = SimulatedRunner::new(Pace::Instant);
    let request = Request {
        runner: RunnerSpec::Model {
            provider: "ollama".to_owned(),
            model: "qwen3".to_owned(),
            parameters: Default::default(),
            price: None,
            fallback: None,
        },
        ..request(BriefTask::Vote, Temperament::Balanced, Language::En, 1, 1)
    };
    match futures::executor::block_on(run.run(request, FragmentSink::nobody())) {
        Outcome::Failed(failure) => {
            assert_eq!(failure.kind, FailureKind::NotConfigured);
            assert_eq!(failure.detail.to_string(), "the simulation was asked to answer for ollama/qwen3");
        }
        Outcome::Answered(answer) | Outcome::CalledTools(answer, _) => panic!("{answer:?}"),
    }
}
