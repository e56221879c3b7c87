//! Which files make the page, and how they come into the binary. Shared by `build.rs` and its tests.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The file that is written last when a page is built, so that a page with it is complete.
const BUILD_ID: &str = ".build-id";

/// The folder that the page is taken from.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// The folder of its files.
    pub folder: PathBuf,
    /// The path that changes when another page is to be taken.
    pub watch: PathBuf,
    /// Whether it is only the placeholder for a missing page.
    pub is_fallback: bool,
}

/// One file of the page.
#[derive(Debug, PartialEq, Eq)]
pub struct CollectedFile {
    /// Its name in an address: `assets/index-B2x.js`.
    pub path: String,
    /// Its path.
    pub at: PathBuf,
    /// Its `Content-Type`.
    pub media: &'static str,
    /// The beginning of its SHA-256, in hexadecimal.
    pub hash: String,
    /// Whether its name contains a hash of its contents.
    pub is_hashed: bool,
    /// The path of its Brotli version.
    pub br: Option<PathBuf>,
    /// The path of its gzip version.
    pub gzip: Option<PathBuf>,
}

/// Chooses the named folder, else the page that was built in `app`, else the fallback.
///
/// # Errors
/// When the named folder has no page.
pub fn choose(named: Option<&Path>, app: &Path, fallback: &Path) -> Result<Source, String> {
    let of = |folder: &Path| Source { watch: watch(folder), folder: folder.to_owned(), is_fallback: false };
    let has_page = |folder: &Path| folder.join("index.html").is_file();
    if let Some(named) = named {
        return has_page(named).then(|| of(named)).ok_or_else(|| {
            let named = named.display();
            format!("QUORATE_UI_DIST names {named}, where no index.html lies: name a built page, or unset it")
        });
    }
    let dist = app.join("dist");
    if has_page(&dist) {
        return Ok(of(&dist));
    }
    // A file that is not there cannot be watched; the folder changes when a page comes into it.
    let watch = if app.is_dir() { app } else { fallback };
    Ok(Source { folder: fallback.to_owned(), watch: watch.to_owned(), is_fallback: true })
}

fn watch(folder: &Path) -> PathBuf {
    let id = folder.join(BUILD_ID);
    if id.is_file() { id } else { folder.to_owned() }
}

/// All files of the page, by their path; hidden files are skipped, and a compressed version belongs to its
/// file.
///
/// # Errors
/// When they cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<CollectedFile>> {
    let mut names = Vec::new();
    walk(folder, "", &mut names)?;
    names.sort();
    let twin = |path: &str, ending: &str| {
        let name = format!("{path}.{ending}");
        names.binary_search(&name).is_ok().then(|| folder.join(name))
    };
    let is_twin = |path: &str| {
        let whose = path.strip_suffix(".br").or_else(|| path.strip_suffix(".gz"));
        whose.is_some_and(|whose| names.binary_search(&whose.to_owned()).is_ok())
    };
    let found = names.iter().filter(|path| !is_twin(path)).map(|path| {
        let at = folder.join(path);
        let hash = short_hash(&std::fs::read(&at)?);
        Ok(CollectedFile {
            media: media(path),
            hash,
            is_hashed: path.starts_with("assets/"),
            br: twin(path, "br"),
            gzip: twin(path, "gz"),
            path: path.clone(),
            at: at.canonicalize()?,
        })
    });
    found.collect()
}

fn walk(folder: &Path, before: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let path = format!("{before}{name}");
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{path}/"), names)?;
        } else {
            names.push(path);
        }
    }
    Ok(())
}

fn short_hash(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().take(16).fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

fn media(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "md" => "text/markdown; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

/// The table as Rust code: `IS_FALLBACK` and `FILES`, in the order of their paths. What has a gzip version is not kept
/// beside it as it is.
pub fn table(is_fallback: bool, files: &[CollectedFile]) -> String {
    let mut table = format!("const IS_FALLBACK: bool = {is_fallback};\nstatic FILES: &[File] = &[\n");
    for file in files {
        let bytes = |at: &Path| format!("include_bytes!({at:?})");
        let twin = |at: &Option<PathBuf>| match at {
            Some(at) => format!("Some({})", bytes(at)),
            None => "None".to_owned(),
        };
        let plain = twin(&file.gzip.is_none().then(|| file.at.clone()));
        _ = writeln!(
            table,
            "    File {{ path: {:?}, media: {:?}, hash: {:?}, is_hashed: {}, plain: {plain}, br: {}, gzip: {} }},",
            file.path,
            file.media,
            file.hash,
            file.is_hashed,
            twin(&file.br),
            twin(&file.gzip),
        );
    }
    table + "];\n"
}
