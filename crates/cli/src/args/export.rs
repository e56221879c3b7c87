//! Arguments of an export, and the names of its formats.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::Parser;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use super::Lang;

#[derive(Debug, Parser)]
pub(crate) struct ExportArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// Markdown; `html`: one page that replays the meeting and checks itself, without a network; `pdf`;
    /// JSON with the report and all events for programs; `jsonl`: the log line by line, as it is stored; or `files`: a
    /// folder that other programs and `quorate import` read. All but Markdown and PDF are signed (see docs/export.md). Or
    /// the name of an exporter, `[exporters.NAME]` in the configuration file (see docs/plugins.md)
    #[arg(long, value_parser = ExportFormats, default_value = "md")]
    pub(crate) format: String,

    /// With `html`, `pdf` and `files`: also hidden marks, private memory and the reasoning of models
    #[arg(long)]
    pub(crate) with_marks: bool,

    /// With `pdf`: the font file for Chinese characters; otherwise the best one of this machine
    #[arg(long, value_name = "FILE", env = "QUORATE_FONT")]
    pub(crate) font: Option<PathBuf>,

    /// The language of headings, labels and remarks [default: the meeting's]; messages are not translated
    #[arg(long, value_enum)]
    pub(crate) lang: Option<Lang>,

    /// With `md`, `html` and `pdf`: the time zone in which times are told, such as Asia/Shanghai [default: the meeting's, or that of this machine]
    #[arg(long, value_name = "ZONE")]
    pub(crate) time_zone: Option<String>,

    /// For a damaged meeting, export the part before the damage
    #[arg(long)]
    pub(crate) salvage: bool,

    /// The output file; stdout when not given. With `files`, the folder
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// The export formats of the program itself.
pub(crate) const EXPORT_FORMATS: [&str; 6] = ["md", "html", "pdf", "json", "jsonl", "files"];

/// Reads an export format; `markdown` is `md`. Any other may be that of an exporter.
#[derive(Debug, Clone)]
struct ExportFormats;

impl TypedValueParser for ExportFormats {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let format = StringValueParser::new().parse_ref(command, arg, value)?;
        Ok(if format == "markdown" { "md".to_owned() } else { format })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(EXPORT_FORMATS.into_iter().map(PossibleValue::new)))
    }
}
