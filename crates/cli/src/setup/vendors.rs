//! The user's own table of vendors, which is laid over the one that ships.

use crate::error::CliError;
use crate::place::Place;

/// Reads `vendors.toml` beside the user's configuration; there may be none.
pub(crate) fn lay_over_vendors(place: &Place) -> Result<(), CliError> {
    let file = place.config.with_file_name("vendors.toml");
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            let problem = format!("{} cannot be read: {error}", file.display());
            return Err(CliError::usage(problem, "mend its permissions, or move it away"));
        }
    };
    quorate_runners::lay_over_vendors(&text).map_err(|error| {
        let problem = format!("{}: {error}", file.display());
        CliError::usage(problem.trim_end(), "docs/providers-data.md says what may stand there")
    })
}
