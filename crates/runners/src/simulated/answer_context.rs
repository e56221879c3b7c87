//! One simulated participant in front of one task: its interests, its position, and its wording.
//!
//! A simulation has no memory. Its lenses and its condition follow from name, role and topic, its position is
//! read off the brief, and its templates follow from its seat and the round, so that neighbours do not say
//! the same sentence. What stands in the record is not said again.

use std::cmp::Reverse;

use quorate_contract::{Brief, BriefParticipant, BriefTarget, Language, Temperament};
use quorate_messages::text;

use super::phrases::{Bank, Slots, bank, fill};
use super::rng::{Rng, hash};
use super::scripts;
use super::text::{clip, mentions, plain_name};
use super::topic;
use super::topic::TopicChoices;

/// The lenses; each has its sections `lens.….claim` and so on in the bank.
pub(super) const LENSES: [&str; 9] =
    ["cost", "risk", "speed", "upkeep", "people", "evidence", "undo", "users", "security"];

/// A participant (or the facilitator) about to answer.
pub(super) struct AnswerContext<'a> {
    pub(super) brief: &'a Brief,
    pub(super) temperament: Temperament,
    pub(super) language: Language,
    pub(super) matter: TopicChoices,
    pub(super) rng: Rng,
    /// What has been said in the meeting.
    said: &'a str,
    /// What this answer says so far.
    drawn: Vec<String>,
    bank: &'static Bank,
    /// The choice of each participant, in the order of the participants.
    held: Vec<Option<usize>>,
    /// The choice of the present draft.
    drafted: Option<usize>,
    /// Its seat, from 0.
    seat: usize,
    /// The number of participants, at least 1.
    seats: usize,
    /// Stays the same for this participant throughout a meeting.
    person: u64,
    /// Its first and second lens.
    lenses: [&'static str; 2],
}

impl<'a> AnswerContext<'a> {
    pub(super) fn new(brief: &'a Brief, temperament: Temperament) -> Self {
        let bank = bank(brief.language);
        let seats = brief.participants.len().max(1);
        let own = brief.participants.iter().position(|participant| participant.name == brief.name);
        let topic_seed = hash(&brief.topic);
        let person = hash(&brief.name) ^ hash(&brief.role).rotate_left(7) ^ topic_seed;
        let seat = own.unwrap_or((person % seats as u64) as usize);
        let written =
            scripts::remembered(brief).and_then(|script| TopicChoices::of_script(script, brief.language));
        let matter = written.unwrap_or_else(|| topic::read(&brief.topic, brief.language));
        let held_by = |participant: &BriefParticipant| matter.find(participant.position.as_deref()?);
        let held = brief.participants.iter().map(held_by).collect();
        let drafted = brief.draft.as_deref().and_then(|draft| matter.find(draft));
        let task = [brief.seed, brief.kind() as u64, u64::from(brief.round), hash(&brief.name)];
        Self {
            brief,
            temperament,
            language: brief.language,
            matter,
            held,
            drafted,
            rng: Rng::new(&task),
            said: "",
            drawn: Vec::new(),
            bank,
            seat,
            seats,
            person,
            lenses: lenses_for(&brief.role, bank, topic_seed, seat),
        }
    }

    /// The same with the record of what has been said.
    pub(super) fn after(self, said: &'a str) -> Self {
        Self { said, ..self }
    }

    // ---- its position

    /// The choice that the participant of this name holds, as far as its position is known.
    pub(super) fn choice_of(&self, name: &str) -> Option<usize> {
        let place = self.brief.participants.iter().position(|participant| participant.name == name)?;
        self.held[place]
    }

    /// Its choice: the known position, or the one that it would begin with.
    pub(super) fn own_choice(&mut self) -> usize {
        let begins_with = Rng::new(&[self.person, self.brief.seed]).below(self.matter.choices.len());
        let known = self.choice_of(&self.brief.name);
        // Without a blind round, neighbours begin on different sides.
        let spread = (hash(&self.brief.topic) as usize % 97 + self.seat) % self.matter.choices.len();
        known.unwrap_or(if self.is_free_talk() { spread } else { begins_with })
    }

