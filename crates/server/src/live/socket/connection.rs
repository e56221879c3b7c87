//! One WebSocket: what is read, and what is written.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use axum::http::StatusCode;
use axum::http::request::Parts;
use futures::stream::{SplitSink, SplitStream};
use futures::{SinkExt, StreamExt};
use quorate_app::{Caller, Denial, Transport, UseCase};
use quorate_contract::{Language, MeetingId};
use quorate_messages::message;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, interval, timeout};

use super::call::{RefusedCall, SocketCall, request_key};
use super::client_message::{self, ClientMessage, Envelope, Steering, SubscriptionView, UnreadMessage};
use super::context::ContextCall;
use super::outbox::{Disconnected, InOutbox, Outbox, Outgoing};
use super::server_message::ServerMessage;
use super::subscription::Subscription;
use super::turns::{self, TurnListener, TurnRequest};
use crate::access::{AccessCredential, Client, Principal, unknown_token};
use crate::connections::slots::Activity;
use crate::limits::rates::LimitSlot;
use crate::live::LiveOptions;
use crate::live::listener::Listener;
use crate::live::visible::Sight;
use crate::nodes::NodeMessage;
use crate::problem::Problem;
use crate::rest::ContextQuery;
use crate::state::ServerState;

/// How many meetings may be listened to over one connection.
const SUBSCRIPTIONS_MAX: usize = 1_000;
/// How long a client that has not signed in may take to do so.
const SIGN_IN_WITHIN: Duration = Duration::from_secs(10);
/// How many messages are written before they are flushed.
const AT_ONCE: usize = 64;

/// Codes of RFC 6455.
const NORMAL: u16 = 1000;
const GOING_AWAY: u16 = 1001;
const PROTOCOL_ERROR: u16 = 1002;
const INVALID_PAYLOAD: u16 = 1007;
const POLICY: u16 = 1008;
const TOO_BIG: u16 = 1009;

/// With which code of RFC 6455 a connection is closed, and why. The reason has at most 123 bytes in each language.
type Closing = (u16, Option<quorate_messages::Message>);

fn not_signed_in() -> Closing {
    (POLICY, Some(message!("server-close-not-signed-in")))
}

/// With which code a connection ends whose other end broke the protocol, and why.
fn code_of(error: &axum::Error) -> Closing {
    let text = error.to_string();
    // A control frame is never larger than 125 bytes: that one is no large message.
    if text.to_ascii_lowercase().contains("control frame") {
        (PROTOCOL_ERROR, Some(message!("server-close-protocol")))
    } else if text.contains("too long") || text.contains("too big") {
        (TOO_BIG, Some(message!("server-close-too-big")))
    } else if text.to_ascii_lowercase().contains("utf-8") {
        (INVALID_PAYLOAD, Some(message!("server-close-not-utf8")))
    } else if text.to_ascii_lowercase().contains("protocol") {
        (PROTOCOL_ERROR, Some(message!("server-close-protocol")))
    } else {
        (NORMAL, None)
    }
}

/// What a connection holds for as long as it is open.
pub(super) struct ConnectionHolds {
    /// The principal and its credential; none when the first message has to sign in.
    known: Option<(Principal, AccessCredential)>,
    /// Counts it among those of its session or token.
    line: Option<Arc<LimitSlot>>,
    /// Its place among all connections.
    activity: Option<Arc<Activity>>,
    /// From where it comes.
    client: Client,
}

impl<S: Send + Sync> FromRequestParts<S> for ConnectionHolds {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let client = Client::from_request_parts(parts, state).await?;
        let extensions = &parts.extensions;
        let known = extensions.get::<Principal>().cloned().zip(extensions.get::<AccessCredential>().cloned());
        let (line, activity) = (extensions.get().cloned(), extensions.get().cloned());
        Ok(Self { known, line, activity, client })
    }
}

