//! A running agent: its process, the requests to it, and its answers.

use std::time::Duration;

use futures::StreamExt;
use quorate_engine::LoadedImage;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until, timeout};

use super::config::AcpConfig;
use super::failure::AcpError;
use super::files::Folder;
use super::turn::TurnState;
use super::wire::{self, Incoming, Initialized, NewSession, Prompted, RpcError, SessionNews};
use crate::process::child::{Child, StderrTail};
use crate::process::lines::Line;
use crate::process::not_started;

/// How long an agent has to get ready: programs that fetch themselves first are slow.
const START: Duration = Duration::from_secs(60);
/// How long a session may take to be made or loaded.
const SESSION: Duration = Duration::from_secs(60);
/// How long a cancelled turn may take to end.
const CANCEL: Duration = Duration::from_secs(5);
/// How long to wait for the exit of a process after it closed its stdout, or the other way round.
const LAST_LINES: Duration = Duration::from_millis(500);
/// The most lines that are no messages before an agent counts as none.
const GARBAGE_MAX: u32 = 1_000;
/// The number of lines that are read before other tasks get their turn.
const FAIR_SHARE: u32 = 32;

/// A running agent with at most one session.
pub(super) struct Agent {
    child: Child,
    next: u64,
    lines: u32,
    garbage: u32,
    /// Whether any message of the protocol has come.
    spoke: bool,
    pub(super) loads_sessions: bool,
    /// Whether its prompts may hold images.
    pub(super) takes_images: bool,
    pub(super) session: Option<String>,
    sign_in: Vec<wire::AuthMethod>,
}

/// What comes next from an agent.
enum Next {
    Line(Vec<u8>),
    /// A line without an end.
    TooLong,
    /// The process has ended.
    Ended,
    /// The time is over.
    Late,
}

impl Agent {
    /// Starts the program and agrees on the protocol.
    pub(super) async fn start(
        config: &AcpConfig,
        tail: StderrTail,
        deadline: Instant,
    ) -> Result<Self, AcpError> {
        let program = config.program();
        let child = Child::start(&program, tail)
            .map_err(|error| AcpError::NotStarted(not_started(&program, &error)))?;
        let mut agent = Self {
            child,
            next: 0,
            lines: 0,
            garbage: 0,
            spoke: false,
            loads_sessions: false,
            takes_images: false,
            session: None,
            sign_in: Vec::new(),
        };
        let capabilities = json!({
            "fs": { "readTextFile": true, "writeTextFile": config.writable },
            "terminal": false,
        });
        let params = json!({
            "protocolVersion": wire::PROTOCOL,
            "clientCapabilities": capabilities,
            "clientInfo": { "name": "quorate", "title": "Quorate", "version": env!("CARGO_PKG_VERSION") },
        });
        let limit = deadline.min(Instant::now() + START);
        let answer = agent.ask("initialize", &params, limit).await?;
        let Ok(initialized) = serde_json::from_value::<Initialized>(answer) else {
            return Err(AcpError::Unreadable);
        };
        if initialized.protocol_version != wire::PROTOCOL {
            return Err(AcpError::Version(initialized.protocol_version));
        }
        agent.loads_sessions = initialized.agent_capabilities.load_session;
        agent.takes_images = initialized.agent_capabilities.prompt_capabilities.image;
        agent.sign_in = initialized.auth_methods;
        if let Some(method) = &config.auth {
            agent.ask("authenticate", &json!({ "methodId": method }), limit).await?;
        }
        Ok(agent)
    }

