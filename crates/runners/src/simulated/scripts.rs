//! Written scripts for the example topics, one for each topic and language, kept as data in `scripts/`.
//!
//! A script says what each member of its cast says in each round, what it votes and why, and what the facilitator
//! writes. It does not say what comes of it: an answer out of a script is read, counted and folded as any other.
//! Who reads a meeting's topic here gets its script; what a script does not foresee is generated
//! (`answers/scripted.rs`).

use std::sync::LazyLock;

use quorate_contract::{Brief, Format, Language};
use serde::Deserialize;

use super::text::one_line;

/// A script, as its file says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Script {
    /// The topic, word for word.
    pub(super) topic: String,
    /// A short phrase for what the topic is about.
    pub(super) key: String,
    /// The format that the script is written for.
    pub(super) format: Format,
    /// Its participants, in the order of their seats.
    pub(super) cast: Vec<Member>,
    /// The positions that participants hold; those of ideas are written out in the turns.
    #[serde(default)]
    pub(super) choices: Vec<ScriptChoice>,
    #[serde(default)]
    pub(super) intake: Vec<Question>,
    #[serde(default)]
    pub(super) blind: Vec<Opening>,
    #[serde(default)]
    pub(super) turns: Vec<Turn>,
    #[serde(default)]
    pub(super) votes: Vec<Vote>,
    #[serde(default)]
    pub(super) summaries: Vec<Summary>,
    #[serde(default)]
    pub(super) facilitations: Vec<Facilitation>,
    #[serde(default)]
    pub(super) marks: Vec<Mark>,
    pub(super) conclusion: Conclusion,
    pub(super) minutes: Option<Minutes>,
    pub(super) adr: Option<Adr>,
    #[serde(default)]
    pub(super) tasks: Vec<Task>,
    #[serde(default)]
    pub(super) risks: Vec<Risk>,
}

/// A participant of a script.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) role: String,
    pub(super) description: String,
}

/// One answer to the topic.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptChoice {
    /// The name by which the rest of the script refers to it.
    pub(super) id: String,
    /// Its name within a generated sentence.
    pub(super) label: String,
    /// The position of its holders, at most 200 characters.
    pub(super) position: String,
}

/// A question to the person who asks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// The round before which it is asked; 0 is the start.
    pub(super) round: u32,
    pub(super) key: String,
    pub(super) ask: String,
    pub(super) why: String,
    #[serde(default)]
    pub(super) required: bool,
    pub(super) kind: String,
    #[serde(default)]
    pub(super) choices: Vec<String>,
}

/// A first answer, without sight of the others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Opening {
    pub(super) by: String,
    pub(super) position: String,
    pub(super) confidence: u8,
    pub(super) claims: Vec<String>,
    #[serde(default)]
    pub(super) facts: Vec<String>,
    pub(super) change: String,
}

/// A turn. A paragraph that begins with `[Name]` answers the points of that participant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Turn {
    pub(super) round: u32,
    /// How often it has spoken in this round before: 1 for the answer to a mention.
    #[serde(default)]
    pub(super) nth: u32,
    pub(super) by: String,
    pub(super) text: String,
    /// A choice, or a position in its own words.
    pub(super) position: String,
    pub(super) confidence: u8,
    /// The participant whose point has changed the position.
    pub(super) moved_by: Option<String>,
    #[serde(default)]
    pub(super) claims: Vec<String>,
    #[serde(default)]
    pub(super) risks: Vec<String>,
    #[serde(default)]
    pub(super) questions: Vec<String>,
    #[serde(default)]
    pub(super) ideas: Vec<Idea>,
    /// What it notes for itself, where the rules ask for notes.
    #[serde(default)]
    pub(super) notes: Vec<String>,
}

/// An idea of a turn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Idea {
    pub(super) text: String,
    /// Words of the idea that it builds on.
    pub(super) on: Option<String>,
}

/// A vote on the draft of its round.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vote {
    pub(super) round: u32,
    pub(super) by: String,
    pub(super) score: u8,
    pub(super) reason: String,
    #[serde(default)]
    pub(super) missing: Vec<String>,
}

/// A round's summary, without the holders of positions: they are read off the meeting.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Summary {
    pub(super) round: u32,
    pub(super) text: String,
    #[serde(default)]
    pub(super) draft: String,
    #[serde(default)]
    pub(super) open: Vec<String>,
    #[serde(default)]
    pub(super) divided: Vec<String>,
}

/// Why a ballot failed, and the next focus.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Facilitation {
    pub(super) round: u32,
    pub(super) disagreements: Vec<String>,
    pub(super) patch: String,
    pub(super) focus: Vec<String>,
}

/// A mark for a round.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mark {
    pub(super) round: u32,
    pub(super) name: String,
    pub(super) score: u8,
    pub(super) reason: String,
}

