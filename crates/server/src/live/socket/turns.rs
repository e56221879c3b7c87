//! The turns of a connection's own seats: listed, told of as they open, answered and skipped, as over REST.

use std::collections::BTreeSet;

use quorate_app::{
    AnsweredTurn, Caller, Denial, Invocation, OpenTurn, Principal, RequestKey, StoredResponse, TurnAnswer,
    UseCase, meeting_of_ticket,
};
use quorate_contract::MeetingId;
use quorate_messages::{Language, message};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::client_message::ClientMessage;
use super::outbox::Outbox;
use super::server_message::ServerMessage;
use crate::access::Client;
use crate::nodes::turns_elsewhere;
use crate::problem::Problem;
use crate::rest::{turn_answer, turn_refused};
use crate::state::ServerState;

/// What a message asks for about turns.
pub(super) enum TurnRequest {
    /// The open turns, at one meeting or at all.
    List(Option<MeetingId>),
    /// An answer to the turn of a ticket.
    Answer(String, TurnAnswer),
}

impl TurnRequest {
    /// What a message asks for; the message itself when it is about something else.
    ///
    /// # Errors
    /// When an answer holds nothing, or a text and fields.
    pub(super) fn of(message: ClientMessage) -> Result<Result<Self, Problem>, ClientMessage> {
        Ok(match message {
            ClientMessage::Turns { meeting } => Ok(Self::List(meeting)),
            ClientMessage::Skip { ticket } => Ok(Self::Answer(ticket, TurnAnswer::Skip)),
            ClientMessage::Answer { ticket, text, fields } => {
                turn_answer(text, fields).map(|answer| Self::Answer(ticket, answer))
            }
            other => return Err(other),
        })
    }

    /// The meeting that it is about, as far as it names one.
    pub(super) fn meeting(&self) -> Option<MeetingId> {
        match self {
            Self::List(meeting) => meeting.clone(),
            Self::Answer(ticket, _) => meeting_of_ticket(ticket),
        }
    }

    /// Has it carried out, as over REST.
    ///
    /// # Errors
    /// When it is not.
    pub(super) async fn carry_out(
        self,
        server: &ServerState,
        caller: Caller,
        principal: Principal,
        id: Option<Value>,
        idempotency_key: Option<String>,
    ) -> Result<ServerMessage, Problem> {
        let (use_case, key) = match &self {
            Self::List(_) => (UseCase::ListTurns, None),
            Self::Answer(ticket, answer) => {
                let skips = matches!(answer, TurnAnswer::Skip);
                let key = idempotency_key.map(|key| request_key(key, ticket, answer));
                (if skips { UseCase::SkipTurn } else { UseCase::AnswerTurn }, key)
            }
        };
        let meeting = self.meeting();
        let call = TurnCall { server: server.clone(), principal, request: self, key };
        Ok(match server.app().perform(use_case, caller, meeting, call).await? {
            TurnOutcome::List(items) => ServerMessage::Turns { id, items },
            TurnOutcome::Answered(AnsweredTurn { meeting, seq, asked_again }) => ServerMessage::Answered {
                id,
                meeting,
                seq,
                asked_again: asked_again.is_some(),
                problem: asked_again,
            },
        })
    }
}

/// The key of a message, and a checksum of what it asks for.
fn request_key(key: String, ticket: &str, answer: &TurnAnswer) -> RequestKey {
    let mut checksum = Sha256::new();
    checksum.update("websocket turn\0");
    checksum.update(format!("{ticket:?} {answer:?}"));
    RequestKey { key, checksum: checksum.finalize().into() }
}

/// Who waits for turns over a connection.
pub(super) struct TurnListener {
    pub(super) server: ServerState,
    pub(super) principal: Principal,
    /// In whose name other nodes are asked, and from where.
    pub(super) credential: Option<String>,
    pub(super) client: Client,
    pub(super) language: Language,
    /// The meeting; all of them when there is none.
    pub(super) meeting: Option<MeetingId>,
}

