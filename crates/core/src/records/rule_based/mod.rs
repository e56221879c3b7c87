//! Records written by rules when no facilitator does: plainer, but complete and never invented.

mod minutes_and_artifacts;

use std::cmp::Reverse;

use quorate_contract::{
    ActionItem, Actor, Candidate, ClaimId, ConclusionForm, Disagreement, DisagreementSide, EvaluationMark,
    FacilitationForm, IdeaPick, Language, Newcomer, ParticipantId, Phrase, Role, RunnerSpec, SummaryForm,
    SummaryPosition, first_sentence, shorten,
};
use quorate_messages::{message, text};

use super::team;
use crate::policy::order::mix;
use crate::policy::roster;
use crate::state::Meeting;

pub(crate) use minutes_and_artifacts::{adr_of_this_meeting, artifact, minutes};

/// The positions of all participants in their own words.
pub(crate) fn summary(m: &Meeting) -> SummaryForm {
    let positions = positions(m);
    let lines: Vec<String> = positions
        .iter()
        .map(|position| {
            let holders: Vec<String> = position.holders.iter().map(|id| m.name_of(*id)).collect();
            let [separator, colon] = separators(m.language());
            format!("- {}{colon}{}", holders.join(separator), position.text)
        })
        .collect();
    // Each line is shortened alike, so that no position falls off the end.
    let max = m.rules().context.summary_max_chars as usize;
    let share = max / lines.len().max(1);
    let text = lines.iter().map(|line| shorten(line, share.saturating_sub(1).max(8)));
    let text = shorten(&text.collect::<Vec<_>>().join("\n"), max);
    let mut open_questions: Vec<String> = Vec::new();
    for question in m.present().filter_map(|seat| seat.stance.as_ref()).flat_map(|s| &s.open_questions) {
        if !open_questions.contains(question) {
            open_questions.push(question.clone());
        }
    }
    SummaryForm { summary: text, positions, draft: draft(m), open_questions, disagreements: Vec::new() }
}

/// Positions as they stand now; those in the very same words are one.
fn positions(m: &Meeting) -> Vec<SummaryPosition> {
    let mut positions: Vec<SummaryPosition> = Vec::new();
    for seat in m.present() {
        let Some(stance) = &seat.stance else { continue };
        hold(&mut positions, stance.position.clone(), vec![seat.participant.id]);
    }
    positions
}

/// Adds the holders of a position to those who hold one in the very same words.
pub(crate) fn hold(positions: &mut Vec<SummaryPosition>, text: String, holders: Vec<ParticipantId>) {
    match positions.iter_mut().find(|position| position.text == text) {
        Some(position) => position.holders.extend(holders),
        None => positions.push(SummaryPosition { text, holders }),
    }
}

/// The position that most hold, then the one that is held most surely; ties are drawn from the seed.
pub(crate) fn draft(m: &Meeting) -> String {
    let confidence =
        |id: &ParticipantId| m.seat(*id).and_then(|s| s.stance.as_ref()?.confidence).map_or(0, u32::from);
    let best = positions(m).into_iter().min_by_key(|position| {
        let sure: u32 = position.holders.iter().map(confidence).sum();
        let first = position.holders.first().map_or(0, |id| u64::from(id.0));
        (Reverse(position.holders.len()), Reverse(sure), mix(&[m.settings.seed, first]))
    });
    best.map(|position| one_line(&position.text)).unwrap_or_default()
}

/// A position as a draft: one line, which begins no heading or quotation. It may become the conclusion, and a
/// participant's text must not add sections to a result.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_start_matches(['#', '>', ' ']).to_owned()
}

/// The facilitator's words after a failed ballot, as a message.
pub(crate) fn facilitation_message(language: Language, form: &FacilitationForm) -> String {
    let mut parts = Vec::new();
    let mut list = |title: &str, items: &[String]| {
        if !items.is_empty() {
            let items: String = items.iter().map(|item| format!("\n- {item}")).collect();
            parts.push(format!("**{title}**{items}"));
        }
    };
    list(text!(language, "records-disagreements"), &form.disagreements);
    if !form.proposed_patch.is_empty() {
        list(text!(language, "records-smallest-change"), std::slice::from_ref(&form.proposed_patch));
    }
    list(text!(language, "records-next-focus"), &form.next_focus);
    parts.join("\n\n")
}

/// The best conclusion without a model: the present draft, the opposing positions, and information that
/// voters said was missing.
pub fn conclusion(m: &Meeting) -> ConclusionForm {
    let nothing = text!(m.language(), "records-no-draft");
    let conclusion = match m.accepted_draft().or(m.draft()) {
        Some(draft) => draft.text.clone(),
        None => {
            let best = draft(m);
            if best.is_empty() { nothing.to_owned() } else { best }
        }
    };
    let held = match m.positions() {
        [] => positions(m),
        summed_up => summed_up.to_vec(),
    };
    let disagreements = match held.len() {
        0 | 1 => Vec::new(),
        _ => vec![Disagreement {
            issue: m.settings.topic.clone(),
            sides: held
                .into_iter()
                .map(|position| DisagreementSide {
                    why: reason_of(m, &position),
                    view: position.text,
                    holders: position.holders,
                })
                .collect(),
        }],
    };
    let (best, wildcard) = best_ideas(m);
    ConclusionForm { conclusion, disagreements, actions: actions(m), best, wildcard }
}

