//! Flags of `run` that set rules, the agenda and the moderator.

use clap::Args;
use quorate_contract::ArtifactKind;

use super::choices;

/// The rules of a meeting that have a flag of their own.
#[derive(Debug, Default, Args)]
pub(crate) struct MeetingRuleArgs {
    /// Host mode: each message of the host starts a round with only the participants that it mentions with @. NAME is the participant that hosts; without it, you host [with --yes: all participants are mentioned]
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) host: Option<String>,

    /// The moderator, who keeps the agenda, by name [default: you]
    #[arg(long, value_name = "NAME")]
    pub(crate) moderator: Option<String>,

    /// An item of the agenda, as TITLE or "TITLE: description"; repeat it for several
    #[arg(long, value_name = "TITLE")]
    pub(crate) agenda: Vec<String>,

    /// The style of the discussion [default: formal in a discussion, otherwise none]
    #[arg(long, value_parser = choices("talk.style"))]
    pub(crate) style: Option<String>,

    /// The speaking length of a participant, as NAME=brief, NAME=moderate or NAME=detailed; repeat it for several
    #[arg(long, value_name = "NAME=LENGTH")]
    pub(crate) length: Vec<String>,

    /// An artifact to write and check at the end, instead of the format's own; repeat it for several [default: discussion MINUTES; decision ADR, TASKS and RISKS]
    #[arg(long, value_name = "KIND", ignore_case = true, value_parser = ArtifactKind::ALL.map(ArtifactKind::as_str))]
    pub(crate) artifact: Vec<String>,

    /// An announcement to all participants at the start, at most 2000 characters
    #[arg(long, value_name = "TEXT")]
    pub(crate) announce: Option<String>,

    /// Lock the meeting: its password is the first line of stdin; without this flag, the one in QUORATE_PASSWORD, if it is set
    #[arg(long)]
    pub(crate) password_stdin: bool,

    /// Only agents and a host send messages; people follow the meeting
    #[arg(long)]
    pub(crate) agents_only: bool,

    /// Assemble a team of this size for the topic, 1-16, instead of naming participants [default: 4 in a brainstorm]
    #[arg(long, value_name = "N", conflicts_with = "participants")]
    pub(crate) team: Option<u32>,

    /// Any rule by its path, such as turns.timeout_ms=1000 or roster.approve=false; takes precedence over the format and the file, but not over other flags; repeat it for several (see docs/meeting-file.md)
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

#[cfg(test)]
mod tests {
    use quorate_contract::{Format, Language, RuleField};
    use quorate_messages::keyed;

    #[test]
    fn the_help_names_the_bounds_and_the_defaults_of_the_rules() {
        let field = |path: &str| RuleField::at(path).expect("a rule");
        let bounds = |path: &str| {
            let number = field(path).number().expect("a number");
            format!("{}-{}", number.min, number.max)
        };
        let default = |path: &str, format: Format| field(path).value(&format.rules()).to_string();
        let rounds = Format::ALL.into_iter().filter(|format| *format != Format::Room);
        let rounds = rounds.map(|format| format!("{format} {}", default("limits.max_rounds", format)));
        let mut wanted: Vec<(&str, String)> = rounds.map(|text| ("run-rounds", text)).collect();
        wanted.extend([
            ("run-threshold", bounds("decision.mean_score")),
            ("run-threshold", default("decision.mean_score", Format::Consensus)),
            ("run-team", bounds("roster.team_size")),
            ("run-team", default("roster.team_size", Format::Brainstorm)),
            ("whatif-threshold", bounds("decision.mean_score")),
            ("whatif-min_score", bounds("decision.min_score")),
        ]);
        for format in [Format::Discussion, Format::Decision] {
            let artifacts = format.rules().closing.artifacts;
            wanted.extend(artifacts.iter().map(|kind| ("run-artifact", kind.as_str().to_owned())));
        }
        let lengths = field("talk.lengths").choices().iter();
        wanted.extend(lengths.map(|length| ("run-length", format!("={length}"))));
        for language in Language::ALL {
            for (argument, text) in &wanted {
                let help = keyed(language, &format!("help-{argument}")).expect("a text");
                assert!(help.contains(text), "{argument} says {text}: {help}");
            }
        }
    }
}
