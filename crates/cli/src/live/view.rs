//! The meeting as a person sees it in the terminal: rounds, voices, votes, cost.
//!
//! Plain lines where stderr is no terminal; colours, a status line and streamed words where it is.

use std::io::{IsTerminal, Write};
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use quorate_core::{
    AbstentionKind, Author, BallotId, Cast, Event, EventBody, Language, Meeting, ParticipantId, PauseReason,
    RoundKind, TaskId, apply, clause_text, failure_text, outcome_text, phase_text,
};
use quorate_engine::{FragmentKind, LiveFragment};
use unicode_width::UnicodeWidthStr;

use super::stream::Streamed;

const VOICES: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Green,
    AnsiColor::Magenta,
    AnsiColor::Blue,
    AnsiColor::Red,
];
const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// The live view of one meeting.
pub(crate) struct View {
    meeting: Meeting,
    terminal: bool,
    /// The words of the turn that is shown while it is written.
    streamed: Option<(TaskId, u32, Streamed)>,
    /// Whether the status line stands on the screen.
    status_shown: bool,
    /// Since when nobody has said anything.
    quiet_since: Instant,
    thinking_chars: usize,
}

impl View {
    /// A view that already knows `meeting`, and shows what comes after.
    pub(crate) fn new(meeting: Meeting) -> Self {
        Self {
            meeting,
            terminal: std::io::stderr().is_terminal(),
            streamed: None,
            status_shown: false,
            quiet_since: Instant::now(),
            thinking_chars: 0,
        }
    }

    pub(crate) fn language(&self) -> Language {
        self.meeting.language()
    }

    /// Reminds of where the meeting was when it is taken up again.
    pub(crate) fn recap(&mut self) {
        let m = &self.meeting;
        let text = self.pick(
            format!(
                "{BOLD}{}{BOLD:#}\n{DIM}第 {} 轮 · {} · 已有 {} 条发言{DIM:#}",
                m.charter.topic,
                m.round_number(),
                phase_text(m),
                m.said.len()
            ),
            format!(
                "{BOLD}{}{BOLD:#}\n{DIM}round {} · {} · {} messages so far{DIM:#}",
                m.charter.topic,
                m.round_number(),
                phase_text(m),
                m.said.len()
            ),
        );
        self.put(&text);
    }

    /// Says something about the meeting.
    pub(crate) fn note(&mut self, text: &str) {
        let style = AnsiColor::Cyan.on_default();
        self.put(&format!("{style}▸ {text}{style:#}"));
    }

    /// Takes note of one event without showing it: what is said besides is in the meeting's language.
    pub(crate) fn follow(&mut self, event: &Event) {
        apply(&mut self.meeting, event);
    }