    /// Whether the discussion has no draft to vote on.
    pub(super) fn is_free_talk(&self) -> bool {
        let voted = self.brief.participants.iter().any(|participant| participant.vote_reason.is_some());
        let drafted = self.brief.draft.is_some() && self.brief.round < 2;
        self.brief.round > 0 && !voted && !drafted
    }

    /// The number of participants who hold a choice.
    pub(super) fn support(&self, choice: usize) -> usize {
        self.held.iter().filter(|held| **held == Some(choice)).count()
    }

    /// The choice of the present draft, if it can be recognized.
    pub(super) fn draft_choice(&self) -> Option<usize> {
        self.drafted
    }

    /// The choice most hold; between equals the draft's, then the first.
    pub(super) fn leading_choice(&self) -> usize {
        let draft = self.draft_choice();
        (0..self.matter.choices.len())
            .max_by_key(|choice| (self.support(*choice), draft == Some(*choice), Reverse(*choice)))
            .unwrap_or(0)
    }

    /// The choice that it argues against: the draft's or the strongest of the others.
    pub(super) fn rival_of(&self, own: usize) -> usize {
        let count = self.matter.choices.len();
        let turn = (self.person % count as u64) as usize;
        (0..count)
            .filter(|choice| *choice != own)
            .max_by_key(|choice| {
                let held = self.support(*choice) * 2;
                let drafted = usize::from(self.draft_choice() == Some(*choice));
                (held + drafted, (choice + turn) % count)
            })
            .unwrap_or(own)
    }

    pub(super) fn label(&self, choice: usize) -> String {
        self.matter.choices.get(choice).map(|choice| choice.label.clone()).unwrap_or_default()
    }

    pub(super) fn position(&self, choice: usize) -> String {
        self.matter.choices.get(choice).map(|choice| choice.position.clone()).unwrap_or_default()
    }

    // ---- what it cares about

