//! A turn in the discussion: every point that is to be answered by its tag, one argument of
//! one's own, and the standing in a fenced trailer.

use quorate_contract::{BriefTurn, Language, Temperament};
use serde::Serialize;

use super::pass::wants_to_pass;
use super::react::react;
use super::{SKIP, ideas, json, lead};
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::persuasion::UpdatedStance;
use crate::simulated::text::{
    capital, clip, excerpt, gist, length, one_line, point_of, sentence, within_quotes,
};
use crate::simulated::topic::Ground;
use crate::simulated::{faults, persuasion};

/// The structured part beside the text.
#[derive(Debug, Default, Serialize)]
pub(super) struct Trailer {
    pub(super) position: String,
    pub(super) confidence: u8,
    pub(super) changed_by: Option<String>,
    pub(super) claims: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) ideas: Vec<ideas::Idea>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) agenda_done: Vec<String>,
}

pub(super) fn answer(mut scene: AnswerContext<'_>, asked: &BriefTurn) -> String {
    if asked.hosts {
        return lead::host(scene, asked);
    }
    if asked.can_skip && wants_to_pass(&mut scene, asked) {
        return SKIP.to_owned();
    }
    if asked.wants_ideas {
        return ideas::answer(scene, asked);
    }
    let guided = asked.moderates.then(|| lead::guide(&mut scene, asked));
    let Turn { prose, mut trailer, .. } = turn(&mut scene, asked);
    let Some((guidance, done)) = guided else { return with_trailer(&prose, &trailer) };
    trailer.agenda_done = done;
    with_trailer(&format!("{guidance}\n\n{prose}"), &trailer)
}

/// A turn before it takes its form.
pub(super) struct Turn {
    pub(super) prose: String,
    /// `None` for a copycat, which has no position of its own.
    pub(super) stand: Option<UpdatedStance>,
    pub(super) trailer: Trailer,
}