    /// Shows one event.
    pub(crate) fn event(&mut self, event: &Event) {
        apply(&mut self.meeting, event);
        self.quiet_since = Instant::now();
        match &event.body {
            EventBody::MeetingCreated { topic, .. } => {
                self.put(&format!("{BOLD}{topic}{BOLD:#}"));
            }
            EventBody::MeetingStarted { .. } => self.opening(),
            EventBody::RoundStarted { round, kind, focus, .. } => self.round(*round, *kind, focus),
            EventBody::AgentMessage { participant, message, turn, .. } => {
                self.words(TaskId::Speak(*turn), *participant, &message.content);
            }
            EventBody::UserMessage { message, .. } => {
                self.put(&format!("\n{BOLD}{}{BOLD:#}\n{}", message.name, message.content));
            }
            EventBody::TurnSkipped { participant, .. } => {
                let name = self.name(*participant);
                self.put(&format!("\n{name} {DIM}{}{DIM:#}", self.pick("跳过", "passes")));
            }
            EventBody::TurnFailed { participant, kind, detail, hint, .. } => {
                let name = self.name(*participant);
                let kind = failure_text(self.language(), *kind);
                self.trouble(&format!("{name} {}：{detail}", kind), hint);
            }
            EventBody::AnswerMalformed { task, problem, .. } => {
                let who = self.who(*task);
                let asked = self.pick("的回答无法采用，再问一次", "is asked again");
                self.put(&format!("{DIM}{who} {asked}：{problem}{DIM:#}"));
            }
            EventBody::SummaryWritten { text, .. } => {
                self.put(&format!("\n{DIM}{}{DIM:#}\n{DIM}{text}{DIM:#}", self.pick("本轮摘要", "Summary")));
            }
            EventBody::DraftRevised { version, text, by } => {
                let by = match by {
                    Author::Facilitator | Author::Participant(_) | Author::Person => "",
                    Author::Rules => {
                        self.pick("（由规则从立场中选出）", " (chosen by the rules from the positions)")
                    }
                };
                let title = self
                    .pick(format!("结论草案第 {version} 版{by}"), format!("Draft, version {version}{by}"));
                self.put(&format!("\n{BOLD}{title}{BOLD:#}\n{text}"));
            }
            EventBody::BallotOpened { ballot, draft_version, .. } => {
                let title = self.pick(
                    format!("第 {} 次表决 · 草案第 {draft_version} 版", ballot.0),
                    format!("Ballot {} · draft version {draft_version}", ballot.0),
                );
                self.heading(&title);
            }
            EventBody::VoteAbstained { participant, kind, detail, .. } => {
                let name = self.name(*participant);
                let why = match kind {
                    AbstentionKind::Chosen => self.pick("弃权", "abstains"),
                    AbstentionKind::Malformed => {
                        self.pick("弃权：票无法读取", "abstains: the vote cannot be read")
                    }
                    AbstentionKind::Failed => self.pick("弃权：没有投票", "abstains: no vote came"),
                };
                self.put(&format!("{name} {DIM}{why}（{detail}）{DIM:#}"));
            }
            EventBody::BallotInterrupted { .. } => {
                self.put(&format!(
                    "{DIM}{}{DIM:#}",
                    self.pick("插话中断了本次表决", "the ballot was interrupted")
                ));
            }
            EventBody::BallotClosed { ballot, .. } => self.ballot(*ballot),
            EventBody::FacilitationWritten { message, .. } => {
                self.put(&format!("\n{BOLD}{}{BOLD:#}\n{}", message.name, message.content));
            }
            EventBody::ParticipantJoined { participant, .. } if self.meeting.started_at.is_some() => {
                let name = self.name(participant.id);
                self.put(&format!("\n{name} {DIM}{}{DIM:#}", self.pick("加入会议", "joins")));
            }
            EventBody::ParticipantLeft { participant, .. } => {
                let name = self.name(*participant);
                self.put(&format!("\n{name} {DIM}{}{DIM:#}", self.pick("离开会议", "leaves")));
            }
            EventBody::Pause { pause_reason, .. } => {
                let why = match pause_reason {
                    PauseReason::UserRequest => self.pick("会议已暂停", "the meeting is paused"),
                    PauseReason::MissingInfo => {
                        self.pick("会议已暂停：需要补充信息", "the meeting is paused: something is missing")
                    }
                    PauseReason::CheckIn => self.pick(
                        "会议已暂停：轮次开始前的确认",
                        "the meeting is paused: a check before the round",
                    ),
                    PauseReason::NeedApproval => {
                        self.pick("会议已暂停：等待批准", "the meeting is paused: approval is needed")
                    }
                    PauseReason::AwaitingHost => {
                        self.pick("等待主持人发言", "the meeting waits for the host")
                    }
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
                };
                self.put(&format!("\n{BOLD}{why}{BOLD:#}"));
            }
            EventBody::Resume { .. } => {
                self.put(&format!("{DIM}{}{DIM:#}", self.pick("会议继续", "the meeting goes on")));
            }
            EventBody::Recovered {} => {
                let text = self.pick(
                    "上次中断时正在进行的调用已丢失，重新询问",
                    "calls that were under way when the process ended are made again",
                );
                self.put(&format!("{DIM}{text}{DIM:#}"));
            }
            EventBody::BudgetReached { limit, spent, .. } => {
                let text = self.pick(
                    format!("预算已到上限：已用 {spent}，上限 {limit}"),
                    format!("the budget is reached: {spent} of {limit} used"),
                );
                self.put(&format!("\n{BOLD}{text}{BOLD:#}"));
            }
            EventBody::Error { task, detail, hint, .. } => {
                let who = self.who(*task);
                self.trouble(&format!("{who}：{detail}"), hint);
            }
            EventBody::RoundEnded { .. } => self.cost(),
            EventBody::Finished { .. } => {
                let outcome = outcome_text(&self.meeting);
                self.heading(&outcome);
                self.cost();
            }
            EventBody::ParticipantInvited { .. }
            | EventBody::PresenceChanged { .. }
            | EventBody::RulesChanged { .. }
            | EventBody::TopicChanged { .. }
            | EventBody::AgendaChanged { .. }
            | EventBody::AnnouncementPublished { .. }
            | EventBody::AccessChanged { .. }
            | EventBody::PreparationStarted { .. }
            | EventBody::IntakeWritten { .. }
            | EventBody::TeamProposed { .. }
            | EventBody::EvaluationWritten { .. }
            | EventBody::MemoryWritten { .. }
            | EventBody::Metric { .. }
            | EventBody::MinutesRequested { .. }
            | EventBody::MinutesWritten { .. }
            | EventBody::ArtifactRequested { .. }
            | EventBody::ArtifactWritten { .. }
            | EventBody::MeetingForked { .. }
            | EventBody::ParticipantJoined { .. }
            | EventBody::SpeakerSelected { .. }
            | EventBody::SpeakerRequested { .. }
            | EventBody::CallStarted { .. }
            | EventBody::CallEnded { .. }
            | EventBody::VoteCast { .. }
            | EventBody::PauseRequested { .. }
            | EventBody::EndRequested { .. }
            | EventBody::MeetingClosing { .. }
            | EventBody::ConclusionWritten { .. } => {}
        }
        self.tick();
    }

