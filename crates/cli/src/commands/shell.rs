//! Shell completions and manual pages.

use std::path::Path;
use std::process::ExitCode;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use quorate_contract::Language;
use quorate_messages::{io_problem, message, text};

use super::{print, write_file};
use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::error::CliError;
use crate::language::{Speech, translated};

/// Prints what makes a shell complete the commands.
pub(crate) fn completions(args: &CompletionsArgs, speech: Speech) -> ExitCode {
    let mut command = translated(Args::command(), speech);
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "quorate", &mut script);
    print(&String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}

/// Prints a page of the manual, or writes all of them.
pub(crate) fn man(args: &ManArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let mut whole = translated(Args::command(), speech).disable_help_subcommand(true);
    whole.build();
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(|error| {
            CliError::new(
                message!("common-not-created", path = %folder.display(), error = io_problem(&error)),
                message!("cli-choose-folder"),
            )
        })?;
        write_all(&whole, "quorate", folder, speech)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut command = &whole;
    let mut name = "quorate".to_owned();
    for word in &args.command {
        command = command.find_subcommand(word).ok_or_else(|| {
            CliError::usage(
                text!(speech, "cli-shell-there-no-command", %word),
                text!(speech, "cli-shell-quorate-help-lists-all-commands"),
            )
        })?;
        name = format!("{name}-{}", command.get_name());
    }
    print(&page(command, &name, speech)?);
    Ok(ExitCode::SUCCESS)
}

fn write_all(command: &Command, name: &str, folder: &Path, speech: Speech) -> Result<(), CliError> {
    write_file(&folder.join(format!("{name}.1")), page(command, name, speech)?)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        write_all(sub, &format!("{name}-{}", sub.get_name()), folder, speech)?;
    }
    Ok(())
}

fn page(command: &Command, name: &str, speech: Speech) -> Result<String, CliError> {
    let mut roff = Vec::new();
    Man::new(command.clone().name(name.to_owned()).display_name(name))
        .render(&mut roff)
        .map_err(|error| CliError::new(message!("cli-shell-page", %error), message!("app-try-again")))?;
    let text = String::from_utf8_lossy(&roff).into_owned();
    Ok(match speech.0 {
        Language::En => text,
        Language::Zh => page_in_language(&text, speech),
    })
}

/// The page with its generator's own words in another language.
fn page_in_language(page: &str, speech: Speech) -> String {
    let heading = |line: &str| {
        Some(match line {
            ".SH NAME" => text!(speech, "cli-man-name"),
            ".SH SYNOPSIS" => text!(speech, "cli-man-synopsis"),
            ".SH DESCRIPTION" => text!(speech, "cli-man-description"),
            ".SH OPTIONS" => text!(speech, "cli-man-options"),
            ".SH SUBCOMMANDS" => text!(speech, "cli-man-subcommands"),
            ".SH EXTRA" => text!(speech, "cli-man-extra"),
            ".SH VERSION" => text!(speech, "cli-man-version"),
            _ if line.starts_with("Print help") => text!(speech, "cli-man-print-help"),
            "Print version" => text!(speech, "cli-man-print-version"),
            _ => return None,
        })
    };
    let subcommands = text!(speech, "cli-man-subcommands-value");
    let lines = page.lines().map(|line| match heading(line) {
        Some(ours) if line.starts_with(".SH ") => format!(".SH {ours}"),
        Some(ours) => ours.to_owned(),
        None => line
            .replace("Possible values:", text!(speech, "cli-man-possible-values"))
            .replace("[possible values: ", text!(speech, "cli-usage-possible"))
            .replace("[default: ", text!(speech, "cli-man-default"))
            .replace("<\\fIsubcommands\\fR>", &format!("<\\fI{subcommands}\\fR>"))
            .replace("[\\fIsubcommands\\fR]", &format!("[\\fI{subcommands}\\fR]")),
    });
    lines.map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_in_chinese_says_nothing_in_english_and_leaves_out_what_is_hidden() {
        let folder = tempfile::tempdir().expect("a folder");
        let args = ManArgs { command: Vec::new(), out: Some(folder.path().to_owned()) };
        assert!(man(&args, Speech(Language::Zh)).is_ok());
        assert!(!folder.path().join("quorate-render-pdf.1").exists());
        let run = std::fs::read_to_string(folder.path().join("quorate-run.1")).expect("the page");
        for english in ["Print help", ".SH OPTIONS", "Possible values", "TOPIC", "MINUTES>"] {
            assert!(!run.contains(english), "{english}");
        }
        assert!(run.contains("<分钟>") && run.contains(".SH 选项"), "{run}");
    }
}