    /// The lens it looks through in this round: first and second take turns.
    pub(super) fn lens(&self) -> &'static str {
        self.lenses[if self.brief.round.is_multiple_of(2) && self.brief.round > 0 { 1 } else { 0 }]
    }

    /// Its first or second lens.
    pub(super) fn lens_at(&self, place: usize) -> &'static str {
        self.lenses[place.min(1)]
    }

    /// Its seat, from 0.
    pub(super) fn seat(&self) -> usize {
        self.seat
    }

    fn words_of(&self, lens: &str, text: &str) -> usize {
        hits(self.bank, lens, &text.to_ascii_lowercase())
    }

    /// The change of the draft that it asks for: the same words in every round, so that others can take them
    /// up. The second is its request when the first is granted.
    pub(super) fn condition(&self, place: usize) -> &'static str {
        let lens = self.lens_at(place);
        let section = self.matter.ground.section("condition", &format!("lens.{lens}.condition"));
        let start = (hash(&self.brief.topic) % 97) as usize + self.seat;
        self.bank.line(&section, start + place * self.seats)
    }

    /// How far the draft takes the condition up: 2 word for word, 1 in spirit, 0 not at all.
    pub(super) fn taken_up(&self) -> u8 {
        let Some(draft) = self.brief.draft.as_deref() else {
            return 0;
        };
        if mentions(draft, self.condition(0)) {
            2
        } else {
            u8::from(self.words_of(self.lens_at(0), draft) >= 2)
        }
    }

    /// All possible conditions, to be recognized in messages.
    pub(super) fn all_conditions(&self) -> impl Iterator<Item = &'static str> {
        let bank = self.bank;
        let others = LENSES.into_iter().map(|lens| format!("lens.{lens}.condition"));
        let sections = ["know.condition", "view.condition"].map(str::to_owned).into_iter().chain(others);
        sections.flat_map(move |section| bank.lines(&section).iter().copied())
    }

    // ---- how it finds its words

    /// The lens's name in the language of the meeting.
    pub(super) fn lens_name(&self, lens: &str) -> &'static str {
        self.bank.line(&format!("lens.{lens}.name"), 0)
    }

    /// The sections of a kind of sentence, those of the own lenses first. What is so or right can be weighed through no lens,
    /// so those who ask for it have sentences of their own.
    pub(super) fn sections(&self, first: usize, kind: &str) -> Vec<String> {
        let own = [self.lens_at(first), self.lens_at(1 - first.min(1))];
        let others = (0..LENSES.len()).map(|step| LENSES[(step + self.seat) % LENSES.len()]);
        let lenses = own.into_iter().chain(others.filter(|lens| !own.contains(lens)));
        let mut sections: Vec<String> =
            lenses.map(|lens| self.matter.ground.section(kind, &format!("lens.{lens}.{kind}"))).collect();
        sections.dedup();
        sections
    }

    /// A sentence that nobody has said, the first sections first. Each seat has its own share of every section, so that those
    /// who speak at the same time do not say the same; `nth` counts on through the whole share, because a prompt need not
    /// show all that was said. `None` when all is said.
    pub(super) fn unsaid(&mut self, sections: &[String], nth: usize, slots: &Slots<'_>) -> Option<String> {
        for own_share in [true, false] {
            let mut share: Vec<&'static str> = Vec::new();
            for section in sections {
                let lines = self.bank.lines(section);
                let order = Rng::new(&[hash(&self.brief.topic), hash(section)]).order(lines.len());
                let (shift, seats) = (hash(section) as usize % 97, self.seats);
                let is_own = |place: &usize| (place + shift) % seats == self.seat % seats;
                let places = (0..lines.len()).filter(|place| !own_share || is_own(place));
                share.extend(places.map(|place| lines[order[place]]));
            }
            let turns = nth % share.len().max(1);
            share.rotate_left(turns);
            for line in share {
                let text = self.fill(line, slots);
                if !self.is_said(&text) {
                    self.drawn.push(text.clone());
                    return Some(text);
                }
            }
        }
        None
    }

    /// The same; where all has been said, something again.
    pub(super) fn sentence_of(&mut self, sections: &[String], nth: usize, slots: &Slots<'_>) -> String {
        if let Some(text) = self.unsaid(sections, nth, slots) {
            return text;
        }
        let section = &sections[nth % sections.len()];
        let line = self.bank.line(section, nth / sections.len() + self.seat);
        self.fill(line, slots)
    }

    /// A reason for a choice, against another; after those of its share, the thoughts of its own lenses.
    pub(super) fn reason_for(&mut self, own: usize, rival: usize, nth: usize) -> String {
        let lens = usize::from(self.brief.round.is_multiple_of(2) && self.brief.round > 0);
        let reasons = self.matter.choices.get(own).map(|choice| choice.reasons.clone()).unwrap_or_default();
        let mut sections = self.sections(lens, "claim");
        sections.insert(0, reasons);
        let (own, rival) = (self.label(own), self.label(rival));
        self.sentence_of(&sections, nth, &[("o", &own), ("r", &rival)])
    }

    /// Whether a sentence is one of the reasons for a choice.
    pub(super) fn is_reason_for(&self, choice: usize, text: &str) -> bool {
        let Some(choice) = self.matter.choices.get(choice) else { return false };
        let bare = choice.label.trim_matches(['「', '」', '“', '”']);
        let is_line = |line: &&str| !line.contains('{') && mentions(text, line);
        mentions(text, bare) || self.bank.lines(&choice.reasons).iter().any(is_line)
    }

    /// The chief reason for a choice, as a conclusion gives it.
    pub(super) fn chief_reason(&mut self, choice: usize) -> String {
        let section =
            self.matter.choices.get(choice).map(|choice| choice.reasons.clone()).unwrap_or_default();
        let own = self.label(choice);
        self.fixed(&section, &[("o", &own)])
    }

    /// Whether a sentence stands in the record or in this answer. The first letter may be a capital there.
    pub(super) fn is_said(&self, text: &str) -> bool {
        let mut rest = text.trim_end_matches(['。', '.']).chars();
        rest.next();
        let rest = rest.as_str();
        !rest.is_empty() && (self.said.contains(rest) || self.drawn.iter().any(|drawn| drawn.contains(rest)))
    }

    /// A sentence of a section that all seats share. Seats take different lines, and each another one in every round; what
    /// has been said is passed over.
    pub(super) fn shared(&mut self, section: &str, nth: usize, slots: &Slots<'_>) -> String {
        let lines = self.bank.lines(section);
        let place = self.place_in(nth) % lines.len().max(1);
        let fresh = self.fresh(section, nth, slots);
        fresh.unwrap_or_else(|| self.line(section, place, slots))
    }

    /// The same; `None` when every line of the section has been said.
    pub(super) fn fresh(&mut self, section: &str, nth: usize, slots: &Slots<'_>) -> Option<String> {
        let lines = self.bank.lines(section);
        let order = Rng::new(&[hash(&self.brief.topic), hash(section)]).order(lines.len());
        let start = self.place_in(nth);
        for step in 0..lines.len() {
            let text = self.fill(lines[order[start.wrapping_add(step) % lines.len()]], slots);
            if !self.is_said(&text) {
                self.drawn.push(text.clone());
                return Some(text);
            }
        }
        None
    }

    fn place_in(&self, nth: usize) -> usize {
        (self.brief.round as usize).wrapping_add(self.seat).wrapping_add(nth.wrapping_mul(self.seats | 1))
    }

    /// One line of a section, filled; the index wraps around.
    pub(super) fn line(&mut self, section: &str, place: usize, slots: &Slots<'_>) -> String {
        let template = self.bank.line(section, place);
        self.fill(template, slots)
    }

    /// The first line of a section, filled.
    pub(super) fn fixed(&mut self, section: &str, slots: &Slots<'_>) -> String {
        let template = self.bank.line(section, 0);
        self.fill(template, slots)
    }

    /// The number of rounds so far, in words.
    pub(super) fn rounds(&self) -> String {
        text!(self.language, "common-rounds", rounds = self.brief.round)
    }

    fn fill(&mut self, template: &str, slots: &Slots<'_>) -> String {
        let key = self.matter.key.clone();
        let lens = self.lens_name(self.lens());
        let mut all = slots.to_vec();
        all.extend([("k", key.as_str()), ("l", lens)]);
        fill(template, &all, &mut self.rng)
    }

    /// A name in the form of a sentence.
    pub(super) fn name(&self, name: &str) -> String {
        plain_name(name, self.language)
    }

    /// A target's claim id in brackets.
    pub(super) fn tag(target: &BriefTarget) -> String {
        clip(&super::text::one_line(&target.claim), 20)
    }

    /// Raw lines of a section.
    pub(super) fn lines(&self, section: &str) -> &[&'static str] {
        self.bank.lines(section)
    }
}

/// The lenses that the role's words point at; where they point nowhere, the seat decides.
fn lenses_for(role: &str, bank: &Bank, topic_seed: u64, seat: usize) -> [&'static str; 2] {
    let role = role.to_ascii_lowercase();
    let start = (topic_seed % 9) as usize + seat * 2;
    let mut order: Vec<(usize, usize)> =
        (0..9).map(|step| (hits(bank, LENSES[(start + step) % 9], &role), step)).collect();
    order.sort_by_key(|(hits, step)| (Reverse(*hits), *step));
    [LENSES[(start + order[0].1) % 9], LENSES[(start + order[1].1) % 9]]
}

/// The number of a lens's words in a lower-case text; the bank's words are in lower case, too.
fn hits(bank: &Bank, lens: &str, lowered: &str) -> usize {
    let words = bank.lines(&format!("lens.{lens}.words"));
    words.iter().filter(|word| lowered.contains(**word)).count()
}
