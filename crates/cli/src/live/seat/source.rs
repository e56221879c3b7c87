//! Where the turns of the person at this terminal come from, and where the answers go: this process, or a server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quorate_app::{App, OpenTurn, Principal, TurnAnswer, UseCase, now};
use quorate_contract::MeetingId;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};

use super::turn::Turn;
use crate::error::{CliError, ErrorKind};
use crate::remote::Remote;

/// The longest wait for a turn in one request, in seconds.
const WAIT_S: u64 = 25;
/// An open turn is looked at so often: it may be over, or answered elsewhere.
const LOOK: Duration = Duration::from_secs(2);
/// An answer that comes back empty at once is not asked for again without a pause.
const EMPTY: Duration = Duration::from_secs(1);
/// The pauses after failed requests; the last one is repeated.
const RETRY: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(5), Duration::from_secs(10)];

/// An answer to a turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TurnReply {
    Text(String),
    Fields(Value),
    Skip,
}

/// What became of an answer that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Receipt {
    pub(super) seq: u64,
    /// What was wrong with it, when the turn is offered once more.
    #[serde(default)]
    pub(super) problem: Option<String>,
}

/// Where turns come from.
#[derive(Clone)]
pub(crate) enum TurnSource {
    /// The meeting runs in this process, and the person owns it.
    Here(App, MeetingId),
    /// A server runs it.
    Server(Remote, MeetingId),
}

/// What the board of turns says.
#[derive(Debug)]
pub(crate) enum TurnNotice {
    /// This turn is open now, or none is.
    Open(Option<Box<Turn>>),
    /// The server does not answer; it is asked again.
    Lost,
    /// The person may not answer there any more.
    Closed,
}

impl TurnSource {
    /// The oldest open turn; where there is none, waits for one for so many seconds.
    async fn oldest(&self, wait_s: u64) -> Result<Option<Turn>, CliError> {
        match self {
            Self::Here(app, id) => {
                let (here, meeting) = (app.clone(), id.clone());
                let action = async move {
                    let owner = Principal::owner();
                    let open = here.open_turns(&owner, Some(&meeting)).into_iter().next();
                    Ok(match open {
                        None if wait_s > 0 => {
                            let limit = Duration::from_secs(wait_s);
                            here.wait_for_turn(&owner, Some(&meeting), limit).await
                        }
                        open => open,
                    })
                };
                let turn = app.perform_here(UseCase::ListTurns, None, action).await?;
                let whole = turn.and_then(|turn| serde_json::to_value(OpenTurn::of(&turn)).ok());
                Ok(whole.and_then(|whole| Turn::read(whole, now())))
            }
            Self::Server(remote, id) => {
                let path =
                    format!("/turns?meeting={}&wait_seconds={wait_s}", crate::remote::part(id.as_str()));
                let (page, at) = remote.timed(&path).await?;
                let whole = page["items"].get(0).cloned();
                Ok(whole.and_then(|whole| Turn::read(whole, at.unwrap_or_else(now))))
            }
        }
    }

    /// Hands in an answer. What comes back is durable.
    ///
    /// # Errors
    /// When it is not taken; `problem` of the details says why, as `turn-is-over`.
    pub(super) async fn answer(&self, ticket: &str, given: TurnReply) -> Result<Receipt, CliError> {
        match self {
            Self::Here(app, _) => {
                let use_case = if given == TurnReply::Skip { UseCase::SkipTurn } else { UseCase::AnswerTurn };
                let answer = match given {
                    TurnReply::Text(text) => TurnAnswer::Text(text),
                    TurnReply::Fields(fields) => TurnAnswer::Fields(fields),
                    TurnReply::Skip => TurnAnswer::Skip,
                };
                let (here, ticket) = (app.clone(), ticket.to_owned());
                let action = async move { Ok(here.answer_turn(&Principal::owner(), &ticket, answer).await?) };
                let answered = app.perform_here(use_case, None, action).await?;
                Ok(Receipt { seq: answered.seq, problem: answered.asked_again })
            }
            Self::Server(remote, _) => {
                let ticket = crate::remote::part(ticket);
                let (path, body) = match given {
                    TurnReply::Text(text) => ("answer", Some(json!({ "text": text }))),
                    TurnReply::Fields(fields) => ("answer", Some(json!({ "fields": fields }))),
                    TurnReply::Skip => ("skip", None),
                };
                let path = format!("/turns/{ticket}/{path}");
                remote.ask(reqwest::Method::POST, &path, body.as_ref()).await
            }
        }
    }

    /// Watches for turns until the receiver is dropped. `look` has an open turn looked at at once.
    pub(super) fn watch(&self, look: Arc<Notify>) -> mpsc::Receiver<TurnNotice> {
        let (sender, notices) = mpsc::channel(4);
        let source = self.clone();
        tokio::spawn(async move { source.keep_watching(&sender, &look).await });
        notices
    }

    async fn keep_watching(&self, notices: &mpsc::Sender<TurnNotice>, look: &Notify) {
        let (mut shown, mut failed): (Option<String>, usize) = (None, 0);
        loop {
            let asked = Instant::now();
            let found = tokio::select! {
                found = self.oldest(if shown.is_some() { 0 } else { WAIT_S }) => found,
                () = notices.closed() => return,
            };
            let pause = match found {
                Ok(turn) => {
                    failed = 0;
                    let ticket = turn.as_ref().map(|turn| turn.ticket.clone());
                    let left = turn.as_ref().map_or(LOOK, Turn::left);
                    if ticket != shown {
                        shown = ticket;
                        if notices.send(TurnNotice::Open(turn.map(Box::new))).await.is_err() {
                            return;
                        }
                    }
                    match shown.is_some() {
                        true => LOOK.min(left + Duration::from_millis(300)),
                        false => EMPTY.saturating_sub(asked.elapsed()),
                    }
                }
                Err(error) => {
                    if matches!(error.kind(), ErrorKind::Permission | ErrorKind::NotFound) {
                        _ = notices.send(TurnNotice::Closed).await;
                        return;
                    }
                    if failed == 0 && notices.send(TurnNotice::Lost).await.is_err() {
                        return;
                    }
                    failed += 1;
                    RETRY[(failed - 1).min(RETRY.len() - 1)]
                }
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = look.notified() => {}
                () = notices.closed() => return,
            }
        }
    }
}
