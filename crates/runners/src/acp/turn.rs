//! One turn of an agent while it runs: its answer, what it reads and runs, and what it asks for.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use quorate_contract::{
    ACTION_LOCATIONS_MAX, ACTIONS_MAX, Action, ActionKind, ActionLocation, ActionPermission, ActionStatus,
};
use quorate_engine::{FragmentSink, Request};
use serde_json::Value;
use tokio::time::{Instant, timeout};

use super::failure::AcpError;
use super::files::{FileRefusal, Folder};
use super::permission::{PermissionBoard, PermissionKey};
use super::wire::{self, AskPermission, PermissionOption, ReadFile, ToolCall, Update, WriteFile};
use crate::model::redact::{Redactor, Secrets};

/// The longest answer that is taken, reasoning included, in bytes: as of a model.
const ANSWER_MAX: usize = 4 << 20;
/// The most that an agent writes within a turn, in bytes.
const WRITTEN_MAX: usize = 64 << 20;
/// The most requests of an agent within a turn.
const REQUESTS_MAX: u32 = 5_000;
/// The most questions for a person within a turn.
const QUESTIONS_MAX: u32 = 50;
/// The most bytes of files that an agent reads within a turn.
const READ_MAX: usize = 16 << 20;
/// How long to wait for a person's answer that is being written to the log.
const BEING_ANSWERED: Duration = Duration::from_secs(10);

/// A person's answer, or none in time.
pub(super) struct PermissionDecision {
    id: Value,
    options: Vec<PermissionOption>,
    call: String,
    allowed: Option<bool>,
}

/// What stays the same over the turns of a seat.
pub(super) struct TurnContext<'a> {
    pub(super) folder: &'a Folder,
    pub(super) secrets: &'a Secrets,
    pub(super) board: &'a Arc<PermissionBoard>,
    pub(super) writable: bool,
    pub(super) permission_limit: Duration,
}

/// A turn.
pub(super) struct TurnState<'a> {
    request: &'a Request,
    sink: &'a FragmentSink,
    around: TurnContext<'a>,
    deadline: Instant,
    session: String,
    answer: String,
    /// Where the part of the answer after the last action begins.
    last_part: usize,
    /// Whether something was done since the last words.
    paragraph: bool,
    reasoning: String,
    plan: String,
    redact_answer: Redactor,
    redact_reasoning: Redactor,
    actions: HashMap<String, TrackedAction>,
    /// The questions that a person has not answered.
    pub(super) questions: FuturesUnordered<BoxFuture<'static, PermissionDecision>>,
    open: HashMap<String, Value>,
    asked: u32,
    requests: u32,
    written: usize,
    read: usize,
    /// Whether anything has come in this turn.
    pub(super) has_begun: bool,
}

struct TrackedAction {
    action: Action,
    /// As it was reported last.
    reported: Option<Action>,
}

impl<'a> TurnState<'a> {
    pub(super) fn new(
        request: &'a Request,
        sink: &'a FragmentSink,
        around: TurnContext<'a>,
        deadline: Instant,
        session: String,
    ) -> Self {
        Self {
            request,
            sink,
            around,
            deadline,
            session,
            answer: String::new(),
            last_part: 0,
            paragraph: false,
            reasoning: String::new(),
            plan: String::new(),
            redact_answer: Redactor::default(),
            redact_reasoning: Redactor::default(),
            actions: HashMap::new(),
            questions: FuturesUnordered::new(),
            open: HashMap::new(),
            asked: 0,
            requests: 0,
            written: 0,
            read: 0,
            has_begun: false,
        }
    }

    /// Counts what was written, so that nobody writes for ever.
    pub(super) fn count(&mut self, bytes: usize) -> Result<(), AcpError> {
        self.written += bytes;
        match self.written > WRITTEN_MAX {
            true => Err(AcpError::Flood),
            false => Ok(()),
        }
    }

