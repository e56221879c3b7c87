//! What an answer says of its speaker's stance: the position, and the claims that it raises and answers.

use std::collections::BTreeSet;

use quorate_contract::{
    CitedPage, Claim, ClaimId, ClaimKind, ParticipantId, ReplyTarget, SpokenAnswer, Stance, clean,
    first_sentence, shorten,
};

use crate::policy::{citations, evidence, wording};
use crate::state::{Meeting, number_after};

/// The longest position, in characters.
pub(super) const POSITION_MAX_CHARS: usize = 300;
/// The longest claim, and any other short line of an answer, in characters.
pub(super) const CLAIM_MAX_CHARS: usize = 300;
/// The most claims of one answer.
const CLAIMS_MAX: usize = 8;

/// The speaker's new stance. Parts that the message does not state stay as they were.
pub(super) fn of(
    m: &Meeting,
    id: ParticipantId,
    targets: &[ReplyTarget],
    speech: &SpokenAnswer,
    cited: &[CitedPage],
) -> Stance {
    let before = m.seat(id).and_then(|seat| seat.stance.as_ref());
    let said = speech.position.as_deref().map(clean).filter(|text| !text.is_empty());
    let position = match (said, before) {
        (Some(position), _) => shorten(&position, POSITION_MAX_CHARS),
        (None, before) => {
            let first = first_sentence(&speech.content, POSITION_MAX_CHARS);
            // Whoever states no position keeps the one they had, unless the first sentence says the opposite.
            match before.filter(|before| !wording::is_opposed(&before.position, &first)) {
                Some(before) => before.position.clone(),
                None => first,
            }
        }
    };
    let known = |id: &ClaimId| m.claim(*id).is_some();
    let changed_by = speech.changed_by.filter(known);
    // A model rewords the same position each time. So a change counts when the model says so and names what
    // moved it, when the wording shows it, or when it is the position that another participant holds.
    let others = m.present().filter(|seat| seat.participant.id != id);
    let mut others = others.filter_map(|seat| seat.stance.as_ref());
    let changed = before.is_some_and(|before| {
        let (old, new) = (&before.position, &position);
        !wording::is_same(old, new)
            && (changed_by.is_some()
                || wording::differs(old, new)
                || !wording::is_wording_of(old, new)
                    && others.any(|other| wording::is_same(&other.position, new)))
    });
    let first = m.claims.len();
    let wants_ideas = m.rules().turns.ideas;
    let builds_on = |ids: &Vec<ClaimId>| -> Vec<ClaimId> {
        let ideas =
            ids.iter().filter(|id| m.claim(**id).is_some_and(|one| one.claim.kind == ClaimKind::Idea));
        ideas.copied().take(4).collect()
    };
    let ideas = speech.ideas.iter().filter(|_| wants_ideas);
    let raised = ideas.map(|(text, ids)| (ClaimKind::Idea, text, builds_on(ids)));
    let raised = raised.chain(speech.claims.iter().map(|text| (ClaimKind::Claim, text, Vec::new())));
    let raised = raised.chain(speech.facts.iter().map(|text| (ClaimKind::Fact, text, Vec::new())));
    let raised = raised.chain(speech.risks.iter().map(|text| (ClaimKind::Risk, text, Vec::new())));
    let claims = raised
        .map(|(kind, text, builds_on)| (kind, shorten(&clean(text), CLAIM_MAX_CHARS), builds_on))
        .filter(|(_, text, _)| !text.is_empty())
        .take(CLAIMS_MAX)
        .enumerate()
        .map(|(place, (kind, text, builds_on))| Claim {
            id: ClaimId(number_after(first + place)),
            kind,
            citations: citations::cited(m, &text),
            evidence: {
                let pages = cited.iter().filter(|page| evidence::supports(page, &text));
                evidence::with_pages(m, evidence::cited(m, &text, Some(id)), id, pages)
            },
            text,
            builds_on,
        })
        .collect();
    let open_questions = speech.open_questions.iter().map(|text| shorten(&clean(text), CLAIM_MAX_CHARS));
    Stance {
        position,
        confidence: speech.confidence.or_else(|| before.and_then(|before| before.confidence)),
        would_change_my_mind: speech
            .would_change_my_mind
            .as_deref()
            .map(|text| shorten(&clean(text), CLAIM_MAX_CHARS))
            .or_else(|| before.and_then(|before| before.would_change_my_mind.clone())),
        changed,
        changed_by: changed_by.filter(|_| changed),
        claims,
        answered: answered(m, id, targets, &speech.content),
        open_questions: open_questions.filter(|text| !text.is_empty()).take(5).collect(),
    }
}

