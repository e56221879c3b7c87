//! Flags of `run` that set rules, the agenda and the moderator.

use clap::Args;
use quorate_contract::ArtifactKind;

/// Everything about how a meeting is held that has a flag of its own.
#[derive(Debug, Default, Args)]
pub(crate) struct MeetingRuleArgs {
    /// Host mode: a round begins with the host's message and holds only those it mentions with @. NAME is the participant that hosts; without it, you host [in --yes: everybody is called]
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) host: Option<String>,

    /// Who leads the meeting and keeps the agenda, by name [default: you]
    #[arg(long, value_name = "NAME")]
    pub(crate) moderator: Option<String>,

    /// A point of the agenda, as TITLE or "TITLE: what belongs to it"; give it several times
    #[arg(long, value_name = "TITLE")]
    pub(crate) agenda: Vec<String>,

    /// The style in which all speak [default: formal in a discussion, otherwise each its own]
    #[arg(long, value_parser = ["formal", "casual", "debate"])]
    pub(crate) style: Option<String>,

    /// How long somebody speaks, as NAME=brief, NAME=moderate or NAME=detailed; give it several times
    #[arg(long, value_name = "NAME=LENGTH")]
    pub(crate) length: Vec<String>,

    /// A document to be written and checked at the end, instead of the format's own; give it several times [default: discussion MINUTES; decision ADR, TASKS and RISKS]
    #[arg(long, value_name = "KIND", ignore_case = true, value_parser = ArtifactKind::ALL.map(ArtifactKind::as_str))]
    pub(crate) artifact: Vec<String>,

    /// Something that everybody is to know from the beginning, at most 2000 characters
    #[arg(long, value_name = "TEXT")]
    pub(crate) announce: Option<String>,

    /// Lock the meeting: its password is the first line of stdin; without this flag, the one in QUORATE_PASSWORD, if it is set
    #[arg(long)]
    pub(crate) password_stdin: bool,

    /// People listen: only agents speak, and a host
    #[arg(long)]
    pub(crate) agents_only: bool,

    /// Put together a team of so many for the topic, 1-16; nobody is named then [default: 4 in a brainstorm]
    #[arg(long, value_name = "N", conflicts_with = "participants")]
    pub(crate) team: Option<u32>,

    /// Any rule by its path, such as turns.timeout_ms=1000 or roster.approve=false; over the format's and the file's, under the flags; give it several times (see docs/meeting-file.md)
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}
