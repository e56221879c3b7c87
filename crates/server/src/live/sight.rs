//! What one listener sees of a meeting while it goes on: everything, what all see, or what a seat in a blind round sees.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use quorate_app::{Principal, is_own_runner, seat_of};
use quorate_contract::{EventBody, MeetingId, ParticipantId, RoundKind};
use quorate_views::BlindSeat;

use super::frame::{EventFrame, TokenBatch, TokenFrame};
use crate::problem::Problem;
use crate::rest::look;
use crate::state::ServerState;

/// What a listener sees.
pub(super) struct Sight {
    sees_all: bool,
    /// The listener's own seat.
    seat: Option<ParticipantId>,
    /// The blind round that is open.
    round: Option<u32>,
    /// The meeting stood so after this event; what came before changes nothing any more.
    since: u64,
}

impl Sight {
    /// What a principal sees from now on.
    pub(super) async fn begin(
        server: &ServerState,
        principal: &Principal,
        id: &MeetingId,
    ) -> Result<Self, Problem> {
        let meeting = look(server, id).await?;
        Ok(Self {
            sees_all: principal.sees_all(),
            seat: seat_of(&meeting, principal).map(|seat| seat.participant.id),
            round: meeting.open_blind_round().map(|round| round.number),
            since: meeting.seq,
        })
    }

    /// What an event means for what is seen after it.
    pub(super) fn hear(&mut self, frame: &EventFrame, principal: &Principal) {
        if frame.seq <= self.since || !MATTERS.contains(&frame.kind()) {
            return;
        }
        let Some(event) = frame.event() else { return };
        match &event.body {
            EventBody::ParticipantJoined { participant, .. }
                if is_own_runner(&participant.runner, principal) =>
            {
                self.seat = Some(participant.id);
            }
            EventBody::ParticipantLeft { participant, .. } if self.seat == Some(*participant) => {
                self.seat = None
            }
            EventBody::RoundStarted { round, kind: RoundKind::Blind, .. } => self.round = Some(*round),
            EventBody::RoundStarted { .. } | EventBody::RoundEnded { .. } | EventBody::Finished { .. } => {
                self.round = None;
            }
            _ => {}
        }
    }

    fn blind(&self) -> Option<BlindSeat> {
        Some(BlindSeat { seat: self.seat?, round: self.round? })
    }

    /// The line of an event as it is withheld; `None` when it is told as to all who see as much.
    fn withheld(&self, frame: &EventFrame) -> Option<String> {
        let blind = self.blind()?;
        blind.line(frame.event()?)
    }

    fn sees_all(&self) -> bool {
        self.sees_all && self.blind().is_none()
    }

    /// The line of an event.
    pub(super) fn line<'f>(&self, frame: &'f EventFrame) -> Cow<'f, str> {
        match self.withheld(frame) {
            Some(line) => line.into(),
            None => frame.line(self.sees_all()).into(),
        }
    }

    /// As a server-sent event.
    pub(super) fn sse(&self, frame: &EventFrame) -> Bytes {
        match self.withheld(frame) {
            Some(line) => frame.sse_with(&line),
            None => frame.sse(self.sees_all()),
        }
    }

    /// As a message over a WebSocket.
    pub(super) fn message(&self, frame: &EventFrame) -> Utf8Bytes {
        match self.withheld(frame) {
            Some(line) => frame.message_with(&line),
            None => frame.message(self.sees_all()),
        }
    }

    /// The pieces that are seen.
    pub(super) fn frames<'b>(&self, batch: &'b TokenBatch) -> impl Iterator<Item = &'b Arc<TokenFrame>> {
        let blind = self.blind();
        let frames = batch.frames(self.sees_all()).iter();
        frames.filter(move |frame| blind.is_none_or(|blind| blind.fragment(frame.task)))
    }

    /// The same as server-sent events; empty when there is nothing for this listener.
    pub(super) fn fragments(&self, batch: &TokenBatch) -> Bytes {
        match self.blind() {
            None => batch.sse(self.sees_all()),
            Some(_) => TokenBatch::sse_of(self.frames(batch)),
        }
    }
}

/// The events that change what is seen.
const MATTERS: [&str; 5] =
    ["participant_joined", "participant_left", "round_started", "round_ended", "finished"];
