//! The health of a deliberation as text for a terminal.

use std::fmt::Write as _;

use quorate_contract::{Language, ParticipantId};
use quorate_core::Meeting;
use quorate_messages::text;

use super::words::percent;
use super::{Finding, Health, PositionSupport};

struct Page<'h> {
    health: &'h Health,
    m: &'h Meeting,
    language: Language,
    text: String,
}

/// Everything in the order in which it is best read.
pub(super) fn told(health: &Health, m: &Meeting, language: Language) -> String {
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
    fn pick<'t>(&self, zh: &'t str, en: &'t str) -> &'t str {
        match self.language {
            Language::Zh => zh,
            Language::En => en,
        }
    }

    fn head(&mut self, zh: &str, en: &str) {
        let title = self.pick(zh, en).to_owned();
        _ = writeln!(self.text, "\n## {title}\n");
    }

    fn line(&mut self, zh: String, en: String) {
        let line = self.pick(&zh, &en).to_owned();
        _ = writeln!(self.text, "- {}", line.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    fn found(&mut self, finding: &Finding) {
        let seqs = cited(&finding.seqs);
        self.line(format!("{}{seqs}", finding.text.zh), format!("{}{seqs}", finding.text.en));
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
        _ = writeln!(self.text, "# {}\n", verdict.text.in_language(self.language));
        if self.health.simulated {
            let note = text!(self.language, "views-text-some-at-table-simulated-all");
            let note = note.to_owned();
            _ = writeln!(self.text, "> {note}\n");
        }
        verdict.because.iter().for_each(|finding| self.found(finding));
    }

    fn dissent(&mut self) {
        let dissent = &self.health.dissent;
        self.head("保留意见", "Dissent");
        if dissent.objections.is_empty() && dissent.lowest.is_empty() {
            self.line("没有。".into(), "None.".into());
        }
        for one in &dissent.objections {
            let (who, text, seq) = (self.name(one.holder), &one.text, one.seq);
            self.line(format!("{who}：{text}（#{seq}）"), format!("{who}: {text} (#{seq})"));
        }
        // Where even these let it pass, the lowest score is no dissent, but says how far the agreement goes.
        if let Some(low) = dissent.lowest.first().filter(|_| dissent.lowest.iter().all(|low| low.pass)) {
            let (who, score, ballot) = (self.name(low.participant), low.score, low.ballot.0);
            self.line(
                format!("第 {ballot} 次表决最低 {score} 分（{who}），仍同意通过"),
                format!("The lowest score in ballot {ballot} is {score} ({who}), and lets the draft pass"),
            );
            return;
        }
        for low in &dissent.lowest {
            let (who, score, ballot) = (self.name(low.participant), low.score, low.ballot.0);
            let passes = match low.pass {
                true => ("同意通过", "lets the draft pass"),
                false => ("不同意通过", "does not let the draft pass"),
            };
            self.line(
                format!("第 {ballot} 次表决中的低分：{who} {score} 分，{}", passes.0),
                format!("A low score in ballot {ballot}: {who} gave {score} and {}", passes.1),
            );
        }
    }

    fn positions(&mut self) {
        self.head("立场：现在与最初", "Positions, now and at first");
        if self.health.positions.is_empty() {
            self.line("还没有人说明立场。".into(), "Nobody has said where it stands.".into());
        }
        for position in &self.health.positions {
            let PositionSupport { text, now, blind, .. } = position;
            let (shares, holders) = ((percent(now.share), percent(blind.share)), self.names(&now.holders));
            let seqs = cited(&position.seqs);
            self.line(
                format!("{text}：现在 {}（{holders}），最初 {}{seqs}", shares.0, shares.1),
                format!("{text}: {} now ({holders}), {} at first{seqs}", shares.0, shares.1),
            );
        }
    }

    fn flips(&mut self) {
        self.head("改变立场", "Changes of mind");
        if self.health.flips.is_empty() {
            self.line("没有人改变立场。".into(), "Nobody changed its mind.".into());
        }
        for flip in &self.health.flips {
            let who = self.name(flip.participant);
            let (zh, en) = match (&flip.said, flip.owner) {
                (Some(said), Some(owner)) => {
                    let owner = self.name(owner);
                    (format!("因为 {owner} 说的“{said}”"), format!("by what {owner} said: “{said}”"))
                }
                _ => ("没有说明依据".to_owned(), "by nothing that it names".to_owned()),
            };
            self.line(
                format!("第 {} 轮，{who}：{} → {}，{zh}（#{}）", flip.round, flip.from, flip.to, flip.seq),
                format!("Round {}, {who}: {} → {}, {en} (#{})", flip.round, flip.from, flip.to, flip.seq),
            );
        }
    }

    fn loose(&mut self) {
        let (unshared, unanswered) = (&self.health.unshared, &self.health.unanswered);
        self.head("无人接过的内容", "What nobody has taken up");
        match unanswered.coverage.map(percent) {
            None => self.line("还没有人提出论点。".into(), "Nobody has raised a claim yet.".into()),
            Some(coverage) => self.line(
                format!("论点 {} 个，得到回应 {} 个（{coverage}）", unanswered.raised, unanswered.answered),
                format!("{} claims, {} answered ({coverage})", unanswered.raised, unanswered.answered),
            ),
        }
        for fact in &unshared.items {
            let (who, text, seq) = (self.name(fact.owner), &fact.text, fact.seq);
            self.line(
                format!("事实，仅 {who} 提过：{text}（#{seq}）"),
                format!("Fact, of {who} alone: {text} (#{seq})"),
            );
        }
    }

    fn participation(&mut self) {
        self.head("参与与独立性", "Participation and independence");
        for seat in &self.health.participation.seats {
            let who = self.name(seat.participant);
            self.line(
                format!(
                    "{who}：发言机会 {}，跳过 {}，失败 {}，论点 {}，表决 {}，弃权 {}",
                    seat.turns, seat.skips, seat.failures, seat.claims, seat.votes, seat.abstentions
                ),
                format!(
                    "{who}: {} turns, {} skipped, {} failed, {} claims, {} votes, {} abstentions",
                    seat.turns, seat.skips, seat.failures, seat.claims, seat.votes, seat.abstentions
                ),
            );
        }
        let all = &self.health.independence;
        self.line(
            format!(
                "{} 个席位约相当于 {:.1} 个独立判断（按假设的相关性 {:.2}）",
                all.seats, all.effective, all.rho
            ),
            format!(
                "{} seats count as about {:.1} judges of their own (assuming a correlation of {:.2})",
                all.seats, all.effective, all.rho
            ),
        );
    }

    fn value(&mut self) {
        let value = &self.health.value;
        self.head("再开一轮", "One more round");
        self.line(value.text.zh.clone(), value.text.en.clone());
        self.line(
            format!("剩余轮次 {}；已用调用 {} 次、令牌 {}", value.rounds_left, value.calls, value.tokens),
            format!(
                "{} rounds left; {} calls and {} tokens so far",
                value.rounds_left, value.calls, value.tokens
            ),
        );
    }

    fn alarms(&mut self) {
        self.head("提醒", "Alarms");
        if self.health.alarms.is_empty() {
            self.line("没有。".into(), "None.".into());
        }
        self.health.alarms.iter().for_each(|finding| self.found(finding));
    }
}

/// The first events that a line comes from: ` #12 #40`.
fn cited(seqs: &[u64]) -> String {
    seqs.iter().take(5).map(|seq| format!(" #{seq}")).collect()
}
