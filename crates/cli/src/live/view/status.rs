//! The status line: who is thinking, who has voted; how a meeting opens, what it has cost.

use std::io::Write;

use quorate_core::{PauseReason, TaskId};

use super::width::{cut_to_width, terminal_width};
use super::{DIM, View};

impl View {
    /// Brings the status line up to date: who is thinking, who has voted.
    pub(crate) fn tick(&mut self) {
        if !self.terminal || self.streamed.is_some() {
            return;
        }
        let status = self.status();
        self.clear_status();
        if let Some(status) = status {
            let width = terminal_width().saturating_sub(1);
            let mut err = anstream::stderr().lock();
            _ = write!(err, "{DIM}{}{DIM:#}", cut_to_width(&status, width));
            _ = err.flush();
            self.status_shown = true;
        }
    }

    fn status(&self) -> Option<String> {
        let m = &self.meeting;
        if m.is_over() || m.calls.is_empty() {
            return None;
        }
        let waiting: Vec<String> = m.calls.keys().map(|task| self.who(*task)).collect();
        let seconds = self.quiet_since.elapsed().as_secs();
        let what = match m.calls.keys().next()? {
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
                format!("{} {DIM}{} · {}{DIM:#}", self.name(p.id), p.role.name, p.runner.label())
            })
            .collect();
        let facilitator = match &m.charter.facilitator {
            Some(facilitator) => facilitator.runner.label(),
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

    /// One line on what it has cost so far.
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

    /// Why the meeting rests, in a sentence.
    pub(super) fn why_it_rests(&self, reason: PauseReason) -> &'static str {
        match reason {
            PauseReason::UserRequest => self.pick("会议已暂停", "the meeting is paused"),
            PauseReason::MissingInfo => {
                self.pick("会议已暂停：需要补充信息", "the meeting is paused: something is missing")
            }
            PauseReason::CheckIn => {
                self.pick("会议已暂停：轮次开始前的确认", "the meeting is paused: a check before the round")
            }
            PauseReason::NeedApproval => {
                self.pick("会议已暂停：等待批准", "the meeting is paused: approval is needed")
            }
            PauseReason::AwaitingHost => self.pick("等待主持人发言", "the meeting waits for the host"),
            PauseReason::NothingNew => {
                self.pick("会议已暂停：没有新内容", "the meeting is paused: nothing new is said")
            }
            PauseReason::GateFailed => self.pick(
                "会议已暂停：工件未通过检查",
                "the meeting is paused: an artifact did not pass the gate",
            ),
            PauseReason::BudgetLimit => {
                self.pick("会议已暂停：预算已用尽", "the meeting is paused: a budget is used up")
            }
            PauseReason::NobodyAnswered => self.pick(
                "会议已暂停：这一轮没有任何人能够回答，请看上面的错误",
                "the meeting is paused: nobody could answer in this round; see the errors above",
            ),
        }
    }
}
