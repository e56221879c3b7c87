//! Who is at the table: people and agents that join, their seats, their turns and what calls them.

pub(crate) mod context_cursor;
pub(crate) mod cursor_cache;
pub(crate) mod mentions;
pub(crate) mod own_seat;
pub(crate) mod people;
pub(crate) mod person_settings;
pub(crate) mod presence;
pub(crate) mod registration;
pub(crate) mod turns;