/// The claims of others that a text names by their tags; with a single target, any reply is one to it.
fn answered(m: &Meeting, id: ParticipantId, targets: &[ReplyTarget], text: &str) -> Vec<ClaimId> {
    let mut found: Vec<ClaimId> = Vec::new();
    let mut seen = BTreeSet::new();
    for claim in tagged(text) {
        if seen.insert(claim) && m.claim(claim).is_some_and(|record| record.owner != id) {
            found.push(claim);
        }
    }
    if let ([only], true) = (targets, found.is_empty()) {
        found.push(only.claim);
    }
    found
}

/// The claims that stand in brackets, alone or among others: `[c4]`, `(c4, c5)`, `【c4、c5】`. Each
/// character is looked at once, however many brackets are opened and never closed.
fn tagged(text: &str) -> Vec<ClaimId> {
    let mut found = Vec::new();
    // Where the word begins that may be a tag; there is none outside of brackets.
    let mut begun: Option<usize> = None;
    let tag = |word: &str| word.trim().parse::<ClaimId>().ok();
    for (at, sign) in text.char_indices() {
        let behind = at + sign.len_utf8();
        match sign {
            '[' | '【' | '(' | '（' => begun = Some(behind),
            ']' | '】' | ')' | '）' => found.extend(begun.take().and_then(|from| tag(&text[from..at]))),
            ',' | '，' | '、' | ' ' => {
                if let Some(from) = begun {
                    found.extend(tag(&text[from..at]));
                    begun = Some(behind);
                }
            }
            _ => {}
        }
    }
    found.extend(begun.and_then(|from| tag(&text[from..])));
    found
}

