//! Each verdict once, and what the parts of a judgement say.

use quorate_contract::*;
use quorate_messages::message;
use quorate_views::*;

use crate::stage::{Stage, Word, holds};

const NAMES: [&str; 4] = ["Ada", "Ben", "Cid", "Dee"];
const FILE: &str = "One file is enough for us";
const SERVER: &str = "Take a database server at once";
const BOTH: &str = "Pilot both, then measure";
const LATER: &str = "Decide when the load is known";

fn moved<'t>(position: &'t str, by: Option<u32>) -> Word<'t> {
    Word { position, moved: true, by, ..Word::default() }
}

/// Two hold one position and two another; a fact moves the latter.
fn moved_by_a_fact(mut stage: Stage) -> Stage {
    stage.round(&[(0, holds(FILE)), (1, holds(FILE)), (2, holds(SERVER)), (3, holds(SERVER))]);
    let fact = Word { fact: Some("there is one writer"), ..holds(FILE) };
    stage.round(&[(0, fact), (1, holds(FILE)), (2, moved(FILE, Some(1))), (3, moved(FILE, Some(1)))]);
    stage
}

#[test]
fn before_a_round_is_over_everything_is_open() {
    let mut stage = Stage::of(&NAMES);
    assert_eq!((stage.standing(), stage.because()), (HealthGrade::Open, vec![Measure::Rounds]));
    stage.round(&[(0, holds(FILE)), (1, holds(FILE))]);
    stage.begins_round(&[(0, holds(FILE)), (1, holds(FILE))]);
    assert_eq!(stage.standing(), HealthGrade::Open, "all agree, and have not talked yet");
}

#[test]
fn what_evidence_led_to_and_nobody_objects_to_is_robust() {
    let mut stage = moved_by_a_fact(Stage::of(&NAMES));
    assert_eq!(stage.standing(), HealthGrade::Robust, "{:?}", stage.health().verdict);
    stage.votes(&[(0, 90), (1, 85), (2, 80), (3, 80)]);
    let health = stage.health();
    assert_eq!(health.verdict.standing, HealthGrade::Robust);
    let evidence = &health.verdict.because[1];
    assert_eq!((evidence.rule, evidence.value), (Measure::Evidence, 3.0), "a fact, and two whom it moved");
    for seq in &evidence.seqs {
        assert!(stage.m.said.iter().any(|said| said.seq == *seq), "{seq}");
    }
}

#[test]
fn an_agreement_of_one_family_is_thin() {
    let stage = Stage::seated(&NAMES, &["maker"; 4], &[0, 1, 2, 3]);
    let stage = moved_by_a_fact(stage);
    assert_eq!(stage.standing(), HealthGrade::Thin);
    assert_eq!(stage.because(), [Measure::Agreement, Measure::EffectiveSeats]);
    assert_eq!(stage.health().independence.effective, 1.4286, "4 / (1 + 3 × 0.6)");
}

#[test]
fn an_agreement_that_was_there_from_the_beginning_is_thin() {
    let mut stage = Stage::of(&NAMES);
    for _ in 0..2 {
        stage.round(&[(0, holds(FILE)), (1, holds(FILE)), (2, holds(FILE)), (3, holds(FILE))]);
    }
    assert_eq!(stage.standing(), HealthGrade::Thin);
    assert_eq!(stage.because(), [Measure::Agreement, Measure::Evidence]);
}

#[test]
fn three_of_four_are_most_and_not_all() {
    let mut stage = Stage::of(&NAMES);
    for _ in 0..2 {
        stage.round(&[(0, holds(FILE)), (1, holds(FILE)), (2, holds(FILE)), (3, holds(SERVER))]);
    }
    let verdict = stage.health().verdict;
    assert_eq!(verdict.text, message!("health-standing-thin-most"), "{verdict:?}");
    stage.round(&[(3, moved(FILE, None))]);
    assert_eq!(stage.health().verdict.text, message!("health-standing-thin"));
}

