//! The operations: each is one or a few requests to the HTTP API.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use http::request::Parts;
use quorate_contract::Format;
use quorate_messages::{Language, text};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout_at};

use crate::answers;
use crate::api::{Api, ApiCall, encoded};
use crate::dialect::{is_over, state};
use crate::error::{A2aError, ErrorKind};
use crate::events::{Frames, Meaning, Translator, standing};
use crate::limits::{Answered, StreamPlace, Streams};
use crate::message::{ClientMessage, history};
use crate::task::{HISTORY_MAX, MARK, context_of, description, id_of, is_unsure, state_of, task};

/// How long a message waits for its task to be over; then it is answered with the task as it stands.
const WAIT_MAX: Duration = Duration::from_secs(600);
/// The wait before a stream of events that broke is opened again.
const AGAIN: Duration = Duration::from_millis(300);
/// How often a stream of events is opened again.
const AGAIN_MAX: usize = 200;
/// The longest topic, in characters; a longer message is also the background.
const TOPIC_MAX: usize = 200;
/// The longest background, in characters.
const BACKGROUND_MAX: usize = 20_000;
/// The most characters of the conclusion of a task that a message refers to.
const REFERENCE_MAX: usize = 3000;
/// The most meetings that a list of tasks looks through.
const LISTED_MAX: usize = 1000;
/// The largest page of a list.
const PAGE_MAX: u64 = 100;
/// The largest page with artifacts, each of which is a report.
const PAGE_WITH_ARTIFACTS_MAX: u64 = 20;
/// The most meetings that are looked at for one page.
const LOOKED_AT_MAX: usize = 200;
/// The state of a task that was cancelled.
const CANCELED: &str = "TASK_STATE_CANCELED";
/// The pieces of a stream that wait for a client that reads slowly.
const WAITING: usize = 64;

/// What the operations share.
pub(crate) struct Operations {
    pub(crate) api: Arc<dyn Api>,
    pub(crate) streams: Streams,
    pub(crate) answered: Answered,
}

/// Who asks, for which agent.
#[derive(Clone)]
pub(crate) struct Asker {
    pub(crate) parts: Parts,
    pub(crate) language: Language,
    pub(crate) format: Option<Format>,
}

/// A piece of a stream, or a sign of life.
pub(crate) enum Piece {
    Event(Value),
    KeepAlive,
}

/// A stream of pieces.
pub(crate) struct TaskStream {
    pub(crate) pieces: mpsc::Receiver<Piece>,
    /// Held until the client closes the stream.
    pub(crate) _place: StreamPlace,
}

/// What a message led to.
struct CarriedOut {
    /// The id of the task.
    id: String,
    /// The last event before it; nothing when the message had been carried out before.
    before: Option<u64>,
}

impl Operations {
    async fn call(&self, asker: &Asker, call: ApiCall) -> Result<Value, A2aError> {
        self.api.send(&asker.parts, call).await.checked()
    }

    /// The meeting behind a task.
    async fn meeting(&self, asker: &Asker, id: &str, messages: usize) -> Result<Value, A2aError> {
        let no_task = || A2aError::new(ErrorKind::TaskNotFound, text!(asker.language, "a2a-no-task"));
        if id.is_empty() || id.len() > 128 || matches!(id, "." | "..") {
            return Err(no_task());
        }
        let path = format!("/meetings/{}?messages={messages}", encoded(id));
        match self.call(asker, ApiCall::get(path)).await {
            Err(error) if error.kind == ErrorKind::TaskNotFound => Err(no_task()),
            other => other,
        }
    }

    /// A meeting as a task, with its result once it has ended.
    async fn as_task(
        &self,
        asker: &Asker,
        meeting: &Value,
        history: Option<usize>,
    ) -> Result<Value, A2aError> {
        let report = match meeting["state"] == "ended" {
            true => {
                let path = format!("/meetings/{}/report", encoded(id_of(meeting)));
                Some(self.call(asker, ApiCall::get(path)).await?)
            }
            false => None,
        };
        Ok(task(meeting, report.as_ref(), asker.language, history))
    }

