//! Skip lists: a participant is asked exactly when somebody said something else, mentioned it, or nobody said anything.

use proptest::prelude::*;
use quorate_contract::*;

use super::cases;
use crate::support::*;

const LIST: [&str; 5] = ["收到", "OK", "thank you", "+1", "/status"];

/// A message, and whether it is one of the phrases.
#[derive(Debug, Clone)]
struct Remark {
    text: String,
    listed: bool,
}

fn listed() -> impl Strategy<Value = Remark> {
    let around = || prop::sample::select(vec!["", " ", "!", "。", "“", "\u{200b} ", "…"]);
    let written = prop::sample::select(vec![
        "收到",
        "ok",
        "ＯＫ",
        "Thank  you",
        "thank\nyou",
        "＋1",
        "/Status",
        "／status now",
        "/status: all of it",
    ]);
    (around(), written, around()).prop_map(|(before, written, after)| {
        // Before a command stand blanks alone.
        let is_command = written.starts_with(['/', '／']);
        let before = if is_command && !before.trim().is_empty() { "" } else { before };
        Remark { text: format!("{before}{written}{after}"), listed: true }
    })
}

fn other() -> impl Strategy<Value = Remark> {
    let written = prop::sample::select(vec![
        "OK, but why?",
        "收到了吗",
        "1",
        "/statuses",
        "see /status",
        "status",
        "thank you all",
        "!?",
        "okay",
    ]);
    written.prop_map(|text| Remark { text: text.to_owned(), listed: false })
}

fn remark() -> impl Strategy<Value = Remark> {
    prop_oneof![3 => listed(), 1 => other()]
}

/// What happens in one round: what Ada says, whether she mentions Ben, what a person says before, and Ben's words.
type Round = (Remark, bool, Option<Remark>, bool);

fn rounds() -> impl Strategy<Value = Vec<Round>> {
    let mentions = prop::bool::weighted(0.15);
    prop::collection::vec((remark(), mentions, prop::option::weighted(0.3, remark()), any::<bool>()), 1..12)
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn a_participant_is_asked_unless_only_phrases_of_its_skip_list_were_said(rounds in rounds()) {
        let mut rules = Format::Room.rules();
        (rules.limits.rounds_stale, rules.limits.rounds_alone) = (0, 0);
        let mut spec = MeetingSpec { format: Format::Room, ..spec(&["Ada", "Ben"], rules) };
        spec.participants[1].skip_list = LIST.map(str::to_owned).to_vec();
        let mut table = Transaction::started(spec);
        // What was said since Ben's last word.
        let mut since: Vec<bool> = Vec::new();
        for (remark, mentions, of_person, speaks) in rounds {
            if let Some(said) = of_person {
                table.says(&said.text);
                since.push(said.listed);
            }
            prop_assert_eq!(table.speaker(), "Ada");
            let text = if mentions { format!("{} @Ben", remark.text) } else { remark.text };
            let before = table.log.len();
            table.hears("Ada", &text);
            since.push(remark.listed && !mentions);
            let skip = table.log[before..].iter().find_map(|event| match &event.body {
                EventBody::TurnSkipped { turn, phrases, reason: SkipReason::SkipList, .. } => {
                    Some((*turn, phrases.clone()))
                }
                _ => None,
            });
            let need_not = since.iter().all(|listed| *listed);
            prop_assert_eq!(skip.is_some(), need_not, "{:?}", &table);
            if let Some((turn, phrases)) = skip {
                prop_assert!(!phrases.is_empty() && phrases.iter().all(|one| LIST.contains(&one.as_str())));
                let called = |event: &Event| {
                    matches!(&event.body, EventBody::CallStarted { task: TaskId::Speak(of), .. } if *of == turn)
                };
                prop_assert!(!table.log.iter().any(called), "{:?}", &table);
                continue;
            }
            prop_assert_eq!(table.speaker(), "Ben");
            // Whoever is mentioned cannot skip.
            let mentioned = table.meeting.round().and_then(|round| round.turns.last()).is_some_and(|turn| !turn.can_skip);
            if speaks || mentioned {
                table.hears("Ben", "I see it otherwise.");
                since.clear();
            } else {
                table.hears("Ben", "[SKIP]");
            }
        }
        prop_assert_eq!(table.replayed().state_hash(), table.meeting.state_hash());
    }
}
