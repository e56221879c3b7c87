//! Artifacts by their schemas. Each line cites messages, and quotes are taken from them.

use quorate_contract::{ArtifactKind, BriefArtifact, BriefSources};
use serde::Serialize;

use super::positions::{HeldPosition, positions};
use super::records::{
    Point, last_source, minutes, points, points_about, proposal, proposals, quote_for, sources_of, warning,
};
use super::{json, open};
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::text::{capital, clip, one_line, sentence};

#[derive(Debug, Serialize)]
struct Line {
    text: String,
    sources: Vec<String>,
    quote: Option<String>,
}

pub(super) fn draw(mut scene: AnswerContext<'_>, asked: &BriefArtifact) -> String {
    let given = &asked.sources;
    match asked.artifact {
        ArtifactKind::Adr => json(&adr(&mut scene, given)),
        ArtifactKind::Tasks => json(&tasks(&mut scene, given)),
        ArtifactKind::Risks => json(&risks(&mut scene, given)),
        ArtifactKind::Minutes => json(&minutes(scene, given, None)),
        ArtifactKind::Summary => json(&page(&mut scene, given)),
    }
}

#[derive(Debug, Serialize)]
struct Adr {
    title: String,
    status: &'static str,
    context: String,
    decision: Line,
    options: Vec<Choice>,
    consequences: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Choice {
    name: String,
    pros: Vec<String>,
    cons: Vec<String>,
    sources: Vec<String>,
}

fn adr(scene: &mut AnswerContext<'_>, given: &BriefSources) -> Adr {
    let held = positions(scene);
    let (people, rounds) = (scene.brief.participants.len().to_string(), scene.rounds());
    let context = scene.fixed("adr.context", &[("n", &people), ("r", &rounds)]);
    let decided = decided(scene, given, &held);
    let alone = held.len() <= 1;
    let mut text = scene.fixed("adr.decision", &[("x", &decided.text)]);
    if text.is_empty() {
        text.clone_from(&decided.text);
    }
    let mut options: Vec<Choice> = Vec::new();
    for choice in 0..scene.matter.choices.len() {
        options.extend(option(scene, given, choice, &held, &decided.text));
    }
    if options.is_empty() {
        let sources = decided.sources.clone();
        options.push(Choice { name: clip(&decided.text, 200), pros: Vec::new(), cons: Vec::new(), sources });
    }
    let mut consequences = Vec::new();
    for point in proposals(scene, given, 3) {
        let said = clip(&proposal(scene, &point.quote), 200);
        let text = scene.fixed("adr.consequence", &[("x", &said)]);
        consequences.push(Line { text: clip(&text, 400), sources: vec![point.id], quote: Some(point.quote) });
    }
    if consequences.is_empty() {
        let text = scene.fixed(&scene.matter.ground.section("review", "conclude.review"), &[]);
        consequences.push(Line { text, sources: last_source(given), quote: None });
    }
    Adr {
        title: clip(&scene.fixed("adr.title", &[]), 200),
        status: if alone { "accepted" } else { "proposed" },
        context: sentence(&context, scene.language),
        decision: Line { text: clip(&text, 400), ..decided },
        options,
        consequences,
    }
}

/// The position of the majority, and its sources.
fn decided(scene: &AnswerContext<'_>, given: &BriefSources, held: &[HeldPosition]) -> Line {
    let Some(first) = held.first() else {
        let text = scene.position(scene.leading_choice());
        return Line { text, sources: last_source(given), quote: None };
    };
    let sources = sources_of(given, first);
    let label = scene.matter.find(&first.text).map(|choice| scene.label(choice)).unwrap_or_default();
    let quote = quote_for(given, &label, &sources).filter(|_| !label.is_empty());
    Line { text: first.text.clone(), sources, quote }
}

/// One option of the comparison: arguments of its holders, and of the others.
fn option(
    scene: &mut AnswerContext<'_>,
    given: &BriefSources,
    choice: usize,
    held: &[HeldPosition],
    decided: &str,
) -> Option<Choice> {
    let position = scene.position(choice);
    let holders = held.iter().find(|held| held.text == position).map(|held| held.holders.clone());
    let holders = holders.unwrap_or_default();
    let mut about: Vec<Point> =
        points(given).into_iter().filter(|point| scene.is_reason_for(choice, &point.quote)).collect();
    let mut heard: Vec<String> = Vec::new();
    about.retain(|point| {
        let is_new = !heard.contains(&point.quote);
        heard.push(point.quote.clone());
        is_new
    });
    if about.is_empty() && holders.is_empty() && position != decided {
        return None;
    }
    let said_by = |own: bool| {
        let points = about.iter().filter(|point| holders.contains(&point.by) == own);
        points.map(|point| clip(&capital(&one_line(&point.quote)), 200)).take(2).collect::<Vec<_>>()
    };
    let (mut pros, mut cons) = (said_by(true), said_by(false));
    if !holders.is_empty() {
        let names = super::positions::names(scene, &holders);
        pros.push(clip(&capital(&scene.fixed("adr.pro", &[("n", &names)])), 300));
    }
    if cons.is_empty() {
        let section = match (position == decided, held.len() > 1) {
            (false, _) => "adr.con",
            (true, true) => "adr.con_chosen",
            (true, false) => "adr.con_alone",
        };
        cons.push(capital(&scene.fixed(section, &[])));
    }
    let mut sources: Vec<String> = about.iter().map(|point| point.id.clone()).collect();
    sources.dedup();
    sources.truncate(5);
    if sources.is_empty() {
        sources = last_source(given);
    }
    Some(Choice { name: clip(&position, 200), pros, cons, sources })
}

#[derive(Debug, Serialize)]
struct Tasks {
    tasks: Vec<Task>,
}

#[derive(Debug, Serialize)]
struct Task {
    title: String,
    description: String,
    owner: Option<String>,
    priority: &'static str,
    acceptance: String,
    sources: Vec<String>,
}

fn tasks(scene: &mut AnswerContext<'_>, given: &BriefSources) -> Tasks {
    let mut tasks = Vec::new();
    for (place, point) in proposals(scene, given, 5).into_iter().enumerate() {
        let (by, said) = (scene.name(&point.by), proposal(scene, &point.quote));
        let title = scene.fixed("tasks.title", &[("x", &clip(&said, 60))]);
        let description = scene.fixed("tasks.description", &[("n", &by), ("x", &said)]);
        let acceptance = scene.line("tasks.acceptance", place, &[]);
        tasks.push(Task {
            title: clip(&title, 200),
            description: clip(&sentence(&description, scene.language), 600),
            owner: Some(clip(&one_line(&point.by), 60)),
            priority: ["high", "medium", "low"][place.min(2)],
            acceptance: clip(&capital(&acceptance), 300),
            sources: vec![point.id],
        });
    }
    let title = scene.fixed("tasks.review", &[]);
    let acceptance = capital(&scene.line("tasks.acceptance", 1, &[]));
    let description = sentence(
        &scene.fixed(&scene.matter.ground.section("review", "conclude.review"), &[]),
        scene.language,
    );
    let sources = last_source(given);
    tasks.push(Task {
        title,
        description,
        owner: None,
        priority: "medium",
        acceptance: clip(&acceptance, 300),
        sources,
    });
    Tasks { tasks }
}

#[derive(Debug, Serialize)]
struct Risks {
    risks: Vec<Risk>,
}

#[derive(Debug, Serialize)]
struct Risk {
    risk: String,
    likelihood: &'static str,
    impact: &'static str,
    mitigation: String,
    owner: Option<String>,
    sources: Vec<String>,
}

/// Claims that were raised as risks; where there are none, sentences that sound like one. Each once: message,
/// speaker, text.
fn raised_risks(scene: &AnswerContext<'_>, given: &BriefSources) -> Vec<(String, String, String)> {
    let mut found: Vec<(String, String, String)> = Vec::new();
    for risk in given.risks.iter().filter(|risk| !risk.text.is_empty()) {
        if found.len() < 6 && !found.iter().any(|(_, _, text)| *text == risk.text) {
            found.push((risk.id.clone(), risk.by.clone(), risk.text.clone()));
        }
    }
    if found.is_empty() {
        let points = points_about(scene, given, "record.risk_words", 6).into_iter();
        found.extend(points.map(|point| (point.id, point.by, warning(&point.quote))));
    }
    found
}

fn risks(scene: &mut AnswerContext<'_>, given: &BriefSources) -> Risks {
    const LEVELS: [&str; 3] = ["medium", "high", "low"];
    let mut risks = Vec::new();
    for (place, (id, by, text)) in raised_risks(scene, given).into_iter().enumerate() {
        let mitigation = scene.line("risks.mitigation", place, &[]);
        risks.push(Risk {
            risk: clip(&text, 300),
            likelihood: LEVELS[scene.rng.below(3)],
            impact: LEVELS[scene.rng.below(2)],
            mitigation: sentence(&mitigation, scene.language),
            owner: Some(clip(&one_line(&by), 60)).filter(|_| place < 2),
            sources: vec![id],
        });
    }
    Risks { risks }
}

#[derive(Debug, Serialize)]
struct Page {
    summary: String,
    key_points: Vec<Line>,
    open_questions: Vec<String>,
}

fn page(scene: &mut AnswerContext<'_>, given: &BriefSources) -> Page {
    let held = positions(scene);
    let decided = decided(scene, given, &held);
    let (people, rounds) = (scene.brief.participants.len().to_string(), scene.rounds());
    let summary = scene.fixed("summary.page", &[("n", &people), ("r", &rounds), ("x", &decided.text)]);
    let mut key_points = vec![decided];
    let mut heard: Vec<String> = Vec::new();
    for point in points(given) {
        if key_points.len() < 7 && !heard.contains(&point.by) {
            heard.push(point.by);
            let text = clip(&capital(&one_line(&point.quote)), 400);
            key_points.push(Line { text, sources: vec![point.id], quote: Some(point.quote) });
        }
    }
    let open_questions =
        open::in_round(scene, scene.brief.round).into_iter().map(|one| clip(&one.ask, 300)).collect();
    Page { summary: clip(&sentence(&summary, scene.language), 1800), key_points, open_questions }
}