    /// The task as it stands now.
    pub(crate) async fn task(
        &self,
        asker: &Asker,
        id: &str,
        history: Option<usize>,
    ) -> Result<Value, A2aError> {
        let messages = history.unwrap_or(HISTORY_MAX).min(HISTORY_MAX);
        let meeting = self.meeting(asker, id, messages).await?;
        self.as_task(asker, &meeting, history).await
    }

    /// Carries a message out: makes a meeting of it and starts it, or hands it to the meeting of its task.
    async fn carry_out(&self, asker: &Asker, message: &ClientMessage) -> Result<CarriedOut, A2aError> {
        match &message.task {
            Some(id) => self.say(asker, id, message).await,
            None => match self.waiting_in(asker, message).await? {
                Some(id) => self.say(asker, &id, message).await,
                None => self.begin(asker, message).await,
            },
        }
    }

    /// The one task of the message's context that waits for input at this agent, where the client does not name the task. What
    /// comes with settings for a meeting asks for a new one.
    async fn waiting_in(&self, asker: &Asker, message: &ClientMessage) -> Result<Option<String>, A2aError> {
        let Some(context) = message.context.as_ref().filter(|_| message.settings.is_empty()) else {
            return Ok(None);
        };
        let mut tasks = self.of_context(asker, Some(context), Some("paused")).await?;
        tasks.retain(|task| asker.format.is_none_or(|format| task["format"] == format.as_str()));
        Ok(match &tasks[..] {
            [one] => Some(id_of(one).to_owned()),
            _ => None,
        })
    }

    /// Makes a meeting and starts it.
    async fn begin(&self, asker: &Asker, message: &ClientMessage) -> Result<CarriedOut, A2aError> {
        let body = self.new_meeting(asker, message).await?;
        let agent = body["format"].as_str().unwrap_or_default().to_owned();
        let key = |what: &str| Some(message.key(&[what, &agent]));
        let made = self.call(asker, ApiCall::post("/meetings", body, key("new"))).await?;
        let id = id_of(&made).to_owned();
        let before = made["last_seq"].as_u64();
        let path = format!("/meetings/{}/start", encoded(&id));
        match self.call(asker, ApiCall::post(path, json!({}), key("start"))).await {
            // It was started before, by the same message.
            Ok(_) => Ok(CarriedOut { id, before }),
            Err(error) if error.kind == ErrorKind::UnsupportedOperation => {
                Ok(CarriedOut { id, before: None })
            }
            Err(error) => Err(error),
        }
    }

    /// The body of the request for a new meeting.
    async fn new_meeting(&self, asker: &Asker, message: &ClientMessage) -> Result<Value, A2aError> {
        let language = asker.language;
        let invalid = |message: &str| A2aError::new(ErrorKind::InvalidParams, message);
        let mut body: Map<String, Value> = message.settings.clone();
        if let Some(format) = asker.format {
            let own = Value::from(format.as_str());
            if body.get("format").is_some_and(|given| *given != own) {
                return Err(invalid(&text!(language, "a2a-other-format", format = format.as_str())));
            }
            body.insert("format".to_owned(), own);
        }
        if message.text.is_empty() && !body.contains_key("topic") {
            return Err(invalid(text!(language, "a2a-no-text")));
        }
        let is_short = message.text.chars().count() <= TOPIC_MAX && !message.text.contains('\n');
        if !body.contains_key("topic") {
            body.insert("topic".to_owned(), topic(&message.text).into());
        }
        let mut background = match is_short || body.contains_key("background") {
            true => String::new(),
            false => message.text.clone(),
        };
        for reference in &message.references {
            background.push_str(&self.reference(asker, reference).await?);
        }
        if background.chars().count() > BACKGROUND_MAX {
            return Err(invalid(&text!(language, "a2a-text-too-long", most = BACKGROUND_MAX as u64)));
        }
        if !background.is_empty() {
            let given = body.get("background").and_then(Value::as_str).unwrap_or_default();
            let whole = format!("{given}\n\n{background}").trim().to_owned();
            body.insert("background".to_owned(), whole.into());
        }
        body.insert("description".to_owned(), description(message.context.as_deref()).into());
        Ok(body.into())
    }