/// The ideas with the most follow-ups, and as wildcard the boldest without any.
fn best_ideas(m: &Meeting) -> (Vec<IdeaPick>, Option<IdeaPick>) {
    let most = m.rules().closing.best_ideas as usize;
    if most == 0 {
        return (Vec::new(), None);
    }
    let built_on = |id: ClaimId| {
        let owner = m.claim(id).map(|record| record.owner);
        let others =
            m.ideas().filter(|other| other.claim.builds_on.contains(&id) && Some(other.owner) != owner);
        others.count()
    };
    let mut ranked: Vec<(usize, ClaimId)> =
        m.ideas().map(|record| (built_on(record.claim.id), record.claim.id)).collect();
    ranked.sort_by_key(|&(count, id)| (Reverse(count), mix(&[m.settings.seed, u64::from(id.0)])));
    let best = ranked
        .iter()
        .take(most)
        .map(|&(count, idea)| IdeaPick { idea, why: message!("note-ideas-build-on-it", count).into() });
    let best: Vec<IdeaPick> = best.collect();
    let wildcard = ranked
        .iter()
        .skip(most)
        .rev()
        .find(|(count, _)| *count == 0)
        .map(|&(_, idea)| IdeaPick { idea, why: message!("note-nobody-took-it-further").into() });
    (best, wildcard)
}

/// Marks by countable criteria: contributions, and their use by others; never whether a participant agreed
/// with the rest.
pub(crate) fn evaluation(m: &Meeting) -> Vec<EvaluationMark> {
    let round = m.round_number();
    let mark = |participant: ParticipantId| {
        let raised: Vec<_> =
            m.claims.iter().filter(|one| one.owner == participant && one.round == round).collect();
        let spoke = m
            .said
            .iter()
            .any(|said| said.round == round && said.speaker == Actor::Participant { id: participant });
        let used = |id: ClaimId| {
            m.claims.iter().any(|other| other.claim.builds_on.contains(&id) && other.owner != participant)
        };
        let taken_up = raised.iter().filter(|one| used(one.claim.id) || !one.answered_by.is_empty()).count();
        let score = match spoke {
            true => 4 + raised.len().min(3) + taken_up.min(3),
            false => 2,
        };
        let (raised, score) = (raised.len(), u8::try_from(score).unwrap_or(10));
        let reason = match spoke {
            true => message!("note-points-raised", raised, used = taken_up),
            false => message!("note-did-not-speak"),
        };
        EvaluationMark { participant, score, reason: reason.into() }
    };
    roster::to_be_marked(m).into_iter().map(mark).collect()
}

/// A team for any topic, when there is no facilitator to propose one.
pub(crate) fn team(m: &Meeting) -> Vec<Candidate> {
    let members = team::members(m.language());
    let wanted = roster::seats_free(m);
    let mut team: Vec<Candidate> = Vec::new();
    for (place, member) in members.iter().cycle().take(wanted).enumerate() {
        let team::Member { name, role, description } = *member;
        let taken: Vec<String> = team.iter().map(|one| one.newcomer.name.clone()).collect();
        let Some(runner) = roster::next_runner(m, place) else { break };
        let newcomer = Newcomer {
            name: roster::free_name(m, name, &taken),
            role: Role {
                name: role.to_owned(),
                description: description.to_owned(),
                system_prompt: String::new(),
            },
            runner,
            skip_list: Vec::new(),
        };
        team.push(Candidate { newcomer, focus: description.to_owned(), reason: Phrase::default() });
    }
    team
}

/// A participant made from a sentence, word for word.
pub(crate) fn candidate(m: &Meeting, description: &str) -> Candidate {
    let language = m.language();
    let runner = roster::next_runner(m, 0)
        .unwrap_or(RunnerSpec::Simulated { temperament: quorate_contract::Temperament::Balanced });
    let newcomer = Newcomer {
        name: roster::free_name(m, text!(language, "records-guest"), &[]),
        role: Role {
            name: shorten(&first_sentence(description, 40), 50),
            description: description.to_owned(),
            system_prompt: String::new(),
        },
        runner,
        skip_list: Vec::new(),
    };
    Candidate { newcomer, focus: String::new(), reason: description.into() }
}

/// The signs between the entries of a list, and before what is said of it.
fn separators(language: Language) -> [&'static str; 2] {
    [text!(language, "common-list-separator"), text!(language, "common-colon")]
}

