//! Validation of imported files, as strict as for input of a person. Every error names its field.

use quorate_contract::{
    Actor, Language, NameOf, Newcomer, PARTICIPANTS_MAX, ParticipantId, Refusal, Timestamp, Wording,
    check_name, check_newcomer, clean, length,
};
use quorate_messages::message;

use super::{LayoutError, names, time};

/// The most messages of one meeting.
pub(super) const MESSAGES_MAX: usize = 20_000;

/// A file whose fields are read.
pub(super) struct Reader<'a> {
    pub(super) file: &'a str,
    pub(super) now: Timestamp,
}

impl Reader<'_> {
    pub(super) fn wrong(
        &self,
        field: impl Into<String>,
        problem: impl Into<Wording>,
        hint: impl Into<Wording>,
    ) -> LayoutError {
        LayoutError::new(self.file, field, problem, hint)
    }

    /// A point in time that is not in the future.
    pub(super) fn time(&self, field: &str, text: &str) -> Result<Timestamp, LayoutError> {
        match time::parse(text) {
            Some(at) => Ok(at.min(self.now)),
            None => {
                let shown: String = text.chars().take(40).collect();
                let problem = message!("views-layout-no-time", text = shown);
                Err(self.wrong(field, problem, message!("views-layout-no-time-hint")))
            }
        }
    }

    /// The same, when there is one.
    pub(super) fn time_if(
        &self,
        field: &str,
        text: Option<&String>,
    ) -> Result<Option<Timestamp>, LayoutError> {
        let text = text.filter(|text| !text.trim().is_empty());
        text.map(|text| self.time(field, text)).transpose()
    }

    /// A cleaned text within bounds of length.
    pub(super) fn text(
        &self,
        field: &str,
        text: &str,
        min: usize,
        max: usize,
    ) -> Result<String, LayoutError> {
        let text = clean(text);
        match length(field, &text, min, max) {
            Ok(()) => Ok(text),
            Err(refusal) => Err(LayoutError::refused(self.file, field, &refusal)),
        }
    }

    pub(super) fn id<'a>(&self, field: &str, id: &'a str) -> Result<&'a str, LayoutError> {
        match names::is_id(id) {
            true => Ok(id),
            false => {
                let shown: String = id.chars().take(40).collect();
                let problem = message!("views-layout-no-id", text = shown);
                Err(self.wrong(field, problem, message!("views-layout-no-id-hint")))
            }
        }
    }

    pub(super) fn few(&self, field: &str, count: usize, max: usize) -> Result<(), LayoutError> {
        match count <= max {
            true => Ok(()),
            false => {
                let problem = message!("views-layout-too-many", count);
                Err(self.wrong(field, problem, message!("views-layout-keep-to", max)))
            }
        }
    }

    /// Checks the participants: 1-16 with distinct names.
    pub(super) fn table(&self, field: &str, seats: &[Newcomer]) -> Result<(), LayoutError> {
        if !(1..=PARTICIPANTS_MAX).contains(&seats.len()) {
            let problem = message!("views-layout-participants", count = seats.len());
            let hint = message!("views-layout-participants-hint", max = %PARTICIPANTS_MAX);
            return Err(self.wrong(field, problem, hint));
        }
        for (place, newcomer) in seats.iter().enumerate() {
            let path = format!("{field}[{place}]");
            check_newcomer(&path, newcomer)
                .map_err(|refusal| LayoutError::refused(self.file, &path, &refusal))?;
            let before = seats[..place].iter().map(|other| other.name.as_str());
            if let Err(refusal) = check_name(&path, &newcomer.name, NameOf::Seat, before) {
                let problem = match refusal {
                    Refusal::NameTaken { name } if name == newcomer.name => {
                        message!("views-layout-twice", name).into()
                    }
                    Refusal::NameTaken { name } => {
                        message!("views-layout-similar", name = &newcomer.name, other = name).into()
                    }
                    other => other.problem(),
                };
                let hint = message!("views-layout-names-hint");
                return Err(self.wrong(format!("{path}.name"), problem, hint));
            }
        }
        Ok(())
    }

    /// Checks one participant.
    pub(super) fn seat(
        &self,
        field: &str,
        given: &str,
        seats: impl Iterator<Item = impl AsRef<str>>,
    ) -> Result<ParticipantId, LayoutError> {
        let mut known = Vec::new();
        for (place, one) in seats.enumerate() {
            if one.as_ref() == given {
                return Ok(ParticipantId(quorate_core::number_after(place)));
            }
            known.push(one.as_ref().to_owned());
        }
        let shown: String = given.chars().take(60).collect();
        let hint = message!("views-layout-not-seated-hint", known);
        Err(self.wrong(field, message!("views-layout-not-seated", name = shown), hint))
    }
}

/// A person in the log, who is known by what the files call them.
pub(super) fn by(person: &str, otherwise: &Actor) -> Actor {
    let person: String = clean(person).chars().take(100).collect();
    match person.as_str() {
        "" => otherwise.clone(),
        named => Actor::person(named, named),
    }
}

/// The language that a topic is written in.
pub(super) fn language(topic: &str) -> Language {
    match topic.chars().any(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c)) {
        true => Language::Zh,
        false => Language::En,
    }
}