#[test]
fn a_meeting_that_collects_ideas_has_nothing_to_agree_on() {
    let mut stage = Stage::of(&NAMES);
    let rules = &mut std::sync::Arc::make_mut(&mut stage.m.settings).rules;
    (rules.turns.ideas, rules.decision.ballots) = (true, false);
    stage.round(&[(0, holds(FILE)), (1, holds(FILE)), (2, holds(FILE))]);
    let claim = Word { claim: Some("a server can be asked by all"), ..holds(SERVER) };
    stage.round(&[(0, holds(FILE)), (1, holds(FILE)), (2, holds(FILE)), (3, claim)]);
    let health = stage.health();
    assert_eq!((health.verdict.standing, health.verdict.because.len()), (HealthGrade::Ideas, 0));
    assert!(health.dissent.objections.is_empty(), "an idea stands against nothing");
    stage.votes(&[(0, 90), (1, 85), (2, 80), (3, 80)]);
    assert_ne!(stage.standing(), HealthGrade::Ideas, "they voted");
}

#[test]
fn an_agreement_that_nothing_led_to_is_suspicious() {
    let mut stage = Stage::of(&NAMES);
    stage.round(&[(0, holds(FILE)), (1, holds(SERVER)), (2, holds(SERVER)), (3, holds(BOTH))]);
    stage.round(&[(0, holds(FILE)), (1, moved(FILE, None)), (2, moved(FILE, None)), (3, moved(FILE, None))]);
    stage.votes(&[(0, 90), (1, 90), (2, 90), (3, 90)]);
    assert_eq!(stage.standing(), HealthGrade::Suspicious);
    let signs = [Measure::BlindSupport, Measure::BlindLeader, Measure::UnevidencedFlips];
    assert_eq!(stage.because()[..2], [Measure::Agreement, Measure::Evidence]);
    assert_eq!(stage.because()[2..], signs);
    let health = stage.health();
    let leading = &health.positions[0];
    assert_eq!((leading.now.share, leading.blind.share, leading.text.as_str()), (1.0, 0.25, FILE));
    assert_eq!(health.positions[1].blind.holders, [stage.id(1), stage.id(2)]);
    let alarms: Vec<Measure> = health.alarms.iter().map(|alarm| alarm.rule).collect();
    assert_eq!(alarms, [Measure::Jump, Measure::UnevidencedFlips, Measure::BlindGap]);
    // The result warns of it before the conclusion, with the signs.
    for (language, warning, sign) in [
        (Language::En, "> **The agreement is suspicious", "> - Before the others had spoken, 25% held"),
        (Language::Zh, "> **一致来得可疑", "25%"),
    ] {
        let report = Report::of(&stage.m.clone().told_in(language)).to_markdown();
        let (warned, signs) = report.split_once(warning).unwrap_or_else(|| panic!("{warning}: {report}"));
        assert!(!warned.contains("\n## ") && signs.contains(sign), "{report}");
    }
    assert_eq!(Report::of(&moved_by_a_fact(Stage::of(&NAMES)).m).suspicion, None);
}

#[test]
fn an_objection_contests_an_agreement_until_it_is_withdrawn() {
    let mut stage = moved_by_a_fact(Stage::of(&NAMES));
    stage.votes(&[(0, 90), (1, 90), (2, 90), (3, 40)]);
    assert_eq!(stage.standing(), HealthGrade::Contested);
    let health = stage.health();
    let first = &health.dissent.objections[0];
    assert_eq!((first.holder, first.score, health.dissent.blocking), (stage.id(3), Some(40), 1));
    assert_eq!(health.dissent.lowest[0].participant, stage.id(3));
    stage.round(&[(0, Word { answers: Some(2), ..holds(FILE) })]);
    assert_eq!(stage.standing(), HealthGrade::Contested, "answered is not withdrawn");
    stage.votes(&[(0, 90), (1, 90), (2, 90), (3, 80)]);
    assert_eq!((stage.standing(), stage.health().dissent.blocking), (HealthGrade::Robust, 0));
    let value = stage.health().value;
    assert_eq!((value.ballot_change, value.change_per_round), (Some(0.1), Some(0.1)));
}

