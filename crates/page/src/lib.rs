//! The page, as it is embedded in the binary.
//!
//! `build.rs` takes the page that `cargo xtask page` built; when there is none, a placeholder that says so.
//! How files are served is the server's part.

#[cfg(test)]
mod collect;

/// One file of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File {
    /// Its name in an address, without the first slash: `assets/index-B2x.js`.
    pub path: &'static str,
    /// The `Content-Type`.
    pub media: &'static str,
    /// Changes whenever its bytes do.
    pub hash: &'static str,
    /// Whether its name contains a hash of its contents, so that it may be cached for ever.
    pub is_hashed: bool,
    /// The contents; none where they are kept by gzip alone, from which they are made for the few who take nothing else.
    pub plain: Option<&'static [u8]>,
    /// The same, compressed by Brotli.
    pub br: Option<&'static [u8]>,
    /// The same, compressed by gzip.
    pub gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// A page: its files, by their path.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    files: &'static [File],
    is_fallback: bool,
}

impl Page {
    /// The page of this binary.
    pub const fn embedded() -> Self {
        Self { files: FILES, is_fallback: IS_FALLBACK }
    }

    /// A page of these files, in the order of their paths.
    pub const fn of(files: &'static [File]) -> Self {
        Self { files, is_fallback: false }
    }

    /// The file with this path, without the first slash.
    pub fn file(&self, path: &str) -> Option<&'static File> {
        let place = self.files.binary_search_by(|file| file.path.cmp(path)).ok()?;
        self.files.get(place)
    }

    /// The file that every address of the page starts with.
    pub fn index(&self) -> Option<&'static File> {
        self.file("index.html")
    }

    /// All files, by their path.
    pub fn files(&self) -> &'static [File] {
        self.files
    }

    /// Whether this build has only the placeholder for a missing page.
    pub fn is_fallback(&self) -> bool {
        self.is_fallback
    }
}

#[cfg(test)]
mod tests;
