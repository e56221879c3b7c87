//! What is read from a request before its route runs: path, query and body, and which language and media type the client
//! prefers.

pub(crate) mod content_language;
pub(crate) mod extract;
pub(crate) mod media_type;
pub(crate) mod whole_numbers;