#[test]
fn an_objection_that_was_let_go_is_not_open() {
    let mut stage = moved_by_a_fact(Stage::of(&NAMES));
    stage.votes(&[(0, 90), (1, 90), (2, 50), (3, 40)]);
    let open = |stage: &Stage| -> Vec<ClaimId> {
        stage.health().dissent.objections.iter().map(|one| one.claim).collect()
    };
    assert_eq!(open(&stage), [ClaimId(3), ClaimId(2)], "the strongest first");
    stage.votes(&[(0, 90), (1, 90), (2, 50), (3, 40)]);
    assert_eq!(open(&stage), [ClaimId(5), ClaimId(4)], "each has one, against the last draft");
    stage.round(&[(2, moved(SERVER, None)), (3, holds(FILE))]);
    assert_eq!(open(&stage), [ClaimId(5), ClaimId(4)], "who moves away still objects");
    stage.round(&[(0, Word { answers: Some(5), ..holds(FILE) }), (2, moved(FILE, Some(1)))]);
    let health = stage.health();
    assert_eq!((open(&stage), health.dissent.blocking), (vec![ClaimId(5)], 1), "who takes it up does not");
    let told = health.to_text(&stage.m, Language::En);
    assert!(told.contains("answered by Ada)"), "{told}");
}

#[test]
fn what_two_say_in_the_same_words_is_no_fact_of_one() {
    let mut stage = Stage::of(&NAMES);
    let fact = |text| Word { fact: Some(text), ..holds(FILE) };
    stage.round(&[(0, fact("There is one writer.")), (1, fact(" there is  one writer")), (2, fact("Two "))]);
    stage.round(&[(2, fact("two"))]);
    let unshared = stage.health().unshared;
    let claims: Vec<ClaimId> = unshared.items.iter().map(|one| one.claim).collect();
    assert_eq!((unshared.count, claims), (2, vec![ClaimId(3), ClaimId(4)]));
}

#[test]
fn votes_that_are_not_counted_tell_nothing() {
    let mut stage = moved_by_a_fact(Stage::of(&NAMES));
    let before = stage.health();
    stage.open_ballot(&[(0, 90), (1, 30), (2, 20)]);
    let during = stage.health();
    // That a ballot is open is known to all, and reason enough to speak of facts that nobody took up.
    let cited = during.alarms.iter().flat_map(|alarm| &alarm.seqs);
    assert_eq!(cited.max(), before.alarms.iter().flat_map(|alarm| &alarm.seqs).max());
    let (last_seq, alarms) = (before.last_seq, before.alarms.clone());
    assert_eq!(DeliberationHealth { last_seq, alarms, ..during }, before);
}

#[test]
fn what_missed_its_ballot_is_no_agreement() {
    let mut stage = moved_by_a_fact(Stage::of(&NAMES));
    let scores = [(0, 76), (1, 76), (2, 76), (3, 76)];
    stage.ballot(&scores, false);
    assert_eq!(
        stage.standing(),
        HealthGrade::Converging,
        "all let it pass, and the mean score missed its mark"
    );
    assert_eq!(stage.because(), [Measure::Agreement, Measure::Agreement]);
    stage.ballot(&scores, true);
    assert_eq!(stage.standing(), HealthGrade::Robust);
}

