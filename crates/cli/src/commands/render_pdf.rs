//! Renders the PDF of one meeting: the server starts this for each.

use std::process::ExitCode;

use quorate_app::LimitedProgram;

use super::limited;
use crate::args::LimitArgs;

/// The command by which the server starts this program to make a PDF; `None` when it was built without.
pub(super) fn renderer() -> Option<LimitedProgram> {
    limited::this_program("render-pdf")
}

/// Reads a meeting from standard input and writes its pages, or why there are none, to standard output.
#[cfg(feature = "pdf")]
pub(crate) fn render_pdf(limits: &LimitArgs) -> ExitCode {
    limited::carry_out(limits, |input| {
        let job: quorate_print::RenderJob<'_> = serde_json::from_slice(&input)?;
        drop(input);
        let font = std::env::var_os("QUORATE_FONT").map(std::path::PathBuf::from);
        Ok(match quorate_print::render(&job, font.as_deref()) {
            Ok(pages) => pages,
            Err(refusal) => serde_json::to_vec(&refusal)?,
        })
    })
}

#[cfg(not(feature = "pdf"))]
pub(crate) fn render_pdf(limits: &LimitArgs) -> ExitCode {
    limited::carry_out(limits, Ok)
}
