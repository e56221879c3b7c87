//! Joining, leaving and presence of participants.

use quorate_contract::{
    Actor, EventBody, NameOf, Newcomer, PARTICIPANTS_MAX, Phrase, Presence, ROLE_MAX_CHARS, Refusal,
    check_name, check_newcomer, check_price, check_skip_list, clean, length,
};
use quorate_messages::message;

use crate::decide::seats;
use crate::decide::transaction::Transaction;
use crate::policy::roster;

use crate::state::number_after;

/// A newcomer speaks from the next round on.
pub(super) fn join(t: &mut Transaction, by: Actor, newcomer: Newcomer) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    check_newcomer("participant", &newcomer)?;
    check_price(t.meeting.rules(), &newcomer.runner)?;
    let taken = roster::names_taken_for(&t.meeting, &newcomer.runner);
    check_name("participant.name", &newcomer.name, NameOf::Seat, taken)?;
    if seats_taken(t) >= PARTICIPANTS_MAX {
        return Err(full());
    }
    seats::seat(t, newcomer, by, Phrase::default(), None);
    Ok(())
}

/// Invites a participant that is described in a sentence; the facilitator fills in the rest.
pub(super) fn invite(t: &mut Transaction, by: Actor, description: &str) -> Result<(), Refusal> {
    super::under_way(&t.meeting)?;
    let description = clean(description);
    length("description", &description, 1, ROLE_MAX_CHARS)?;
    if seats_taken(t) >= PARTICIPANTS_MAX {
        return Err(full());
    }
    let invitation = number_after(t.meeting.invitations.len());
    t.emit(EventBody::ParticipantInvited { invitation, description, by });
    Ok(())
}

/// Sets the presence of a participant. One that is offline keeps its seat and is not asked; its open turn or
/// vote is given up.
pub(super) fn set_presence(
    t: &mut Transaction,
    by: Actor,
    name: &str,
    presence: Presence,
) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let seat = t.meeting.find(name)?;
    let (participant, before) = (seat.participant.id, seat.presence);
    if before == presence {
        return Ok(());
    }
    if presence == Presence::Offline {
        seats::cancel_own(t, participant);
    }
    t.emit(EventBody::PresenceChanged { participant, presence, by, leaves_queue: false });
    if presence == Presence::Offline {
        seats::give_up(t, participant);
    }
    Ok(())
}

/// Changes a participant: whether it can be asked, and its skip list, which holds from its next turn on.
pub(super) fn change(
    t: &mut Transaction,
    by: Actor,
    name: &str,
    presence: Option<Presence>,
    skip_list: Option<Vec<String>>,
) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let seat = t.meeting.find(name)?;
    let participant = seat.participant.id;
    if let Some(phrases) = skip_list {
        check_skip_list("", &phrases)?;
        let phrases = seats::phrases(&phrases);
        if phrases != seat.participant.skip_list {
            let (skip_list, by) = (Some(phrases), by.clone());
            t.emit(EventBody::ParticipantChanged { participant, skip_list, by });
        }
    }
    presence.map_or(Ok(()), |presence| set_presence(t, by, name, presence))
}

/// The number of participants and of open invitations.
fn seats_taken(t: &Transaction) -> usize {
    let waiting = t.meeting.invitations.iter().filter(|one| !one.done).count();
    t.meeting.present().count() + waiting
}

fn full() -> Refusal {
    Refusal::Invalid {
        field: "participants".into(),
        problem: message!("refusal-table-full").into(),
        hint: message!("refusal-table-full-hint", max = PARTICIPANTS_MAX).into(),
    }
}

/// Removes a participant. It gives up its open turn and vote; its messages stay.
pub(super) fn leave(t: &mut Transaction, by: Actor, participant: &str) -> Result<(), Refusal> {
    super::not_over(&t.meeting)?;
    let id = t.meeting.find(participant)?.participant.id;
    seats::depart(t, id, by, Phrase::default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use quorate_contract::Event;
    use quorate_contract::*;

    use crate::decide::commands::decide;
    use crate::*;

    fn model(price: Option<Price>) -> Newcomer {
        let runner = RunnerSpec::Model {
            provider: "p".into(),
            model: if price.is_some() { "priced" } else { "unpriced" }.into(),
            parameters: ModelParameters::default(),
            price,
            fallback: None,
        };
        let role = Role { name: "r".into(), description: "d".into(), system_prompt: String::new() };
        let name = if price.is_some() { "Ada" } else { "Ben" }.to_owned();
        Newcomer { name, role, runner, skip_list: Vec::new() }
    }

    #[test]
    fn whose_price_is_unknown_cannot_join_where_money_is_limited() {
        for (limit, fits) in [(Some(1_000_000), false), (None, true)] {
            let mut rules = Rules::default();
            rules.limits.cost_micros = limit;
            let spec = MeetingSpec {
                topic: "t".into(),
                background: String::new(),
                details: Default::default(),
                tools: Vec::new(),
                language: Language::En,
                format: Format::Consensus,
                rules,
                seed: 1,
                facilitator: None,
                moderator: None,
                agenda: Vec::new(),
                models: Vec::new(),
                participants: vec![model(Some(Price {
                    input_micros: 1,
                    output_micros: 1,
                    cache_write_micros: None,
                    cached_micros: None,
                    search_micros: None,
                }))],
            };
            let (by, spec) = (Actor::owner(), Box::new(spec));
            let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
            let events = decide(&meeting, Command::Create { by: by.clone(), spec }, Timestamp(1));
            for (body, seq) in events.expect("the spec is right").into_iter().zip(1..) {
                let (meeting_id, run_id) = (meeting.id.clone(), meeting.run.clone());
                let (actor, cause) = (by.clone(), "create".to_owned());
                apply(
                    &mut meeting,
                    &Event {
                        version: quorate_contract::ContractVersion,
                        seq,
                        meeting_id,
                        run_id,
                        ts_ms: Timestamp(1),
                        actor,
                        cause,
                        body,
                    },
                );
            }
            let joined =
                decide(&meeting, Command::Join { by, newcomer: Box::new(model(None)) }, Timestamp(2));
            assert_eq!(joined.is_ok(), fits, "with a limit of {limit:?}");
        }
    }
}