impl TurnListener {
    /// Tells of each turn that opens, here or at another node, for as long as the connection is there.
    pub(super) async fn tell(self, mut known: BTreeSet<String>, outbox: Outbox) {
        let mut offers = self.server.app().turn_offers();
        let mut elsewhere = self.server.turns_elsewhere().subscribe();
        loop {
            let here = self.server.app().open_turns(&self.principal, self.meeting.as_ref());
            let mut open: Vec<Value> = here.iter().map(|turn| json!(OpenTurn::of(turn))).collect();
            open.extend(self.elsewhere().await);
            for turn in open.iter().filter(|turn| !known.contains(&ticket(turn))) {
                let told = json!({ "type": "turn", "turn": turn }).to_string();
                if outbox.put(told).await.is_err() {
                    return;
                }
            }
            known = open.iter().map(ticket).collect();
            tokio::select! {
                changed = offers.changed() => if changed.is_err() { return },
                changed = elsewhere.changed() => if changed.is_err() { return },
            }
        }
    }

    /// The open turns at other nodes. One meeting runs at one node, to which the client's messages about it go.
    pub(super) async fn elsewhere(&self) -> Vec<Value> {
        let Some(credential) = &self.credential else { return Vec::new() };
        let turns =
            turns_elsewhere(&self.server, &self.principal, &self.client, credential, self.language).await;
        let is_wanted = |turn: &Value| match &self.meeting {
            Some(meeting) => turn["meeting"] == meeting.as_str(),
            None => true,
        };
        turns.into_iter().filter(is_wanted).collect()
    }
}

/// The ticket of an open turn.
pub(super) fn ticket(turn: &Value) -> String {
    turn["ticket"].as_str().unwrap_or_default().to_owned()
}

/// One request about turns, as the application carries it out.
struct TurnCall {
    server: ServerState,
    principal: Principal,
    request: TurnRequest,
    key: Option<RequestKey>,
}

enum TurnOutcome {
    List(Vec<OpenTurn>),
    Answered(AnsweredTurn),
}

impl Invocation for TurnCall {
    type Outcome = Result<TurnOutcome, Problem>;

    async fn key(&mut self) -> Result<Option<RequestKey>, Self::Outcome> {
        Ok(self.key.take())
    }

    async fn execute(self) -> Self::Outcome {
        let Self { server, principal, request, .. } = self;
        match request {
            TurnRequest::List(meeting) => {
                let open = server.app().open_turns(&principal, meeting.as_ref());
                Ok(TurnOutcome::List(open.iter().map(|turn| OpenTurn::of(turn)).collect()))
            }
            TurnRequest::Answer(ticket, answer) => {
                let answered = server.app().answer_turn(&principal, &ticket, answer).await;
                answered.map(TurnOutcome::Answered).map_err(turn_refused)
            }
        }
    }

    fn denied(&self, denial: Denial) -> Self::Outcome {
        Err(denial.into())
    }

    fn broken() -> Self::Outcome {
        Err(Problem::our_fault(message!("server-bug")))
    }

    fn status(outcome: &Self::Outcome) -> u16 {
        outcome.as_ref().map_or_else(|problem| problem.status().as_u16(), |_| 200)
    }

    fn is_unknown(outcome: &Self::Outcome) -> bool {
        outcome.as_ref().is_err_and(Problem::is_unknown)
    }

    async fn answer(outcome: Self::Outcome) -> Result<(StoredResponse, Self::Outcome), Self::Outcome> {
        let body = match &outcome {
            Ok(TurnOutcome::Answered(AnsweredTurn { meeting, seq, asked_again })) => {
                json!([meeting, seq, asked_again]).to_string().into_bytes()
            }
            Ok(TurnOutcome::List(_)) | Err(_) => Vec::new(),
        };
        let answer =
            StoredResponse { status: Self::status(&outcome), headers: Vec::new(), body, meeting: None };
        Ok((answer, outcome))
    }

    fn replay(answer: StoredResponse) -> Self::Outcome {
        let answered: Result<(MeetingId, u64, Option<String>), _> = serde_json::from_slice(&answer.body);
        match answered {
            Ok((meeting, seq, asked_again)) => {
                Ok(TurnOutcome::Answered(AnsweredTurn { meeting, seq, asked_again }))
            }
            Err(_) => Err(Problem::from(Denial::KeyReused)),
        }
    }
}
