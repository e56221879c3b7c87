//! The health of a deliberation as text for a terminal.

use std::fmt::Write as _;

use quorate_contract::{Language, ParticipantId};
use quorate_core::Meeting;
use quorate_messages::text;

use super::{DeliberationHealth, Finding, HealthGrade, PositionSupport, SeatParticipation, percent};

struct Page<'h> {
    health: &'h DeliberationHealth,
    m: &'h Meeting,
    language: Language,
    text: String,
}

/// Everything in the order in which it is best read.
pub(super) fn told(health: &DeliberationHealth, m: &Meeting, language: Language) -> String {
    let mut page = Page { health, m, language, text: String::new() };
    page.verdict();
    page.dissent();
    page.positions();
    page.flips();
    page.loose();
    page.participation();
    page.value();
    page.alarms();
    page.text.trim_end().to_owned()
}

impl Page<'_> {
    fn head(&mut self, title: &str) {
        _ = writeln!(self.text, "\n## {title}\n");
    }

    fn line(&mut self, line: &str) {
        _ = writeln!(self.text, "- {}", line.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    fn found(&mut self, finding: &Finding) {
        let seqs = cited(&finding.seqs);
        self.line(&format!("{}{seqs}", finding.text.text(self.language)));
    }

    fn name(&self, id: ParticipantId) -> String {
        self.m.name_of(id)
    }

    fn names(&self, ids: &[ParticipantId]) -> String {
        let names: Vec<String> = ids.iter().map(|id| self.name(*id)).collect();
        if names.is_empty() {
            "—".to_owned()
        } else {
            names.join(text!(self.language, "common-list-separator"))
        }
    }

    fn verdict(&mut self) {
        let verdict = &self.health.verdict;
        _ = writeln!(self.text, "# {}\n", verdict.text.text(self.language));
        if self.health.simulated {
            let note = text!(self.language, "views-health-simulated");
            _ = writeln!(self.text, "> {note}\n");
        }
        verdict.because.iter().for_each(|finding| self.found(finding));
    }

    fn dissent(&mut self) {
        let (language, dissent) = (self.language, &self.health.dissent);
        if self.health.verdict.standing == HealthGrade::Ideas && dissent.objections.is_empty() {
            return;
        }
        self.head(text!(language, "views-health-dissent"));
        if dissent.objections.is_empty() && dissent.lowest.is_empty() {
            self.line(text!(language, "views-health-none"));
        }
        for one in &dissent.objections {
            let (who, text, seq) = (self.name(one.holder), &one.text, one.seq);
            let line = match one.answered_by.is_empty() {
                true => text!(language, "views-health-objection", who, text, %seq),
                false => {
                    let by = self.names(&one.answered_by);
                    text!(language, "views-health-objection-answered", who, text, by, %seq)
                }
            };
            self.line(&line);
        }
        // Where even these let it pass, the lowest score is no dissent, but says how far the agreement goes.
        if let Some(low) = dissent.lowest.first().filter(|_| dissent.lowest.iter().all(|low| low.pass)) {
            let (who, score, ballot) = (self.name(low.participant), low.score, low.ballot.0);
            self.line(&text!(language, "views-health-lowest-score-passes", %ballot, %score, who));
            return;
        }
        for low in &dissent.lowest {
            let (who, score, ballot) = (self.name(low.participant), low.score, low.ballot.0);
            let line = match low.pass {
                true => text!(language, "views-health-low-score-passes", %ballot, %score, who),
                false => text!(language, "views-health-low-score-fails", %ballot, %score, who),
            };
            self.line(&line);
        }
    }

    fn positions(&mut self) {
        let language = self.language;
        self.head(text!(language, "views-health-positions"));
        if self.health.positions.is_empty() {
            self.line(text!(language, "views-health-no-position"));
        }
        for position in &self.health.positions {
            let PositionSupport { text, now, blind, .. } = position;
            let (shares, holders) = ((percent(now.share), percent(blind.share)), self.names(&now.holders));
            let (now, first, seqs) = (shares.0, shares.1, cited(&position.seqs));
            self.line(&text!(language, "views-health-position", text, now, holders, first, seqs));
        }
    }

    fn flips(&mut self) {
        let language = self.language;
        self.head(text!(language, "views-health-flips"));
        if self.health.flips.is_empty() {
            self.line(text!(language, "views-health-no-flip"));
        }
        for flip in &self.health.flips {
            let (who, from, to) = (self.name(flip.participant), &flip.from, &flip.to);
            let (round, seq) = (flip.round, flip.seq);
            let line = match (&flip.said, flip.owner) {
                (Some(said), Some(owner)) => {
                    let owner = self.name(owner);
                    text!(language, "views-health-flip-by", %round, who, from, to, owner, said, %seq)
                }
                _ => text!(language, "views-health-flip-by-nothing", %round, who, from, to, %seq),
            };
            self.line(&line);
        }
    }

    fn loose(&mut self) {
        let (unshared, unanswered) = (&self.health.unshared, &self.health.unanswered);
        let language = self.language;
        let says_nothing = unanswered.coverage.is_none() && self.health.cited.cited == 0;
        if self.health.verdict.standing == HealthGrade::Ideas && says_nothing && unshared.items.is_empty() {
            return;
        }
        self.head(text!(language, "views-health-loose"));
        match unanswered.coverage.map(percent) {
            None if self.health.verdict.standing == HealthGrade::Ideas => {}
            None => self.line(text!(language, "views-health-no-claim")),
            Some(coverage) => {
                let (raised, answered) = (unanswered.raised, unanswered.answered);
                self.line(&text!(language, "views-health-claims", raised, answered, coverage));
            }
        }
        let (raised, cited) = (self.health.cited.raised, self.health.cited.cited);
        if cited > 0 {
            self.line(&text!(language, "views-health-cited", raised, cited));
        }
        for fact in &unshared.items {
            let (who, text, seq) = (self.name(fact.owner), &fact.text, fact.seq);
            self.line(&text!(language, "views-health-unshared-fact", who, text, %seq));
        }
    }

    fn participation(&mut self) {
        let language = self.language;
        if self.health.participation.seats.is_empty() && self.health.independence.seats == 0 {
            return;
        }
        self.head(text!(language, "views-health-participation"));
        for seat in &self.health.participation.seats {
            let who = self.name(seat.participant);
            let SeatParticipation { turns, skips, failures, claims, votes, abstentions, .. } = *seat;
            self.line(&text!(
                language,
                "views-health-seat",
                who,
                turns,
                skips,
                failures,
                claims,
                votes,
                abstentions
            ));
        }
        let all = &self.health.independence;
        if all.seats == 0 {
            return;
        }
        let (seats, effective, rho) = (all.seats, format!("{:.1}", all.effective), format!("{:.2}", all.rho));
        self.line(&text!(language, "views-health-judges", seats, effective, rho));
    }

    fn value(&mut self) {
        let (language, value) = (self.language, &self.health.value);
        self.head(text!(language, "views-health-value"));
        self.line(&value.text.text(language));
        let (rounds, calls, tokens) = (value.rounds_left, value.calls, value.tokens);
        self.line(&text!(language, "views-health-rounds-left", rounds, calls, tokens));
    }

    fn alarms(&mut self) {
        self.head(text!(self.language, "views-health-alarms"));
        if self.health.alarms.is_empty() {
            self.line(text!(self.language, "views-health-none"));
        }
        self.health.alarms.iter().for_each(|finding| self.found(finding));
    }
}

/// The first events that a line comes from: ` #12 #40`.
fn cited(seqs: &[u64]) -> String {
    seqs.iter().take(5).map(|seq| format!(" #{seq}")).collect()
}
