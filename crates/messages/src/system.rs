//! What an operating system says of a file, in the reader's language.

use std::io::{Error, ErrorKind};

use crate::{Message, as_said, message};

/// Why a file cannot be used. What is not among the usual reasons stays in the words of the system.
#[must_use]
pub fn io_problem(error: &Error) -> Message {
    match error.kind() {
        ErrorKind::NotFound => message!("common-io-not-found"),
        ErrorKind::PermissionDenied => message!("common-io-denied"),
        ErrorKind::AlreadyExists => message!("common-io-exists"),
        ErrorKind::IsADirectory => message!("common-io-is-folder"),
        ErrorKind::NotADirectory => message!("common-io-no-folder"),
        ErrorKind::StorageFull => message!("common-io-full"),
        ErrorKind::ReadOnlyFilesystem => message!("common-io-read-only"),
        // The standard library says so of text that it reads; the system has no such error.
        ErrorKind::InvalidData if error.raw_os_error().is_none() && error.to_string().contains("UTF-8") => {
            message!("common-io-not-text")
        }
        _ => as_said(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn the_usual_reasons_are_told_in_the_reader_s_language() {
        let missing = std::fs::read_to_string("/nowhere/at/all").expect_err("it is not there");
        assert_eq!(io_problem(&missing).text(Language::En), "no such file or folder");
        assert_eq!(io_problem(&missing).text(Language::Zh), "没有这个文件或文件夹");
        let other = Error::other("the moon is out");
        assert_eq!(io_problem(&other).text(Language::Zh), "the moon is out");
    }
}
