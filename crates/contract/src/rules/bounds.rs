//! The bounds of what people and files may give.

/// The longest topic, in characters.
pub const TOPIC_MAX_CHARS: usize = 200;
/// The longest title of a meeting, in characters.
pub const TITLE_MAX_CHARS: usize = 200;
/// The longest description of a meeting, in characters.
pub const DESCRIPTION_MAX_CHARS: usize = 200;
/// The longest background, in characters.
pub const BACKGROUND_MAX_CHARS: usize = 20_000;
/// The longest name, in characters.
pub const NAME_MAX_CHARS: usize = 50;
/// The longest folder of an agent, in characters.
pub const FOLDER_MAX_CHARS: usize = 200;
/// The longest role description or system prompt, in characters.
pub const ROLE_MAX_CHARS: usize = 2000;
/// The longest message of a person, in characters.
pub const MESSAGE_MAX_CHARS: usize = 10_000;
/// The most phrases of a skip list.
pub const SKIP_LIST_MAX: usize = 50;
/// The longest phrase of a skip list, in characters.
pub const SKIP_PHRASE_MAX_CHARS: usize = 200;
/// The most messages that a skip list is compared with; after more than these a participant is asked again.
pub const SKIP_MESSAGES_MAX: usize = 200;
/// The most participants at one table.
pub const PARTICIPANTS_MAX: usize = 16;
/// The largest number of people at the table of a meeting.
pub const PEOPLE_MAX: usize = 200;
/// The most rounds of one meeting.
pub const ROUNDS_MAX: u32 = 1000;
/// The longest announcement, in characters.
pub const ANNOUNCEMENT_MAX_CHARS: usize = 2000;
/// The longest text of minutes, in characters.
pub const MINUTES_MAX_CHARS: usize = 20_000;
