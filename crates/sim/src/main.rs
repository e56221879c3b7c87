//! `quorate-sim`: plays meetings with injected faults, by their seeds.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use quorate_sim::{Breach, play, play_many};

/// Plays seeded meetings with injected faults. One seed is told step by step; many end in a report.
#[derive(Parser)]
#[command(name = "quorate-sim", version)]
struct Args {
    /// The (first) seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Play so many seeds, and report instead of telling
    #[arg(long)]
    count: Option<u64>,
    /// The report as JSON
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            _ = writeln!(io::stderr(), "the report cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let report = match args.count {
        None => match play(args.seed) {
            Ok(story) if args.json => story.report,
            Ok(story) => {
                writeln!(out, "{story}")?;
                return Ok(ExitCode::SUCCESS);
            }
            Err(breach) => {
                for line in &breach.transcript {
                    writeln!(out, "{line}")?;
                }
                return broken(&breach);
            }
        },
        Some(count) => {
            let progress = |played: u64| {
                if played.is_multiple_of(1000) {
                    _ = writeln!(io::stderr(), "{played} of {count}");
                }
            };
            match play_many(args.seed, count, progress) {
                Ok(report) => report,
                Err(breach) => return broken(&breach),
            }
        }
    };
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?,
        false => writeln!(out, "{report}")?,
    }
    Ok(ExitCode::SUCCESS)
}

fn broken(breach: &Breach) -> io::Result<ExitCode> {
    writeln!(io::stderr(), "{breach}")?;
    Ok(ExitCode::FAILURE)
}
