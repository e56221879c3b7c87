//! `cargo xtask archive`: what people get who do not build: the program with its page, manual and completions, as one archive.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::page::page;
use crate::steps::{in_path, step, step_with, target};

/// Where archives are put, and what goes into them.
const FOLDER: &str = "target/archives";
/// What lies beside the program, from the root of the repository.
const BESIDE: [&str; 5] =
    ["LICENSE", "README.md", "README.zh-CN.md", "CHANGELOG.md", "deploy/quorate.service"];
/// The languages of the manual, each with the folder in which `man` looks for its pages.
const MANUALS: [(&str, &str); 2] = [("en", "man/man1"), ("zh", "man/zh_CN/man1")];
/// The shells whose completions are written, each with the file that they are looked for in.
const SHELLS: [(&str, &str); 4] =
    [("bash", "quorate"), ("zsh", "_quorate"), ("fish", "quorate.fish"), ("powershell", "quorate.ps1")];
/// The program and the arguments by which an archive's checksum is written.
const CHECKSUMS: [(&str, &[&str]); 2] = [("sha256sum", &[]), ("shasum", &["-a", "256"])];

/// What is to be put into an archive.
#[derive(Debug, PartialEq)]
struct Wanted<'a> {
    /// Another system than this one, by its target triple.
    target: Option<&'a str>,
    /// Whether PDF export is left out.
    without_pdf: bool,
}

/// Builds the page and the program in release, and packs them: `[--target TRIPLE] [--without-pdf]`.
///
/// # Errors
/// With the step that failed.
pub fn archive(arguments: &[String]) -> Result<(), String> {
    let wanted = read(arguments)?;
    page()?;
    let host = host()?;
    let triple = wanted.target.unwrap_or(&host);
    step("building the program", "cargo", &build(&wanted), ".")?;
    let name = format!("quorate-{}-{triple}", env!("CARGO_PKG_VERSION"));
    let folder = format!("{FOLDER}/{name}");
    let ending = if triple.contains("windows") { ".exe" } else { "" };
    let program =
        target().join(wanted.target.unwrap_or_default()).join("release").join(format!("quorate{ending}"));
    collect(&folder, &program).map_err(|error| format!("collecting files in {folder} ({error})"))?;
    if triple == host {
        describe(&folder, &program)?;
    } else {
        eprintln!(
            "\nxtask: the manual and the completions are left out: a program for {triple} does not run here"
        );
    }
    let file = format!("{name}.tar.gz");
    step("packing", "tar", &["-czf", &file, &name], FOLDER)?;
    let sum = checksum(&file)?;
    let size = fs::metadata(format!("{FOLDER}/{file}")).map_or(0, |file| file.len());
    eprintln!("\nxtask: {FOLDER}/{file} ({:.1} MB)\n{sum}", size as f64 / 1e6);
    Ok(())
}

fn read(arguments: &[String]) -> Result<Wanted<'_>, String> {
    let mut wanted = Wanted { target: None, without_pdf: false };
    let mut rest = arguments.iter();
    while let Some(one) = rest.next() {
        match one.as_str() {
            "--without-pdf" => wanted.without_pdf = true,
            "--target" => {
                let given = rest
                    .next()
                    .ok_or("reading --target (it needs a triple, such as x86_64-unknown-linux-musl)")?;
                wanted.target = Some(given);
            }
            other => {
                return Err(format!("archive takes --target TRIPLE and --without-pdf, and not {other}; it"));
            }
        }
    }
    Ok(wanted)
}

fn build<'a>(wanted: &Wanted<'a>) -> Vec<&'a str> {
    let mut build = vec!["build", "--release", "--locked", "--package", "quorate-cli"];
    build.extend(wanted.without_pdf.then_some("--no-default-features"));
    build.extend(wanted.target.into_iter().flat_map(|target| ["--target", target]));
    build
}

/// The triple of this machine.
fn host() -> Result<String, String> {
    let said =
        Command::new("rustc").arg("-vV").output().map_err(|error| format!("asking rustc ({error})"))?;
    let said = String::from_utf8_lossy(&said.stdout);
    let triple = said.lines().find_map(|line| line.strip_prefix("host: "));
    triple.map(str::to_owned).ok_or_else(|| "asking rustc for its host".to_owned())
}

/// An empty folder with the program and what lies beside it.
fn collect(folder: &str, program: &Path) -> std::io::Result<()> {
    if fs::exists(folder)? {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for path in BESIDE.into_iter().map(PathBuf::from).chain([program.to_owned()]) {
        let name = path.file_name().unwrap_or_default();
        fs::copy(&path, Path::new(folder).join(name))?;
    }
    Ok(())
}

/// The manual and the completions, as the program itself writes them.
fn describe(folder: &str, program: &Path) -> Result<(), String> {
    let program = fs::canonicalize(program).map_err(|error| format!("{}: {error}", program.display()))?;
    let program = program.display().to_string();
    for (language, pages) in MANUALS {
        let spoken = [("QUORATE_LANG", Path::new(language))];
        step_with("writing the manual", &program, &["man", "--out", pages], folder, &spoken)?;
    }
    let completions = Path::new(folder).join("completions");
    fs::create_dir_all(&completions).map_err(|error| format!("{}: {error}", completions.display()))?;
    for (shell, name) in SHELLS {
        let path = completions.join(name);
        let file = File::create(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        // A script has one language.
        let status = Command::new(&program)
            .args(["completions", shell])
            .env("QUORATE_LANG", "en")
            .stdout(file)
            .status();
        if !status.is_ok_and(|status| status.success()) {
            return Err(format!("writing the completions of {shell}"));
        }
    }
    Ok(())
}

/// The line with the checksum of an archive, which is also written beside it.
fn checksum(file: &str) -> Result<String, String> {
    let (program, arguments) = CHECKSUMS
        .into_iter()
        .find(|(program, _)| in_path(&[program]).is_some())
        .ok_or("finding sha256sum or shasum")?;
    let said = Command::new(program).args(arguments).arg(file).current_dir(FOLDER).output();
    let line = said.ok().filter(|said| said.status.success()).map(|said| said.stdout);
    let line = line.ok_or_else(|| format!("computing the checksum of {file}"))?;
    fs::write(format!("{FOLDER}/{file}.sha256"), &line).map_err(|error| format!("{file}.sha256: {error}"))?;
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_is_read_and_built() {
        let given = ["--target", "aarch64-unknown-linux-gnu", "--without-pdf"].map(str::to_owned);
        let wanted = read(&given).expect("two options");
        assert_eq!(
            build(&wanted).join(" "),
            "build --release --locked --package quorate-cli --no-default-features --target aarch64-unknown-linux-gnu"
        );
        assert_eq!(
            build(&read(&[]).expect("nothing")).join(" "),
            "build --release --locked --package quorate-cli"
        );
        assert!(read(&["--target".to_owned()]).is_err());
        assert!(read(&["now".to_owned()]).unwrap_err().contains("not now"));
    }
}
