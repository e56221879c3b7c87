//! Everything that a program can do wrong, in both modes, in one table.
//!
//! `cargo nextest run -p quorate-runners --no-capture every_fault_of_a_process` prints it.

use std::time::Instant;

use futures::stream::{StreamExt, iter};
use quorate_contract::{FailureKind, Outcome};
use quorate_engine::{FragmentSink, Runner};
use quorate_runners::{ProcessConfig, ProcessMode, ProcessRunner};

use crate::children::*;

/// The expected end.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    /// With the good answer.
    Fine,
    Fails(FailureKind),
}

struct Fault {
    name: &'static str,
    script: &'static str,
    end: End,
    /// The text that the detail of a failure must contain.
    says: &'static str,
}

fn fault(name: &'static str, end: End, says: &'static str, script: &'static str) -> Fault {
    Fault { name, script, end, says }
}

fn all_faults() -> Vec<Fault> {
    use End::{Fails, Fine};
    use FailureKind::*;
    vec![
        fault("no fault", Fine, "", "call = read(); answer(); stay()"),
        fault(
            "pieces, then the message",
            Fine,
            "",
            "call = read(); put('token', text='Us'); answer(); stay()",
        ),
        fault(
            "a message without words after pieces",
            Fine,
            "",
            "call = read(); [put('token', text=c) for c in TEXT]; answer(None); stay()",
        ),
        fault(
            "garbage around the answer",
            Fine,
            "",
            r"call = read(); write(b'loading...\n\n{\n[1]\n{}\n'); answer(); write(b'bye\n'); stay()",
        ),
        fault("bytes that are no UTF-8", Fine, "", r"call = read(); write(b'\xff\xfe\n'); answer(); stay()"),
        fault(
            "signs cut in two",
            Fine,
            "",
            r"call = read(); data = json.dumps({'type': 'agent_message', 'id': call['id'],
  'payload': {'message': {'content': TEXT}}}, ensure_ascii=False).encode() + b'\n'
for i in range(len(data)): write(data[i:i+1])
stay()",
        ),
        fault(
            "no end of line before the end",
            Fine,
            "",
            "call = read(); write(event('agent_message', {'message': {'content': TEXT}}))",
        ),
        fault(
            "lines that end as on Windows",
            Fine,
            "",
            r"call = read(); write(event('agent_message', {'message': {'content': TEXT}}) + b'\r\n'); stay()",
        ),
        fault("exit code 3 after the answer", Fine, "", "call = read(); answer(); os._exit(3)"),
        fault(
            "5 MB after the answer",
            Fine,
            "",
            r"call = read(); answer(); write(b'x' * 5000000 + b'\n'); stay()",
        ),
        fault("a second answer", Fine, "", "call = read(); answer(); answer('No.'); stay()"),
        fault(
            "deaf to SIGTERM after the answer",
            Fine,
            "",
            "signal.signal(signal.SIGTERM, signal.SIG_IGN); call = read(); answer(); time.sleep(600)",
        ),
        fault(
            "a child left behind",
            Fine,
            "",
            "call = read(); note(subprocess.Popen(['sleep', '600']).pid); answer(); os._exit(0)",
        ),
        fault(
            "counts from another world",
            Fine,
            "",
            "call = read(); answer(usage={'input_tokens': -1}); stay()",
        ),
        fault(
            "an event of a later version",
            Fine,
            "",
            "call = read(); put('mood', of='sea'); put('metric'); answer()",
        ),
        fault("exit code 0 at once", Fails(Empty), "exit code 0 without an answer", "os._exit(0)"),
        fault(
            "exit code 3 with a word on stderr",
            Fails(AgentFailed),
            "exit code 3 without an answer; its stderr: Traceback boom",
            r"call = read(); sys.stderr.write('\x1b[31mTraceback\n boom\n'); sys.stderr.flush(); os._exit(3)",
        ),
        fault(
            "64 MB on stderr",
            Fails(AgentFailed),
            "…",
            "call = read(); [sys.stderr.write('word ' * 200000) for _ in range(64)]; os._exit(1)",
        ),
        fault(
            "nothing but garbage",
            Fails(Malformed),
            "2 lines on its stdout were no events",
            r"call = read(); write(b'hello\nSQLite, I think\n'); os._exit(0)",
        ),
        fault(
            "an end in the middle of the answer",
            Fails(AgentFailed),
            "in the middle of its answer",
            "call = read(); put('token', text='Use'); os._exit(0)",
        ),
        fault(
            "killed by somebody",
            Fails(AgentFailed),
            "ended by signal 9",
            "call = read(); os.kill(os.getpid(), signal.SIGKILL)",
        ),
        fault(
            "stdout closed, and on it runs",
            Fails(AgentFailed),
            "closed its stdout without an answer",
            "call = read(); os.close(1); time.sleep(600)",
        ),
        fault(
            "a child left behind that holds stdout",
            Fails(AgentFailed),
            "exit code 4",
            "call = read(); note(subprocess.Popen(['sleep', '600']).pid); os._exit(4)",
        ),
        fault(
            "10 MB line",
            Fails(Malformed),
            "more than 1 MB",
            "call = read(); write(b'x' * 10000000); stay()",
        ),
        fault(
            "6 MB in small pieces",
            Fails(Malformed),
            "more than 4 MB",
            "call = read(); [put('token', text='word ' * 2000) for _ in range(630)]; stay()",
        ),
        fault("silence", Fails(TimedOut), "no answer within", "call = read(); time.sleep(600)"),
        fault(
            "silence, deaf to SIGTERM",
            Fails(TimedOut),
            "no answer within",
            "signal.signal(signal.SIGTERM, signal.SIG_IGN); call = read(); time.sleep(600)",
        ),
        fault(
            "it waits for the end of its input",
            Fails(TimedOut),
            "",
            "call = json.loads(sys.stdin.read())",
        ),
        fault(
            "garbage without end",
            Fails(TimedOut),
            "no answer within",
            r"call = read()
while True: write(b'tick\n' * 1000)",
        ),
        fault(
            "an error of its own",
            Fails(RateLimit),
            "lab: slow down",
            "call = read(); put('error', kind='rate_limit', detail='slow down', hint='wait'); stay()",
        ),
        fault(
            "an error of no known kind",
            Fails(AgentFailed),
            "oh",
            "call = read(); put('error', kind='x', detail='oh')",
        ),
        fault(
            "an error that is ours to say",
            Fails(AgentFailed),
            "",
            "call = read(); put('error', kind='budget')",
        ),
        fault(
            "a message without a message",
            Fails(Malformed),
            "without payload.message",
            "call = read(); put('agent_message', text=TEXT); stay()",
        ),
        fault(
            "a message of the user",
            Fails(Malformed),
            "role is not assistant",
            "call = read(); put('agent_message', message={'role': 'user', 'content': TEXT}); stay()",
        ),
        fault("an empty answer", Fails(Empty), "empty answer", r"call = read(); answer(' \n'); stay()"),
    ]
}

