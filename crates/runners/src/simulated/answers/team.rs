//! Candidates: a team for a topic, a newcomer between two rounds, a participant from a sentence.

use quorate_contract::{BriefInvitation, BriefOffer, BriefTeam, Language, Temperament};
use serde::Serialize;

use crate::simulated::answer_context::AnswerContext;
use crate::simulated::faults;
use crate::simulated::text::{capital, clip, mentions, one_line, sentence};

#[derive(Debug, Serialize)]
pub(super) struct Team {
    candidates: Vec<Candidate>,
}

#[derive(Debug, Serialize)]
pub(super) struct Candidate {
    name: String,
    role: String,
    description: String,
    focus: String,
    system_prompt: String,
    model: String,
    temperature: f64,
    reason: String,
}

/// A whole team when there are no participants; later mostly none, now and then one.
pub(super) fn propose(mut scene: AnswerContext<'_>, asked: &BriefTeam) -> Team {
    let first = scene.brief.participants.is_empty();
    let seats = asked.seats as usize;
    let mut candidates = Vec::new();
    if let Some(request) = asked.request.as_ref().filter(|_| seats > 0) {
        candidates.push(wanted(&mut scene, &asked.models, request, 0));
    }
    if first {
        let life = ["topic.life"]
            .iter()
            .any(|section| scene.lines(section).iter().any(|word| mentions(&scene.brief.topic, word)));
        let section = if life { "team.life" } else { "team.roles" };
        let lines = scene.lines(section).to_vec();
        // Tension first: the first three of the list differ most; the dice choose the others.
        let rest = scene.rng.order(lines.len().saturating_sub(3)).into_iter().map(|place| place + 3);
        let more = scene.lines(if life { "team.roles" } else { "team.late" }).to_vec();
        let chosen = (0..3.min(lines.len())).chain(rest).map(|place| lines[place]).chain(more);
        for line in chosen {
            if candidates.len() < seats {
                candidates.push(from_line(&mut scene, &asked.models, line, candidates.len()));
            }
        }
    } else if candidates.is_empty() && seats > 0 && scene.rng.chance(30) {
        let place = scene.brief.round as usize + scene.rng.below(2);
        let lines = scene.lines("team.late");
        let line = lines[place % lines.len()];
        candidates.push(from_line(&mut scene, &asked.models, line, 0));
    }
    candidates.truncate(seats);
    Team { candidates }
}

/// A participant made from a person's sentence.
pub(super) fn invite(mut scene: AnswerContext<'_>, asked: &BriefInvitation) -> Candidate {
    wanted(&mut scene, &asked.models, &asked.request, 0)
}

fn from_line(scene: &mut AnswerContext<'_>, models: &[BriefOffer], line: &str, place: usize) -> Candidate {
    let mut parts = line.split('|');
    let mut next = || parts.next().unwrap_or_default().to_owned();
    let (role, description, focus, reason) = (next(), next(), next(), next());
    candidate(scene, models, place, role, description, focus, reason)
}

fn wanted(scene: &mut AnswerContext<'_>, models: &[BriefOffer], request: &str, place: usize) -> Candidate {
    let role = role_in(request, scene.language);
    let described = clip(one_line(request).trim_end_matches(['。', '.', '！', '!']), 300);
    let description = scene.fixed("invite.describe", &[("x", &capital(&described))]);
    let reason = scene.fixed("invite.reason", &[("x", &role)]);
    candidate(scene, models, place, role.clone(), description, role, reason)
}

fn candidate(
    scene: &mut AnswerContext<'_>,
    models: &[BriefOffer],
    place: usize,
    role: String,
    description: String,
    focus: String,
    reason: String,
) -> Candidate {
    let language = scene.language;
    let prompt = scene.line("team.prompt", place, &[("f", &focus)]);
    let mut reason = sentence(&reason, language);
    if scene.temperament == Temperament::Injecting {
        reason = format!("{reason} {}", faults::forged_frame(scene));
    }
    Candidate {
        name: name(scene, place),
        role: clip(&role, 50),
        description: clip(&sentence(&description, language), 600),
        focus: clip(&capital(&focus), 300),
        system_prompt: sentence(&prompt, language),
        model: model(scene, models, place),
        temperature: f64::from(scene.rng.between(3, 11)) / 10.0,
        reason: clip(&reason, 300),
    }
}

/// A name that no participant has; the candidates of one answer have different ones.
fn name(scene: &AnswerContext<'_>, place: usize) -> String {
    let names = scene.lines("cast.names");
    let order = crate::simulated::rng::Rng::new(&[scene.brief.seed, 0x7ea3]).order(names.len());
    let taken = |name: &str| scene.brief.participants.iter().any(|participant| participant.name == name);
    let free: Vec<&str> = order.into_iter().map(|at| names[at]).filter(|name| !taken(name)).collect();
    match free.get(place) {
        Some(name) => (*name).to_owned(),
        None => format!("{}{}", names[place % names.len()], scene.brief.participants.len() + place),
    }
}

/// Each its own model, as long as there are enough; empty when there are none to choose from.
fn model(scene: &AnswerContext<'_>, models: &[BriefOffer], place: usize) -> String {
    let order = crate::simulated::rng::Rng::new(&[scene.brief.seed, 0x30de]).order(models.len());
    match order.get(place % models.len().max(1)) {
        Some(at) => models[*at].name.clone(),
        None => String::new(),
    }
}

/// The role in a sentence that describes a participant.
fn role_in(request: &str, language: Language) -> String {
    let line = one_line(request);
    let clause =
        line.split(['，', '。', '；', '、', ',', '.', ';', ':', '：', '！', '!']).next().unwrap_or_default();
    let role = match language {
        Language::Zh => {
            let starts = [
                "我们",
                "我",
                "想要",
                "想",
                "需要",
                "希望",
                "能不能",
                "请来",
                "请",
                "邀请",
                "再",
                "找",
                "来",
                "加",
                "有没有",
                "一位",
                "一个",
                "一名",
                "位",
                "个",
            ];
            let mut rest = clause.trim();
            while let Some(shorter) = starts.iter().find_map(|start| rest.strip_prefix(start)) {
                rest = shorter.trim_start();
            }
            let tail = rest.rsplit('的').next().unwrap_or(rest);
            if (2..=12).contains(&tail.chars().count()) { tail.to_owned() } else { clip(rest, 14) }
        }
        Language::En => {
            let starts = [
                "please ",
                "i want ",
                "we want ",
                "i need ",
                "we need ",
                "i would like ",
                "invite ",
                "bring in ",
                "add ",
                "somebody ",
                "someone ",
                "who is ",
                "who knows ",
                "a person ",
                "a ",
                "an ",
                "the ",
            ];
            let mut rest = clause.trim();
            while let Some(shorter) = starts.iter().find_map(|start| {
                rest.get(..start.len())
                    .filter(|head| head.eq_ignore_ascii_case(start))
                    .map(|_| &rest[start.len()..])
            }) {
                rest = shorter.trim_start();
            }
            let head = [" who ", " that ", " with ", " to ", " from ", " for "]
                .iter()
                .fold(rest, |head, word| head.split(word).next().unwrap_or(head));
            capital(&head.split_whitespace().take(5).collect::<Vec<_>>().join(" "))
        }
    };
    match (role.is_empty(), language) {
        (false, _) => role,
        (true, Language::Zh) => "特邀成员".to_owned(),
        (true, Language::En) => "Guest".to_owned(),
    }
}
