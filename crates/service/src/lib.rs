//! What the terminal and the server share: from what a person wrote to a meeting that can begin.
//!
//! It knows the database, files and the environment, and neither a command line, nor a screen, nor HTTP.

mod causes;
mod discover;
mod entries;
mod error;
mod file;
mod given_rules;
mod library;
mod models;
mod new_meeting;
mod plan;
mod prices;
mod providers;
mod rules;
mod seats;
mod sources;
mod speech;
mod vendors;

pub use discover::{fitting, list, redacted, variable};
pub use entries::{AgendaEntry, FacilitatorEntry, OfferEntry, ParticipantEntry};
pub use error::{ErrorKind, ServiceError};
pub use file::UserFile;
pub use given_rules::GivenRules;
pub use library::{address_of, not_configured, settings_of, stored_credentials};
pub use models::NO_FALLBACK;
pub use new_meeting::NewMeeting;
pub use plan::Plan;
pub use prices::{OwnPrice, own_price, price};
pub use providers::{
    Found, OLLAMA, Source, found_providers, how_to_add, near_vendor, processes_of, providers_of, runners,
    stored,
};
pub use rules::{nearest, set_rule};
pub use sources::{Shelf, Sources};
pub use speech::{Speech, refusal};
pub use vendors::read_own_vendors;
