//! The request for a new meeting: the same in a file, on the command line and over HTTP.

use std::collections::BTreeMap;

use quorate_contract::{Format, Language, Rules, ToolGrant};
use quorate_messages::{Message, decoding_problem, message};
use quorate_runners::{AcpConfig, ProcessConfig, ProviderSettings, ToolSourceConfig};
use serde::{Deserialize, Serialize};

use crate::error::ServiceError;
use crate::meeting_file::display::DisplayEntry;
use crate::meeting_file::entries::{AgendaEntry, FacilitatorEntry, ModelOfferEntry, ParticipantEntry};
use crate::meeting_file::given_rules::GivenRules;
use crate::meeting_file::prices::OwnPrice;
use crate::meeting_file::user_file::Source;

/// A request to create a meeting. All fields except `topic` are optional.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct CreateMeetingRequest {
    /// The question, 1-200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 200))]
    pub topic: Option<String>,
    /// The title, at most 200 characters; the topic when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 200))]
    pub title: Option<String>,
    /// The purpose of the meeting in one line, at most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 200))]
    pub description: Option<String>,
    /// How times of the meeting are displayed.
    #[serde(skip_serializing_if = "DisplayEntry::is_empty")]
    pub display: DisplayEntry,
    /// The background: what is needed to answer the question, at most 20,000 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 20_000))]
    pub background: Option<String>,
    /// The format whose rules are the starting point; `consensus` when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// The language of the meeting; the language of the topic when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Language>,
    /// The seed of random orders and of simulated participants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether all participants are simulated, even if models are available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulate: Option<bool>,
    /// The models for participants without one of their own, assigned in turn: `provider/name`, `process/name` or
    /// `acp/name`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// The fallback model of all participants, `provider/name`; `none` for no fallback.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// The number of participants with generated roles, 1-12, when `participants` is empty; 4 when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 12))]
    pub seats: Option<u32>,
    /// The participants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<ParticipantEntry>,
    /// The model that writes summaries, minutes and the conclusion.
    pub facilitator: FacilitatorEntry,
    /// The moderator, by name; the caller when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moderator: Option<String>,
    /// The agenda, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agenda: Vec<AgendaEntry>,
    /// An announcement to all participants at the start, at most 2000 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub announce: Option<String>,
    /// Whether the meeting is off the record: it is kept only in the server's memory and is lost when the
    /// server stops.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub off_record: bool,
    /// The sources of tools that participants may call, by the names under which the server's operator configured
    /// them. Over HTTP, the scope `owner` is needed to allow any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolGrant>,
    /// The models that an assembled team can choose from; `models` when left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<ModelOfferEntry>,
    /// The rules that differ from those of the format.
    #[serde(skip_serializing_if = "GivenRules::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Rules))]
    pub rules: GivenRules,
    /// Providers of this meeting alone; in a file only.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub providers: BTreeMap<String, ProviderSettings>,
    /// Programs that answer for participants; in a file only.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub processes: BTreeMap<String, ProcessConfig>,
    /// Coding agents that answer for participants; in a file only.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub acp: BTreeMap<String, AcpConfig>,
    /// Prices of models; only in a file.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub prices: BTreeMap<String, OwnPrice>,
    /// Folders that are given on the command line, as further sources of tools.
    #[serde(skip)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub folders: Vec<ToolSourceConfig>,
    #[serde(skip)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub(crate) source: Source,
}

