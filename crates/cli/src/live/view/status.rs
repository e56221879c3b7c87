//! The status line: who is thinking, who has voted; how a meeting opens, what it has cost.

use quorate_contract::TaskId;
use quorate_core::RunState;

use super::{DIM, View};

impl View {
    /// Brings the status line up to date: who is thinking, who has voted.
    pub(crate) fn tick(&mut self) {
        if !self.screen.paints() {
            return;
        }
        let status = match (&self.keys, &self.speaking) {
            (Some(_), _) => Some(self.status().unwrap_or_else(|| self.what_can_be_typed())),
            // Behind words that are being written there is no room for it.
            (None, Some(_)) => None,
            (None, None) => self.status(),
        };
        self.screen.set_status(status);
    }

    /// The hint about the input line.
    fn what_can_be_typed(&self) -> String {
        let text = match (self.meeting.is_over(), self.meeting.is_paused()) {
            (true, _) => "",
            // In which language it is held is not known yet.
            _ if self.meeting.seq == 0 => "",
            (false, true) => self.pick(
                "已暂停 · 输入文字发言 · /resume 继续 · /quit 离开 · /help",
                "paused · type to speak · /resume goes on · /quit leaves · /help",
            ),
            (false, false) => self.pick(
                "输入文字插话 · /pause 暂停 · /help · Ctrl-C 暂停并离开",
                "type to speak · /pause · /help · Ctrl-C pauses and leaves",
            ),
        };
        text.to_owned()
    }

    fn status(&self) -> Option<String> {
        let m = &self.meeting;
        if m.is_over() || m.calls.is_empty() {
            return None;
        }
        let waiting: Vec<String> = m.calls.keys().map(|task| self.who(*task)).collect();
        let seconds = self.quiet_since.elapsed().as_secs();
        if matches!(m.run_state, RunState::PauseRequested { .. }) {
            let names = waiting.join(self.pick("、", ", "));
            return Some(self.pick(
                format!("等 {names} 说完后暂停 · 再按 Ctrl-C 立即离开  {seconds} 秒"),
                format!("pausing after {names} · Ctrl-C again leaves at once  {seconds}s"),
            ));
        }
        let what = match m.calls.keys().next()? {
            TaskId::Speak(_) if self.speaking.is_some() => self.pick("正在发言", "speaking"),
            TaskId::Speak(_) => self.pick("思考中", "thinking"),
            TaskId::Vote(ballot, _) => {
                let cast = m.ballot(*ballot).map_or(0, |ballot| ballot.cast.len());
                return Some(self.pick(
                    format!("表决中：已投 {cast} 票，等待 {}  {seconds} 秒", waiting.join("、")),
                    format!("voting: {cast} cast, waiting for {}  {seconds}s", waiting.join(", ")),
                ));
            }
            TaskId::Summarize(_) => self.pick("正在总结", "summing up"),
            TaskId::Facilitate(_) => self.pick("正在寻找分歧", "looking for what divides the table"),
            TaskId::Conclude => self.pick("正在撰写结论", "writing the conclusion"),
            TaskId::Intake(_) => self.pick("正在检查缺少的信息", "looking for what is missing"),
            TaskId::Team(_) | TaskId::Invite(_) => self.pick("正在安排成员", "putting the team together"),
            TaskId::Evaluate(_) => self.pick("正在评估", "evaluating"),
            TaskId::Minutes(_) => self.pick("正在撰写纪要", "writing the minutes"),
            TaskId::Artifact(..) => self.pick("正在撰写工件", "writing an artifact"),
        };
        let thought = match self.thinking_chars {
            0 => String::new(),
            chars => self.pick(format!("（已思考 {chars} 字）"), format!(" ({chars} characters of thought)")),
        };
        let separator = self.pick("、", ", ");
        Some(format!("{} {what}{thought}  {seconds}{}", waiting.join(separator), self.pick(" 秒", "s")))
    }

    pub(super) fn opening(&mut self) {
        let m = &self.meeting;
        let separator = self.pick("、", ", ");
        let seats: Vec<String> = m
            .present()
            .map(|seat| {
                let p = &seat.participant;
                format!(
                    "{} {DIM}{} · {}{DIM:#}",
                    self.name(p.id),
                    p.role.name,
                    p.runner.label_for(self.language())
                )
            })
            .collect();
        let facilitator = match &m.charter.facilitator {
            Some(facilitator) => facilitator.runner.label_for(self.language()),
            None => self.pick("无", "none").to_owned(),
        };
        let text = format!(
            "{DIM}{} {} · {} {} · {} {} · {} {facilitator}{DIM:#}{}{}",
            self.pick("会议", "meeting"),
            m.id,
            self.pick("形式", "format"),
            m.charter.format,
            self.pick("种子", "seed"),
            m.charter.seed,
            self.pick("收敛器", "facilitator"),
            if seats.is_empty() { "" } else { "\n  " },
            seats.join(&format!("{separator}\n  ")),
        );
        self.put(&text);
    }

    /// Shows the cost so far in one line.
    pub(super) fn cost(&mut self) {
        let spent = &self.meeting.spent;
        let about = if spent.usage.estimated { "≈" } else { "" };
        let cost = match spent.known_cost_micros() {
            Some(0) if self.meeting.is_simulated() => {
                self.pick("免费（模拟）", "free (simulated)").to_owned()
            }
            Some(micros) => format!("{:.4}", micros as f64 / 1e6),
            None => self.pick("费用未知（没有价格）", "cost unknown (no price)").to_owned(),
        };
        let (calls, read, written) = (spent.calls, spent.usage.input_tokens, spent.usage.output_tokens);
        let cached = match spent.usage.cached_tokens {
            0 => String::new(),
            cached => self.pick(format!("（其中缓存 {cached}）"), format!(" ({cached} cached)")),
        };
        let retries = match spent.retries {
            0 => String::new(),
            retries => self.pick(format!(" · {retries} 次重试"), format!(" · {retries} sent again")),
        };
        let text = self.pick(
            format!(
                "{calls} 次调用 · 输入 {about}{read}{cached} · 输出 {about}{written} 令牌 · {cost}{retries}"
            ),
            format!(
                "{calls} calls · {about}{read} tokens in{cached} · {about}{written} out · {cost}{retries}"
            ),
        );
        self.put(&format!("{DIM}{text}{DIM:#}"));
    }
}
