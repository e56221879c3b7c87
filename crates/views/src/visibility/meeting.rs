//! What of a meeting's state is hidden.

use std::sync::Arc;

use quorate_contract::{Actor, ParticipantId, Phrase};
use quorate_core::{Ballot, ClaimRecord, Meeting, MeetingMessage, Proposal};

use super::{Viewer, WITHHELD, people, stands_in_vote};

impl Viewer {
    /// Whether the votes of a ballot may be seen.
    pub fn votes(self, ballot: &Ballot) -> bool {
        self.sees_all() || self.moment.ballot != Some(ballot.id)
    }

    /// Whether a claim may be seen. A claim from a vote is hidden while the vote is, one of a blind answer while the
    /// answer is.
    pub fn claim(self, meeting: &Meeting, claim: &ClaimRecord) -> bool {
        let open = meeting.ballots.last().filter(|ballot| !self.votes(ballot));
        open.is_none_or(|ballot| !stands_in_vote(ballot, claim)) && !self.withholds(claim.round, claim.owner)
    }

    /// Whether somebody said a blind answer that is withheld.
    pub fn is_withheld(self, said: &MeetingMessage) -> bool {
        matches!(said.speaker, Actor::Participant { id } if self.withholds(said.round, id))
    }

    /// Whether the position of a participant may be seen.
    pub fn stance(self, participant: ParticipantId) -> bool {
        !self.is_blind() || self.seat == Some(participant)
    }

    /// A proposal of who comes and who leaves, without what may not be seen: the reason for a departure by the rules is that of a
    /// mark.
    pub fn proposal(self, mut proposal: Proposal) -> Proposal {
        if !self.evaluations() {
            proposal.departures.iter_mut().for_each(|departure| departure.reason = Phrase::default());
        }
        proposal
    }

    /// Takes out of a meeting what may not be seen.
    pub fn redact(self, meeting: &mut Meeting) {
        if self.sees_all() {
            return;
        }
        meeting.evaluations.clear();
        for seat in &mut meeting.seats {
            if seat.memory.is_some() {
                Arc::make_mut(seat).memory = None;
            }
            if !self.stance(seat.participant.id) && (seat.first.is_some() || seat.stance.is_some()) {
                let seat = Arc::make_mut(seat);
                (seat.first, seat.stance) = (None, None);
            }
        }
        if !meeting.tools.is_unused() {
            Arc::make_mut(&mut meeting.tools).take_open_calls();
        }
        if let Some(preparation) = &mut meeting.preparation
            && let Some(proposal) = &mut Arc::make_mut(preparation).proposal
        {
            *proposal = self.proposal(std::mem::take(proposal));
        }
        for said in meeting.said.iter_mut().filter(|said| self.is_withheld(said)) {
            let said = Arc::make_mut(said);
            said.content = WITHHELD.to_owned();
            (said.cut_from_chars, said.ended_early) = (None, None);
            (said.citations, said.evidence) = (Vec::new(), Vec::new());
            said.mentions.clear();
            said.mentioned_people.clear();
            said.claims.clear();
        }
        // Claims are numbered by their place: after the first that is hidden, none is shown.
        let hidden = meeting.claims.iter().position(|claim| !self.claim(meeting, claim));
        if let Some(hidden) = hidden {
            meeting.claims.truncate(hidden);
        }
        if let Some(ballot) = meeting.ballots.last_mut().filter(|ballot| !self.votes(ballot)) {
            Arc::make_mut(ballot).cast.clear();
        }
        if !self.is_known() {
            people::hide(meeting);
        }
    }
}