/// Serves one connection until either side ends it.
pub(super) async fn serve(server: ServerState, held: ConnectionHolds, language: Language, socket: WebSocket) {
    let options = server.live().options().clone();
    let _counted = server.metrics().connected("websocket");
    let ConnectionHolds { known, line, activity, client } = held;
    // It is in use as long as it is open: it has pings of its own.
    let _under_way = activity.as_ref().map(|activity| activity.begin());
    let (sink, stream) = socket.split();
    let (outbox, letters) = Outbox::new(options.behind_max);
    let mut writer = tokio::spawn(write(sink, letters, options.clone()));
    let mut stopping = server.live().stopping();
    let (principal, credential) = known.unzip();
    let subscriptions = HashMap::new();
    let mut connection = Connection {
        server,
        principal,
        credential,
        line,
        activity: activity.clone(),
        client,
        language,
        outbox,
        subscriptions,
        turns: None,
    };
    let cut = async {
        match &activity {
            Some(activity) => activity.cut().await,
            None => std::future::pending().await,
        }
    };
    let (code, why) = tokio::select! {
        ended = connection.read(stream, options.write_timeout) => ended,
        _ = stopping.wait_for(|stopping| *stopping) => (GOING_AWAY, Some(message!("server-close-stopping"))),
        _ = &mut writer => return, // the other end takes nothing any more
        () = cut => {
            // Nobody has signed in on it, and others need its place.
            writer.abort();
            return;
        }
    };
    connection.hush();
    let reason = why.map(|why| why.text(language)).unwrap_or_default();
    connection.outbox.close(code, reason).await;
    // Nobody may write after it, and the writer ends with it.
    drop(connection);
    _ = writer.await;
}

struct Connection {
    server: ServerState,
    principal: Option<Principal>,
    /// What they were let in with; taken back, it ends the connection.
    credential: Option<AccessCredential>,
    /// Counts the connection as long as it is open.
    line: Option<Arc<LimitSlot>>,
    /// Its place among all connections.
    activity: Option<Arc<Activity>>,
    /// From where it comes.
    client: Client,
    /// In which problems are told.
    language: Language,
    outbox: Outbox,
    subscriptions: HashMap<MeetingId, JoinHandle<()>>,
    /// Tells of turns that open.
    turns: Option<JoinHandle<()>>,
}