fn reason_of(m: &Meeting, position: &SummaryPosition) -> String {
    let mine = |owner: ParticipantId| position.holders.contains(&owner);
    let claim = m.claims.iter().rev().find(|claim| mine(claim.owner));
    claim.map(|claim| claim.claim.text.clone()).unwrap_or_default()
}

fn actions(m: &Meeting) -> Vec<ActionItem> {
    let Some((ballot, _)) = m.last_counted_ballot() else { return Vec::new() };
    let mut actions: Vec<ActionItem> = Vec::new();
    for missing in ballot.votes().flat_map(|(_, vote)| &vote.missing) {
        let what = text!(m.language(), "records-find-out", what = missing);
        if !actions.iter().any(|action| action.what == what) {
            actions.push(ActionItem { what, who: None, sources: Vec::new() });
        }
    }
    actions.truncate(8);
    actions
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::{Actor, Claim, ClaimKind, MessageId};

    use super::*;
    use crate::state::{ClaimRecord, TurnState};
    use crate::tests::{round_of, says, seated, settings, summary_of};

    /// A participant raises the next claim in this round, which builds on these.
    fn raises(m: &mut Meeting, round: u32, owner: u32, kind: ClaimKind, builds_on: &[u32]) {
        let id = m.next_claim();
        let builds_on = builds_on.iter().copied().map(ClaimId).collect();
        let (text, citations, evidence) = (format!("claim {id}"), Vec::new(), Vec::new());
        let claim = Claim { id, kind, text, builds_on, citations, evidence };
        let owner = ParticipantId(owner);
        let (message, seq, answered_by, targeted) = (None, 1, Vec::new(), 0);
        let record = ClaimRecord { claim, owner, round, message, seq, answered_by, targeted };
        m.claims.push(Arc::new(record));
    }

    #[test]
    fn marks_count_what_was_raised_in_the_round_and_what_others_made_of_it() {
        let mut m = seated(3);
        let turns = [1, 2, 3].map(|id| (id, TurnState::Said(MessageId(id))));
        m.rounds.push(round_of(1, &turns));
        for (round, id) in [(1, 1), (1, 2), (0, 3)] {
            says(&mut m, round, Actor::participant(ParticipantId(id)), "p", "words");
        }
        raises(&mut m, 0, 1, ClaimKind::Claim, &[]);
        raises(&mut m, 1, 1, ClaimKind::Claim, &[]);
        raises(&mut m, 1, 2, ClaimKind::Claim, &[2]);
        raises(&mut m, 1, 1, ClaimKind::Claim, &[4]);
        let scores = |m: &Meeting| -> Vec<u8> { evaluation(m).iter().map(|mark| mark.score).collect() };
        assert_eq!(scores(&m), [7, 5, 2], "the first was taken up once, the last did not speak");
        let answered = Arc::make_mut(m.claims.last_mut().expect("a claim"));
        answered.answered_by.push(ParticipantId(2));
        assert_eq!(scores(&m), [8, 5, 2], "an answer takes it up, too");
    }

    #[test]
    fn the_best_ideas_are_those_that_others_built_on_and_the_wildcard_is_one_that_nobody_did() {
        let mut m = seated(2);
        raises(&mut m, 1, 1, ClaimKind::Idea, &[]);
        raises(&mut m, 1, 2, ClaimKind::Idea, &[]);
        raises(&mut m, 1, 1, ClaimKind::Idea, &[2]);
        raises(&mut m, 1, 1, ClaimKind::Idea, &[1, 3]);
        let mut picks = |most| {
            settings(&mut m).rules.closing.best_ideas = most;
            let (best, wildcard) = best_ideas(&m);
            let ids: Vec<u32> = best.iter().map(|pick| pick.idea.0).collect();
            (ids, wildcard.is_some_and(|pick| pick.idea != ClaimId(2)))
        };
        assert_eq!(picks(1), (vec![2], true), "nobody else built on the others");
        assert_eq!((picks(4).0.len(), picks(4).1), (4, false), "none is left");
        assert_eq!(picks(0), (Vec::new(), false));
    }

    #[test]
    fn positions_are_a_disagreement_when_they_are_several() {
        let mut m = seated(2);
        let sides = |m: &mut Meeting, positions: &[(&str, u32)]| -> Vec<usize> {
            let position = |(text, id): &(&str, u32)| SummaryPosition {
                text: (*text).to_owned(),
                holders: vec![ParticipantId(*id)],
            };
            m.summaries = vec![Arc::new(summary_of(1, positions.iter().map(position).collect()))].into();
            conclusion(m).disagreements.iter().map(|one| one.sides.len()).collect()
        };
        assert_eq!(sides(&mut m, &[("a file", 1)]), Vec::<usize>::new());
        assert_eq!(sides(&mut m, &[("a file", 1), ("a server", 2)]), [2]);
    }
}