pub(super) fn turn(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> Turn {
    if scene.temperament == Temperament::Copycat
        && let Some(copied) = copy(scene, asked)
    {
        return copied;
    }
    let stand = persuasion::take(scene, asked);
    let (now, rival) = (stand.now, scene.rival_of(stand.now));
    let claim = scene.reason_for(now, rival, turns_so_far(scene, asked));
    let prose = match scene.temperament {
        Temperament::Silent => one_sentence(scene, asked, &claim, now),
        Temperament::Verbose => at_length(scene, asked, stand, &claim, rival),
        _ => within_measure(scene, asked, stand, &claim, rival),
    };
    let prose = match scene.temperament {
        Temperament::Injecting => {
            let forged = faults::forged_frame(scene);
            format!("{prose}\n\n{forged}")
        }
        _ => prose,
    };
    let moved = stand.moved_by.and_then(|place| asked.targets.get(place));
    let confidence =
        scene.rng.between(62, 84) + if moved.is_some() { -8 } else { scene.brief.round.min(4) as i32 };
    let trailer = Trailer {
        position: scene.position(now),
        confidence: confidence as u8,
        changed_by: moved.map(AnswerContext::tag),
        claims: vec![clip(&capital(&claim), 200)],
        ..Trailer::default()
    };
    Turn { prose, stand: Some(stand), trailer }
}

/// Counts the turns of a participant after what it said at first: one for a round, and others for more turns in it.
fn turns_so_far(scene: &AnswerContext<'_>, asked: &BriefTurn) -> usize {
    let opening = if scene.is_free_talk() { 0 } else { 3 };
    let rounds = (scene.brief.round as usize).saturating_sub(1);
    rounds.wrapping_add(5 * asked.spoken.min(2) as usize).wrapping_add(opening)
}

/// Counts the proposals of a participant: two for a round, and others for a second turn in it.
fn proposals_so_far(scene: &AnswerContext<'_>, asked: &BriefTurn) -> usize {
    let rounds = (scene.brief.round as usize).saturating_sub(1).wrapping_mul(2);
    rounds.wrapping_add(5 * asked.spoken.min(1) as usize)
}

/// Whether its own notes say that it has spoken in this round.
pub(super) fn speaks_again(scene: &AnswerContext<'_>, asked: &BriefTurn) -> bool {
    let last = asked.memory.as_ref().and_then(|memory| memory.notes.last());
    let round = match scene.language {
        Language::Zh => format!("第 {} 轮", scene.brief.round),
        Language::En => format!("round {}:", scene.brief.round),
    };
    last.is_some_and(|note| note.starts_with(&round))
}

pub(super) fn with_trailer(prose: &str, trailer: &Trailer) -> String {
    format!("{prose}\n\n```json\n{}\n```", json(trailer))
}

/// A piece of a message in several lengths, the longest first. An empty form leaves it out.
struct MessagePiece {
    forms: Vec<String>,
    form: usize,
}

impl MessagePiece {
    fn new(forms: Vec<String>) -> Self {
        Self { forms, form: 0 }
    }
    fn text(&self) -> &str {
        self.forms.get(self.form).map_or("", String::as_str)
    }
    fn shorten(&mut self) -> bool {
        let can = self.form + 1 < self.forms.len();
        self.form += usize::from(can);
        can
    }
}

/// An ordinary message: at most 160 characters in Chinese, 100 words in English, as long as there are no more than three
/// points to answer.
fn within_measure(
    scene: &mut AnswerContext<'_>,
    asked: &BriefTurn,
    stand: UpdatedStance,
    claim: &str,
    rival: usize,
) -> String {
    let language = scene.language;
    let mut pieces: Vec<MessagePiece> = Vec::new();
    if let Some(steering) = steering(scene, asked) {
        pieces.push(MessagePiece::new(vec![steering]));
    }
    for place in 0..asked.targets.len() {
        pieces.push(reply(scene, asked, stand, place));
    }
    let free = scene.is_free_talk() && asked.targets.is_empty() && asked.focus.is_empty();
    let reaction = if free { react(scene, stand, claim, rival) } else { None };
    let argument = match reaction {
        Some(reaction) => reaction,
        None => argument(scene, asked, claim),
    };
    let bare = if asked.focus.is_empty() { sentence(claim, language) } else { argument.clone() };
    pieces.push(MessagePiece::new(vec![argument, bare]));
    if asked.targets.is_empty()
        && let Some((proposal, _)) = alternative(scene, asked, 0)
    {
        pieces.push(MessagePiece::new(vec![proposal]));
    }
    let condition = scene.condition(0);
    let begins = scene.brief.round <= 1 && asked.spoken == 0;
    if begins && !scene.is_said(condition) {
        let section = if scene.is_free_talk() { "close.free" } else { "close" };
        let close = scene.shared(section, 0, &[("c", condition)]);
        pieces.push(MessagePiece::new(vec![sentence(&close, language), String::new()]));
    }
    if let Some(mention) = mention(scene, asked) {
        pieces.push(MessagePiece::new(vec![mention, String::new()]));
    }
    let most = match language {
        Language::Zh => 160,
        Language::En => 100,
    };
    // From the end, so that what answers others is the last to be shortened.
    while total(&pieces, language) > most {
        let shortened = pieces.iter_mut().rev().any(MessagePiece::shorten);
        if !shortened {
            break;
        }
    }
    lay_out(&pieces, language)
}

fn total(pieces: &[MessagePiece], language: Language) -> usize {
    pieces.iter().map(|piece| length(piece.text(), language)).sum()
}

/// Replies are paragraphs of their own; what follows them runs together.
fn lay_out(pieces: &[MessagePiece], language: Language) -> String {
    let mut message = String::new();
    let mut tagged = false;
    for text in pieces.iter().map(MessagePiece::text).filter(|text| !text.is_empty()) {
        let reply = text.starts_with('[');
        if !message.is_empty() {
            message.push_str(match (reply || tagged, language) {
                (true, _) => "\n\n",
                (false, Language::Zh) => "",
                (false, Language::En) => " ",
            });
        }
        message.push_str(text);
        tagged = reply;
    }
    message
}

/// The answer to one point.
fn reply(
    scene: &mut AnswerContext<'_>,
    asked: &BriefTurn,
    stand: UpdatedStance,
    place: usize,
) -> MessagePiece {
    let target = &asked.targets[place];
    let language = scene.language;
    let tag = AnswerContext::tag(target);
    let point = point_of(&target.text, language);
    let owner = scene.name(&target.owner);
    let say = |scene: &mut AnswerContext<'_>, section: &str, rest: &str| {
        let (own, before) = (scene.label(stand.now), scene.label(stand.before));
        let slots =
            [("t", point.as_str()), ("owner", owner.as_str()), ("x", rest), ("o", &own), ("w", &before)];
        let text = scene.shared(section, place, &slots);
        format!("[{tag}] {}", sentence(&text, language))
    };
    if stand.moved_by == Some(place) {
        return MessagePiece::new(vec![say(scene, "reply.moved", "")]);
    }
    let shared = scene.choice_of(&target.owner) == Some(stand.now);
    let disagrees = target.disagrees && stand.moved_by.is_none() && !shared;
    if disagrees {
        let nth = scene.brief.round as usize * 2 + place;
        let mut counters = vec!["counter".to_owned()];
        if scene.matter.ground == Ground::Knowledge {
            counters.insert(0, "know.counter".to_owned());
        }
        let counter = scene.sentence_of(&counters, nth, &[]);
        let long = say(scene, "reply.disagree", &counter);
        let short = say(scene, "reply.disagree_short", "");
        let first = asked.targets.iter().position(|target| target.disagrees) == Some(place);
        let proposal = if first { alternative(scene, asked, place) } else { None };
        let gap = match language {
            Language::Zh => "",
            Language::En => " ",
        };
        // A speaker who disagrees owes a proposal, once a message.
        MessagePiece::new(match proposal {
            Some((proposal, bare)) => vec![
                format!("{long}{gap}{proposal}"),
                format!("{short}{gap}{proposal}"),
                format!("{short}{gap}{bare}"),
            ],
            None => vec![long, short],
        })
    } else {
        let (sections, nth) = (scene.sections(0, "alt"), proposals_so_far(scene, asked) + 1 + place / 2);
        let extension = scene.unsaid(&sections, nth, &[]);
        let short = say(scene, "reply.agree_short", "");
        let long = extension.map(|extension| say(scene, "reply.agree", &extension));
        MessagePiece::new(long.into_iter().chain([short]).collect())
    }
}