    /// Opens a session in a folder: the one of this id where the agent still has it.
    pub(super) async fn open_session(
        &mut self,
        config: &AcpConfig,
        folder: &Folder,
        saved: Option<&str>,
        deadline: Instant,
    ) -> Result<bool, AcpError> {
        let limit = deadline.min(Instant::now() + SESSION);
        let servers = mcp_servers(config);
        let mut loaded = false;
        if let Some(id) = saved.filter(|_| self.loads_sessions) {
            let params = json!({ "sessionId": id, "cwd": folder.path(), "mcpServers": servers });
            match self.ask("session/load", &params, limit).await {
                Ok(_) => {
                    self.session = Some(id.to_owned());
                    loaded = true;
                }
                // It has forgotten the session: a new one reads everything again.
                Err(AcpError::Reported(_)) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        if !loaded {
            let params = json!({ "cwd": folder.path(), "mcpServers": servers });
            let answer = self.ask("session/new", &params, limit).await?;
            let Ok(NewSession { session_id }) = serde_json::from_value(answer) else {
                return Err(AcpError::Unreadable);
            };
            self.session = Some(session_id);
        }
        if let Some(mode) = &config.mode
            && let Some(session) = self.session.take()
        {
            let params = json!({ "sessionId": session, "modeId": mode });
            // A session that is not in its mode is never used: it might do more than it may.
            match self.ask("session/set_mode", &params, limit).await {
                Ok(_) => self.session = Some(session),
                Err(AcpError::Reported(said)) => return Err(AcpError::Mode { mode: mode.clone(), said }),
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(loaded)
    }

    /// A request outside of a turn: nothing else is answered meanwhile.
    async fn ask(&mut self, method: &str, params: &Value, limit: Instant) -> Result<Value, AcpError> {
        let id = self.send(method, params);
        let began = Instant::now();
        let mut exited = None;
        loop {
            let line = match self.next_line(&mut exited, limit).await {
                Next::Line(line) => line,
                Next::TooLong => return Err(AcpError::LineTooLong),
                Next::Ended => return Err(self.gone().await),
                Next::Late if !self.spoke && self.garbage > 0 => {
                    return Err(AcpError::NotAcp { garbage: self.garbage });
                }
                Next::Late => {
                    return Err(AcpError::NotReady { seconds: began.elapsed().as_secs().max(1) });
                }
            };
            match self.read(&line)? {
                Incoming::Response { id: of, result } if of == id => {
                    return result.map_err(|error| self.reported(error));
                }
                Incoming::Request { id, .. } => {
                    let refused = (wire::METHOD_NOT_FOUND, "nothing is offered outside of a turn".to_owned());
                    self.child.write(wire::response(&id, Err(refused)));
                }
                // A session that is loaded tells its history again.
                Incoming::Notification { .. } | Incoming::Response { .. } | Incoming::Garbage => {}
            }
        }
    }

    /// A turn. When nobody waits any more, or the time is over, the turn is cancelled; an agent that does not end it then
    /// is of no further use.
    pub(super) async fn prompt(
        &mut self,
        text: &str,
        images: &[&LoadedImage],
        turn: &mut TurnState<'_>,
        deadline: Instant,
        unwanted: &mut (dyn Future<Output = ()> + Send + Unpin),
    ) -> Result<(Prompted, bool), AcpError> {
        let Some(session) = self.session.clone() else { return Err(AcpError::Unreadable) };
        let mut blocks = vec![json!({ "type": "text", "text": text })];
        blocks.extend(
            images.iter().map(
                |image| json!({ "type": "image", "mimeType": image.media_type, "data": &*image.base64 }),
            ),
        );
        let params = json!({ "sessionId": session, "prompt": blocks });
        let id = self.send("session/prompt", &params);
        let mut exited = None;
        let mut limit = deadline;
        let mut cancelled = false;
        loop {
            let line = tokio::select! {
                line = self.next_line(&mut exited, limit) => line,
                Some(decided) = turn.questions.next() => {
                    let line = turn.decided(decided);
                    self.child.write(line);
                    continue;
                }
                () = &mut *unwanted, if !cancelled => {
                    cancelled = true;
                    limit = self.cancel(&session, turn);
                    continue;
                }
            };
            let line = match line {
                Next::Line(line) => line,
                Next::TooLong => return Err(AcpError::LineTooLong),
                Next::Ended => return Err(self.gone().await),
                Next::Late if !cancelled => {
                    cancelled = true;
                    limit = self.cancel(&session, turn);
                    continue;
                }
                Next::Late => return Err(AcpError::NotReady { seconds: CANCEL.as_secs() }),
            };
            turn.count(line.len())?;
            match self.read(&line)? {
                Incoming::Response { id: of, result } if of == id => {
                    let result = result.map_err(|error| self.reported(error))?;
                    let ended = serde_json::from_value(result).map_err(|_| AcpError::Unreadable)?;
                    return Ok((ended, cancelled));
                }
                Incoming::Request { id, method, params } => {
                    if let Some(line) = turn.answer(id, &method, params)? {
                        self.child.write(line);
                    }
                }
                Incoming::Notification { method, params } if method == "session/update" => {
                    if let Ok(news) = serde_json::from_value::<SessionNews>(params)
                        && news.session_id == session
                        && !cancelled
                    {
                        turn.hear(news.update)?;
                    }
                }
                Incoming::Notification { .. } | Incoming::Response { .. } | Incoming::Garbage => {}
            }
        }
    }

    fn cancel(&mut self, session: &str, turn: &mut TurnState<'_>) -> Instant {
        turn.withdraw().into_iter().for_each(|line| self.child.write(line));
        self.child.write(wire::notification("session/cancel", &json!({ "sessionId": session })));
        Instant::now() + CANCEL
    }

    /// Reads and drops what an idle agent writes; returns when it has ended.
    pub(super) async fn idle(&mut self) {
        let mut exited = None;
        let for_ever = Instant::now() + Duration::from_secs(86_400 * 365);
        while let Next::Line(line) = self.next_line(&mut exited, for_ever).await {
            match self.read(&line) {
                Ok(Incoming::Request { id, .. }) => {
                    let refused = (wire::METHOD_NOT_FOUND, "nothing is offered outside of a turn".to_owned());
                    self.child.write(wire::response(&id, Err(refused)));
                }
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    /// Lets it end: its stdin is closed.
    pub(super) async fn close(self) {
        self.child.let_go().await;
    }

    /// Stops it at once.
    pub(super) async fn stop(self) {
        self.child.stop().await;
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        self.child.write(wire::request(self.next, method, params));
        self.next
    }

    async fn next_line(&mut self, exited: &mut Option<Instant>, limit: Instant) -> Next {
        loop {
            let (process, stdout) = self.child.halves();
            let line = tokio::select! {
                line = stdout.next() => line,
                _ = process.wait(), if exited.is_none() => {
                    *exited = Some(Instant::now() + LAST_LINES);
                    continue;
                }
                // A descendant holds its stdout open.
                () = sleep_until(exited.unwrap_or(limit)), if exited.is_some() => return Next::Ended,
                () = sleep_until(limit) => return Next::Late,
            };
            match line {
                Line::Whole(line) => {
                    self.lines = self.lines.wrapping_add(1);
                    if self.lines.is_multiple_of(FAIR_SHARE) {
                        tokio::task::yield_now().await;
                    }
                    return Next::Line(line.to_vec());
                }
                Line::TooLong => return Next::TooLong,
                Line::End => return Next::Ended,
            }
        }
    }

    fn read(&mut self, line: &[u8]) -> Result<Incoming, AcpError> {
        let message = wire::read(line);
        match message {
            Incoming::Garbage if !line.trim_ascii().is_empty() => {
                self.garbage += 1;
                if self.garbage > GARBAGE_MAX {
                    return Err(AcpError::NotAcp { garbage: self.garbage });
                }
            }
            Incoming::Garbage => {}
            Incoming::Response { .. } | Incoming::Request { .. } | Incoming::Notification { .. } => {
                self.spoke = true;
            }
        }
        Ok(message)
    }

    fn reported(&self, error: RpcError) -> AcpError {
        match error.code {
            wire::AUTH_REQUIRED => AcpError::SignIn(self.sign_in.clone()),
            _ => AcpError::Reported(error),
        }
    }

    /// How it has ended.
    async fn gone(&mut self) -> AcpError {
        let status = timeout(LAST_LINES, self.child.halves().0.wait()).await;
        let status = status.ok().and_then(Result::ok);
        AcpError::Gone { status, spoke: self.spoke, garbage: self.garbage }
    }
}

fn mcp_servers(config: &AcpConfig) -> Vec<Value> {
    let variable = |name: &String| Some(json!({ "name": name, "value": std::env::var(name).ok()? }));
    let server = |(name, server): (&String, &super::config::McpServerConfig)| {
        let env: Vec<Value> = server.env.iter().filter_map(variable).collect();
        json!({ "name": name, "command": server.command[0], "args": server.command[1..], "env": env })
    };
    config.mcp_servers.iter().map(server).collect()
}