    /// The conclusion of an earlier task, for the background of another.
    async fn reference(&self, asker: &Asker, id: &str) -> Result<String, A2aError> {
        let meeting = self.meeting(asker, id, 0).await?;
        if meeting["state"] != "ended" {
            return Ok(String::new());
        }
        let path = format!("/meetings/{}/report", encoded(id));
        let report = self.call(asker, ApiCall::get(path)).await?;
        let topic = meeting["topic"].as_str().unwrap_or_default();
        let conclusion: String =
            report["conclusion"].as_str().unwrap_or_default().chars().take(REFERENCE_MAX).collect();
        let reference = match report["not_passed"] == true {
            true => text!(asker.language, "a2a-reference-not-passed", topic, conclusion),
            false => text!(asker.language, "a2a-reference", topic, conclusion),
        };
        Ok(format!("\n\n{reference}"))
    }

    /// Hands a message to a meeting: the answers to its questions, a word in between, or what starts a draft.
    async fn say(&self, asker: &Asker, id: &str, message: &ClientMessage) -> Result<CarriedOut, A2aError> {
        let language = asker.language;
        let meeting = self.meeting(asker, id, 0).await?;
        if message.context.as_deref().is_some_and(|context| context != context_of(&meeting)) {
            let told = text!(language, "a2a-other-context");
            return Err(A2aError::new(ErrorKind::InvalidParams, told));
        }
        let key = message.key(&["say", id]);
        if self.answered.knows(&key) {
            return Ok(CarriedOut { id: id.to_owned(), before: None });
        }
        let at = |what: &str| format!("/meetings/{}/{what}", encoded(id));
        let call = match meeting["state"].as_str().unwrap_or_default() {
            "ended" => {
                let told = text!(language, "a2a-task-over");
                return Err(A2aError::new(ErrorKind::UnsupportedOperation, told));
            }
            "paused" => {
                let body = answers::resume(&meeting["pause"], message, language)?;
                ApiCall::post(at("resume"), body, Some(key.clone()))
            }
            "draft" => ApiCall::post(at("start"), json!({}), Some(key.clone())),
            _ if message.text.is_empty() => {
                return Err(A2aError::new(ErrorKind::InvalidParams, text!(language, "a2a-no-text")));
            }
            _ => ApiCall::post(at("messages"), json!({ "content": message.text }), Some(key.clone())),
        };
        self.call(asker, call).await?;
        self.answered.note(key);
        Ok(CarriedOut { id: id.to_owned(), before: meeting["last_seq"].as_u64() })
    }

    /// Carries a message out, and waits until the task is over or waits for input, unless the client does not.
    pub(crate) async fn send(&self, asker: &Asker, params: &Value) -> Result<Value, A2aError> {
        let message = ClientMessage::read(params, asker.language)?;
        let place = match message.at_once {
            true => None,
            false => Some(self.place(asker)?),
        };
        let CarriedOut { id, .. } = self.carry_out(asker, &message).await?;
        if place.is_some() {
            let until = Instant::now() + WAIT_MAX;
            _ = timeout_at(until, self.follow(asker, &id, None, |_| std::future::ready(true))).await;
        }
        self.task(asker, &id, message.history).await
    }

    /// Carries a message out and streams what follows.
    pub(crate) async fn stream(
        self: &Arc<Self>,
        asker: &Asker,
        params: &Value,
    ) -> Result<TaskStream, A2aError> {
        let message = ClientMessage::read(params, asker.language)?;
        let place = self.place(asker)?;
        let carried = self.carry_out(asker, &message).await?;
        Ok(self.streamed(asker, carried, message.history, place))
    }