impl Connection {
    /// Does what is asked, one after the other, until the connection is to be closed: with which code, and why.
    async fn read(&mut self, mut stream: SplitStream<WebSocket>, write_timeout: Duration) -> Closing {
        let until = Instant::now() + write_timeout.min(SIGN_IN_WITHIN);
        loop {
            // Whatever else comes does not give more time to sign in.
            let left = until.saturating_duration_since(Instant::now());
            let wait = if self.principal.is_some() { write_timeout } else { left };
            if wait.is_zero() {
                return not_signed_in();
            }
            let heard = tokio::select! {
                biased;
                () = self.out() => return (POLICY, Some(message!("server-close-signed-out"))),
                heard = timeout(wait, stream.next()) => heard,
            };
            let message = match heard {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(error))) => return code_of(&error),
                Ok(None) => return (NORMAL, None),
                Err(_) if self.principal.is_none() => return not_signed_in(),
                Err(_) => return (GOING_AWAY, Some(message!("server-close-silent"))),
            };
            if let Some(principal) = &self.principal {
                self.server.app().touch_presence(principal);
            }
            let answered = match message {
                Message::Text(text) => self.answer(&text).await,
                Message::Binary(_) => {
                    let problem = Problem::unreadable(message!("server-message-is-text"));
                    self.refuse(None, &problem.hint(message!("server-see-docs-socket"))).await
                }
                Message::Close(_) => return (NORMAL, None),
                Message::Ping(_) | Message::Pong(_) => Ok(()),
            };
            if answered.is_err() {
                return not_signed_in();
            }
        }
    }

    /// Returns when the session or token has ended; pongs alone have it asked anew every few seconds.
    async fn out(&self) {
        match &self.credential {
            Some(credential) => self.server.access().identity().out(credential).await,
            None => std::future::pending().await,
        }
    }

    /// Counts a message like a call, except one that is counted as the use case that it asks for.
    fn count(&self, is_use_case: bool) -> Result<(), Problem> {
        if is_use_case {
            return Ok(());
        }
        Ok(self.server.app().count_call(&self.caller())?)
    }

    fn caller(&self) -> Caller {
        Caller {
            principal: self.principal.clone(),
            address: Some(self.client.address),
            transport: Transport::WebSocket,
        }
    }

    /// Answers one message. Fails when the connection is to end.
    async fn answer(&mut self, text: &str) -> Result<(), Disconnected> {
        let Envelope { id, idempotency_key, message } = client_message::read(text);
        let is_use_case = match &message {
            Ok(message) => message.is_use_case(),
            Err(unread) => unread.use_case.is_some(),
        };
        if let Err(problem) = self.count(is_use_case) {
            return self.refuse(id, &problem).await;
        }
        let done = match (message, self.principal.clone()) {
            (Ok(ClientMessage::Ping {}), _) => return self.put(ServerMessage::Pong { id }).await,
            (Ok(ClientMessage::SignIn { token }), _) => self.sign_in(&token).await.map(|()| None),
            (Ok(_) | Err(_), None) => {
                self.refuse(id, &nobody()).await?;
                return Err(Disconnected);
            }
            (Ok(message), Some(principal)) => match TurnRequest::of(message)
                .map(|request| Asked::Turns(Box::new(request)))
                .or_else(|message| message.steering(principal.person()).map(Box::new).map(Asked::Steering))
            {
                Ok(Asked::Turns(request)) => {
                    return self.answer_about_turns(principal, *request, id, idempotency_key, text).await;
                }
                Ok(Asked::Steering(steering)) => {
                    if let Some(answer) = self.answer_of_node(&steering.meeting, text).await {
                        return self.outbox.put(answer).await;
                    }
                    carry_out(&self.server, self.caller(), principal, *steering, idempotency_key)
                        .await
                        .map(Some)
                }
                Err(ClientMessage::Subscribe { meeting, after, fragments, view }) => {
                    match self.subscribe(&principal, meeting, after, fragments, view).await {
                        Ok(subscription) => {
                            // The answer goes before the first event.
                            self.put(ServerMessage::Ack { id, seq: Some(after) }).await?;
                            let meeting = subscription.meeting.clone();
                            let telling = tokio::spawn(subscription.tell(self.outbox.clone()));
                            self.subscriptions.insert(meeting, telling);
                            return Ok(());
                        }
                        Err(problem) => Err(problem),
                    }
                }
                Err(ClientMessage::Context { meeting, after, limit, max_characters, from_start }) => {
                    let query = ContextQuery { after, limit, max_characters, from_start };
                    let (server, app) = (self.server.clone(), self.server.app().clone());
                    let call = ContextCall { server, principal, meeting: meeting.clone(), query };
                    match app.perform(UseCase::ReadContext, self.caller(), Some(meeting), call).await {
                        Ok((context, on_delivered)) => {
                            let message = ServerMessage::Context { id, context: Box::new(context) };
                            return self.outbox.put_watched(message.to_json().into(), on_delivered).await;
                        }
                        Err(problem) => Err(problem),
                    }
                }
                Err(ClientMessage::Unsubscribe { meeting }) => self.unsubscribe(&meeting).map(|()| None),
                Err(_) => Ok(None),
            },
            (Err(UnreadMessage { problem, use_case: None, .. }), Some(_)) => Err(problem),
            // Whether the caller may is said first, and it leaves its line in the audit log.
            (Err(UnreadMessage { problem, use_case: Some(use_case), meeting }), Some(_)) => {
                let call = RefusedCall { problem: Some(problem) };
                self.server.app().perform(use_case, self.caller(), meeting, call).await.map(Some)
            }
        };
        match done {
            Ok(seq) => self.put(ServerMessage::Ack { id, seq }).await,
            Err(problem) => self.refuse(id, &problem).await,
        }
    }

    /// Answers a message about the caller's own turns.
    async fn answer_about_turns(
        &mut self,
        principal: Principal,
        request: Result<TurnRequest, Problem>,
        id: Option<Value>,
        idempotency_key: Option<String>,
        text: &str,
    ) -> Result<(), Disconnected> {
        let request = match request {
            Ok(request) => request,
            Err(problem) => return self.refuse(id, &problem).await,
        };
        if let Some(meeting) = request.meeting()
            && let Some(answer) = self.answer_of_node(&meeting, text).await
        {
            return self.outbox.put(answer).await;
        }
        let follows = match &request {
            TurnRequest::List(meeting) => Some(meeting.clone()),
            TurnRequest::Answer(..) => None,
        };
        let done =
            request.carry_out(&self.server, self.caller(), principal.clone(), id.clone(), idempotency_key);
        let message = match done.await {
            Ok(message) => message,
            Err(problem) => return self.refuse(id, &problem).await,
        };
        let Some(meeting) = follows else { return self.put(message).await };
        let listener = TurnListener {
            server: self.server.clone(),
            principal,
            credential: self.credential.as_ref().map(AccessCredential::name),
            client: self.client.clone(),
            language: self.language,
            meeting,
        };
        let mut told = serde_json::to_value(&message).expect("a message is plain data");
        let mut known = BTreeSet::new();
        if let Some(items) = told["items"].as_array_mut() {
            items.extend(listener.elsewhere().await);
            // All times are written alike.
            items.sort_by(|one, other| one["offered_at"].as_str().cmp(&other["offered_at"].as_str()));
            known.extend(items.iter().map(turns::ticket));
        }
        // The answer goes before the first turn that opens after it.
        self.outbox.put(told.to_string()).await?;
        let telling = tokio::spawn(listener.tell(known, self.outbox.clone()));
        if let Some(before) = self.turns.replace(telling) {
            before.abort();
        }
        Ok(())
    }

    /// The answer of the node that runs a meeting; `None` when it runs here.
    async fn answer_of_node(&self, meeting: &MeetingId, text: &str) -> Option<String> {
        let forwarder = self.server.forwarder()?;
        let owner = match self.server.app().owner_elsewhere(meeting).await {
            Ok(owner) => owner.filter(|owner| owner.address.is_some())?,
            Err(error) => return Some(self.problem(text, error.into())),
        };
        let credential = self.credential.as_ref()?;
        let message =
            NodeMessage { credential: credential.name(), language: self.language, text: text.to_owned() };
        match forwarder.send_message(self.server.app(), meeting, owner, &self.client, &message).await {
            Ok(answer) => answer,
            Err(problem) => Some(self.problem(text, problem)),
        }
    }

    /// The answer to a message that was not carried out.
    fn problem(&self, text: &str, problem: Problem) -> String {
        let problem = Box::new(problem.told_in(self.language));
        ServerMessage::Problem { id: client_message::read(text).id, problem }.to_json()
    }

    async fn sign_in(&mut self, token: &str) -> Result<(), Problem> {
        let (principal, credential) = self.server.identify_by_token(token).await.ok_or_else(unknown_token)?;
        if let Some(before) = &self.credential {
            // What a connection has begun for somebody goes on for them.
            return match before.name() == credential.name() {
                true => Ok(()),
                false => Err(signed_in_already()),
            };
        }
        self.line = Some(Arc::new(self.server.access().limits().line(credential.key(), false)?));
        (self.principal, self.credential) = (Some(principal), Some(credential));
        if let Some(activity) = &self.activity {
            activity.mark_known();
        }
        Ok(())
    }

    async fn subscribe(
        &mut self,
        principal: &Principal,
        meeting: MeetingId,
        after: u64,
        fragments: bool,
        view: SubscriptionView,
    ) -> Result<Subscription, Problem> {
        self.server.app().authorize(UseCase::FollowEvents, principal, &meeting).await?;
        self.subscriptions.retain(|_, telling| !telling.is_finished());
        if self.subscriptions.contains_key(&meeting) {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "already-subscribed",
                message!("server-already-subscribed", %meeting),
            )
            .hint(message!("server-already-subscribed-hint")));
        }
        if self.subscriptions.len() >= SUBSCRIPTIONS_MAX {
            let detail = message!("server-too-many-subscriptions", subscriptions_max = %SUBSCRIPTIONS_MAX);
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-subscriptions", detail)
                .hint(message!("server-too-many-subscriptions-hint")));
        }
        // A room is told from its beginning, so that it knows who is who.
        let from = if view == SubscriptionView::Room { 0 } else { after };
        let sight = Sight::begin(&self.server, principal, &meeting).await?;
        let listener = Listener::begin(&self.server, &meeting, Some(from), fragments).await?;
        // A password that came meanwhile may stand in the log before the place where this begins.
        if self.server.is_shut(principal, &meeting).await? {
            return Err(Denial::Locked.into());
        }
        let (server, principal) = (self.server.clone(), principal.clone());
        let language = self.language;
        Ok(Subscription { meeting, listener, server, principal, sight, view, language, after })
    }

    fn unsubscribe(&mut self, meeting: &MeetingId) -> Result<(), Problem> {
        match self.subscriptions.remove(meeting) {
            Some(telling) => {
                telling.abort();
                Ok(())
            }
            None => Err(Problem::not_found("subscription to the meeting", meeting.as_str())),
        }
    }

    /// No meeting is told any more.
    fn hush(&self) {
        self.subscriptions.values().chain(&self.turns).for_each(JoinHandle::abort);
    }

    async fn refuse(&self, id: Option<Value>, problem: &Problem) -> Result<(), Disconnected> {
        let problem = Box::new(problem.clone().told_in(self.language));
        self.put(ServerMessage::Problem { id, problem }).await
    }

    async fn put(&self, message: ServerMessage) -> Result<(), Disconnected> {
        self.outbox.put(message.to_json()).await
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.hush();
    }
}