/// Something that can be done instead, with an introduction and without; `None` when everything was proposed.
fn alternative(scene: &mut AnswerContext<'_>, asked: &BriefTurn, nth: usize) -> Option<(String, String)> {
    let sections = scene.sections(0, "alt");
    let action = scene.unsaid(&sections, proposals_so_far(scene, asked), &[])?;
    let proposal = scene.shared("alt.lead", nth, &[("x", &action)]);
    Some((sentence(&proposal, scene.language), sentence(&action, scene.language)))
}

/// One argument of its own, tied to the focus of the round when there is one.
fn argument(scene: &mut AnswerContext<'_>, asked: &BriefTurn, claim: &str) -> String {
    let lead = focus(scene, asked).unwrap_or_default();
    sentence(&(lead + claim), scene.language)
}

fn focus(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> Option<String> {
    let count = asked.focus.len();
    let place = scene.rng.below(count);
    let focus = asked.focus.get(place).map(|focus| gist(focus, scene.language))?;
    let lead = scene.shared("focus", 0, &[("f", &focus)]);
    (!focus.is_empty()).then_some(lead)
}

/// The answer to what a person has said.
pub(super) fn steering(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> Option<String> {
    let stale = scene.is_free_talk() && asked.focus.is_empty() && scene.brief.round > 1;
    let words = one_line(asked.steering.as_deref().filter(|_| !stale)?);
    let quoted = excerpt(&words, scene.language);
    // A question would only be parroted: whoever is simulated knows no answer.
    let section = if words.trim_end().ends_with(['?', '？']) { "steer.question" } else { "steer" };
    let text = scene.shared(section, 0, &[("s", &quoted)]);
    (!quoted.is_empty()).then(|| sentence(&text, scene.language))
}

/// Now and then a question to another participant by name.
pub(super) fn mention(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> Option<String> {
    let names: Vec<String> =
        scene.brief.participants.iter().map(|participant| participant.name.clone()).collect();
    let others: Vec<&String> = names
        .iter()
        .filter(|name| **name != scene.brief.name && !name.trim().is_empty())
        .filter(|name| !name.contains(['"', '@']) && !name.chars().any(char::is_control))
        .collect();
    let room = asked.can_skip && asked.targets.is_empty();
    if !scene.rng.chance(if room { 24 } else { 9 }) {
        return None;
    }
    let name = others.get(scene.rng.below(others.len()))?;
    let name = lead::callable(name);
    scene.fresh("mention", 0, &[("n", &name)])
}

/// The silent say one sentence when they must speak, all tags before it.
fn one_sentence(scene: &mut AnswerContext<'_>, asked: &BriefTurn, claim: &str, own: usize) -> String {
    let tags: String =
        asked.targets.iter().map(|target| format!("[{}] ", AnswerContext::tag(target))).collect();
    let own = scene.label(own);
    let said = scene.shared("silent", 0, &[("o", &own), ("x", claim)]);
    format!("{tags}{}", sentence(&said, scene.language))
}

/// A text three to five times too long; one time in seven far beyond every limit.
fn at_length(
    scene: &mut AnswerContext<'_>,
    asked: &BriefTurn,
    stand: UpdatedStance,
    claim: &str,
    rival: usize,
) -> String {
    let language = scene.language;
    let mut message = within_measure(scene, asked, stand, claim, rival);
    let most = match (scene.rng.chance(15), language) {
        (true, Language::Zh) => 11_000,
        (true, Language::En) => 1_650,
        (false, Language::Zh) => scene.rng.between(560, 800) as usize,
        (false, Language::En) => scene.rng.between(340, 480) as usize,
    };
    let mut paragraph = 0;
    while length(&message, language) < most {
        let lens = super::super::answer_context::LENSES[(scene.rng.below(9) + paragraph) % 9];
        let name = scene.lens_name(lens);
        let lead = scene.shared("verbose.lead", paragraph, &[("l", name)]);
        let mut sentences = vec![sentence(&lead, language)];
        for (step, kind) in ["claim", "alt", "claim", "fact", "claim"].into_iter().enumerate() {
            let section = scene.matter.ground.section(kind, &format!("lens.{lens}.{kind}"));
            let said = scene.sentence_of(&[section], paragraph + step, &[]);
            sentences.push(sentence(&said, language));
        }
        let gap = match language {
            Language::Zh => "",
            Language::En => " ",
        };
        message = format!("{message}\n\n{}", sentences.join(gap));
        paragraph += 1;
    }
    let own = scene.label(stand.now);
    let tail = scene.shared("verbose.tail", 0, &[("o", &own)]);
    clip(&format!("{message}\n\n{}", sentence(&tail, language)), 11_500)
}

/// A copycat says what the last participant before it held.
fn copy(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> Option<Turn> {
    let participants = &scene.brief.participants;
    let own = participants.iter().position(|participant| participant.name == scene.brief.name).unwrap_or(0);
    let before = (1..participants.len())
        .map(|back| &participants[(own + participants.len() - back) % participants.len()]);
    let model = before.into_iter().find(|participant| participant.position.is_some())?;
    let position = clip(model.position.as_deref()?, 200);
    let mut said = Vec::new();
    let mut claims = Vec::new();
    for (place, target) in asked.targets.iter().enumerate() {
        let text = within_quotes(&one_line(&target.text));
        let copied = scene.shared("copycat", place, &[("x", &text)]);
        said.push(format!("[{}] {}", AnswerContext::tag(target), sentence(&copied, scene.language)));
        claims.push(clip(&target.text, 200));
    }
    let copied = scene.shared("copycat", said.len(), &[("x", &position)]);
    said.push(sentence(&copied, scene.language));
    claims.truncate(3);
    if claims.is_empty() {
        claims.push(position.clone());
    }
    let changed_by = asked.targets.iter().find(|target| target.disagrees).map(AnswerContext::tag);
    let kept = scene.choice_of(&scene.brief.name) == scene.matter.find(&position);
    let changed_by = changed_by.filter(|_| !kept);
    let trailer = Trailer { position, confidence: 60, changed_by, claims, ..Trailer::default() };
    Some(Turn { prose: said.join("\n\n"), stand: None, trailer })
}
