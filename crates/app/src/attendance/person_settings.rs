//! Settings of a person: what follows them to every browser that they sign in with.

use quorate_contract::{DateFormat, Language, Refusal, TimeFormat, TimeZoneName};
use quorate_messages::message;
use quorate_store::SettingsOf;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::clock::now;
use crate::error::{ErrorKind, ServiceError};
use crate::meeting_file::display::time_zone;
use crate::operation::principal::{Principal, PrincipalKind};
use crate::use_cases::App;

/// The settings of a person. `null` means that nothing was chosen: the page then goes by the browser and the system.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct PersonSettings {
    /// The language of the page.
    pub language: Option<Language>,
    /// The time zone of all times; a meeting's own, where nothing was chosen.
    pub time_zone: Option<TimeZoneName>,
    /// The clock that times are read by.
    pub time_format: Option<TimeFormat>,
    /// The pattern of dates.
    pub date_format: Option<DateFormat>,
    /// The colours of the page; `null` as the system has them.
    pub theme: Option<Theme>,
    /// Whether a browser that may do so notifies; on unless it was turned off.
    pub notifications: Option<bool>,
    /// What Enter does in the composer; it sends unless something else was chosen.
    pub enter_key: Option<EnterKey>,
    /// How close the messages of a meeting stand.
    pub density: Option<Density>,
}

/// The colours of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}

/// What the Enter key does in the composer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum EnterKey {
    /// It sends the message.
    Sends,
    /// It begins a new line.
    Breaks,
}

/// How close the messages of a meeting stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Density {
    /// With room between them.
    Comfortable,
    /// With little room between them.
    Compact,
}

/// Changes of the settings of a person. What is left out stays as it is; `null` takes a choice back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PersonSettingsChange {
    /// The language of the page.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Language>))]
    pub language: Option<Option<Language>>,
    /// The IANA name of a time zone: `Asia/Shanghai`.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, max_length = 64))]
    pub time_zone: Option<Option<String>>,
    /// `12h` or `24h`.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<TimeFormat>))]
    pub time_format: Option<Option<String>>,
    /// The pattern of dates, such as `yyyy-MM-dd`.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, max_length = 20))]
    pub date_format: Option<Option<String>>,
    /// The colours of the page.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Theme>))]
    pub theme: Option<Option<Theme>>,
    /// Whether a browser that may do so notifies.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<bool>))]
    pub notifications: Option<Option<bool>>,
    /// What Enter does in the composer.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<EnterKey>))]
    pub enter_key: Option<Option<EnterKey>>,
    /// How close the messages of a meeting stand.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Density>))]
    pub density: Option<Option<Density>>,
}

/// Tells what is null from what is not there.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

impl PersonSettingsChange {
    /// The changes by name, with checked values; null takes one back.
    fn checked(self) -> Result<Map<String, Value>, Refusal> {
        let Self {
            language,
            time_zone: zone,
            time_format,
            date_format,
            theme,
            notifications,
            enter_key,
            density,
        } = self;
        let mut changes = Map::new();
        put(&mut changes, "language", language);
        put(&mut changes, "time_zone", read(zone, |text| time_zone("time_zone", text))?);
        put(&mut changes, "time_format", read(time_format, |text| TimeFormat::read("time_format", text))?);
        put(&mut changes, "date_format", read(date_format, |text| DateFormat::read("date_format", text))?);
        put(&mut changes, "theme", theme);
        put(&mut changes, "notifications", notifications);
        put(&mut changes, "enter_key", enter_key);
        put(&mut changes, "density", density);
        Ok(changes)
    }
}

fn read<T>(
    text: Option<Option<String>>,
    by: impl Fn(&str) -> Result<T, Refusal>,
) -> Result<Option<Option<T>>, Refusal> {
    text.map(|text| text.map(|text| by(&text)).transpose()).transpose()
}

fn put<T: Serialize>(changes: &mut Map<String, Value>, name: &str, value: Option<Option<T>>) {
    if let Some(value) = value {
        changes.insert(name.to_owned(), serde_json::to_value(value).unwrap_or_default());
    }
}

