//! The user's own table of vendors, which is laid over the one that ships.

use std::path::Path;

use quorate_messages::{as_said, decoding_problem, io_problem, message};
use quorate_runners::VendorsError;

use crate::error::ServiceError;

/// Reads `vendors.toml` beside the user's configuration, for this process; there may be none.
///
/// # Errors
/// When it cannot be read, or has something that there is not.
pub fn read_own_vendors(config: &Path) -> Result<(), ServiceError> {
    let file = config.with_file_name("vendors.toml");
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            let problem = message!("common-unreadable", path = %file.display(), error = io_problem(&error));
            return Err(ServiceError::usage(problem, message!("app-vendors-unreadable-hint")));
        }
    };
    quorate_runners::lay_over_vendors(&text).map_err(|error| {
        let problem = match error {
            VendorsError::NoName(place) => message!("app-vendor-without-name", %place),
            VendorsError::Unreadable(_) | VendorsError::TooLate => {
                let told = error.to_string();
                // A parser shows the line in which it gave up.
                match told.trim_end() {
                    told if told.contains('\n') => as_said(told),
                    told => decoding_problem(told),
                }
            }
        };
        let problem = message!("common-file", path = %file.display(), problem);
        ServiceError::usage(problem, message!("app-vendors-hint"))
    })
}
