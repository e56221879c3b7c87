//! Plays simulated meetings with injected faults, to test Quorate itself.

use std::io::IsTerminal;
use std::process::ExitCode;

use quorate_messages::text;
use quorate_sim::{Breach, Report, play, play_many};

use super::print;
use crate::args::SimArgs;
use crate::error::{CliError, ErrorKind};
use crate::language::Speech;

/// Plays meetings from seeds: one is printed step by step, many end in a report.
pub(crate) fn sim(args: SimArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let broken = |breach: Breach| {
        for line in &breach.transcript {
            anstream::eprintln!("{line}");
        }
        CliError::new(
            format!("seed {}, step {}: {}", breach.seed, breach.step, breach.what),
            text!(speech, "cli-sim-fault-quorate-see-again-quorate", seed = %breach.seed),
        )
        .of(ErrorKind::Internal)
    };
    let report: Report = if args.count == 1 {
        let story = play(args.seed).map_err(broken)?;
        if !args.json {
            print(&story.to_string());
            return Ok(ExitCode::SUCCESS);
        }
        story.report
    } else {
        let terminal = std::io::stderr().is_terminal();
        let progress = |played: u64| {
            if terminal && played.is_multiple_of(50) {
                anstream::eprint!("\r{played}/{}", args.count);
            }
        };
        let report = play_many(args.seed, args.count, progress).map_err(broken)?;
        if terminal {
            anstream::eprint!("\r\x1b[2K");
        }
        report
    };
    match args.json {
        true => print(&serde_json::to_string(&report).expect("a report has only text keys")),
        false => print(&report.to_string()),
    }
    Ok(ExitCode::SUCCESS)
}
