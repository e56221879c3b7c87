//! `quorate-sim`: plays meetings with injected faults, by their seeds.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use quorate_sim::{Breach, FaultClass, PlanChange, Report, Story, play, play_many, shipped};

/// Plays seeded meetings with injected faults. One seed is told step by step; many end in a report.
#[derive(Parser)]
#[command(name = "quorate-sim", version)]
struct Args {
    /// The (first) seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Play so many seeds, and report instead of telling
    #[arg(long, alias = "count", value_name = "NUMBER")]
    seeds: Option<u64>,
    /// Simulate the core alone, and not the engine, the store and the runners
    #[arg(long)]
    core: bool,
    /// Leave out a kind of faults; may be given several times
    #[arg(long, value_name = "FAULTS", conflicts_with_all = ["core", "seeds"])]
    without: Vec<FaultClass>,
    /// Let the faults cease after so many appends
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["core", "seeds"])]
    steps: Option<u64>,
    /// Go on after a seed that breaks something, and list them
    #[arg(long)]
    keep_going: bool,
    /// Print the log of the meeting, too, a line of JSON for each event
    #[arg(long, conflicts_with = "seeds")]
    log: bool,
    /// The report as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn play(&self, seed: u64) -> Result<Story, Breach> {
        if self.core {
            return play(seed);
        }
        let change = PlanChange { without: self.without.iter().copied().collect(), steps: self.steps };
        shipped::play_plan(seed, &change)
    }

    /// Plays many; `None` where one broke and the others were played all the same.
    fn play_many(&self, count: u64) -> Result<(Report, u64), Breach> {
        let began = Instant::now();
        let progress = |played: u64| {
            if played.is_multiple_of(1000) {
                let seconds = began.elapsed().as_secs();
                _ = writeln!(io::stderr(), "{played} of {count} in {seconds} s");
            }
        };
        if !self.keep_going {
            let many = if self.core { play_many } else { shipped::play_many };
            return Ok((many(self.seed, count, progress)?, 0));
        }
        let (mut report, mut broken) = (Report::default(), 0);
        for played in 0..count {
            match self.play(self.seed.wrapping_add(played)) {
                Ok(story) => report.add(&story.report),
                Err(breach) => {
                    broken += 1;
                    _ = writeln!(io::stderr(), "{breach}");
                }
            }
            progress(played + 1);
        }
        Ok((report, broken))
    }
}

fn main() -> ExitCode {
    shipped::keep_wanted_panics_quiet();
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
    let (report, broke) = match args.seeds {
        None => match args.play(args.seed) {
            Ok(story) if args.json => (story.report, 0),
            Ok(story) => {
                writeln!(out, "{story}")?;
                print_log(args, &mut out, &story.log)?;
                return Ok(ExitCode::SUCCESS);
            }
            Err(breach) => {
                let breach = if is_to_shrink(args) { shipped::shrink(breach) } else { breach };
                for line in &breach.transcript {
                    writeln!(out, "{line}")?;
                }
                print_log(args, &mut out, &breach.log)?;
                return broken(&breach);
            }
        },
        Some(count) => match args.play_many(count) {
            Ok(played) => played,
            Err(breach) if args.core => return broken(&breach),
            Err(breach) => return broken(&shipped::shrink(breach)),
        },
    };
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string_pretty(&report.to_json()?)?)?,
        false => writeln!(out, "{report}")?,
    }
    Ok(if broke == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print_log(args: &Args, out: &mut impl Write, log: &[String]) -> io::Result<()> {
    let lines = if args.log { log } else { &[] };
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Whether a history that breaks something is to be made smaller.
fn is_to_shrink(args: &Args) -> bool {
    !args.core && args.without.is_empty() && args.steps.is_none()
}

fn broken(breach: &Breach) -> io::Result<ExitCode> {
    writeln!(io::stderr(), "{breach}")?;
    Ok(ExitCode::FAILURE)
}
