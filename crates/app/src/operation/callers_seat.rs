//! Which seat is a caller's own, and what follows from it: whose turns the caller answers, as whom it speaks, and what it may
//! see.

use quorate_contract::{Actor, Command, RunnerSpec, TurnDelivery};
use quorate_core::{Meeting, Seat};
use quorate_messages::message;
use quorate_runners::Respondent;
use quorate_views::Viewer;

use crate::error::{ErrorKind, ServiceError};
use crate::operation::principal::{Principal, PrincipalKind};

/// The respondents for whose seats a principal answers, its own first. A webhook answers for an agent also where that
/// agent could fetch its turns.
pub(crate) fn respondents(principal: &Principal) -> Vec<Respondent> {
    let own = respondent(principal);
    match own.via {
        TurnDelivery::Webhook => vec![own.clone(), Respondent { via: TurnDelivery::Agent, name: own.name }],
        TurnDelivery::Agent | TurnDelivery::Person => vec![own],
    }
}

/// The respondent that a seat of a principal's own asks.
pub(crate) fn respondent(principal: &Principal) -> Respondent {
    let via = match principal.kind {
        PrincipalKind::Agent => TurnDelivery::Agent,
        PrincipalKind::Webhook => TurnDelivery::Webhook,
        PrincipalKind::Owner
        | PrincipalKind::Account
        | PrincipalKind::Guest
        | PrincipalKind::ResultLink
        | PrincipalKind::Token => TurnDelivery::Person,
    };
    let name = match via {
        TurnDelivery::Person => principal.person().id,
        TurnDelivery::Agent | TurnDelivery::Webhook => principal.name.clone(),
    };
    Respondent { via, name }
}

/// The seat for which a principal answers, while it is at the table.
pub fn seat_of<'a>(meeting: &'a Meeting, principal: &Principal) -> Option<&'a Seat> {
    meeting.present().find(|seat| is_own_runner(&seat.participant.runner, principal))
}

/// The speaker of what a principal says at a meeting outside of a turn: a person speaks as itself, an agent from its seat.
/// Without a seat, an agent whose token manages speaks for whoever made the token; for any other agent it is `None`.
pub fn speaker_at(meeting: &Meeting, principal: &Principal) -> Option<Actor> {
    if principal.is_person() {
        return Some(principal.actor());
    }
    let from_seat = seat_of(meeting, principal).map(|seat| Actor::participant(seat.participant.id));
    from_seat.or_else(|| principal.acts_as_person().then(|| principal.actor()))
}

/// The command as it is carried out: what an agent says or attaches, it does from its seat.
///
/// # Errors
/// When the agent has no seat.
pub(crate) fn from_seat(
    meeting: &Meeting,
    principal: &Principal,
    command: Command,
) -> Result<Command, ServiceError> {
    let Some(by) = speaker_at(meeting, principal) else {
        let (message, hint) = (message!("app-no-seat"), message!("app-no-seat-hint"));
        let error = ServiceError::new(message, hint).of(ErrorKind::MeetingState);
        return Err(error.with("current_state", "no_seat"));
    };
    Ok(match command {
        Command::Say { by: _, content } => Command::Say { by, content },
        Command::Reply { by: _, to, content } => Command::Reply { by, to, content },
        Command::AttachFile { by: _, file } => Command::AttachFile { by, file },
        other => other,
    })
}

/// Whether a command has to be looked at for [`from_seat`].
pub(crate) fn speaks_from_seat(principal: &Principal, command: &Command) -> bool {
    !principal.is_person()
        && matches!(command, Command::Say { .. } | Command::Reply { .. } | Command::AttachFile { .. })
}

/// A principal as a viewer of a meeting: what it may see of it as the meeting stands.
pub fn viewer_of(meeting: &Meeting, principal: &Principal) -> Viewer {
    Viewer::of_runner(meeting, principal.visibility(), |runner| is_own_runner(runner, principal))
}

/// Whether a runner is that of a principal's own seat.
pub fn is_own_runner(runner: &RunnerSpec, principal: &Principal) -> bool {
    Respondent::of(runner).is_some_and(|answers| match (principal.kind, answers.via) {
        // However the turns of an agent reach it, it is one agent.
        (PrincipalKind::Agent | PrincipalKind::Webhook, TurnDelivery::Agent | TurnDelivery::Webhook) => {
            answers.name == principal.name
        }
        _ => answers == respondent(principal),
    })
}