    /// Streams what follows of a task.
    pub(crate) async fn subscribe(
        self: &Arc<Self>,
        asker: &Asker,
        params: &Value,
    ) -> Result<TaskStream, A2aError> {
        let id = params["id"].as_str().unwrap_or_default().to_owned();
        let place = self.place(asker)?;
        let meeting = self.meeting(asker, &id, 0).await?;
        if meeting["state"] == "ended" {
            let told = text!(asker.language, "a2a-nothing-to-follow");
            return Err(A2aError::new(ErrorKind::UnsupportedOperation, told));
        }
        Ok(self.streamed(asker, CarriedOut { id, before: None }, history(params), place))
    }

    fn place(&self, asker: &Asker) -> Result<StreamPlace, A2aError> {
        let full = || A2aError::new(ErrorKind::TooMany, text!(asker.language, "a2a-too-many-streams"));
        self.streams.enter(&asker.parts).ok_or_else(full)
    }

    /// The stream of a task: the task as it stands, and each update until it is over or waits for input; of what a message
    /// led to, all that has come since, however fast it came.
    fn streamed(
        self: &Arc<Self>,
        asker: &Asker,
        CarriedOut { id, before }: CarriedOut,
        history: Option<usize>,
        place: StreamPlace,
    ) -> TaskStream {
        let (sender, pieces) = mpsc::channel(WAITING);
        let (this, asker) = (Arc::clone(self), asker.clone());
        tokio::spawn(async move {
            let Ok(mut first) = this.task(&asker, &id, history.or(Some(0))).await else { return };
            let is_done = is_over(&first["status"]["state"]);
            // What has come meanwhile is told by the updates that follow, and is not over before them.
            if is_done && before.is_some() {
                first["status"] = json!({ "state": "TASK_STATE_WORKING" });
                first.as_object_mut().map(|task| task.remove("artifacts"));
            }
            if sender.send(Piece::Event(json!({ "task": first }))).await.is_err() {
                return;
            }
            if is_done && before.is_none() {
                return;
            }
            let sent = |piece| {
                let sender = sender.clone();
                async move { sender.send(piece).await.is_ok() }
            };
            if !this.follow(&asker, &id, before, sent).await {
                return;
            }
            if let Ok(task) = this.task(&asker, &id, Some(0)).await
                && is_over(&task["status"]["state"])
            {
                for update in standing(&task) {
                    if sender.send(Piece::Event(update)).await.is_err() {
                        return;
                    }
                }
            }
        });
        TaskStream { pieces, _place: place }
    }

    /// Follows a meeting until it has ended or pauses, and hands each update on. Gives whether that came, and not the end of the
    /// server, of a permission, or of the client. It begins with what comes after the event `from`, or after now.
    async fn follow<F>(
        &self,
        asker: &Asker,
        id: &str,
        from: Option<u64>,
        mut hand_on: impl FnMut(Piece) -> F,
    ) -> bool
    where
        F: Future<Output = bool>,
    {
        let Ok(meeting) = self.meeting(asker, id, 0).await else { return false };
        let mut translator = Translator::new(&meeting, asker.language);
        let now = meeting["last_seq"].as_u64().unwrap_or_default();
        let mut seq = from.unwrap_or(now);
        if is_over(&state_of(&meeting).into()) && seq >= now {
            return true;
        }
        for _ in 0..AGAIN_MAX {
            let path = format!("/meetings/{}/events?fragments=false&after={seq}", encoded(id));
            let Ok(mut events) = self.api.follow(&asker.parts, path).await else { return false };
            let mut frames = Frames::default();
            while let Some(piece) = events.next().await {
                let Some(found) = frames.feed(&piece) else { break };
                if found.is_empty() && !hand_on(Piece::KeepAlive).await {
                    return false;
                }
                for event in found {
                    seq = event["seq"].as_u64().unwrap_or(seq).max(seq);
                    match translator.read(&event) {
                        Meaning::Update(update) => {
                            if !hand_on(Piece::Event(update)).await {
                                return false;
                            }
                        }
                        Meaning::Nothing => {}
                        Meaning::Stands => match self.meeting(asker, id, 0).await {
                            Ok(meeting) if is_over(&state_of(&meeting).into()) => return true,
                            // Somebody has resumed it by now.
                            Ok(_) => {}
                            Err(_) => return false,
                        },
                    }
                }
            }
            match self.meeting(asker, id, 0).await {
                Ok(meeting) if is_over(&state_of(&meeting).into()) => return true,
                Ok(_) => sleep(AGAIN).await,
                Err(_) => return false,
            }
        }
        false
    }

