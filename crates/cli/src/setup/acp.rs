//! Coding agents of the command line: `--acp COMMAND --folder PATH`.

use std::path::{Path, PathBuf};

use quorate_app::AcpConfig;
use quorate_messages::message;

use crate::error::CliError;

/// The agents of these commands in a folder, each with the name by which a participant is given it.
///
/// # Errors
/// When a command is blank, its quotes do not close, or the folder is none.
pub(crate) fn agents(
    commands: &[String],
    folder: Option<&Path>,
    env: &[String],
) -> Result<Vec<(AcpConfig, String)>, CliError> {
    if commands.is_empty() {
        return Ok(Vec::new());
    }
    let folder = folder.unwrap_or(Path::new("."));
    let Some(place) = folder.canonicalize().ok().filter(|place| place.is_dir()) else {
        let folder = folder.display();
        return Err(CliError::usage(
            message!("cli-acp-no-folder", %folder),
            message!("cli-acp-no-folder-hint"),
        ));
    };
    let mut agents: Vec<(AcpConfig, String)> = Vec::new();
    for command in commands {
        let Some(words) = words(command).filter(|words| !words.is_empty()) else {
            let hint = message!("cli-acp-command-hint");
            return Err(CliError::usage(message!("cli-acp-command", %command), hint));
        };
        let program = PathBuf::from(&words[0]);
        let stem = program.file_stem().map_or("agent".into(), |stem| stem.to_string_lossy().into_owned());
        let taken = |name: &str| agents.iter().any(|(agent, _)| agent.name == name);
        let numbered = (2..).map(|number| format!("{stem}-{number}"));
        let name = std::iter::once(stem.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(stem);
        let mut agent = AcpConfig::new(&name, words, &place);
        agent.of_command_line = true;
        agent.env = env.to_vec();
        agent.cwd = std::env::current_dir().ok();
        let model = format!("acp/{name}");
        agents.push((agent, model));
    }
    Ok(agents)
}

/// The words of a command: parts in quotes are one. `None` when a quote does not close.
fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_words_and_quotes() {
        let words = |text| super::words(text);
        assert_eq!(
            words("npx -y 'my agent' --a=\"b c\"").expect("closed"),
            ["npx", "-y", "my agent", "--a=b c"]
        );
        assert_eq!(words("  ").expect("closed"), Vec::<String>::new());
        assert_eq!(words("sh -c 'open"), None);
    }

    #[test]
    fn each_agent_has_a_name_of_its_own_and_the_folder() {
        let commands = ["a/agent.py".to_owned(), "agent.py --more".to_owned()];
        let agents = agents(&commands, Some(Path::new(env!("CARGO_MANIFEST_DIR"))), &[]).expect("good");
        let names: Vec<&str> = agents.iter().map(|(_, model)| model.as_str()).collect();
        assert_eq!(names, ["acp/agent", "acp/agent-2"]);
        assert!(agents[0].0.folders.contains_key("cli"));
        super::agents(&commands, Some(Path::new("/no/such/folder")), &[]).expect_err("no folder");
    }
}
