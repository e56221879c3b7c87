//! A ballot as a person reads it: every vote with its reason, every clause with what it needed.

use anstyle::AnsiColor;
use quorate_contract::{BallotId, clause_text, failure_text};
use quorate_core::BallotChoice;
use quorate_messages::text;
use unicode_width::UnicodeWidthStr;

use super::width::{cut_to_width, terminal_width};
use super::{BOLD, DIM, View};

impl View {
    pub(super) fn ballot(&mut self, id: BallotId) {
        let m = &self.meeting;
        let Some(ballot) = m.ballot(id) else { return };
        let Some((_, verdict)) = m.last_counted_ballot() else { return };
        let width = ballot.voters.iter().map(|id| m.name_of(*id).width()).max().unwrap_or(0);
        let room = terminal_width().saturating_sub(width + 32).clamp(20, 100);
        let mut rows = Vec::new();
        for voter in &ballot.voters {
            let pad = " ".repeat(width - m.name_of(*voter).width().min(width));
            let name = format!("{}{pad}", self.name(*voter));
            rows.push(match ballot.cast.get(voter) {
                Some(BallotChoice::Vote(vote)) => {
                    let bar: String = (0..10)
                        .map(|tenth| if u16::from(vote.score) >= (tenth + 1) * 10 { '█' } else { '·' })
                        .collect();
                    let (style, pass) = match vote.pass {
                        true => (AnsiColor::Green.on_default(), text!(self.language(), "cli-ballot-pass")),
                        false => (AnsiColor::Red.on_default(), text!(self.language(), "cli-ballot-fail")),
                    };
                    let pass_pad = " ".repeat(6usize.saturating_sub(pass.width()));
                    let flag = match vote.contradicts_itself() {
                        true => text!(self.language(), "cli-ballot-contradicts-its-score"),
                        false => "",
                    };
                    let reason = format!("{flag}{}", vote.reason.replace('\n', " "));
                    let reason = cut_to_width(&reason, room);
                    format!(
                        "  {name}  {:>3}  {bar}  {style}{pass}{style:#}{pass_pad}  {DIM}{reason}{DIM:#}",
                        vote.score
                    )
                }
                Some(BallotChoice::Abstained(_)) | None => {
                    format!("  {name}    —  ··········  {}", text!(self.language(), "cli-ballot-abstained"))
                }
                Some(BallotChoice::Failed(failure)) => {
                    let style = AnsiColor::Red.on_default();
                    let why = match failure.kind {
                        Some(kind) => failure_text(self.language(), kind),
                        None => "",
                    };
                    let reason = cut_to_width(
                        &format!("{why} {}", failure.detail.in_language(self.language())).replace('\n', " "),
                        room,
                    );
                    let failed = text!(self.language(), "cli-ballot-failed");
                    let pad = " ".repeat(6usize.saturating_sub(failed.width()));
                    format!("  {name}    —  ··········  {style}{failed}{style:#}{pad}  {DIM}{reason}{DIM:#}")
                }
            });
        }
        for clause in &verdict.clauses {
            let mark = if clause.met { "✓" } else { "✗" };
            rows.push(format!("  {mark} {}", clause_text(self.language(), clause)));
        }
        let result = match verdict.passed {
            true => text!(self.language(), "cli-ballot-ballot-has-passed"),
            false => text!(self.language(), "cli-ballot-ballot-has-not-passed"),
        };
        let text = format!("{}\n{BOLD}{result}{BOLD:#}", rows.join("\n"));
        self.put(&text);
    }
}