    /// A task, by the parameters of a request.
    pub(crate) async fn get(&self, asker: &Asker, params: &Value) -> Result<Value, A2aError> {
        self.task(asker, params["id"].as_str().unwrap_or_default(), history(params)).await
    }

    /// Ends the meeting of a task.
    pub(crate) async fn cancel(&self, asker: &Asker, params: &Value) -> Result<Value, A2aError> {
        let id = params["id"].as_str().unwrap_or_default();
        let meeting = self.meeting(asker, id, 0).await?;
        let over = || {
            let told = text!(asker.language, "a2a-not-cancelable");
            A2aError::new(ErrorKind::TaskNotCancelable, told)
        };
        if meeting["state"] == "ended" {
            return Err(over());
        }
        let body = json!({ "note": text!(asker.language, "a2a-canceled-note") });
        let ended =
            self.call(asker, ApiCall::post(format!("/meetings/{}/end", encoded(id)), body, None)).await;
        match ended {
            Ok(_) => {}
            Err(error) if error.kind == ErrorKind::UnsupportedOperation => return Err(over()),
            Err(error) => return Err(error),
        }
        // The best available conclusion is written first; that takes a call, and no longer than this here.
        let until = Instant::now() + Duration::from_secs(30);
        _ = timeout_at(until, self.follow(asker, id, None, |_| std::future::ready(true))).await;
        let mut task = self.task(asker, id, Some(0)).await?;
        // A meeting that is closing does so because it was cancelled.
        if !is_over(&task["status"]["state"]) {
            task["status"]["message"] = json!({
                "messageId": format!("{id}-closing"), "role": "ROLE_AGENT", "taskId": id, "contextId": task["contextId"],
                "parts": [{ "text": text!(asker.language, "a2a-closing"), "mediaType": "text/plain" }],
            });
        }
        Ok(task)
    }