    /// Takes news of the session.
    pub(super) fn hear(&mut self, update: Update) -> Result<(), AcpError> {
        self.has_begun = true;
        match update {
            Update::AgentMessageChunk { content } => self.say(&content.text)?,
            Update::AgentThoughtChunk { content } => self.think(&content.text)?,
            Update::ToolCall(call) | Update::ToolCallChange(call) => {
                let tracked = self.track(&call)?;
                let is_over = matches!(tracked.action.status, ActionStatus::Completed | ActionStatus::Failed);
                if is_over {
                    self.report(&call.tool_call_id);
                }
            }
            Update::Plan { entries } => {
                let plan: String =
                    entries.iter().take(100).map(|entry| format!("- {}\n", entry.content)).collect();
                if plan != self.plan {
                    self.plan.clone_from(&plan);
                    self.think(&format!("\n{plan}"))?;
                }
            }
            Update::Other => {}
        }
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<(), AcpError> {
        if self.answer.len() + self.reasoning.len() + text.len() > ANSWER_MAX {
            return Err(AcpError::Flood);
        }
        if std::mem::take(&mut self.paragraph) && !self.answer.is_empty() {
            let gap = "\n\n";
            self.redact_answer.feed(self.around.secrets, gap, |piece| self.sink.answer(piece));
            self.answer.push_str(gap);
            self.last_part = self.answer.len();
        }
        self.redact_answer.feed(self.around.secrets, text, |piece| self.sink.answer(piece));
        self.answer.push_str(text);
        Ok(())
    }

    fn think(&mut self, text: &str) -> Result<(), AcpError> {
        if self.answer.len() + self.reasoning.len() + text.len() > ANSWER_MAX {
            return Err(AcpError::Flood);
        }
        self.redact_reasoning.feed(self.around.secrets, text, |piece| self.sink.reasoning(piece));
        self.reasoning.push_str(text);
        Ok(())
    }

    /// Notes what is told of an action.
    fn track(&mut self, call: &ToolCall) -> Result<&mut TrackedAction, AcpError> {
        self.paragraph = true;
        let number = u32::try_from(self.actions.len()).unwrap_or(u32::MAX) + 1;
        if !self.actions.contains_key(&call.tool_call_id) && number > ACTIONS_MAX {
            return Err(AcpError::TooManyActions);
        }
        let (folder, secrets) = (self.around.folder, self.around.secrets);
        let tracked = self.actions.entry(call.tool_call_id.clone()).or_insert_with(|| TrackedAction {
            action: Action {
                number,
                kind: ActionKind::Other,
                title: String::new(),
                locations: Vec::new(),
                status: ActionStatus::Pending,
                permission: ActionPermission::NotNeeded,
                by: None,
                unusable: None,
            },
            reported: None,
        });
        let action = &mut tracked.action;
        if let Some(title) = &call.title {
            action.title = secrets.redact(title.clone());
        }
        if let Some(kind) = call.kind {
            action.kind = kind.into();
        }
        if let Some(status) = call.status {
            action.status = status.into();
        }
        if let Some(locations) = &call.locations {
            let shown = |path: &str| secrets.redact(folder.shown(path));
            let place = |at: &wire::Location| ActionLocation { path: shown(&at.path), line: at.line };
            action.locations = locations.iter().take(ACTION_LOCATIONS_MAX).map(place).collect();
        }
        *action = action.clone().bounded();
        Ok(tracked)
    }

    fn report(&mut self, call: &str) {
        if let Some(tracked) = self.actions.get_mut(call)
            && tracked.reported.as_ref() != Some(&tracked.action)
        {
            self.request.actions.tell(tracked.action.clone());
            tracked.reported = Some(tracked.action.clone());
        }
    }

    /// Answers a request of the agent; `None` while a person is asked.
    pub(super) fn answer(
        &mut self,
        id: Value,
        method: &str,
        params: Value,
    ) -> Result<Option<Vec<u8>>, AcpError> {
        self.has_begun = true;
        self.requests += 1;
        if self.requests > REQUESTS_MAX {
            return Err(AcpError::TooManyQuestions);
        }
        let result = match method {
            "session/request_permission" => match serde_json::from_value::<AskPermission>(params) {
                Ok(asked) if asked.session_id == self.session => return self.ask(id, asked),
                Ok(_) => Err(no_such_session()),
                Err(error) => Err((wire::INVALID_PARAMS, error.to_string())),
            },
            "fs/read_text_file" => match serde_json::from_value::<ReadFile>(params) {
                Ok(file) if file.session_id == self.session => self.read(&file)?,
                Ok(_) => Err(no_such_session()),
                Err(error) => Err((wire::INVALID_PARAMS, error.to_string())),
            },
            "fs/write_text_file" if self.around.writable => {
                match serde_json::from_value::<WriteFile>(params) {
                    Ok(file) if file.session_id == self.session => self.write(&file)?,
                    Ok(_) => Err(no_such_session()),
                    Err(error) => Err((wire::INVALID_PARAMS, error.to_string())),
                }
            }
            method => Err((wire::METHOD_NOT_FOUND, format!("{method} is not offered at this seat"))),
        };
        Ok(Some(wire::response(&id, result)))
    }

    fn read(&mut self, file: &ReadFile) -> Result<Result<Value, (i64, String)>, AcpError> {
        let read = match self.read > READ_MAX {
            true => Err((wire::REFUSED, "no more files are read in this turn".to_owned())),
            false => self.around.folder.read(&file.path, file.line, file.limit).map_err(|refusal| {
                let code = match refusal {
                    FileRefusal::NotFound => wire::NOT_FOUND,
                    _ => wire::REFUSED,
                };
                (code, refusal.to_string())
            }),
        };
        self.read += read.as_ref().map_or(0, String::len);
        self.note_file(&file.path, file.line, ActionKind::Read, read.is_ok())?;
        Ok(read.map(|content| serde_json::json!({ "content": content })))
    }

    fn write(&mut self, file: &WriteFile) -> Result<Result<Value, (i64, String)>, AcpError> {
        let written = self.around.folder.write(&file.path, &file.content);
        self.note_file(&file.path, None, ActionKind::Edit, written.is_ok())?;
        Ok(match written {
            Ok(()) => Ok(serde_json::json!({})),
            Err(refusal) => Err((wire::REFUSED, refusal.to_string())),
        })
    }

    /// Notes a file that the agent read or wrote through us, unless an action of its own says so.
    fn note_file(
        &mut self,
        path: &str,
        line: Option<u32>,
        kind: ActionKind,
        done: bool,
    ) -> Result<(), AcpError> {
        let shown = self.around.folder.shown(path);
        let told = |tracked: &TrackedAction| {
            let action = &tracked.action;
            action.kind == kind && action.locations.iter().any(|place| place.path == shown)
        };
        if done && self.actions.values().any(told) {
            return Ok(());
        }
        let id = format!("file/{kind:?}/{}", self.actions.len());
        let status = if done { wire::ToolStatus::Completed } else { wire::ToolStatus::Failed };
        let kind = if kind == ActionKind::Read { wire::ToolKind::Read } else { wire::ToolKind::Edit };
        self.track(&ToolCall {
            tool_call_id: id.clone(),
            title: Some(shown),
            kind: Some(kind),
            status: Some(status),
            locations: Some(vec![wire::Location { path: path.to_owned(), line }]),
        })?;
        self.report(&id);
        Ok(())
    }

    /// Lets what only reads open files of the folder pass, and asks a person about everything else, also about what does
    /// not say where it reads.
    fn ask(&mut self, id: Value, asked: AskPermission) -> Result<Option<Vec<u8>>, AcpError> {
        let AskPermission { session_id: _, tool_call, options } = asked;
        let call = tool_call.tool_call_id.clone();
        self.track(&tool_call)?;
        let named: Vec<String> =
            tool_call.locations.iter().flatten().map(|place| place.path.clone()).collect();
        let (board, limit) = (Arc::clone(self.around.board), self.permission_limit());
        let Some(tracked) = self.actions.get_mut(&call) else { return Ok(None) };
        let told = tracked.action.locations.iter().map(|place| &place.path);
        let places: Vec<&String> = named.iter().chain(told).collect();
        let is_known = tracked.action.kind == ActionKind::Think || !places.is_empty();
        let is_open = places.iter().all(|place| self.around.folder.is_open(place));
        if tracked.action.kind.only_reads() && is_known && is_open {
            return Ok(Some(wire::response(&id, Ok(wire::decision(&options, true)))));
        }
        self.asked += 1;
        if self.asked > QUESTIONS_MAX {
            return Err(AcpError::TooManyQuestions);
        }
        if board.is_unattended() {
            tracked.action.permission = ActionPermission::Refused;
            tracked.action.status = ActionStatus::Pending;
            self.report(&call);
            return Ok(Some(wire::response(&id, Ok(wire::decision(&options, false)))));
        }
        tracked.action.permission = ActionPermission::Asked;
        tracked.action.status = ActionStatus::Pending;
        let key = PermissionKey {
            meeting: self.request.meeting.clone(),
            task: self.request.task,
            attempt: self.request.attempt,
            number: tracked.action.number,
        };
        // Whoever reads the question in the log finds it here.
        let mut question = board.ask(key);
        self.report(&call);
        self.open.insert(call.clone(), id.clone());
        self.questions.push(Box::pin(async move {
            let allowed = match timeout(limit, question.answer()).await {
                Ok(allowed) => allowed.or(Some(false)),
                Err(_) if question.withdraw() => None,
                Err(_) => timeout(BEING_ANSWERED, question.answer()).await.ok().flatten(),
            };
            PermissionDecision { id, options, call, allowed }
        }));
        Ok(None)
    }

    /// The time for a person's answer: the agent needs the rest of its turn.
    fn permission_limit(&self) -> Duration {
        let left = self.deadline.saturating_duration_since(Instant::now());
        self.around.permission_limit.min(left * 2 / 3)
    }

    /// The answer to a question that a person has decided, or has not.
    pub(super) fn decided(&mut self, decided: PermissionDecision) -> Vec<u8> {
        let PermissionDecision { id, options, call, allowed } = decided;
        self.open.remove(&call);
        if let Some(tracked) = self.actions.get_mut(&call) {
            match allowed {
                // The log has it already.
                Some(true) => {
                    tracked.action.permission = ActionPermission::Allowed;
                    tracked.action.status = ActionStatus::Running;
                    tracked.reported = Some(tracked.action.clone());
                }
                Some(false) => {
                    tracked.action.permission = ActionPermission::Refused;
                    tracked.reported = Some(tracked.action.clone());
                }
                None => {
                    tracked.action.permission = ActionPermission::Refused;
                    self.report(&call);
                }
            }
        }
        wire::response(&id, Ok(wire::decision(&options, allowed == Some(true))))
    }

    /// Takes back all questions: the turn is cancelled.
    pub(super) fn withdraw(&mut self) -> Vec<Vec<u8>> {
        self.questions.clear();
        let open: Vec<(String, Value)> = self.open.drain().collect();
        let mut lines = Vec::new();
        for (call, id) in open {
            if let Some(tracked) = self.actions.get_mut(&call) {
                tracked.action.permission = ActionPermission::Refused;
            }
            self.report(&call);
            lines.push(wire::response(&id, Ok(wire::cancelled())));
        }
        lines
    }

    /// Reports what has not been reported: the turn is over.
    pub(super) fn finish(mut self, for_schema: bool) -> (String, Option<String>) {
        let mut left: Vec<(u32, String)> =
            self.actions.iter().map(|(call, tracked)| (tracked.action.number, call.clone())).collect();
        left.sort();
        for (_, call) in left {
            self.report(&call);
        }
        self.redact_answer.finish(self.around.secrets, |piece| self.sink.answer(piece));
        self.redact_reasoning.finish(self.around.secrets, |piece| self.sink.reasoning(piece));
        let last = self.answer[self.last_part..].trim();
        // Words between actions are no part of a form.
        let text = if for_schema && !last.is_empty() { last } else { self.answer.trim() };
        let secrets = self.around.secrets;
        let text = secrets.redact(text.to_owned());
        let reasoning = Some(secrets.redact(self.reasoning)).filter(|text| !text.trim().is_empty());
        (text, reasoning)
    }
}

fn no_such_session() -> (i64, String) {
    (wire::INVALID_PARAMS, "there is no such session".to_owned())
}
