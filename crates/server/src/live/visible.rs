//! What one listener is told of a meeting while it goes on. What it may see, [`Viewer`] says.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use quorate_app::{Principal, is_own_runner, viewer_of};
use quorate_contract::MeetingId;
use quorate_views::Viewer;

use super::frame::{EventFrame, TokenBatch, TokenFrame};
use crate::problem::Problem;
use crate::rest::look;
use crate::state::ServerState;

/// A listener, and what it may see after the last event that it heard.
pub(super) struct Sight {
    viewer: Viewer,
    /// It had its seat after this event; what came before does not change that any more.
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
        Ok(Self { viewer: viewer_of(&meeting, principal), since: meeting.seq })
    }

    /// Takes note of an event that is told next.
    pub(super) fn hear(&mut self, frame: &EventFrame, principal: &Principal) {
        self.viewer = self.viewer.at(frame.moment());
        if frame.seq > self.since
            && let Some(event) = frame.event()
        {
            self.viewer = self.viewer.after(&event.body, |runner| is_own_runner(runner, principal));
        }
    }

    /// The line of an event as it is told to this listener alone; `None` when it is told as to all who see as much.
    fn own_line(&self, frame: &EventFrame) -> Option<String> {
        match self.viewer.is_blind() {
            true => self.viewer.line(frame.event()?),
            false => None,
        }
    }

    /// Whether an event is an answer whose words are withheld for now.
    pub(super) fn withholds_words(&self, frame: &EventFrame) -> bool {
        frame.event().is_some_and(|event| self.viewer.withholds_words(event))
    }

    /// The line of an event.
    pub(super) fn line<'f>(&self, frame: &'f EventFrame) -> Cow<'f, str> {
        match self.own_line(frame) {
            Some(line) => line.into(),
            None => frame.line(self.viewer.sees_all()).into(),
        }
    }

    /// As a server-sent event.
    pub(super) fn sse(&self, frame: &EventFrame) -> Bytes {
        match self.own_line(frame) {
            Some(line) => frame.sse_with(&line),
            None => frame.sse(self.viewer.sees_all()),
        }
    }

    /// As a message over a WebSocket.
    pub(super) fn message(&self, frame: &EventFrame) -> Utf8Bytes {
        match self.own_line(frame) {
            Some(line) => frame.message_with(&line),
            None => frame.message(self.viewer.sees_all()),
        }
    }

    /// The pieces that are seen.
    pub(super) fn frames<'b>(&self, batch: &'b TokenBatch) -> impl Iterator<Item = &'b Arc<TokenFrame>> {
        let viewer = self.viewer;
        let frames = batch.frames(viewer.sees_all()).iter();
        frames.filter(move |frame| viewer.fragment(frame.task, frame.is_reasoning()))
    }

    /// The same as server-sent events; empty when there is nothing for this listener.
    pub(super) fn fragments(&self, batch: &TokenBatch) -> Bytes {
        match self.viewer.is_blind() {
            false => batch.sse(self.viewer.sees_all()),
            true => TokenBatch::sse_of(self.frames(batch)),
        }
    }
}
