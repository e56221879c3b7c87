//! The time from the start of the command to the first call of a model.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::endpoint::Endpoint;
use crate::measure::{Aim, figure};
use crate::table;

const RUNS: usize = 21;

/// From the start of the process to the first request at the endpoint, the database made anew.
pub(crate) fn start() {
    let mut endpoint = Endpoint::instant();
    let mut times: Vec<Duration> = (0..RUNS).map(|_| once(&mut endpoint)).collect();
    times.sort_unstable();
    let ms = |place: usize| times[place].as_secs_f64() * 1e3;
    figure("first request after, median", ms(RUNS / 2), "ms", Aim::AtMost(50.0));
    figure("best", ms(0), "ms", Aim::Nothing);
    figure("worst", ms(RUNS - 1), "ms", Aim::Nothing);
}

fn once(endpoint: &mut Endpoint) -> Duration {
    let folder = table::folder();
    endpoint.watch();
    let mut command = Command::new(env!("CARGO_BIN_EXE_quorate"));
    command
        .args(["run", "Should our service keep SQLite or move to PostgreSQL?"])
        .args(["--model", "openai/bench", "--format", "discussion", "--participants", "Ada,Ben"])
        .args(["--rounds", "1", "--no-facilitator", "--yes"])
        .env("OPENAI_BASE_URL", endpoint.url())
        .env("QUORATE_DB", folder.path().join("meetings.db"))
        .env("QUORATE_CONFIG", folder.path().join("none.toml"))
        .env_remove("OPENAI_API_KEY")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let begun = Instant::now();
    let mut process = command.spawn().expect("the binary starts");
    endpoint.wait_until_seen();
    let time = begun.elapsed();
    let status = process.wait().expect("the binary ends");
    assert!(status.success(), "the meeting ended with {status}");
    time
}
