//! The single entry point of every call of a use case, from REST, WebSocket or the command line.
//!
//! The order is the same for all: authorize, limit, idempotency key, execute, audit. Only this file knows it.

use quorate_contract::MeetingId;
use quorate_core::Meeting;
use quorate_store::{NoRunningPlace, RunningLimits};
use quorate_views::Viewer;
use serde_json::{Value, json};

use crate::error::{ErrorKind, ServiceError};
use crate::operation::audit::{Audit, AuditNote};
use crate::operation::caller::{Caller, Transport};
use crate::operation::callers_seat::{seat_of, viewer_of};
use crate::operation::denial::Denial;
use crate::operation::invocation::Invocation;
use crate::operation::principal::{Permission, Principal, PrincipalKind};
use crate::operation::use_case::{BlindAccess, UseCase, UseCaseDefinition};
use crate::use_cases::App;

impl App {
    /// Carries out a use case for a caller, on a meeting when the use case is about one.
    pub async fn perform<I: Invocation>(
        &self,
        use_case: UseCase,
        caller: Caller,
        meeting: Option<MeetingId>,
        mut call: I,
    ) -> I::Outcome {
        let definition = use_case.definition();
        let line = definition.audited.then(|| AuditLine::begin(self, definition, &caller, meeting.as_ref()));
        let mut admitted = self.admit(use_case, &caller, meeting.as_ref()).await;
        // Taken last, and given back when the meeting runs or does not.
        let limits = self.running_limits().filter(|_| definition.sets_running);
        let starting = limits.and_then(|limits| Some((meeting.clone()?, limits)));
        if let (Ok(()), Some((id, limits))) = (&admitted, &starting) {
            admitted = self.take_running_place(id, *limits, caller.principal.as_ref()).await;
        }
        if let Err(denial) = admitted {
            let leaves_nothing = matches!(denial, Denial::NotSignedIn | Denial::TooManyCalls { .. });
            let outcome = call.denied(denial);
            // Refusals of clients that have not signed in, or that are beyond their limit, leave no single entries.
            return match line {
                Some(line) if leaves_nothing => line.leave_out(outcome),
                Some(line) => line.end::<I>(outcome),
                None => outcome,
            };
        }
        let outcome = match call.limit() {
            Err(outcome) => outcome,
            Ok(()) => self.carry_out(use_case, caller.principal.as_ref(), meeting, call).await,
        };
        if let Some((id, _)) = &starting
            && let Err(error) = self.store().leave_running_place(id).await
        {
            tracing::debug!(meeting = %id, %error, "the place of a meeting that was to run is free in a minute");
        }
        match line {
            Some(line) => line.end::<I>(outcome),
            None => outcome,
        }
    }

    async fn carry_out<I: Invocation>(
        &self,
        use_case: UseCase,
        principal: Option<&Principal>,
        meeting: Option<MeetingId>,
        mut call: I,
    ) -> I::Outcome {
        let Some(principal) = principal.filter(|_| use_case.definition().idempotent) else {
            return call.execute().await;
        };
        match call.key().await {
            Err(outcome) => outcome,
            Ok(None) => call.execute().await,
            Ok(Some(key)) => self.once(use_case, principal, meeting, key, call).await,
        }
    }

    /// Checks permission and limits before a use case is carried out.
    async fn admit(
        &self,
        use_case: UseCase,
        caller: &Caller,
        meeting: Option<&MeetingId>,
    ) -> Result<(), Denial> {
        let definition = use_case.definition();
        let bound = caller.principal.as_ref().and_then(|principal| principal.meeting.as_ref());
        let here = meeting.or(bound.filter(|_| definition.own));
        let permitted = self.permit(definition, caller.principal.as_ref(), here).await;
        // A call that is refused counts, too.
        self.count_call(caller)?;
        permitted?;
        if let Some(principal) = caller.principal.as_ref().filter(|_| caller.transport != Transport::Schedule)
        {
            self.touch_presence_by(use_case, principal);
        }
        if let Some(principal) = &caller.principal {
            keep_to_own_name(use_case, principal)?;
        }
        if let (Some(principal), Some(meeting)) = (&caller.principal, meeting) {
            self.keep_blind(use_case, principal, meeting).await?;
            self.keep_votes(use_case, principal, meeting).await?;
        }
        Ok(())
    }

