//! Which seat is a caller's own, and what follows from it: whose turns the caller answers, as whom it speaks, and what it may
//! see.

use quorate_contract::{Actor, Command, RunnerSpec, TurnDelivery};
use quorate_core::{Meeting, Seat};
use quorate_runners::Respondent;
use quorate_views::Viewer;

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
        PrincipalKind::Owner | PrincipalKind::Account | PrincipalKind::Guest | PrincipalKind::Token => {
            TurnDelivery::Person
        }
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

/// The speaker of what a principal says at a meeting outside of a turn: an agent speaks from its seat, everybody else, and
/// an agent without one, as a person.
pub fn speaker_at(meeting: &Meeting, principal: &Principal) -> Actor {
    let from_seat = matches!(principal.kind, PrincipalKind::Agent | PrincipalKind::Webhook);
    match seat_of(meeting, principal).filter(|_| from_seat) {
        Some(seat) => Actor::participant(seat.participant.id),
        None => principal.actor(),
    }
}

/// The command as it is carried out: what an agent says, it says from its seat.
pub(crate) fn from_seat(meeting: &Meeting, principal: &Principal, command: Command) -> Command {
    let by = speaker_at(meeting, principal);
    match command {
        Command::Say { by: _, content } => Command::Say { by, content },
        Command::Reply { by: _, to, content } => Command::Reply { by, to, content },
        other => other,
    }
}

/// Whether a command has to be looked at for [`from_seat`].
pub(crate) fn speaks_from_seat(principal: &Principal, command: &Command) -> bool {
    matches!(principal.kind, PrincipalKind::Agent | PrincipalKind::Webhook)
        && matches!(command, Command::Say { .. } | Command::Reply { .. })
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
