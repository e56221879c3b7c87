//! The choice of the page's folder, and the files in the binary.

use std::fs;
use std::path::Path;

use super::collect::{Source, choose, files, table};
use super::{File, Page};

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let at = folder.join(path);
        fs::create_dir_all(at.parent().expect("a folder")).expect("a folder");
        fs::write(at, text).expect("a file");
    }
}

/// A repository with a fallback and nothing built.
fn tree() -> tempfile::TempDir {
    let tree = tempfile::tempdir().expect("a folder");
    write(tree.path(), &[("app/src/main.tsx", ""), ("fallback/index.html", "missing")]);
    tree
}

fn chosen(tree: &Path, named: Option<&Path>) -> Result<Source, String> {
    choose(named, &tree.join("app"), &tree.join("fallback"))
}

#[test]
fn what_was_built_is_taken_and_watched_by_its_id() {
    let tree = tree();
    let tree = tree.path();
    write(tree, &[("app/dist/index.html", "page")]);
    let dist = tree.join("app/dist");
    let half = chosen(tree, None).expect("a page");
    assert_eq!(half, Source { folder: dist.clone(), watch: dist.clone(), is_fallback: false });
    write(tree, &[("app/dist/.build-id", "1")]);
    let whole = chosen(tree, None).expect("a page");
    assert_eq!(whole, Source { watch: dist.join(".build-id"), folder: dist, is_fallback: false });
}

#[test]
fn without_a_page_the_fallback_is_taken_until_one_is_built() {
    let tree = tree();
    let tree = tree.path();
    write(tree, &[("app/dist/assets/left-over.js", "")]);
    let found = chosen(tree, None).expect("a fallback");
    let fallback = tree.join("fallback");
    assert_eq!(found, Source { folder: fallback.clone(), watch: tree.join("app"), is_fallback: true });
    fs::remove_dir_all(tree.join("app")).expect("gone");
    let found = chosen(tree, None).expect("a fallback");
    assert_eq!(found, Source { folder: fallback.clone(), watch: fallback, is_fallback: true });
}

#[test]
fn a_named_folder_goes_before_all_and_must_have_a_page() {
    let tree = tree();
    let tree = tree.path();
    write(tree, &[("app/dist/index.html", "built"), ("other/index.html", "other"), ("empty/x.js", "")]);
    let found = chosen(tree, Some(&tree.join("other"))).expect("a page");
    assert_eq!((found.folder, found.is_fallback), (tree.join("other"), false));
    let refused = chosen(tree, Some(&tree.join("empty"))).expect_err("no page");
    assert!(refused.contains("QUORATE_UI_DIST") && refused.contains("unset"), "{refused}");
}

#[test]
fn twins_stand_with_their_file_and_what_is_hidden_stays_out() {
    let tree = tree();
    let page = tree.path().join("page");
    write(
        &page,
        &[
            (".build-id", "1"),
            ("index.html", "<p>"),
            ("index.html.gz", "gz"),
            ("assets/a-1.js", "a()"),
            ("assets/a-1.js.br", "br"),
            ("assets/a-1.js.gz", "gz"),
            ("assets/font.woff2", "font"),
            ("whole.gz", "an archive of its own"),
        ],
    );
    let found = files(&page).expect("files");
    let told: Vec<_> = found
        .iter()
        .map(|f| (f.path.as_str(), f.media, f.is_hashed, f.br.is_some(), f.gzip.is_some()))
        .collect();
    assert_eq!(
        told,
        [
            ("assets/a-1.js", "text/javascript; charset=utf-8", true, true, true),
            ("assets/font.woff2", "font/woff2", true, false, false),
            ("index.html", "text/html; charset=utf-8", false, false, true),
            ("whole.gz", "application/octet-stream", false, false, false),
        ]
    );
    let before = found[2].hash.clone();
    assert_eq!(before.len(), 32);
    write(&page, &[("index.html", "<p>!")]);
    assert_ne!(files(&page).expect("files")[2].hash, before, "other bytes have another hash");
}

#[test]
fn the_table_names_each_file_once() {
    let tree = tree();
    let page = tree.path().join("page");
    write(
        &page,
        &[("index.html", "<p>"), ("index.html.br", "br"), ("mark.svg", "<svg/>"), ("mark.svg.gz", "gz")],
    );
    let table = table(true, &files(&page).expect("files"));
    assert!(table.starts_with("const IS_FALLBACK: bool = true;"), "{table}");
    assert_eq!(table.matches("File {").count(), 2, "{table}");
    assert_eq!(table.matches("include_bytes!").count(), 3, "{table}");
    assert!(table.contains("gzip: None") && table.contains("br: Some("), "{table}");
    assert!(table.contains("plain: None, br: None, gzip: Some("), "{table}");
}

#[test]
fn this_binary_has_a_page_or_one_that_says_what_is_missing() {
    let page = Page::embedded();
    let index = page.index().expect("every build has an index");
    assert!(index.media.starts_with("text/html") && !index.is_hashed);
    assert!(page.files().is_sorted_by_key(|file| file.path), "found by halving");
    assert!(page.files().iter().all(|file| page.file(file.path) == Some(file)));
    assert!(page.file("assets/none.js").is_none());
    let is_kept = |file: &File| file.plain.is_some() != file.gzip.is_some();
    assert!(page.files().iter().all(is_kept), "each is kept once beside its Brotli version");
    let says = |text: &[u8]| std::str::from_utf8(text).is_ok_and(|text| text.contains("cargo xtask run"));
    assert_eq!(page.is_fallback(), index.plain.is_some_and(says), "only the fallback says how to build");
}

#[test]
fn the_fallback_needs_nothing_but_itself() {
    let text = include_str!("../fallback/index.html");
    for (says, why) in [
        ("lang=\"zh-CN\"", "Chinese"),
        ("lang=\"en\"", "English"),
        ("cargo xtask run", "what helps"),
        ("20.19", "which Node.js"),
        ("/api/v1/docs", "the interface"),
        ("quorate run", "the terminal"),
        ("prefers-color-scheme: dark", "dark"),
    ] {
        assert!(text.contains(says), "the fallback lacks {why}");
    }
    for outside in ["<script", "src=\"http", "@import", "url(http"] {
        assert!(!text.contains(outside), "the fallback asks for {outside}");
    }
}