#[test]
fn a_table_that_comes_together_converges_and_one_that_stays_is_open() {
    let mut stage = Stage::of(&NAMES);
    let first = [(0, holds(FILE)), (1, holds(SERVER)), (2, holds(BOTH)), (3, holds(LATER))];
    stage.round(&first);
    stage.round(&[(1, holds(SERVER))]);
    assert_eq!(stage.standing(), HealthGrade::Open);
    stage.round(&[(1, moved(FILE, None))]);
    assert_eq!(stage.standing(), HealthGrade::Converging);
    let shares: Vec<_> = stage.health().rounds.iter().map(|round| round.leading_share).collect();
    assert_eq!(shares, [Some(0.25), Some(0.25), Some(0.5)]);
    assert_eq!(stage.health().rounds[0].entropy, Some(1.0));
}

#[test]
fn two_camps_are_a_contested_table() {
    let mut stage = Stage::of(&NAMES);
    for _ in 0..3 {
        stage.round(&[(0, holds(FILE)), (1, holds(FILE)), (2, holds(SERVER)), (3, holds(SERVER))]);
    }
    assert_eq!((stage.standing(), stage.because()[1]), (HealthGrade::Contested, Measure::Split));
}

#[test]
fn flips_name_what_moved_them_and_whose_it_was() {
    let stage = moved_by_a_fact(Stage::of(&NAMES));
    let flips = stage.health().flips;
    assert_eq!(flips.len(), 2);
    let PositionFlip { participant, from, to, evidenced, claim, owner, .. } = &flips[0];
    assert_eq!((*participant, from.as_str(), to.as_str()), (stage.id(2), SERVER, FILE));
    assert_eq!((*evidenced, *claim, *owner), (true, Some(ClaimId(1)), Some(stage.id(0))));
}

#[test]
fn what_nobody_takes_up_is_told() {
    let mut stage = Stage::of(&NAMES);
    stage.round(&[
        (0, Word { fact: Some("two writers"), ..holds(FILE) }),
        (1, Word { claim: Some("it is fast"), ..holds(FILE) }),
    ]);
    stage.round(&[(2, Word { answers: Some(2), ..holds(FILE) })]);
    let health = stage.health();
    assert_eq!((health.unshared.count, health.unshared.items[0].claim), (1, ClaimId(1)));
    let UnansweredClaims { raised, answered, coverage, .. } = health.unanswered;
    assert_eq!((raised, answered, coverage), (2, 1, Some(0.5)));
    let advice = health.value.text.text(Language::En);
    assert!(advice.starts_with("1 fact has been mentioned only by its owner."), "{advice}");
    assert!(health.alarms.iter().any(|alarm| alarm.rule == Measure::Coverage && alarm.value == 0.5));
}

#[test]
fn it_is_told_in_both_languages() {
    let mut stage = moved_by_a_fact(Stage::of(&NAMES));
    stage.votes(&[(0, 90), (1, 90), (2, 90), (3, 40)]);
    let health = stage.health();
    let (zh, en) = (health.to_text(&stage.m, Language::Zh), health.to_text(&stage.m, Language::En));
    for words in ["存在未解决的反对", "Dee", "it grows", "改变立场"] {
        assert!(zh.contains(words), "{words}: {zh}");
    }
    for words in ["Somebody objects", "by what Ada said: “", "4 seats count as about 3.1 independent judges"]
    {
        assert!(en.contains(words), "{words}: {en}");
    }
}

#[test]
fn why_there_is_no_consensus_is_what_the_last_ballot_says() {
    let why = |ballots_after: usize| {
        let mut stage = Stage::of(&NAMES);
        stage.round(&[(0, holds(FILE)), (1, holds(SERVER)), (2, holds(BOTH)), (3, holds(LATER))]);
        stage.ballot(&[(0, 90), (1, 40)], false);
        stage.facilitates("They differ about the cost of a server.");
        for _ in 0..ballots_after {
            stage.ballot(&[(0, 90), (1, 60)], false);
        }
        stage.ends_without_consensus();
        Report::of(&stage.m).why_no_consensus
    };
    assert_eq!(why(0).last().map(String::as_str), Some("They differ about the cost of a server."));
    let after = why(1);
    assert!(!after.is_empty() && !after.iter().any(|why| why.contains("cost of a server")), "{after:?}");
}