    /// Shows a piece of an answer, where one voice speaks at a time.
    pub(crate) fn fragment(&mut self, fragment: &LiveFragment) {
        if fragment.kind == FragmentKind::Reasoning {
            self.thinking_chars += fragment.text.chars().count();
            return;
        }
        let TaskId::Speak(_) = fragment.task else { return };
        let serial = self.meeting.round().is_some_and(|round| round.kind == RoundKind::Serial);
        let (true, true, Some(participant)) = (self.terminal, serial, fragment.participant) else { return };
        let current = matches!(&self.streamed, Some((task, attempt, _)) if (*task, *attempt) == (fragment.task, fragment.attempt));
        if !current {
            self.put(&format!("\n{}", self.name(participant)));
            self.streamed = Some((fragment.task, fragment.attempt, Streamed::default()));
        }
        if let Some((_, _, streamed)) = &mut self.streamed {
            let fresh = streamed.push(&fragment.text);
            self.clear_status();
            let mut err = anstream::stderr().lock();
            _ = write!(err, "{fresh}");
            _ = err.flush();
        }
    }

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

    fn opening(&mut self) {
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
            "{DIM}{} {} · {} {} · {} {} · {} {facilitator}{DIM:#}\n  {}",
            self.pick("会议", "meeting"),
            m.id,
            self.pick("形式", "format"),
            m.charter.format,
            self.pick("种子", "seed"),
            m.charter.seed,
            self.pick("收敛器", "facilitator"),
            seats.join(&format!("{separator}\n  ")),
        );
        self.put(&text);
    }

    fn round(&mut self, number: u32, kind: RoundKind, focus: &[String]) {
        let last = self.meeting.rules().limits.max_rounds;
        let title = match kind {
            RoundKind::Blind => {
                self.pick("第 0 轮 · 各自独立作答".to_owned(), "Round 0 · everybody answers alone".to_owned())
            }
            RoundKind::Serial => self.pick(
                format!("第 {number} 轮（最多 {last}）· 轮流发言"),
                format!("Round {number} of at most {last} · in turn"),
            ),
            RoundKind::Parallel => self.pick(
                format!("第 {number} 轮（最多 {last}）· 同时发言"),
                format!("Round {number} of at most {last} · all at once"),
            ),
        };
        self.heading(&title);
        for item in focus {
            let label = self.pick("焦点", "focus");
            self.put(&format!("{DIM}{label}{}{item}{DIM:#}", self.pick("：", ": ")));
        }
    }

    /// A message whose words may already stand on the screen, in part or whole.
    fn words(&mut self, task: TaskId, participant: ParticipantId, content: &str) {
        self.thinking_chars = 0;
        if let Some((shown_task, _, streamed)) = self.streamed.take() {
            let mut err = anstream::stderr().lock();
            match content.strip_prefix(streamed.shown()) {
                Some(rest) if shown_task == task => {
                    _ = writeln!(err, "{rest}");
                    return;
                }
                Some(_) | None => _ = writeln!(err),
            }
        }
        let name = self.name(participant);
        self.put(&format!("\n{name}\n{content}"));
    }

    fn ballot(&mut self, id: BallotId) {
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
                Some(Cast::Vote(vote)) => {
                    let bar: String = (0..10)
                        .map(|tenth| if u16::from(vote.score) >= (tenth + 1) * 10 { '█' } else { '·' })
                        .collect();
                    let (style, pass) = match vote.pass {
                        true => (AnsiColor::Green.on_default(), self.pick("通过", "pass")),
                        false => (AnsiColor::Red.on_default(), self.pick("不通过", "fail")),
                    };
                    let pass_pad = " ".repeat(6usize.saturating_sub(pass.width()));
                    let reason = cut_to_width(&vote.reason.replace('\n', " "), room);
                    format!(
                        "  {name}  {:>3}  {bar}  {style}{pass}{style:#}{pass_pad}  {DIM}{reason}{DIM:#}",
                        vote.score
                    )
                }
                Some(Cast::Abstained(_)) | None => {
                    format!("  {name}    —  ··········  {}", self.pick("弃权", "abstained"))
                }
            });
        }
        for clause in &verdict.clauses {
            let mark = if clause.met { "✓" } else { "✗" };
            rows.push(format!("  {mark} {}", clause_text(self.language(), clause)));
        }
        let result = match verdict.passed {
            true => self.pick("通过", "The ballot has passed"),
            false => self.pick("未通过", "The ballot has not passed"),
        };
        let text = format!("{}\n{BOLD}{result}{BOLD:#}", rows.join("\n"));
        self.put(&text);
    }

    /// One line on what it has cost so far.
    fn cost(&mut self) {
        let spent = &self.meeting.spent;
        let about = if spent.usage.estimated { "≈" } else { "" };
        let cost = match spent.known_cost_micros() {
            Some(0) if self.meeting.is_simulated() => {
                self.pick("免费（模拟）", "free (simulated)").to_owned()
            }
            Some(micros) => format!("{:.4}", micros as f64 / 1e6),
            None => self.pick("费用未知（没有价格）", "cost unknown (no price)").to_owned(),
        };
        let text = self.pick(
            format!(
                "{} 次调用 · 输入 {about}{} · 输出 {about}{} 令牌 · {cost}",
                spent.calls, spent.usage.input_tokens, spent.usage.output_tokens
            ),
            format!(
                "{} calls · {about}{} tokens in · {about}{} out · {cost}",
                spent.calls, spent.usage.input_tokens, spent.usage.output_tokens
            ),
        );
        self.put(&format!("{DIM}{text}{DIM:#}"));
    }

    fn heading(&mut self, title: &str) {
        let rule = "─".repeat(terminal_width().saturating_sub(title.width() + 5).clamp(2, 60));
        self.put(&format!("\n{BOLD}── {title} {BOLD:#}{DIM}{rule}{DIM:#}"));
    }

    fn trouble(&mut self, text: &str, hint: &str) {
        let style = AnsiColor::Red.on_default();
        let hint = if hint.is_empty() { String::new() } else { format!("\n  {DIM}{hint}{DIM:#}") };
        self.put(&format!("{style}✗{style:#} {text}{hint}"));
    }

    fn who(&self, task: TaskId) -> String {
        let id = match task {
            TaskId::Speak(turn) => self.meeting.turn(turn).map(|turn| turn.participant),
            TaskId::Vote(_, voter) => Some(voter),
            TaskId::Minutes(version) => {
                self.meeting.minutes_requests.get(&version).and_then(|request| request.writer)
            }
            _ => None,
        };
        match id {
            Some(id) => self.meeting.name_of(id),
            None => self.pick("收敛器", "facilitator").to_owned(),
        }
    }

    /// A participant's name in its colour.
    fn name(&self, id: ParticipantId) -> String {
        let voice = VOICES[(id.0.saturating_sub(1) as usize) % VOICES.len()].on_default().bold();
        format!("{voice}{}{voice:#}", self.meeting.name_of(id))
    }

    fn pick<T>(&self, zh: T, en: T) -> T {
        match self.language() {
            Language::Zh => zh,
            Language::En => en,
        }
    }

    fn put(&mut self, text: &str) {
        if self.streamed.take().is_some() {
            anstream::eprintln!();
        }
        self.clear_status();
        anstream::eprintln!("{text}");
    }

    fn clear_status(&mut self) {
        if self.status_shown {
            anstream::eprint!("\r\x1b[2K");
            self.status_shown = false;
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.clear_status();
    }
}

/// Columns of the terminal, 80 when there is none.
fn terminal_width() -> usize {
    terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0))
}

fn cut_to_width(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if kept.width() + c.to_string().width() + 1 > width {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}