    /// Tasks that were begun over the protocol, the newest first.
    pub(crate) async fn list(&self, asker: &Asker, params: &Value) -> Result<Value, A2aError> {
        let language = asker.language;
        let invalid = |message: &str| A2aError::new(ErrorKind::InvalidParams, message);
        let with_artifacts = params["includeArtifacts"] == true;
        let most = if with_artifacts { PAGE_WITH_ARTIFACTS_MAX } else { PAGE_MAX };
        let size = match &params["pageSize"] {
            Value::Null => 50.min(most),
            size => match size.as_u64() {
                Some(0) => 50.min(most),
                Some(size @ 1..=PAGE_MAX) => size.min(most),
                _ => return Err(invalid(&text!(language, "a2a-page-size", most = PAGE_MAX))),
            },
        };
        let wanted = match params["status"].as_str() {
            None | Some("" | "TASK_STATE_UNSPECIFIED") => None,
            Some(status) => Some(state(status)),
        };
        let context = params["contextId"].as_str().filter(|context| !context.is_empty());
        let after = params["statusTimestampAfter"].as_str().unwrap_or_default();
        let mut tasks = self.of_context(asker, context, None).await?;
        // Who cancelled a meeting that ends by hand as a rule is only in its view.
        let may_be = |one: &Value| {
            let wanted = wanted.as_deref();
            wanted.is_none_or(|wanted| state_of(one) == wanted || wanted == CANCELED && is_unsure(one))
        };
        tasks.retain(|one| {
            may_be(one)
                && asker.format.is_none_or(|format| one["format"] == format.as_str())
                && one["updated_at"].as_str().unwrap_or_default() >= after
        });
        let total = tasks.len();
        let token = params["pageToken"].as_str().filter(|token| !token.is_empty());
        let begin = match token {
            None => 0,
            Some(token) => match tasks.iter().position(|one| id_of(one) == token) {
                Some(at) => at + 1,
                None => return Err(invalid(text!(language, "a2a-page-token"))),
            },
        };
        let history = history(params);
        let (mut shown, mut last) = (Vec::new(), begin);
        let most = usize::try_from(size).unwrap_or(50);
        for one in tasks.iter().skip(begin).take(LOOKED_AT_MAX) {
            if shown.len() >= most {
                break;
            }
            last += 1;
            let is_plain = !with_artifacts && history.unwrap_or(0) == 0;
            let mut task = match is_plain && !is_unsure(one) {
                true => task(one, None, language, Some(0)),
                false => self.task(asker, id_of(one), history.or(Some(0))).await?,
            };
            if !with_artifacts {
                task.as_object_mut().map(|task| task.remove("artifacts"));
            }
            if wanted.as_deref().is_none_or(|wanted| task["status"]["state"] == wanted) {
                shown.push(task);
            }
        }
        let next = match last < total {
            true => tasks.get(last - 1).map(id_of).unwrap_or_default().to_owned(),
            false => String::new(),
        };
        let page_size = shown.len();
        Ok(json!({ "tasks": shown, "nextPageToken": next, "pageSize": page_size, "totalSize": total }))
    }

    /// The meetings that were begun in a context, or in any, as the list shows them.
    async fn of_context(
        &self,
        asker: &Asker,
        context: Option<&str>,
        state: Option<&str>,
    ) -> Result<Vec<Value>, A2aError> {
        let (mut found, mut cursor, mut looked) = (Vec::new(), None::<String>, 0);
        let words: String = context.unwrap_or(MARK).chars().take(200).collect();
        let state = state.map(|state| format!("&state={state}")).unwrap_or_default();
        while looked < LISTED_MAX {
            let after = cursor.map(|cursor| format!("&cursor={}", encoded(&cursor))).unwrap_or_default();
            let path = format!("/meetings?limit=200&q={}{state}{after}", encoded(&words));
            let mut page = self.call(asker, ApiCall::get(path)).await?;
            let items = page["items"].as_array_mut().map(std::mem::take).unwrap_or_default();
            looked += items.len();
            found.extend(items.into_iter().filter(|one| {
                one["description"].as_str().is_some_and(|text| text.starts_with(MARK))
                    && context.is_none_or(|context| context_of(one) == context)
            }));
            cursor = page["next_cursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        // A context that the client did not name is the id of its first meeting, which no search finds.
        if let Some(context) = context
            && found.iter().all(|one| id_of(one) != context)
            && let Ok(meeting) = self.meeting(asker, context, 0).await
            && context_of(&meeting) == context
            && (state.is_empty() || state.ends_with(meeting["state"].as_str().unwrap_or("?")))
        {
            found.push(meeting);
        }
        Ok(found)
    }
}

/// The topic that a text amounts to: itself, or the beginning of its first line.
fn topic(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    match line.char_indices().nth(TOPIC_MAX) {
        None => line.to_owned(),
        Some(_) => line.chars().take(TOPIC_MAX - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_one_line_of_bounded_length() {
        assert_eq!(topic("\n  SQLite?\nWe have few writers."), "SQLite?");
        let long = topic(&"问".repeat(300));
        assert_eq!(long.chars().count(), TOPIC_MAX);
        assert!(long.ends_with('…'));
    }
}
