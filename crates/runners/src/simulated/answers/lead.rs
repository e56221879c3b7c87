//! Turns of a leader: a host gives the floor by naming who is to answer; a moderator guides.

use quorate_contract::{BriefItem, BriefTurn};

use super::positions::{names, positions};
use super::speak::{Trailer, with_trailer};
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::text::{excerpt, one_line, sentence, within_quotes};

/// A host's turn: one to three participants are called, in order, so that none is left out for long. When all
/// were asked twice and the agenda is done, it sums up.
pub(super) fn host(mut scene: AnswerContext<'_>, asked: &BriefTurn) -> String {
    let language = scene.language;
    let round = scene.brief.round.max(1) as usize;
    let others: Vec<String> = others(&scene);
    let at_once = match others.len() {
        0..=2 => 1,
        3 | 4 => 2,
        _ => 3,
    };
    let lap = others.len().div_ceil(at_once).max(1);
    let person = asked.steering.clone().filter(|_| !asked.focus.is_empty());
    let (items, done) = agenda(&mut scene, asked);
    let open = scene.brief.agenda.iter().filter(|item| !item.completed).count() > done.len();
    let closes = round > 2 * lap && person.is_none() && !open;
    let mut said: Vec<String> = Vec::new();
    if let Some(words) = &person {
        let quoted = excerpt(words, language);
        let text = scene.shared("host.person", 0, &[("s", &quoted)]);
        said.push(sentence(&text, language));
    } else if round == 1 {
        let text = scene.shared("host.open", 0, &[]);
        said.push(sentence(&text, language));
    } else if closes
        || (round == lap + 1
            && scene.brief.participants.iter().any(|participant| participant.position.is_some()))
    {
        said.push(summing_up(&mut scene));
    } else {
        let (count, leading) = (positions(&scene).len(), scene.leading_choice());
        let (count, label) = (count.to_string(), scene.label(leading));
        let text = scene.fresh("host.lead", 0, &[("m", &count), ("d", &label)]);
        said.extend(text.map(|text| sentence(&text, language)));
    }
    said.extend(items);
    if closes {
        let text = scene.fixed("host.close", &[]);
        said.push(sentence(&text, language));
    } else {
        let first = (round - 1) * at_once;
        for step in 0..at_once.min(others.len()) {
            let name = callable(&others[(first + step) % others.len()]);
            let ask = scene.line("host.ask", if round == 1 { 0 } else { round + step * 3 }, &[("n", &name)]);
            said.push(ask);
        }
    }
    let own = scene.own_choice();
    let trailer =
        Trailer { position: scene.position(own), confidence: 60, agenda_done: done, ..Trailer::default() };
    with_trailer(&said.join("\n\n"), &trailer)
}

/// A moderator's words before its own turn, and the items that are done.
pub(super) fn guide(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> (String, Vec<String>) {
    let (items, done) = agenda(scene, asked);
    let guidance = scene.fresh("moderate.guide", 0, &[]);
    let mut said: Vec<String> = guidance.map(|text| sentence(&text, scene.language)).into_iter().collect();
    said.extend(items);
    let others = others(scene);
    if !others.is_empty() && scene.rng.chance(40) {
        let name = callable(&others[scene.rng.below(others.len())]);
        let place = 1 + scene.rng.below(7);
        said.push(scene.line("host.ask", place, &[("n", &name)]));
    }
    (said.join("\n\n"), done)
}

/// The items of the agenda: the first that is open is done after a round or two, and the next begins.
fn agenda(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> (Vec<String>, Vec<String>) {
    let language = scene.language;
    let open: Vec<&BriefItem> = scene.brief.agenda.iter().filter(|item| !item.completed).collect();
    let rounds_left = asked.last_round.saturating_sub(scene.brief.round) as usize;
    let due = scene.brief.round >= 2 && (scene.brief.round.is_multiple_of(2) || open.len() > rounds_left);
    let (done, next) = match (due, open.as_slice()) {
        (_, []) => (None, None),
        (true, [first, rest @ ..]) => (Some(*first), rest.first().copied()),
        (false, [first, ..]) => (None, Some(*first)),
    };
    let mut said = Vec::new();
    for (section, item) in [("host.item_done", done), ("host.item", next)] {
        if let Some(item) = item {
            let title = within_quotes(&one_line(&item.title));
            said.push(sentence(&scene.fixed(section, &[("x", &title)]), language));
        }
    }
    (said, done.map(|item| item.id.clone()).into_iter().collect())
}

fn summing_up(scene: &mut AnswerContext<'_>) -> String {
    let mut text = sentence(&scene.fixed("host.sum", &[]), scene.language);
    for held in positions(scene) {
        let names = names(scene, &held.holders);
        let line = scene.fixed("summary.position", &[("x", &held.text), ("n", &names)]);
        text.push_str(&format!("\n- {line}"));
    }
    text
}

/// The names of the others that can be called.
fn others(scene: &AnswerContext<'_>) -> Vec<String> {
    let participants = scene.brief.participants.iter().map(|participant| &participant.name);
    let fits =
        |name: &&String| **name != scene.brief.name && !name.trim().is_empty() && !name.contains(['"', '@']);
    participants.filter(fits).filter(|name| !name.chars().any(char::is_control)).cloned().collect()
}

/// A name in the form of a mention, behind an `@`.
pub(super) fn callable(name: &str) -> String {
    if name.chars().any(char::is_whitespace) { format!("\"{name}\"") } else { name.to_owned() }
}
