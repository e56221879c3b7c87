//! What an agent read and ran on its own machine while it answered, as the agent reports it, and who permitted it.

use quorate_messages::{Language, text};
use serde::{Deserialize, Serialize};

use crate::actor::Person;
use crate::phrase::Phrase;

/// The most actions of one call that are recorded.
pub const ACTIONS_MAX: u32 = 500;
/// The most characters of an action's title.
pub const ACTION_TITLE_MAX_CHARS: usize = 300;
/// The most places of an action.
pub const ACTION_LOCATIONS_MAX: usize = 16;
/// The most characters of a path.
pub const ACTION_PATH_MAX_CHARS: usize = 300;

/// What an agent does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// Reads files or data.
    Read,
    /// Changes a file.
    Edit,
    /// Deletes a file.
    Delete,
    /// Moves or renames a file.
    Move,
    /// Searches.
    Search,
    /// Runs a command.
    Execute,
    /// Plans or reasons.
    Think,
    /// Fetches something from a network.
    Fetch,
    /// Anything else.
    #[default]
    Other,
}

impl ActionKind {
    /// Its name in the reader's language.
    pub fn label(self, language: Language) -> &'static str {
        match self {
            Self::Read => text!(language, "labels-action-read"),
            Self::Edit => text!(language, "labels-action-edit"),
            Self::Delete => text!(language, "labels-action-delete"),
            Self::Move => text!(language, "labels-action-move"),
            Self::Search => text!(language, "labels-action-search"),
            Self::Execute => text!(language, "labels-action-execute"),
            Self::Think => text!(language, "labels-action-think"),
            Self::Fetch => text!(language, "labels-action-fetch"),
            Self::Other => text!(language, "labels-action-other"),
        }
    }

    /// Whether it leaves everything as it is, and stays on the machine.
    pub fn only_reads(self) -> bool {
        match self {
            Self::Read | Self::Search | Self::Think => true,
            Self::Edit | Self::Delete | Self::Move | Self::Execute | Self::Fetch | Self::Other => false,
        }
    }
}

/// How far an action has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ActionStatus {
    /// It waits for a permission, or has not begun.
    Pending,
    /// It runs, as far as is known.
    Running,
    /// It is done.
    Completed,
    /// It failed, or was not permitted.
    Failed,
}

/// Whether an action was permitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ActionPermission {
    /// The agent did not ask, or asked for something that only reads.
    NotNeeded,
    /// A person is asked; the agent waits.
    Asked,
    /// A person permitted it.
    Allowed,
    /// A person refused it, or nobody answered in time.
    Refused,
}

/// A place that an action is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionLocation {
    /// The path, relative to the folder of the agent where it lies in it.
    pub path: String,
    /// The line, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// A source of tools that cannot be used in a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnusableTools {
    /// The name of the source.
    pub source: String,
    /// The reason. No address, path or key is in it.
    pub reason: Phrase,
}

/// An action of an agent, as its runner reports it. The same number is reported again when more is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Action {
    /// The number within the call, counted from 1.
    pub number: u32,
    /// The kind.
    pub kind: ActionKind,
    /// What it is, in the words of the agent.
    pub title: String,
    /// The places that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<ActionLocation>,
    /// How far it has come.
    pub status: ActionStatus,
    /// Whether it was permitted.
    pub permission: ActionPermission,
    /// Who permitted or refused it; `null` when nobody was asked, or nobody answered in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// For tools of the meeting that cannot be used: which, and why. The title is empty then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unusable: Option<UnusableTools>,
}

impl Action {
    /// In a line: what it is and where.
    pub fn told(&self, language: Language) -> String {
        if let Some(UnusableTools { source, reason }) = &self.unusable {
            let reason = reason.in_language(language);
            return text!(language, "failure-tools-unusable", %source, %reason);
        }
        let mut told = self.kind.label(language).to_owned();
        if !self.title.is_empty() {
            told.push_str(text!(language, "common-colon"));
            told.push_str(&self.title);
        }
        let unsaid = self.locations.iter().filter(|place| !self.title.contains(&place.path));
        let places: Vec<String> = unsaid
            .map(|place| match place.line {
                Some(line) => format!("{}:{line}", place.path),
                None => place.path.clone(),
            })
            .collect();
        if !places.is_empty() {
            told.push_str(" · ");
            told.push_str(&places.join(text!(language, "common-list-separator")));
        }
        told
    }

    /// Cuts what is longer than an action may be.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        cut(&mut self.title, ACTION_TITLE_MAX_CHARS);
        if let Some(unusable) = &mut self.unusable {
            cut(&mut unusable.source, ACTION_TITLE_MAX_CHARS);
            unusable.reason = std::mem::take(&mut unusable.reason).bounded();
        }
        self.locations.truncate(ACTION_LOCATIONS_MAX);
        self.locations.iter_mut().for_each(|place| cut(&mut place.path, ACTION_PATH_MAX_CHARS));
        self
    }
}

/// One line of at most so many characters, without control characters and changes of direction.
fn cut(text: &mut String, most: usize) {
    let turns = |c: char| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}');
    if text.chars().any(|c| c.is_control() || turns(c)) {
        let plain = text.chars().filter(|c| !turns(*c)).map(|c| if c.is_control() { ' ' } else { c });
        *text = plain.collect::<String>().trim().to_owned();
    }
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permission_stands_beside_the_action_and_names_the_person() {
        let by = Person { id: "u".into(), name: "U".into() };
        let action = Action {
            number: 1,
            kind: ActionKind::Execute,
            title: "cargo\ntest\u{202e}".into(),
            locations: Vec::new(),
            status: ActionStatus::Running,
            permission: ActionPermission::Allowed,
            by: Some(by),
            unusable: None,
        };
        let json = r#"{"number":1,"kind":"execute","title":"cargo test","status":"running","permission":"allowed","by":{"id":"u","name":"U"}}"#;
        assert_eq!(serde_json::to_string(&action.bounded()).expect("plain"), json);
    }
}
