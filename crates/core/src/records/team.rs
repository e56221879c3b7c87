//! The team that the rules put together when no facilitator can.

use quorate_contract::Language;
use quorate_messages::text;

/// A member of the team: its name, its role, and what it looks at.
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) role: &'static str,
    pub(super) description: &'static str,
}

/// A team for any topic.
pub(super) fn members(language: Language) -> [Member; 6] {
    [
        Member {
            name: text!(language, "records-team-user-name"),
            role: text!(language, "records-team-user-role"),
            description: text!(language, "records-team-user-description"),
        },
        Member {
            name: text!(language, "records-team-borrower-name"),
            role: text!(language, "records-team-borrower-role"),
            description: text!(language, "records-team-borrower-description"),
        },
        Member {
            name: text!(language, "records-team-maker-name"),
            role: text!(language, "records-team-maker-role"),
            description: text!(language, "records-team-maker-description"),
        },
        Member {
            name: text!(language, "records-team-doubter-name"),
            role: text!(language, "records-team-doubter-role"),
            description: text!(language, "records-team-doubter-description"),
        },
        Member {
            name: text!(language, "records-team-futurist-name"),
            role: text!(language, "records-team-futurist-role"),
            description: text!(language, "records-team-futurist-description"),
        },
        Member {
            name: text!(language, "records-team-minimalist-name"),
            role: text!(language, "records-team-minimalist-role"),
            description: text!(language, "records-team-minimalist-description"),
        },
    ]
}
