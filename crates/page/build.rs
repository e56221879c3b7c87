//! Puts the page into the binary. Never calls npm nor the network: the page is built by `cargo xtask page`, and
//! without one the fallback is taken.

#[path = "src/collect.rs"]
mod collect;

use std::env;
use std::path::{Path, PathBuf};

/// Names a folder with a page that was built elsewhere.
const VARIABLE: &str = "QUORATE_UI_DIST";

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the crate lies"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    let named = env::var_os(VARIABLE).filter(|named| !named.is_empty()).map(PathBuf::from);
    let source = match collect::choose(named.as_deref(), &here.join("../../web/app"), &here.join("fallback"))
    {
        Ok(source) => source,
        Err(problem) => panic!("{problem}"),
    };
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/collect.rs");
    println!("cargo::rerun-if-changed=fallback");
    println!("cargo::rerun-if-changed={}", source.watch.display());
    write(&source, &out.join("table.rs"));
}

fn write(source: &collect::Source, to: &Path) {
    let table = collect::files(&source.folder).map(|files| collect::table(source.is_fallback, &files));
    let written = table.and_then(|table| std::fs::write(to, table));
    if let Err(error) = written {
        panic!("the page in {} cannot be put into the binary: {error}", source.folder.display());
    }
}