impl CreateMeetingRequest {
    /// Reads the JSON of a request.
    ///
    /// # Errors
    /// When it is no JSON, or has something that there is not; `field` is its path.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ServiceError> {
        let mut json = serde_json::Deserializer::from_slice(bytes);
        let read: Result<Self, _> = serde_path_to_error::deserialize(&mut json);
        let new = read.map_err(|error| {
            let path = error.path().to_string();
            let problem = decoding_problem(&error.inner().to_string());
            let message = match path.as_str() {
                "." => problem,
                path => message!("app-in-field", field = path, problem),
            };
            ServiceError::usage(message, message!("app-file-fields-hint")).with("field", path)
        })?;
        json.end().map_err(|error| {
            ServiceError::usage(decoding_problem(&error.to_string()), message!("app-one-object-hint"))
        })?;
        new.rules()?;
        new.check_seats()?;
        Ok(new)
    }

    /// The format in which it is held.
    pub fn format(&self) -> Format {
        self.format.unwrap_or(Format::Consensus)
    }

    /// The rules by which it is held: those that are given, over the format's.
    ///
    /// # Errors
    /// When one that is given is none, or is of another kind.
    pub fn rules(&self) -> Result<Rules, ServiceError> {
        self.rules.over(self.format()).map_err(|error| match self.source.name() {
            Some(file) => error.at(&file),
            None => error,
        })
    }

    /// Holds it by these rules instead.
    pub fn set_rules(&mut self, rules: &Rules) {
        self.rules = GivenRules::between(self.format(), rules);
    }

    /// Seats these instead of whom a file names.
    pub fn seat(&mut self, participants: Vec<ParticipantEntry>) {
        self.participants = participants;
        self.source.seats_nobody();
    }

    /// Checks that the request gives either a number of seats or participants.
    pub(crate) fn check_seats(&self) -> Result<(), ServiceError> {
        match self.seats.is_some() && !self.participants.is_empty() {
            false => Ok(()),
            true => Err(ServiceError::usage(message!("app-seats-twice"), message!("app-seats-twice-hint"))
                .with("field", "seats")),
        }
    }

    /// Refuses settings that a remote client may not give: addresses, programs and prices belong to the
    /// operator.
    ///
    /// # Errors
    /// When the request holds such a setting; `field` names it.
    pub fn check_remote(&self) -> Result<(), ServiceError> {
        let refused = |field: &str, problem: Message, hint: Message| {
            let message = message!("app-in-field", field, problem);
            Err(ServiceError::usage(message, hint).with("field", field))
        };
        self.check_seats()?;
        if !self.providers.is_empty() {
            let hint = message!("app-remote-providers-hint");
            let what = message!("app-remote-providers");
            return refused("providers", what, hint);
        }
        if !self.processes.is_empty() {
            let hint = message!("app-remote-processes-hint");
            return refused("processes", message!("app-remote-processes"), hint);
        }
        if !self.acp.is_empty() {
            let hint = message!("app-remote-acp-hint");
            return refused("acp", message!("app-remote-acp"), hint);
        }
        if !self.prices.is_empty() {
            let hint = message!("app-remote-prices-hint");
            return refused("prices", message!("app-remote-prices"), hint);
        }
        if let Some(at) = self.participants.iter().position(|entry| entry.process.is_some()) {
            let hint = message!("app-remote-seat-hint");
            let what = message!("app-remote-seat");
            return refused(&format!("participants[{at}].process"), what, hint);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use serde_json::json;

    fn read(value: serde_json::Value) -> Result<CreateMeetingRequest, ServiceError> {
        CreateMeetingRequest::from_json(value.to_string().as_bytes())
    }

    #[test]
    fn a_body_says_all_that_a_file_says() {
        let new = read(json!({
            "topic": "SQLite?", "title": "Stores", "display": { "time_zone": "UTC" }, "format": "discussion", "lang": "en", "announce": "Be brief.",
            "fallback": "none", "participants": [{ "name": "Ada", "temperament": "stubborn" }],
            "rules": { "limits": { "max_rounds": 2 } },
        }))
        .expect("sound");
        assert_eq!(new.rules().map(|rules| rules.limits.max_rounds).ok(), Some(2));
        let again = read(serde_json::to_value(&new).expect("plain")).expect("what was written can be read");
        assert_eq!(format!("{again:?}"), format!("{new:?}"));
    }

    #[test]
    fn what_is_wrong_in_a_body_is_named_by_its_path() {
        let field = |value| {
            let error = read(value).expect_err("wrong");
            assert!(error.is_usage() && error.kind() == ErrorKind::Validation, "{error:?}");
            error.details()["field"].as_str().unwrap_or_default().to_owned()
        };
        assert_eq!(field(json!({ "participants": [{ "name": 3 }] })), "participants[0].name");
        assert_eq!(field(json!({ "tpoic": "x" })), "tpoic");
        assert_eq!(
            field(json!({ "rules": { "turns": { "timeout_ms": "soon" } } })),
            "rules.turns.timeout_ms"
        );
        let counted = json!({ "topic": "x", "seats": 3, "participants": [{ "name": "Ada" }] });
        assert_eq!(field(counted), "seats");
        assert!(CreateMeetingRequest::from_json(b"{} {}").is_err(), "one body holds one meeting");
        assert!(CreateMeetingRequest::from_json(b"{").is_err());
    }

    #[test]
    fn from_afar_nobody_brings_addresses_programs_or_prices() {
        for (field, value) in [
            ("providers", json!({ "lab": { "base_url": "http://169.254.169.254" } })),
            ("processes", json!({ "sh": { "command": ["sh"] } })),
            ("acp", json!({ "sh": { "command": ["sh"], "folders": { "a": "/" } } })),
            ("prices", json!({ "a/b": { "input": 0.0, "output": 0.0 } })),
            ("participants", json!([{ "name": "Ada" }, { "name": "Rev", "process": "sh" }])),
        ] {
            let new = read(json!({ "topic": "x", field: value })).expect("it can be read");
            let error = new.check_remote().expect_err("refused");
            assert!(error.details()["field"].as_str().unwrap_or_default().starts_with(field), "{error:?}");
            assert!(!error.hint().is_empty());
        }
        assert!(read(json!({ "topic": "x" })).expect("sound").check_remote().is_ok());
    }
}
