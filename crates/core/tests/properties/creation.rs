//! The creation of a meeting: roles, topic, rules, and validation.

use proptest::prelude::*;
use quorate_contract::*;

use super::cases;
use crate::support::any;
use crate::support::*;

fn seated(role: Role) -> MeetingSpec {
    let mut spec = spec(&["Ada", "Ben"], Rules::default());
    spec.participants[1].role = role;
    spec
}

fn creation(spec: MeetingSpec) -> Command {
    Command::Create { by: Actor::owner(), spec: Box::new(spec) }
}

/// The field that a refusal complains of.
fn field(refusal: Refusal) -> String {
    match refusal {
        Refusal::Invalid { field, .. } => field,
        other => panic!("refused for another reason: {other}"),
    }
}

proptest! {
    #![proptest_config(cases())]

    /// Feature: ai-agent-meeting, Property 9: a role keeps its name, description and instruction.
    #[test]
    fn p09_a_role_keeps_all_its_fields(
        name in any::plain_words(50),
        description in "[\\PC\\n]{0,1999}[a-z]",
        system_prompt in "[\\PC\\n]{0,2000}",
    ) {
        let role = Role { name, description, system_prompt };
        let replayed = Transaction::draft(seated(role.clone())).replayed();
        prop_assert_eq!(&replayed.seats[1].participant.role, &role);
    }

    /// Feature: ai-agent-meeting, Property 11: a description has 1 to 2000 characters, or is refused.
    #[test]
    fn p11_a_description_is_neither_blank_nor_too_long(
        sign in prop::sample::select(vec!["x", "字", "🦉"]),
        length in prop_oneof![0usize..=3, 1990usize..=2010, Just(20_000usize)],
        blank in "[ \\n\\t\u{3000}]{0,20}",
    ) {
        let role = |description: String| Role { name: "R".into(), description, system_prompt: String::new() };
        let created = Transaction::blank().tries(creation(seated(role(sign.repeat(length)))));
        match created {
            Ok(_) => prop_assert!((1..=2000).contains(&length)),
            Err(refusal) => {
                prop_assert!(length == 0 || length > 2000);
                let hint = refusal.hint().to_string();
                prop_assert!(hint.contains("2000"), "{}", hint);
                prop_assert_eq!(field(refusal), "participants[1].role.description");
            }
        }
        let refusal = Transaction::blank().is_refused(creation(seated(role(blank))));
        prop_assert_eq!(field(refusal), "participants[1].role.description");
    }

    /// Feature: ai-agent-meeting, Property 12: a meeting needs a topic and at least one agent.
    #[test]
    fn p12_a_meeting_needs_a_topic_and_somebody_at_the_table(
        topic in any::plain_words(200),
        blank in "[ \\n\\t\u{3000}\u{7}]{0,20}",
        names in any::names(1..=12),
    ) {
        let sound = MeetingSpec { topic: topic.clone(), ..spec(&names, Rules::default()) };
        prop_assert_eq!(&Transaction::draft(sound.clone()).meeting.settings.topic, &topic);

        let untitled = MeetingSpec { topic: blank, ..sound.clone() };
        prop_assert_eq!(field(Transaction::blank().is_refused(creation(untitled))), "topic");
        let endless = MeetingSpec { topic: topic.repeat(201), ..sound.clone() };
        prop_assert_eq!(field(Transaction::blank().is_refused(creation(endless))), "topic");
        let empty = MeetingSpec { participants: Vec::new(), ..sound };
        prop_assert_eq!(field(Transaction::blank().is_refused(creation(empty))), "participants");
    }

    /// Feature: ai-agent-meeting, Property 27: round limit, message length and order can be chosen.
    #[test]
    fn p27_rules_are_taken_over_as_they_were_chosen(rules in any::rules(), max_rounds in 1u32..=ROUNDS_MAX) {
        let limits = LimitRules { max_rounds, ..rules.limits.clone() };
        let min_rounds = rules.decision.min_rounds.min(max_rounds);
        let decision = DecisionRules { min_rounds, ..rules.decision.clone() };
        let rules = Rules { limits, decision, ..rules };
        let replayed = Transaction::draft(spec(&["Ada"], rules.clone())).replayed();
        prop_assert_eq!(replayed.rules(), &rules);
    }
}