/// The end of the meeting.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Conclusion {
    /// The conclusion, or the reasons beside a draft that was accepted. `{Ben 2}` stands for what Ben said in the
    /// second round.
    pub(super) text: String,
    #[serde(default)]
    pub(super) disagreements: Vec<Disagreement>,
    #[serde(default)]
    pub(super) actions: Vec<Action>,
    #[serde(default)]
    pub(super) best: Vec<Pick>,
    pub(super) wildcard: Option<Pick>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Disagreement {
    pub(super) issue: String,
    pub(super) sides: Vec<Side>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Side {
    pub(super) view: String,
    pub(super) why: String,
    pub(super) holders: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Action {
    pub(super) what: String,
    pub(super) who: Option<String>,
    /// Who said it in which round: `Ben 2`.
    #[serde(default)]
    pub(super) said: Vec<String>,
}

/// An idea that was chosen: words of it, and why.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pick {
    pub(super) idea: String,
    pub(super) why: String,
}

/// A line of a record, with words out of the message that it rests on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) who: Option<String>,
    pub(super) quote: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Minutes {
    pub(super) content: String,
    pub(super) summary: String,
    pub(super) decisions: Vec<Line>,
    pub(super) actions: Vec<Line>,
    pub(super) risks: Vec<Line>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Adr {
    pub(super) title: String,
    pub(super) status: String,
    pub(super) context: String,
    pub(super) decision: Line,
    pub(super) options: Vec<AdrOption>,
    pub(super) consequences: Vec<Line>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AdrOption {
    pub(super) name: String,
    pub(super) pros: Vec<String>,
    pub(super) cons: Vec<String>,
    /// Words out of the messages that it rests on.
    pub(super) quotes: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Task {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) owner: Option<String>,
    pub(super) priority: String,
    pub(super) acceptance: String,
    pub(super) quote: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Risk {
    pub(super) risk: String,
    pub(super) likelihood: String,
    pub(super) impact: String,
    pub(super) mitigation: String,
    pub(super) owner: Option<String>,
    pub(super) quote: String,
}

const FILES: [(Language, &str); 10] = [
    (Language::Zh, include_str!("scripts/store.zh.toml")),
    (Language::En, include_str!("scripts/store.en.toml")),
    (Language::Zh, include_str!("scripts/remote.zh.toml")),
    (Language::En, include_str!("scripts/remote.en.toml")),
    (Language::Zh, include_str!("scripts/split.zh.toml")),
    (Language::En, include_str!("scripts/split.en.toml")),
    (Language::Zh, include_str!("scripts/launch.zh.toml")),
    (Language::En, include_str!("scripts/launch.en.toml")),
    (Language::Zh, include_str!("scripts/lonely.zh.toml")),
    (Language::En, include_str!("scripts/lonely.en.toml")),
];

/// All scripts.
pub(super) fn all() -> &'static [(Language, Script)] {
    static ALL: LazyLock<Vec<(Language, Script)>> = LazyLock::new(|| {
        let read = |(language, source): (Language, &str)| {
            let script: Script =
                toml::from_str(source).unwrap_or_else(|error| panic!("a script of the program: {error}"));
            (language, script)
        };
        FILES.into_iter().map(read).collect()
    });
    &ALL
}

/// The script of a topic in this language, if it is one of the example topics.
pub(super) fn of(topic: &str, language: Language) -> Option<&'static Script> {
    let topic = one_line(topic);
    let found = all().iter().find(|(spoken, script)| *spoken == language && script.topic == topic);
    found.map(|(_, script)| script)
}

/// The script of a brief's topic, where its cast sits at the table, or nobody does yet: then the cast is the team that is
/// proposed.
pub(super) fn at_table(brief: &Brief) -> Option<&'static Script> {
    let is_here = |name: &str| brief.participants.iter().any(|one| one.name == name);
    of(&brief.topic, brief.language).filter(|script| {
        brief.participants.is_empty() || script.cast.iter().all(|member| is_here(&member.name))
    })
}

/// The script of a brief's topic, where anybody of its cast sits at the table. What those have said stays what they hold,
/// also when others have left or joined and the script does not go on.
pub(super) fn remembered(brief: &Brief) -> Option<&'static Script> {
    let is_cast = |name: &str, script: &Script| script.cast.iter().any(|member| member.name == name);
    of(&brief.topic, brief.language).filter(|script| {
        brief.participants.is_empty() || brief.participants.iter().any(|one| is_cast(&one.name, script))
    })
}

impl Script {
    /// The position that these words of the script mean.
    pub(super) fn position<'a>(&'a self, words: &'a str) -> &'a str {
        let choice = self.choices.iter().find(|choice| choice.id == words);
        choice.map_or(words, |choice| choice.position.as_str())
    }

    /// What this participant says in this round, when it has spoken so often in it before.
    pub(super) fn turn(&self, by: &str, round: u32, nth: u32) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.by == by && turn.round == round && turn.nth == nth)
    }

    /// The position of this participant once it has spoken in this round, if it speaks at all until then.
    pub(super) fn position_after(&self, by: &str, round: u32) -> Option<&str> {
        let spoken = self.turns.iter().filter(|turn| turn.by == by && turn.round <= round);
        let latest = spoken.max_by_key(|turn| (turn.round, turn.nth)).map(|turn| turn.position.as_str());
        let first = || self.blind.iter().find(|one| one.by == by).map(|one| one.position.as_str());
        latest.or_else(first).map(|words| self.position(words))
    }

    /// The draft after this round.
    pub(super) fn draft_after(&self, round: u32) -> Option<&str> {
        let drafted = self.summaries.iter().filter(|one| one.round <= round && !one.draft.is_empty());
        drafted.max_by_key(|one| one.round).map(|one| one.draft.trim())
    }

    /// The summary of this round; of a round in which nobody speaks any more, the last one.
    pub(super) fn summary(&self, round: u32) -> Option<&Summary> {
        let own = self.summaries.iter().find(|one| one.round == round);
        let last = || self.summaries.iter().filter(|_| round > self.last_round()).max_by_key(|one| one.round);
        own.or_else(last)
    }

    /// The last round in which somebody speaks.
    pub(super) fn last_round(&self) -> u32 {
        self.turns.iter().map(|turn| turn.round).max().unwrap_or(0)
    }
}
