//! Who is present, as the application notes and tells it.

use std::time::Instant;

use quorate_contract::Timestamp;
use quorate_runners::Respondent;

use super::App;
use crate::clock::now;
use crate::own_seat::respondent;
use crate::presence::LivePresence;
use crate::principal::{Principal, PrincipalKind};

impl App {
    /// Notes that a principal does something. A program that acts for a person is not that person.
    pub fn touch_presence(&self, principal: &Principal) {
        if principal.kind != PrincipalKind::Token {
            self.presence().touch(respondent(principal), Instant::now(), now());
        }
    }

    /// Notes what a principal says of itself.
    pub fn state_presence(&self, principal: &Principal, presence: LivePresence) {
        self.presence().state(respondent(principal), Instant::now(), now(), presence);
    }

    /// Whether somebody is there, and when they were last seen.
    pub(crate) fn presence_of(&self, who: &Respondent) -> (LivePresence, Option<Timestamp>) {
        self.presence().of(who, Instant::now())
    }
}
