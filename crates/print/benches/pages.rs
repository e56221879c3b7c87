//! The cost of a PDF: time and memory by the length of the meeting, each measured in a process of its own.
//!
//! `cargo bench -p quorate-print --features pdf --bench pages`; `-- en 1000` measures 1,000 English messages
//! alone.

#[path = "../tests/log/mod.rs"]
mod log;

use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use quorate_contract::MessageId;
use quorate_core::Meeting;
use quorate_print::{Fonts, Options, pdf};

const EN: &str = "We should weigh **operations** against *throughput*: a single writer is enough for `most` services, yet \
    [the documentation](https://example.org/a/b) says otherwise. Whoever has run both for a year knows that what is \
    written down about them is rarely what wakes anybody at night; it is the copy that was never restored, and the \
    upgrade that nobody dared to do on a Friday.\n\n";
const ZH: &str = "我们需要权衡**运维**与*吞吐量*：对`大多数`服务来说，一个写者就够了，但[文档](https://example.org/a/b)另有说法。\
    真正用过一年的人都知道，写在纸上的差别很少是半夜把人叫醒的原因；叫醒人的是从没有恢复过的备份，以及没有人敢在周五做的升级。\
    因此我建议先用 SQLite 上线，把迁移的条件写清楚，再按数据说话。\n\n";
const CODE: &str = "```rust\nfn main() {\n    let answer: u64 = (0..100).filter(|n| n % 3 == 0).sum();\n    \
    println!(\"{answer}\"); // as it was\n}\n```\n\n- one\n- two\n  - three\n\n| what | how much |\n|---|---:|\n| reads | 10 |\n| \
    writes | 2 |\n\n";

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() {
    // `cargo bench` says `--bench` itself.
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if let [kind, messages] = asked.as_slice() {
        return measure(kind, messages.parse().expect("a number of messages"));
    }
    println!("| messages | pages | s | peak memory, MB | file, KB |\n|---|---|---|---|---|");
    for kind in ["en", "zh", "code"] {
        for messages in ["100", "1000"] {
            let own = std::env::current_exe().expect("it runs");
            Command::new(own).args([kind, messages]).status().expect("it runs once more");
        }
    }
}

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn measure(kind: &str, messages: usize) {
    let meeting = meeting(kind, messages);
    let fonts_from = Instant::now();
    let fonts = Fonts::of_machine(None).expect("no file was named");
    let fonts_took = fonts_from.elapsed();
    let from = Instant::now();
    let bytes = pdf(&meeting, &Options::default(), &fonts).expect("pages");
    let took = from.elapsed();
    let pages = bytes.windows(11).filter(|part| part == b"/Type /Page" || part == b"/Type/Page\n").count();
    println!(
        "| {messages} {kind} | {pages} | {:.2} (fonts {:.2}) | {} | {} |",
        took.as_secs_f64(),
        fonts_took.as_secs_f64(),
        peak_mb(),
        bytes.len() / 1024
    );
}

/// A meeting in which so many messages of some 1.5 KB were said.
fn meeting(kind: &str, messages: usize) -> Meeting {
    let language = if kind == "zh" { "zh" } else { "en" };
    let text = match kind {
        "zh" => ZH.repeat(4),
        "code" => format!("{EN}{CODE}{EN}{CODE}"),
        "short" => EN.chars().take(270).collect(),
        _ => EN.repeat(4),
    };
    let mut meeting = log::Log::golden(&format!("{language}/consensus")).meeting();
    let first = meeting.said.first().expect("somebody spoke").clone();
    meeting.said = (0..messages)
        .map(|number| {
            let mut said = (*first).clone();
            said.id = u32::try_from(number + 1).map_or(said.id, MessageId);
            said.round = u32::try_from(number / 8 + 1).unwrap_or(u32::MAX);
            // No two are alike, so that nothing is remembered from one for the next.
            said.content = format!("Number {number}. {}", text.replace("10", &number.to_string()));
            Arc::new(said)
        })
        .collect();
    meeting
}

/// The most memory that this process ever had resident.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}
