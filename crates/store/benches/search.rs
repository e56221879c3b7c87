//! The cost of a search: `cargo bench -p quorate-store --bench search [-- messages]`, a million messages in
//! Chinese and English when not given.

#![allow(clippy::print_stdout, reason = "its figures are its output")]

use std::time::{Duration, Instant};

use quorate_contract::{
    Actor, ContractVersion, Event, EventBody, MeetingId, Message, MessageId, MessageRole, RunId, Timestamp,
};
use quorate_engine::{Journal, Record};
use quorate_store::{SearchFilter, Store};

const CHINESE: [&str; 24] = [
    "我们", "认为", "数据", "方案", "收敛", "条件", "成本", "风险", "可以", "需要", "时间", "用户", "接口",
    "测试", "迁移", "备份", "延迟", "并发", "写入", "读取", "一致", "讨论", "结论", "同意",
];
const ENGLISH: [&str; 20] = [
    "the",
    "database",
    "writers",
    "latency",
    "cost",
    "migration",
    "backup",
    "risk",
    "agree",
    "because",
    "SQLite",
    "Postgres",
    "users",
    "tests",
    "measure",
    "simple",
    "fast",
    "slow",
    "option",
    "decide",
];
const MEETINGS: u64 = 1_000;
const PEOPLE: [&str; 8] = ["Ada", "Ben", "Cid", "Dan", "陈明", "李雷", "王芳", "赵云"];

/// Numbers that look random and are the same every time.
struct Rng(u64);

impl Rng {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

fn words(rng: &mut Rng, number: u64) -> String {
    let mut text = String::new();
    for _ in 0..30 {
        match number % 2 {
            0 => text.push_str(CHINESE[rng.below(CHINESE.len())]),
            _ => {
                text.push_str(ENGLISH[rng.below(ENGLISH.len())]);
                text.push(' ');
            }
        }
        if rng.below(9) == 0 {
            text.push_str(if number.is_multiple_of(2) { "，" } else { ", " });
        }
    }
    if number.is_multiple_of(10_007) {
        text.push_str(" 罕见 zebra");
    }
    text
}

fn record(meeting: &MeetingId, seq: u64, number: u64, rng: &mut Rng) -> Record {
    let name = PEOPLE[rng.below(PEOPLE.len())].to_owned();
    Record::of(Event {
        version: ContractVersion,
        seq,
        meeting_id: meeting.clone(),
        run_id: RunId::new("run"),
        ts_ms: Timestamp(1_700_000_000_000 + number.cast_signed() * 60_000),
        actor: Actor::person(name.as_str(), name.as_str()),
        cause: "say".to_owned(),
        body: EventBody::UserMessage {
            reply_to: None,
            message_id: MessageId(seq as u32),
            round: 1,
            by: Actor::person(name.as_str(), name.as_str()),
            message: Message {
                role: MessageRole::User,
                name,
                content: words(rng, number),
                citations: Vec::new(),
                evidence: Vec::new(),
            },
            mentions: Vec::new(),
            mentioned_people: Vec::new(),
        },
    })
}

fn main() {
    let messages = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let dir = tempfile::tempdir_in(std::env::var_os("QUORATE_BENCH_DIR").unwrap_or(".".into()))
        .expect("a folder on a disk");
    let path = dir.path().join("search.db");
    let store = Store::open(&path).expect("a new database");
    let meetings: Vec<_> = (0..MEETINGS).map(|number| MeetingId::new(format!("meeting-{number}"))).collect();
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let begun = Instant::now();
    runtime.block_on(async {
        let mut number = 0;
        while number < messages {
            // A little of each meeting at a time, as when they run side by side.
            let before = number / (MEETINGS * 50) * 50;
            let meeting = &meetings[(number / 50 % MEETINGS) as usize];
            let records: Vec<_> = (1..=50u64.min(messages - number))
                .map(|place| record(meeting, before + place, number + place, &mut rng))
                .collect();
            number += records.len() as u64;
            store.append(meeting.clone(), before, records).await.expect("it is appended");
        }
        println!("{messages} messages appended in {:.1} s", begun.elapsed().as_secs_f64());
        while store.search_lag().await.expect("it can be read") > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    println!("all of them indexed after {:.1} s", begun.elapsed().as_secs_f64());
    let bytes = |ending: &str| {
        let mut name = path.clone().into_os_string();
        name.push(ending);
        std::fs::metadata(name).map_or(0, |found| found.len()) / 1_000_000
    };
    println!("the database has {} MB", bytes("") + bytes("-wal"));

    let of = |words: &str| SearchFilter { words: words.to_owned(), ..Default::default() };
    let half = Timestamp(1_700_000_000_000 + messages.cast_signed() * 30_000);
    let queries = [
        ("two characters, frequent", of("收敛")),
        ("one character", of("收")),
        ("a phrase of characters", of("收敛条件成本")),
        ("rare characters", of("罕见")),
        ("a word and what begins with it", of("data")),
        ("a short beginning, frequent", of("the")),
        ("a rare word", of("zebra")),
        ("a phrase", of("\"simple fast\"")),
        ("three words", of("收敛 方案 风险")),
        ("characters and a word", of("罕见 zebra")),
        ("no such pair", of("敛收方")),
        ("at one meeting", SearchFilter { meeting: Some(meetings[7].clone()), ..of("收敛") }),
        ("of one person", SearchFilter { participant: Some("陈明".to_owned()), ..of("收敛") }),
        ("in the older half", SearchFilter { before: Some(half), ..of("收敛") }),
    ];
    for (what, filter) in queries {
        let mut waits = Vec::new();
        let mut found = 0;
        for _ in 0..9 {
            let asked = Instant::now();
            let page = runtime.block_on(store.search(filter.clone(), None, 20)).expect("it is found");
            waits.push(asked.elapsed());
            found = page.items.len();
        }
        let first = waits[0].as_secs_f64() * 1e3;
        waits.sort_unstable();
        println!(
            "{what:<32} {found:>3} hits   first {first:>8.2} ms   median {:>8.2} ms",
            waits[4].as_secs_f64() * 1e3
        );
    }
}