impl PersonSettings {
    /// The settings as they are stored. One that this version cannot read counts as not chosen.
    fn stored(mut settings: Map<String, Value>) -> Self {
        fn read<T: DeserializeOwned>(value: Option<Value>) -> Option<T> {
            serde_json::from_value(value?).ok()
        }
        Self {
            language: read(settings.remove("language")),
            time_zone: read(settings.remove("time_zone")),
            time_format: read(settings.remove("time_format")),
            date_format: read(settings.remove("date_format")),
            theme: read(settings.remove("theme")),
            notifications: read(settings.remove("notifications")),
            enter_key: read(settings.remove("enter_key")),
            density: read(settings.remove("density")),
        }
    }
}

impl App {
    /// The settings of a person with an account, or of the person at this machine.
    ///
    /// # Errors
    /// When the caller is somebody else, or the database cannot be read.
    pub async fn person_settings(&self, principal: &Principal) -> Result<PersonSettings, ServiceError> {
        settings_of(principal)?;
        Ok(PersonSettings::stored(self.store().person_settings(&principal.name).await?))
    }

    /// Changes some settings of a person, and returns all of them.
    ///
    /// # Errors
    /// When a value is none, the caller is somebody else, or the database cannot be written.
    pub async fn change_person_settings(
        &self,
        principal: &Principal,
        change: PersonSettingsChange,
    ) -> Result<PersonSettings, ServiceError> {
        let of = settings_of(principal)?;
        let changes = change.checked().map_err(|refusal| {
            let field = match &refusal {
                Refusal::Invalid { field, .. } => field.clone(),
                _ => String::new(),
            };
            ServiceError::from(refusal).with("field", field)
        })?;
        if changes.is_empty() {
            return self.person_settings(principal).await;
        }
        let changed = self.store().change_person_settings(&principal.name, of, changes, now()).await?;
        Ok(PersonSettings::stored(changed.ok_or_else(not_kept)?))
    }
}

/// Whose settings a caller may read and change. A guest keeps them in the browser; a program has none.
fn settings_of(principal: &Principal) -> Result<SettingsOf, ServiceError> {
    match principal.kind {
        PrincipalKind::Owner => Ok(SettingsOf::Owner),
        PrincipalKind::Account => Ok(SettingsOf::Account),
        PrincipalKind::Guest
        | PrincipalKind::ResultLink
        | PrincipalKind::Token
        | PrincipalKind::Agent
        | PrincipalKind::Webhook => Err(not_kept()),
    }
}

fn not_kept() -> ServiceError {
    ServiceError::new(message!("app-settings-not-kept"), message!("app-settings-not-kept-hint"))
        .of(ErrorKind::Permission)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn checked(change: Value) -> Result<Map<String, Value>, Refusal> {
        serde_json::from_value::<PersonSettingsChange>(change).expect("it can be read").checked()
    }

    #[test]
    fn only_what_is_given_is_changed() {
        let changes = checked(json!({ "time_zone": "europe/berlin", "theme": null, "notifications": false }));
        let expected = json!({ "time_zone": "Europe/Berlin", "theme": null, "notifications": false });
        assert_eq!(changes.map(Value::Object).ok(), Some(expected));
        assert!(checked(json!({})).is_ok_and(|changes| changes.is_empty()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for field in ["time_zone", "time_format", "date_format"] {
            let refusal = checked(json!({ field: "nothing of the kind" })).expect_err("wrong");
            assert!(matches!(refusal, Refusal::Invalid { field: named, .. } if named == field));
        }
        for wrong in [json!({ "theme": "loud" }), json!({ "colour": "red" }), json!({ "notifications": 1 })] {
            assert!(serde_json::from_value::<PersonSettingsChange>(wrong).is_err());
        }
    }

    #[test]
    fn what_a_later_version_stored_costs_nothing_else() {
        let stored = json!({ "theme": "sepia", "language": "en", "font": "large" });
        let read = PersonSettings::stored(stored.as_object().expect("an object").clone());
        assert_eq!(read, PersonSettings { language: Some(Language::En), ..PersonSettings::default() });
    }
}