    /// Checks whether a caller may use a use case on a meeting. For connections that go on after the answer,
    /// such as a WebSocket that follows a meeting.
    ///
    /// # Errors
    /// When the caller may not.
    pub async fn authorize(
        &self,
        use_case: UseCase,
        principal: &Principal,
        meeting: &MeetingId,
    ) -> Result<(), Denial> {
        self.permit(use_case.definition(), Some(principal), Some(meeting)).await?;
        keep_to_own_name(use_case, principal)?;
        self.keep_blind(use_case, principal, meeting).await?;
        self.keep_votes(use_case, principal, meeting).await
    }

    /// Keeps whoever has a seat in a blind round from the answers of the others while the round is open: it can still
    /// change its own. What each use case is in such a round stands in the table.
    async fn keep_blind(
        &self,
        use_case: UseCase,
        principal: &Principal,
        meeting: &MeetingId,
    ) -> Result<(), Denial> {
        use BlindRound::{Ahead, Open};
        let blind = use_case.definition().blind;
        let is_admitted = match blind {
            BlindAccess::Everybody => true,
            BlindAccess::People | BlindAccess::Withheld | BlindAccess::Followed => principal.is_person(),
            BlindAccess::Nobody => false,
        };
        if is_admitted {
            return Ok(());
        }
        match (self.blind_round_of(principal, meeting).await?, blind) {
            // What is followed now would go on into the round.
            (Some(Open), _) | (Some(Ahead), BlindAccess::Followed) => Err(Denial::BlindRound),
            (Some(Ahead) | None, _) => Ok(()),
        }
    }

    /// Keeps whoever has a seat, or had one when the ballot opened, from what shows or copies the votes of others while it is
    /// open.
    async fn keep_votes(
        &self,
        use_case: UseCase,
        principal: &Principal,
        meeting: &MeetingId,
    ) -> Result<(), Denial> {
        if !use_case.definition().awaits_ballot {
            return Ok(());
        }
        match self.not_over(meeting).await? {
            Some(meeting) if viewer_of(&meeting, principal).awaits_ballot() => Err(Denial::OpenBallot),
            Some(_) | None => Ok(()),
        }
    }

    /// The blind round that the caller has a seat in, when it is open or still ahead.
    ///
    /// # Errors
    /// When the meeting cannot be read.
    pub async fn blind_round_of(
        &self,
        principal: &Principal,
        id: &MeetingId,
    ) -> Result<Option<BlindRound>, ServiceError> {
        let here = self.not_over(id).await?;
        let Some(meeting) = here.filter(|meeting| seat_of(meeting, principal).is_some()) else {
            return Ok(None);
        };
        let is_ahead = meeting.rules().turns.blind_round && meeting.round().is_none() && !meeting.is_over();
        Ok(match meeting.open_blind_round() {
            Some(_) => Some(BlindRound::Open),
            None => is_ahead.then_some(BlindRound::Ahead),
        })
    }

    /// The caller as a viewer of a meeting: what it may see of it now.
    ///
    /// # Errors
    /// When there is no such meeting, or it cannot be read.
    pub async fn viewer(&self, principal: &Principal, id: &MeetingId) -> Result<Viewer, ServiceError> {
        // Long meetings that are over are not read for those who may see everything of them.
        if principal.sees_all() && !self.is_running(id) && self.store().has_ended(id).await? {
            return Ok(Viewer::everything());
        }
        Ok(viewer_of(&self.load(id).await?, principal))
    }