/// What a message asks for.
enum Asked {
    /// Something about the caller's own turns.
    Turns(Box<Result<TurnRequest, Problem>>),
    /// A command to a meeting.
    Steering(Box<Steering>),
}

/// Has a command to a meeting carried out, as over REST.
async fn carry_out(
    server: &ServerState,
    caller: Caller,
    principal: Principal,
    Steering { meeting, use_case, command }: Steering,
    idempotency_key: Option<String>,
) -> Result<u64, Problem> {
    let key = idempotency_key.map(|key| request_key(key, &meeting, &command));
    let (server, app) = (server.clone(), server.app().clone());
    let call = SocketCall { server, principal, meeting: meeting.clone(), command, key };
    app.perform(use_case, caller, Some(meeting), call).await
}

/// The answer to a message that steers a meeting, which another node has passed on for somebody whom it has let in.
pub(super) async fn answer_to_node(server: &ServerState, client: &Client, message: NodeMessage) -> String {
    let NodeMessage { credential, language, text } = message;
    let Envelope { id, idempotency_key, message } = client_message::read(&text);
    let done = async {
        let principal = server.identify_by_name(&credential).await.ok_or_else(nobody)?;
        let caller = Caller {
            principal: Some(principal.clone()),
            address: Some(client.address),
            transport: Transport::WebSocket,
        };
        let message = match TurnRequest::of(message.map_err(|unread| unread.problem)?) {
            Ok(request) => {
                return request?.carry_out(server, caller, principal, id.clone(), idempotency_key).await;
            }
            Err(message) => message,
        };
        let steering = message
            .steering(principal.person())
            .map_err(|_| Problem::unreadable(message!("server-message-is-text")))?;
        let seq = carry_out(server, caller, principal, steering, idempotency_key).await?;
        Ok(ServerMessage::Ack { id: id.clone(), seq: Some(seq) })
    };
    let answer = match done.await {
        Ok(answer) => answer,
        Err(problem) => ServerMessage::Problem { id, problem: Box::new(problem.told_in(language)) },
    };
    answer.to_json()
}

