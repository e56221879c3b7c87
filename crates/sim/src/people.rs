//! What people wish of a meeting, and now and then of the wrong one.

use quorate_core::*;

use crate::dice::Dice;
use crate::founding;
use crate::weather::Act;
use crate::world;

/// Whoever does it.
pub(crate) const BY: &str = "user:owner";

/// The wish that belongs to an act, as the meeting stands.
pub(crate) fn wish(act: Act, dice: &mut Dice, meeting: &Meeting, founding: &Founding) -> Command {
    let by = BY.to_owned();
    let names: Vec<String> = meeting.present().map(|seat| seat.participant.name.clone()).collect();
    // Mostly somebody at the table, at times somebody who is not.
    let somebody = match names.get(dice.place(names.len() + 1)) {
        Some(name) => name.clone(),
        None => founding::any_name(dice).to_owned(),
    };
    match act {
        Act::CreateAgain => Command::Create { by, founding: Box::new(founding.clone()) },
        Act::Start => Command::Start { by },
        Act::Say => Command::Say { by, content: world::words(dice, &names, false) },
        Act::Mention => Command::Say { by, content: world::words(dice, &names, true) },
        Act::SayNothing => Command::Say { by, content: " \u{1b} ".into() },
        Act::RequestSpeaker => Command::RequestSpeaker { by, participant: somebody },
        Act::Join => Command::Join { by, newcomer: Box::new(founding::latecomer(dice)) },
        Act::Leave => Command::Leave { by, participant: somebody },
        Act::Pause => Command::Pause { by, at_once: false },
        Act::PauseAtOnce => Command::Pause { by, at_once: true },
        Act::Resume => {
            let answers = [("why".to_owned(), serde_json::json!({ "sure": dice.share() }))];
            Command::Resume { by, token: None, answers: answers.into(), take_defaults: true }
        }
        Act::ResumeWithAnyToken => Command::Resume {
            by,
            token: Some("0000".into()),
            answers: Default::default(),
            take_defaults: true,
        },
        Act::End => Command::End { by, note: "enough".into() },
    }
}
