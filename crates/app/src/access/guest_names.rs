//! The names of guests: nobody else's at the meeting.

use quorate_contract::{MeetingId, NameOf, Person, RunnerSpec, TurnDelivery};
use quorate_store::{Session, check_name};

use super::Identity;
use super::error::IdentityError;
use crate::clock::now;

/// Whether the organizer has chosen the guest's name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GuestNaming {
    /// The invitation names its guest, who may come again by another one, or twice.
    Invited,
    /// The guest names itself.
    Nobody,
}

impl Identity {
    /// Checks that a name cannot be taken for that of a participant, an account, another guest, or the meeting
    /// itself. The seat of the guest itself, who may come again, has its name.
    pub(super) async fn free_name(
        &self,
        meeting: &MeetingId,
        wanted: &str,
        known: GuestNaming,
        person: Option<&str>,
    ) -> Result<String, IdentityError> {
        let name = check_name("name", wanted).map_err(IdentityError::Name)?;
        let table = self.app().load_whole(meeting).await?;
        let accounts = self.accounts();
        let is_here = |session: &Session| session.meeting.as_ref() == Some(meeting);
        let guests = self.sessions().into_iter().filter(is_here).map(|session| session.name);
        let invited = self.app().invitations(meeting, now()).await?;
        let is_same_guest = |other: &String| known == GuestNaming::Invited && *other == name;
        let guests: Vec<String> = guests
            .chain(invited.into_iter().filter_map(|one| one.name))
            .filter(|it| !is_same_guest(it))
            .collect();
        let own = person.map(Person::guest_id);
        let is_own = |runner: &RunnerSpec| match runner {
            RunnerSpec::External { via: TurnDelivery::Person, name } => own.as_ref() == Some(name),
            _ => false,
        };
        let seats = table.seats.iter().filter(|seat| !is_own(&seat.participant.runner));
        let others = (seats.map(|seat| seat.participant.name.as_str()))
            .chain(accounts.iter().map(|account| account.name.as_str()))
            .chain(guests.iter().map(String::as_str));
        quorate_contract::check_name("name", &name, NameOf::Guest, others)
            .map_err(|refusal| IdentityError::of_name(&name, false, refusal))?;
        Ok(name)
    }
}