/// A first answer as a message: the position, and each claim under its number.
pub(super) fn written_down(stance: &Stance) -> String {
    let claims = stance.claims.iter().map(|claim| format!("\n- [{}] {}", claim.id, claim.text));
    stance.position.clone() + &claims.collect::<String>()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::state::ClaimRecord;
    use crate::tests::{seated, settings};

    const ADA: ParticipantId = ParticipantId(1);
    const BEN: ParticipantId = ParticipantId(2);

    /// A table of two at which each has raised a claim, and Ben an idea.
    fn table() -> Meeting {
        let mut m = seated(2);
        for (owner, kind) in [(ADA, ClaimKind::Claim), (BEN, ClaimKind::Claim), (BEN, ClaimKind::Idea)] {
            let (builds_on, citations, evidence) = (Vec::new(), Vec::new(), Vec::new());
            let claim = Claim { id: m.next_claim(), kind, text: "so".into(), builds_on, citations, evidence };
            let answered_by = Vec::new();
            let (message, seq, targeted) = (None, 1, 0);
            m.claims.push(Arc::new(ClaimRecord {
                claim,
                owner,
                round: 1,
                message,
                seq,
                answered_by,
                targeted,
            }));
        }
        m
    }

    fn says(m: &Meeting, speech: SpokenAnswer) -> Stance {
        of(m, ADA, &[], &speech, &[])
    }

    fn holds(m: &mut Meeting, position: &str) {
        let stance = Stance { position: position.into(), confidence: Some(60), ..Stance::default() };
        Arc::make_mut(&mut m.seats[0]).stance = Some(stance);
    }

    fn ids(numbers: &[u32]) -> Vec<ClaimId> {
        numbers.iter().copied().map(ClaimId).collect()
    }

    #[test]
    fn a_position_has_changed_when_a_claim_moved_it_or_hardly_a_word_is_left() {
        let mut m = table();
        let states = |m: &Meeting, position: &str, changed_by| {
            let position = Some(position.to_owned());
            let stance = says(m, SpokenAnswer { position, changed_by, ..SpokenAnswer::default() });
            (stance.changed, stance.changed_by)
        };
        assert_eq!(states(&m, "Begin with SQLite", None), (false, None), "it is the first");
        holds(&mut m, "Begin with SQLite");
        let (known, unknown) = (Some(ClaimId(2)), Some(ClaimId(9)));
        assert_eq!(states(&m, "We begin with SQLite", None), (false, None), "it is only reworded");
        assert_eq!(states(&m, "We begin with SQLite", known), (true, known));
        assert_eq!(states(&m, "We begin with SQLite", unknown), (false, None), "nobody said that");
        assert_eq!(states(&m, "Begin with SQLite", known), (false, None), "it is the same");
        assert_eq!(states(&m, "Buy a cluster", None), (true, None));
    }

    #[test]
    fn what_an_answer_does_not_state_stays_as_it_was() {
        let mut m = table();
        let content = "One file is enough. I can say why.".to_owned();
        let speech = SpokenAnswer { content, position: Some(" ".into()), ..SpokenAnswer::default() };
        assert_eq!(says(&m, speech.clone()).position, "One file is enough.", "its first sentence");
        holds(&mut m, "Begin with SQLite");
        let stance = says(&m, speech);
        assert_eq!((stance.position.as_str(), stance.confidence), ("Begin with SQLite", Some(60)));
        let content = "Begin with PostgreSQL. I was wrong.".to_owned();
        let stance = says(&m, SpokenAnswer { content, ..SpokenAnswer::default() });
        assert_eq!((stance.position.as_str(), stance.changed), ("Begin with PostgreSQL.", true));
    }

    #[test]
    fn claims_are_numbered_on_and_only_ideas_are_built_on() {
        let mut m = table();
        let speech = SpokenAnswer {
            ideas: vec![("a file for each day".into(), ids(&[1, 3, 9]))],
            claims: vec!["one file is easy to keep".into(), " ".into(), "nobody writes at night".into()],
            open_questions: vec!["".into(), "how large?".into()],
            ..SpokenAnswer::default()
        };
        let stance = says(&m, speech.clone());
        assert_eq!(stance.claims.iter().map(|claim| claim.id).collect::<Vec<_>>(), ids(&[4, 5]));
        assert_eq!(stance.open_questions, ["how large?"]);
        settings(&mut m).rules.turns.ideas = true;
        let stance = says(&m, speech);
        let raised: Vec<_> = stance.claims.iter().map(|claim| (claim.id.0, claim.kind)).collect();
        assert_eq!(raised, [(4, ClaimKind::Idea), (5, ClaimKind::Claim), (6, ClaimKind::Claim)]);
        assert_eq!(stance.claims[0].builds_on, ids(&[3]));
        let text = written_down(&Stance { position: "A file".into(), ..stance });
        assert_eq!(
            text,
            "A file\n- [c4] a file for each day\n- [c5] one file is easy to keep\n- [c6] nobody writes at night"
        );
    }

    #[test]
    fn an_answer_replies_to_the_claims_of_others_that_it_names_or_else_to_the_only_one_it_was_given() {
        let m = table();
        let target = |number| ReplyTarget { claim: ClaimId(number), disagrees: true };
        let answers = |targets: &[ReplyTarget], text: &str| answered(&m, ADA, targets, text);
        assert_eq!(answers(&[], "[c3] is good, (c2) is not, [c3] again"), ids(&[3, 2]));
        assert_eq!(answers(&[], "[c1] is mine, and [c9] nobody's"), []);
        assert_eq!(answers(&[target(2)], "I see it otherwise."), ids(&[2]));
        assert_eq!(answers(&[target(2)], "[c3] is good."), ids(&[3]));
        assert_eq!(answers(&[target(2), target(3)], "I see it otherwise."), []);
    }

    #[test]
    fn tags_of_claims_stand_in_brackets_alone_or_among_others() {
        assert_eq!(
            tagged("[c1] and (c2, c3)、【c4、c5】（c6，c7） but c8 [no] [c9"),
            ids(&[1, 2, 3, 4, 5, 6, 7, 9])
        );
        assert_eq!(tagged("[c1 c2] c3] (see c4)"), ids(&[1, 2, 4]));
    }

    #[test]
    fn a_position_has_changed_when_its_wording_shows_it_or_when_another_participant_holds_it() {
        let mut m = table();
        holds(&mut m, "先迁订单表");
        let changes = |m: &Meeting, position: &str| {
            says(m, SpokenAnswer { position: Some(position.to_owned()), ..SpokenAnswer::default() }).changed
        };
        assert!(!changes(&m, "先迁用户表"), "it may be a rewording");
        let stance = Stance { position: "先迁用户表。".into(), ..Stance::default() };
        Arc::make_mut(&mut m.seats[1]).stance = Some(stance);
        assert!(changes(&m, "先迁用户表"), "Ben holds it");
        assert!(!changes(&m, "先迁订单表。"), "it is the same");
        holds(&mut m, "The team should adopt Kubernetes this year");
        assert!(changes(&m, "The team should not adopt Kubernetes this year"));
    }
}
