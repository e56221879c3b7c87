//! Whether the program compiles for Windows, so that nothing that only Unix has slips in.

use std::process::Command;

use crate::steps::{in_path, step_with};
use crate::web::Skipped;

const NAME: &str = "Windows";
/// The target, with the libraries of MinGW.
const TARGET: &str = "x86_64-pc-windows-gnu";
/// The compiler of the C code of SQLite and cryptography.
const COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// What is compiled lies beside what runs here, which it would replace.
const FOLDER: &str = "target/windows";

/// Checks the program and its libraries for Windows. PDF export has no code of its own for a system, and takes minutes.
///
/// # Errors
/// When something does not compile. Where the target or its compiler is missing, it is left out.
pub fn test() -> Result<Skipped, String> {
    if in_path(&[COMPILER]).is_none() || !has_target() {
        eprintln!(
            "\nxtask: SKIPPED {NAME}: needs gcc-mingw-w64-x86-64 (Debian) and `rustup target add {TARGET}`"
        );
        return Ok(Some(NAME));
    }
    let check =
        ["check", "--package", "quorate-cli", "--target", TARGET, "--no-default-features", "--locked"];
    let folder = std::path::absolute(FOLDER).map_err(|error| format!("{FOLDER}: {error}"))?;
    step_with("compiling for Windows", "cargo", &check, ".", &[("CARGO_TARGET_DIR", &folder)])?;
    Ok(None)
}

fn has_target() -> bool {
    let listed = Command::new("rustc").args(["--print", "sysroot"]).output();
    let root = listed.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    std::path::Path::new(root.trim()).join("lib/rustlib").join(TARGET).join("lib").is_dir()
}
