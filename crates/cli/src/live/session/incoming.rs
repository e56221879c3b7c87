//! What happens at the meeting: shown as far as the person at the terminal may see it, and what a pause asks.

use quorate_contract::{
    ActionPermission, ActionStatus, Actor, Command, Event, EventBody, PauseReason, Person,
};
use quorate_core::RunState;
use quorate_messages::text;

use super::{Ending, Session, plain, print_line, resume};
use crate::error::CliError;
use crate::language::Speech;
use crate::live::notice::MeetingNotice;
use crate::live::questions::{AnswersByKey, Asking};
use crate::live::visible::EventDisplay;

impl Session {
    pub(super) async fn hear(&mut self, notice: MeetingNotice) -> Result<Option<Ending>, CliError> {
        match notice {
            MeetingNotice::Withheld { seq, line } => {
                self.withheld.push((seq, None));
                if self.manner.json && print_line(&line).is_err() {
                    return Ok(Some(self.output_closed().await));
                }
                Ok(None)
            }
            MeetingNotice::Event(record) => {
                let event = &record.event;
                if self.show(event, &record.line).await.is_err() {
                    return Ok(Some(self.output_closed().await));
                }
                self.refuse_unattended(&event.body).await;
                match &event.body {
                    EventBody::Finished { .. } => Ok(Some(Ending::Finished)),
                    EventBody::Pause { pause_reason, resume_token, .. } => {
                        Ok(self.paused(*pause_reason, resume_token).await)
                    }
                    EventBody::Resume { .. } | EventBody::MeetingClosing { .. } => {
                        (self.at_rest, self.asking) = (false, None);
                        Ok(None)
                    }
                    _ => Ok(None),
                }
            }
            MeetingNotice::Fragment(fragment) => {
                let may_be_seen = self.user.may_read_along(self.view.meeting(), &fragment);
                if !self.manner.json && may_be_seen {
                    self.view.fragment(&fragment);
                }
                Ok(None)
            }
            // The missing text comes again, and the view knows how much of it has been shown.
            MeetingNotice::Lagged => {
                self.view.forget_thinking();
                Ok(None)
            }
            MeetingNotice::Problem(text) => {
                self.view.note(&text);
                Ok(None)
            }
        }
    }

    /// With `--yes` nobody is asked: what an agent of a server asks for is refused at once. In this process the agents are
    /// told so beforehand.
    async fn refuse_unattended(&self, body: &EventBody) {
        let EventBody::AgentAction { task, attempt, action, .. } = body else { return };
        let is_asked = action.permission == ActionPermission::Asked && action.status == ActionStatus::Pending;
        if !is_asked || !self.manner.takes_defaults || !self.link.goes_on_alone() {
            return;
        }
        let Actor::Person { id, name } = Actor::owner() else { return };
        let (by, task, attempt, number) = (Person { id, name }, *task, *attempt, action.number);
        // One that is read from the log may have been answered long ago.
        _ = self.link.send(Command::PermitAction { by, task, attempt, number, allowed: false }).await;
    }

    /// Shows an event, or what may be seen of it, and what was withheld until it came.
    async fn show(&mut self, event: &Event, line: &str) -> std::io::Result<()> {
        let was_restricted = self.user.is_restricted(self.view.meeting());
        let before = self.view.take_in(event);
        let is_told = was_restricted && !self.user.is_restricted(self.view.meeting());
        // A person reads it before what follows from it; a program after the line with which it may be seen.
        if is_told && !self.manner.json {
            self.reveal(event.seq).await?;
        }
        let meeting = self.view.meeting();
        match (self.user.shown(meeting, event), self.manner.json) {
            (EventDisplay::Whole, true) => print_line(line)?,
            (EventDisplay::Whole, false) => self.view.tell(event, &before),
            (EventDisplay::Withheld { line: instead, words }, json) => {
                // What a server tells is withheld already.
                let stored = (!self.link.goes_on_alone()).then(|| line.to_owned());
                if json || words {
                    self.withheld.push((event.seq, stored));
                }
                match (json, &event.body, Event::from_json(&instead)) {
                    (true, ..) => print_line(&instead)?,
                    (false, EventBody::AgentMessage { participant, .. }, _) if words => {
                        self.view.withheld(*participant);
                    }
                    (false, _, Ok(masked)) => self.view.tell(&masked, &before),
                    (false, _, Err(_)) => {}
                }
            }
        }
        match is_told && self.manner.json {
            true => self.reveal(event.seq).await,
            false => Ok(()),
        }
    }

    /// Shows what was withheld up to an event, now that it may be seen.
    async fn reveal(&mut self, until: u64) -> std::io::Result<()> {
        let mut withheld = std::mem::take(&mut self.withheld);
        // In this process, the view knows all of it.
        if self.link.goes_on_alone() && withheld.iter().any(|(_, stored)| stored.is_none()) {
            let lines = match self.link.told_up_to(until).await {
                Ok((meeting, lines)) => {
                    self.view.replace(meeting);
                    lines
                }
                Err(error) => {
                    self.view.note(&plain(error, self.view.language()));
                    return Ok(());
                }
            };
            withheld.iter_mut().for_each(|(seq, stored)| *stored = lines.get(seq).cloned());
        }
        for (seq, stored) in withheld {
            match (self.manner.json, stored) {
                (true, Some(line)) => print_line(&line)?,
                (true, None) => {}
                (false, _) => self.view.reveal(seq),
            }
        }
        Ok(())
    }

    /// The output is closed. A meeting of one's own is paused, so that it costs nothing unseen.
    async fn output_closed(&mut self) -> Ending {
        if self.manner.attends {
            return Ending::Left;
        }
        _ = self.pause(true).await;
        Ending::Paused
    }

    /// Handles a pause: answers its questions, waits for the person, or ends the session.
    async fn paused(&mut self, reason: PauseReason, token: &str) -> Option<Ending> {
        if self.manner.attends {
            if !self.manner.json {
                self.view.note(text!(Speech(self.view.language()), "cli-session-others-let-it-go-on"));
            }
            return None;
        }
        // A pause that is read from the log may long be over.
        let meeting = match self.link.look().await {
            Ok(meeting) => meeting,
            // It may have ended since; the next notice says so.
            Err(_) => return None,
        };
        match &meeting.run_state {
            RunState::Paused { token: present, .. } if present == token => {}
            RunState::Paused { .. } | RunState::PauseRequested { .. } | RunState::Running => return None,
        }
        let asks = !matches!(reason, PauseReason::UserRequest | PauseReason::NobodyAnswered);
        if self.leaving {
            return Some(Ending::Paused);
        }
        if asks && self.manner.takes_defaults {
            let command = resume(Some(token.to_owned()), reason.unattended_answers(), true);
            return match self.link.send(command).await {
                Ok(_) => None,
                Err(error) => {
                    self.view.note(&plain(error, self.view.language()));
                    Some(Ending::Paused)
                }
            };
        }
        if !self.manner.stays {
            return Some(Ending::Paused);
        }
        self.at_rest = true;
        match Asking::of(&meeting, AnswersByKey::new()) {
            Some(asking) => self.ask(asking),
            None => self
                .view
                .note(text!(Speech(self.view.language()), "cli-session-meeting-paused-speak-add-sentence")),
        }
        None
    }
}