/// Plays one cell; returns its line in the table, and whether it ended as it has to.
async fn play(fault: &Fault, mode: ProcessMode) -> (String, bool) {
    let (mut config, notes) = scripted(mode, fault.script);
    if fault.end == End::Fails(FailureKind::TimedOut) {
        // Long enough for the interpreter to begin on a busy machine.
        config.timeout_ms = 2_500;
    }
    let child = Child::of((config, notes));
    let began = Instant::now();
    let outcome = child.ask(request()).await;
    let took = began.elapsed().as_millis();
    let (end, detail) = match outcome {
        Outcome::Answered(answer) if answer.text == TEXT => (Some(End::Fine), String::new()),
        Outcome::Answered(answer) | Outcome::CalledTools(answer, _) => {
            (None, format!("answered {:?}", answer.text))
        }
        Outcome::Failed(failure) => {
            assert!(!failure.hint.is_empty(), "{failure:?}");
            (Some(End::Fails(failure.kind)), failure.detail.to_string())
        }
    };
    let closing = Instant::now();
    child.runner.close().await;
    let closed = closing.elapsed().as_millis();
    let left = child.left_in_the_end().await;
    let clean = !detail.contains(['\n', '\u{1b}']) && detail.chars().count() <= 700;
    let right = end == Some(fault.end) && left.is_empty() && detail.contains(fault.says) && clean;
    let mark = if right { "ok " } else { "BAD" };
    let detail = detail.chars().take(110).collect::<String>();
    let (name, end) = (fault.name, fault.end);
    let mode = if mode == ProcessMode::PerCall { "per call" } else { "persistent" };
    let left = if left.is_empty() { String::new() } else { format!(" LEFT {left:?}") };
    (format!("{mark} {name:<38} {mode:<10} {took:>5} + {closed:>4} ms  {end:?}{left} {detail}"), right)
}

#[tokio::test]
async fn every_fault_of_a_process_ends_as_it_has_to_and_nothing_is_left_behind() {
    let faults = all_faults();
    let modes = [ProcessMode::PerCall, ProcessMode::Persistent];
    let cells = faults.iter().flat_map(|fault| modes.map(|mode| play(fault, mode)));
    // Some at once, so that those which have to wait do it together.
    let cells: Vec<_> = iter(cells).buffered(8).collect().await;
    for (line, _) in &cells {
        eprintln!("{line}");
    }
    eprintln!("{} cells", cells.len());
    let bad: Vec<&str> = cells.iter().filter(|(_, right)| !right).map(|(line, _)| line.as_str()).collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

#[tokio::test]
async fn a_program_that_cannot_be_started_is_said_with_what_to_change() {
    let ask = |config: ProcessConfig| async {
        let runner = ProcessRunner::new(config).expect("nothing is wrong with its form");
        let failure = failed(runner.run(request(), FragmentSink::nobody()).await);
        assert_eq!(failure.kind, FailureKind::NotConfigured);
        format!("{} | {}", failure.detail, failure.hint)
    };
    let said = ask(ProcessConfig::new("lab", ["no-such-program-here"])).await;
    assert!(
        said.contains("\"no-such-program-here\" was not found") && said.contains("[processes.lab]"),
        "{said}"
    );
    let mut config = ProcessConfig::new("lab", ["sh"]);
    config.cwd = Some("/no/such/folder".into());
    let said = ask(config).await;
    assert!(said.contains("the folder it is to run in") && said.contains("check cwd"), "{said}");
}

#[tokio::test]
async fn a_context_that_nobody_reads_stops_nobody() {
    for mode in [ProcessMode::PerCall, ProcessMode::Persistent] {
        let mut long = request();
        long.prompt.messages[0].content = "word ".repeat(600_000);
        let child = Child::new(mode, "call = {'id': '1'}; answer(); time.sleep(600)");
        assert_eq!(answered(child.ask(long).await).text, TEXT);
        child.runner.close().await;
        assert!(child.left().is_empty(), "{:?}", child.left());
    }
}