fn signed_in_already() -> Problem {
    Problem::new(StatusCode::CONFLICT, "already-signed-in", message!("server-already-signed-in"))
        .hint(message!("server-already-signed-in-hint"))
}

fn nobody() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "sign-in", message!("server-not-signed-in"))
        .hint(message!("server-socket-sign-in-hint"))
}

/// Writes what is put, asks now and then whether the other end is there, and gives up on one that takes nothing.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    mut letters: mpsc::Receiver<Outgoing>,
    options: LiveOptions,
) {
    let mut pings = interval(options.ping);
    pings.tick().await; // the first comes at once
    loop {
        let written = tokio::select! {
            letter = letters.recv() => {
                let Some(letter) = letter else { return };
                timeout(options.write_timeout, put_all(&mut sink, letter, &mut letters)).await
            }
            _ = pings.tick() => {
                let ping = sink.send(Message::Ping(Bytes::new()));
                timeout(options.write_timeout, ping).await.map(|sent| sent.map(|()| Next::More))
            }
        };
        match written {
            Ok(Ok(Next::More)) => {}
            Ok(Ok(Next::End) | Err(_)) | Err(_) => return,
        }
    }
}

enum Next {
    More,
    End,
}

/// Writes a letter and those that wait behind it, and flushes once. Their share of the outbox is free only then.
async fn put_all(
    sink: &mut SplitSink<WebSocket, Message>,
    first: Outgoing,
    letters: &mut mpsc::Receiver<Outgoing>,
) -> Result<Next, axum::Error> {
    let mut written = Vec::new();
    let mut next = Some(first);
    while let Some(letter) = next {
        match letter {
            Outgoing::Text(text, held) => {
                sink.feed(Message::Text(text)).await?;
                written.push(held);
            }
            Outgoing::Close(code, reason) => {
                let frame = CloseFrame { code, reason: reason.into() };
                if sink.send(Message::Close(Some(frame))).await.is_err() {
                    // The other end has closed first, and waits for the answer to that, which is not written yet.
                    sink.flush().await?;
                }
                return Ok(Next::End);
            }
        }
        next = if written.len() < AT_ONCE { letters.try_recv().ok() } else { None };
    }
    sink.flush().await?;
    written.into_iter().for_each(InOutbox::written);
    Ok(Next::More)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_close_fits_into_its_frame_in_each_language() {
        let errors = [
            "Space limit exceeded: Message too long: 70000 > 65536",
            "UTF-8 encoding error",
            "WebSocket protocol error",
        ];
        let reasons = errors.map(|text| code_of(&axum::Error::new(std::io::Error::other(text))).1);
        let others = [
            message!("server-close-stopping"),
            message!("server-close-signed-out"),
            message!("server-close-silent"),
        ];
        for why in reasons.into_iter().chain(others.map(Some)).chain([not_signed_in().1]) {
            let why = why.expect("a reason");
            for language in Language::ALL {
                assert!((1..=123).contains(&why.text(language).len()), "{why:?}");
            }
        }
        assert_eq!(not_signed_in().1.map(|why| why.text(Language::Zh)).as_deref(), Some("没有登录"));
    }
}