    /// A meeting that is not over, if there is one.
    async fn not_over(&self, id: &MeetingId) -> Result<Option<Meeting>, ServiceError> {
        // Long meetings that are over are not read for it.
        if !self.is_running(id) && self.store().has_ended(id).await? {
            return Ok(None);
        }
        match self.load(id).await {
            Ok(meeting) => Ok(Some(meeting)),
            // The use case itself says so in its own words.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Checks permission on a meeting, and its password where it has one. A meeting that the caller may not
    /// see does not exist for it. What is the caller's own, such as its turn, is no secret of the meeting.
    async fn permit(
        &self,
        definition: UseCaseDefinition,
        principal: Option<&Principal>,
        meeting: Option<&MeetingId>,
    ) -> Result<(), Denial> {
        let permission = definition.permission;
        let Some(principal) = principal else {
            return if permission == Permission::Open { Ok(()) } else { Err(Denial::NotSignedIn) };
        };
        let here = meeting.map(MeetingId::as_str);
        if !principal.may(permission, here) {
            return Err(match meeting {
                Some(id) if !principal.may(Permission::Read, here) => Denial::NoSuchMeeting(id.clone()),
                _ => Denial::Forbidden { needed: permission.scope() },
            });
        }
        match meeting {
            Some(id)
                if permission != Permission::Open
                    && !definition.own
                    && self.is_shut(principal, id).await? =>
            {
                Err(Denial::Locked)
            }
            _ => Ok(()),
        }
    }

    /// Whether a meeting needs a password that this principal has not given. A guest of this meeting has
    /// given it; a principal that manages all meetings, or has a seat there, needs none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn is_shut(&self, principal: &Principal, meeting: &MeetingId) -> Result<bool, ServiceError> {
        if principal.sees_all() || principal.meeting.is_some() {
            return Ok(false);
        }
        Ok(self.is_locked(meeting).await? && seat_of(&self.load(meeting).await?, principal).is_none())
    }

    /// Takes a place among the meetings that run at once, of all processes that share the database. Where nobody signs in
    /// there is one person, who has as many as there are.
    async fn take_running_place(
        &self,
        meeting: &MeetingId,
        limits: RunningLimits,
        principal: Option<&Principal>,
    ) -> Result<(), Denial> {
        let is_alone = principal.is_some_and(|principal| principal.kind == PrincipalKind::Owner);
        let limits = RunningLimits { per_account: limits.per_account.filter(|_| !is_alone), ..limits };
        let taken = self.store().take_running_place(meeting, limits).await.map_err(ServiceError::from)?;
        taken.map_err(|none| match none {
            NoRunningPlace::All { running } => Denial::TooManyMeetings { running },
            NoRunningPlace::OfAccount { account, running } => Denial::TooManyOfAccount { account, running },
        })
    }
}

/// Keeps an agent whose token does not manage from what a person does: it would do it in the name of whoever made the token.
fn keep_to_own_name(use_case: UseCase, principal: &Principal) -> Result<(), Denial> {
    match use_case.definition().of_person && !principal.acts_as_person() {
        true => Err(Denial::OfPerson),
        false => Ok(()),
    }
}

/// Where a blind round stands for somebody who has a seat in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlindRound {
    /// It runs.
    Open,
    /// The meeting opens with one, and has not got there.
    Ahead,
}

/// The line of one call in the audit log. It is written when the call ends, also when it is broken off.
struct AuditLine {
    audit: Audit,
    /// `None` once it is written, or is to be left out.
    note: Option<AuditNote>,
}

/// The audit status of a call that was broken off by the caller or by the end of the program.
const BROKEN_OFF: u16 = 499;

impl AuditLine {
    fn begin(app: &App, definition: UseCaseDefinition, caller: &Caller, meeting: Option<&MeetingId>) -> Self {
        let who = caller.principal.as_ref().map(Principal::account).unwrap_or_default();
        let note = AuditNote {
            who,
            action: definition.action.to_owned(),
            meeting: meeting.cloned(),
            address: caller.address,
            status: BROKEN_OFF,
            detail: json!({ "via": caller.transport.as_str() }),
        };
        Self { audit: app.audit().clone(), note: Some(note) }
    }

    fn end<I: Invocation>(mut self, outcome: I::Outcome) -> I::Outcome {
        if let Some(note) = &mut self.note {
            note.status = I::status(&outcome);
            if let (Some(Value::Object(more)), Value::Object(detail)) =
                (I::detail(&outcome), &mut note.detail)
            {
                detail.extend(more);
            }
        }
        outcome
    }

    fn leave_out<T>(mut self, outcome: T) -> T {
        self.note = None;
        outcome
    }
}

impl Drop for AuditLine {
    fn drop(&mut self) {
        if let Some(note) = self.note.take() {
            self.audit.note(note);
        }
    }
}
