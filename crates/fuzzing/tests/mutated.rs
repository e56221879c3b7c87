//! Each target takes changed inputs of its corpus: without a panic, in bounded time and memory.
//!
//! Two seconds each in a usual run. `FUZZ_SECONDS` sets another time, `FUZZ_SEED` another course: the same seed changes the same
//! inputs in the same way. An input that fails is kept in `fuzz/artifacts/TARGET` and is tried first from then on.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The most CPU time that one input may take in a debug build on a slow machine.
const TIME_MAX: Duration = Duration::from_secs(15);
/// After which an input is said to hang; the process ends then.
const HANGS_AFTER: Duration = Duration::from_secs(60);
/// The most memory that one input may take beyond what is held anyway, in megabytes.
const MEMORY_MAX_MB: f32 = 512.0;
/// The longest input, in bytes.
const INPUT_MAX: usize = 65_536;

/// What is put into inputs beside bytes: pieces of the formats, and characters that are more than one byte, or none to the eye.
const PIECES: [&str; 40] = [
    "{", "}", "[", "]", "(", ")", "\"", "\\", "\n", "\r\n", "\t", ":", ",", "{\"a\":", "[[", "> ", "1. ",
    "- ", "# ", "```", "|", "`", "*", "_", "<", "&", "$", "@", "data: ", "\n\n", "null", "-1e999", "\\u0000",
    "\\ud800", "\u{200b}", "\u{202e}", "é", "e\u{301}", "众议", "🫥",
];

/// Random numbers from a seed (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap_or_default()
    }
}

/// Changes an input once.
fn change(input: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    let (from, to) = {
        let (one, other) = (random.below(input.len() + 1), random.below(input.len() + 1));
        (one.min(other), one.max(other))
    };
    match random.below(9) {
        0 if !input.is_empty() => {
            let place = random.below(input.len());
            input[place] ^= 1 << random.below(8);
        }
        1 => input.insert(from, random.next() as u8),
        2 => drop(input.drain(from..to)),
        3 | 4 => {
            let piece = PIECES[random.below(PIECES.len())];
            input.splice(from..from, piece.bytes());
        }
        // What grows faster than its input shows with long ones.
        5 => {
            let piece = PIECES[random.below(PIECES.len())].repeat(1 << random.below(15));
            input.splice(from..from, piece.into_bytes());
        }
        6 => {
            let part = input[from..to.min(from + 200)].repeat(1 << random.below(9));
            input.splice(from..from, part);
        }
        7 => {
            let other = &corpus[random.below(corpus.len())];
            let (start, end) = (random.below(other.len() + 1), random.below(other.len() + 1));
            input.splice(from..to, other[start.min(end)..start.max(end)].iter().copied());
        }
        _ => {
            let part = input[from..to].to_vec();
            let place = random.below(input.len() + 1);
            input.splice(place..place, part);
        }
    }
    input.truncate(INPUT_MAX);
}

/// All files of a folder, by name; none when it is not there.
fn inputs(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("an input")).collect()
}

/// What is wrong with how a target takes an input.
fn fault(target: fn(&[u8]), input: &[u8]) -> Option<String> {
    ALLOCATED.reset_peak_usage();
    let (held_mb, begun, computed) = (ALLOCATED.current_usage_as_mb(), Instant::now(), cpu_time());
    let taken = catch_unwind(AssertUnwindSafe(|| target(input)));
    let most_mb = ALLOCATED.peak_usage_as_mb() - held_mb;
    // What other programs do at the same time is no fault of the input.
    let computed = cpu_time().zip(computed).map(|(after, before)| after.saturating_sub(before));
    let took = computed.unwrap_or(Duration::MAX).min(begun.elapsed());
    if taken.is_err() {
        return Some("it panics".to_owned());
    }
    if took > TIME_MAX {
        return Some(format!("it takes {took:?}"));
    }
    (most_mb > MEMORY_MAX_MB).then(|| format!("it takes {most_mb} MB"))
}

/// The CPU time of this process so far, where the system tells it in a file (Linux), in steps of 10 ms.
fn cpu_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program stands in brackets and may hold anything.
    let (_, after_name) = stat.rsplit_once(')')?;
    let ticks = |place: usize| after_name.split_whitespace().nth(place)?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The stack of the program's first thread, on which files are read. An unoptimized build needs more than the 2 MB of a test.
const STACK: usize = 8 << 20;

fn fuzz(name: &'static str, target: fn(&[u8])) {
    let thread = std::thread::Builder::new().stack_size(STACK);
    let ended = thread.spawn(move || fuzz_here(name, target)).expect("a thread").join();
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

fn fuzz_here(name: &str, target: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let kept = folder.join("artifacts").join(name);
    let corpus = inputs(&folder.join("corpus").join(name));
    assert!(!corpus.is_empty(), "{name} has a corpus");
    let seed = number("FUZZ_SEED", 1);
    let until = Instant::now() + Duration::from_secs(number("FUZZ_SECONDS", 2));
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let keep = |input: &[u8]| {
        fs::create_dir_all(&kept).expect("a folder");
        let path = kept.join(format!("mutated-{seed}-{}", input.len()));
        fs::write(&path, input).expect("kept");
        path
    };
    let (begins, watched) = mpsc::channel::<Vec<u8>>();
    let watch = {
        let kept = kept.clone();
        std::thread::spawn(move || {
            let mut present = Vec::new();
            loop {
                match watched.recv_timeout(HANGS_AFTER) {
                    Ok(input) => present = input,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        _ = fs::create_dir_all(&kept);
                        _ = fs::write(kept.join("hang"), &present);
                        eprintln!("{} hangs", kept.join("hang").display());
                        std::process::abort();
                    }
                }
            }
        })
    };
    let mut tried = 0_u64;
    let mut take = |input: Vec<u8>| {
        _ = begins.send(input.clone());
        tried += 1;
        if let Some(first) = fault(target, &input)
            // What another program's work has slowed down is fast the second time.
            && let Some(what) = fault(target, &input)
        {
            panic!("{}: {what} (first: {first})", keep(&input).display());
        }
    };
    inputs(&kept).into_iter().chain(corpus.clone()).for_each(&mut take);
    while Instant::now() < until {
        let mut input = corpus[random.below(corpus.len())].clone();
        for _ in 0..=random.below(6) {
            change(&mut input, &corpus, &mut random);
        }
        take(input);
    }
    drop(begins);
    watch.join().expect("the watch ends");
    eprintln!("{name}: {tried} inputs from seed {seed}");
}

macro_rules! targets {
    ($($name:ident),+) => {
        $(
            #[test]
            fn $name() {
                fuzz(stringify!($name), quorate_fuzzing::$name);
            }
        )+

        #[test]
        fn each_target_of_the_fuzzer_is_tried_here() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
            let files = fs::read_dir(folder).expect("the targets").flatten();
            let mut names: Vec<String> = files
                .filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned()))
                .collect();
            names.sort();
            assert_eq!(names, [$(stringify!($name)),+]);
        }
    };
}

targets!(
    events,
    frames,
    imports,
    json_repair,
    markdown,
    meeting_files,
    mentions,
    pdf,
    search,
    tokens,
    uploads,
    wires
);
