//! The files of an agent's folder, as the agent reads and writes them through Quorate.
//!
//! Paths are followed to their end before they are compared, so that no link leads out of the folder. Files that usually hold
//! keys, texts in which one stands, and databases with what belongs to them are not handed out.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::database_files::leads_to_database;
use crate::file_text::{find_secret, is_secret_name};

/// The largest file that is read, in bytes.
const FILE_MAX: u64 = 8 << 20;
/// The most bytes of one answer.
const ANSWER_MAX: usize = 256 << 10;
/// The largest text that is written, in bytes.
const WRITE_MAX: usize = 1 << 20;

/// A folder that an agent works in.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    root: PathBuf,
}

/// Why a file is not read or written; the agent is told the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum FileRefusal {
    #[error("the file does not exist")]
    NotFound,
    #[error("the path lies outside of the folder of this session")]
    Outside,
    #[error("this is not a file")]
    NotAFile,
    #[error("files that usually hold keys or passwords are not read")]
    SecretName,
    #[error("databases, and what belongs to them, are neither read nor written")]
    Database,
    #[error("the file holds a key, so it is not read")]
    Secret,
    #[error("the file is not UTF-8 text")]
    NotText,
    #[error("the file is larger than 8 MB")]
    TooLarge,
    #[error("more than 256 KB were asked for; ask for fewer lines with `line` and `limit`")]
    TooMuch,
    #[error("more than 1 MB cannot be written")]
    WritesTooMuch,
    #[error("the file cannot be read or written")]
    Unavailable,
}

impl Folder {
    /// The folder `inner` of `root`, where both exist and no link leads out of `root`.
    pub(super) fn open(root: &Path, inner: &Path) -> Option<Self> {
        let root = root.canonicalize().ok()?;
        let place = root.join(inner).canonicalize().ok()?;
        (place.starts_with(&root) && place.is_dir()).then_some(Self { root: place })
    }

    pub(super) fn path(&self) -> &Path {
        &self.root
    }

    /// A path as people read it: from the folder where it lies in it.
    pub(super) fn shown(&self, path: &str) -> String {
        match Path::new(path).strip_prefix(&self.root) {
            Ok(inner) if inner.as_os_str().is_empty() => ".".to_owned(),
            Ok(inner) => inner.to_string_lossy().into_owned(),
            Err(_) => path.to_owned(),
        }
    }

    /// Whether a path lies in the folder. One that does not exist lies where its folder does.
    pub(super) fn holds(&self, path: &str) -> bool {
        let path = self.root.join(path);
        let found = path.canonicalize().or_else(|_| {
            let parent = path.parent().unwrap_or(Path::new("")).canonicalize()?;
            Ok::<_, std::io::Error>(parent.join(path.file_name().unwrap_or_default()))
        });
        found.is_ok_and(|place| place.starts_with(&self.root))
    }

    /// Whether an agent may read at this path: a folder, or a file that is handed out.
    pub(super) fn is_open(&self, path: &str) -> bool {
        let refusal = self.read(path, Some(1), Some(1)).err();
        let is_kept = |refusal: &FileRefusal| {
            // What cannot be looked through may hold a key, too.
            matches!(
                refusal,
                FileRefusal::Outside
                    | FileRefusal::SecretName
                    | FileRefusal::Secret
                    | FileRefusal::Database
                    | FileRefusal::NotText
                    | FileRefusal::TooLarge
            )
        };
        self.holds(path) && !refusal.as_ref().is_some_and(is_kept)
    }

    /// Reads lines of a text, counted from 1.
    pub(super) fn read(
        &self,
        path: &str,
        line: Option<u32>,
        limit: Option<u32>,
    ) -> Result<String, FileRefusal> {
        let place = self.root.join(path).canonicalize().map_err(|_| FileRefusal::NotFound)?;
        if !place.starts_with(&self.root) {
            return Err(FileRefusal::Outside);
        }
        if is_secret_name(path) || is_secret_name(&place.to_string_lossy()) {
            return Err(FileRefusal::SecretName);
        }
        if leads_to_database(&self.root, &place) {
            return Err(FileRefusal::Database);
        }
        let data = fs::metadata(&place).map_err(|_| FileRefusal::Unavailable)?;
        if !data.is_file() {
            return Err(FileRefusal::NotAFile);
        }
        if data.len() > FILE_MAX {
            return Err(FileRefusal::TooLarge);
        }
        let mut bytes = Vec::new();
        let file = File::open(&place).map_err(|_| FileRefusal::Unavailable)?;
        file.take(FILE_MAX).read_to_end(&mut bytes).map_err(|_| FileRefusal::Unavailable)?;
        let text = String::from_utf8(bytes).map_err(|_| FileRefusal::NotText)?;
        if find_secret(&text).is_some() {
            return Err(FileRefusal::Secret);
        }
        if line.is_none() && limit.is_none() {
            return if text.len() > ANSWER_MAX { Err(FileRefusal::TooMuch) } else { Ok(text) };
        }
        let first = line.unwrap_or(1).max(1) as usize - 1;
        let count = limit.map_or(usize::MAX, |limit| limit as usize);
        let mut part = String::new();
        for line in text.split_inclusive('\n').skip(first).take(count) {
            if part.len() + line.len() > ANSWER_MAX {
                return Err(FileRefusal::TooMuch);
            }
            part.push_str(line);
        }
        Ok(part)
    }

    /// Writes a text; its folder has to exist.
    pub(super) fn write(&self, path: &str, content: &str) -> Result<(), FileRefusal> {
        if content.len() > WRITE_MAX {
            return Err(FileRefusal::WritesTooMuch);
        }
        let path = self.root.join(path);
        let name = path.file_name().ok_or(FileRefusal::NotAFile)?;
        let folder = path.parent().unwrap_or(&self.root).canonicalize().map_err(|_| FileRefusal::NotFound)?;
        let place = folder.join(name);
        // A link is followed to what it stands for.
        let place = match fs::symlink_metadata(&place) {
            Ok(_) => place.canonicalize().map_err(|_| FileRefusal::Outside)?,
            Err(_) => place,
        };
        if !place.starts_with(&self.root) {
            return Err(FileRefusal::Outside);
        }
        if is_secret_name(&place.to_string_lossy()) {
            return Err(FileRefusal::SecretName);
        }
        if leads_to_database(&self.root, &place) {
            return Err(FileRefusal::Database);
        }
        if place.is_dir() {
            return Err(FileRefusal::NotAFile);
        }
        let mut file = File::create(&place).map_err(|_| FileRefusal::Unavailable)?;
        file.write_all(content.as_bytes()).map_err(|_| FileRefusal::Unavailable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_and_no_key_is_read() {
        let place = std::env::temp_dir().join(format!("quorate-acp-files-{}", std::process::id()));
        let root = place.join("root");
        fs::create_dir_all(root.join("src")).expect("made");
        fs::write(place.join("outside.txt"), "outside").expect("written");
        fs::write(root.join("src/a.txt"), "one\ntwo\nthree\n").expect("written");
        fs::write(root.join(".env"), "A=1").expect("written");
        fs::write(root.join("key.txt"), format!("k = AKIA{}", "ABCDEFGH12345678")).expect("written");
        fs::write(root.join("bytes"), [0xff, 0xfe, 0x00]).expect("written");
        fs::write(root.join("q.db"), "SQLite format 3\0").expect("written");
        fs::create_dir_all(root.join("q.db.files/ab")).expect("made");
        fs::write(root.join("q.db.files/ab/cd"), "words of another meeting").expect("written");
        fs::write(root.join("long"), "x\n".repeat(ANSWER_MAX)).expect("written");
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.join("outside.txt"), root.join("link.txt")).expect("linked");
        let folder = Folder::open(&place, Path::new("root")).expect("it is there");
        let absolute = root.canonicalize().expect("there").join("src/a.txt");
        let absolute = absolute.to_str().expect("plain");
        assert_eq!(folder.read(absolute, None, None).as_deref(), Ok("one\ntwo\nthree\n"));
        assert_eq!(folder.read("src/a.txt", Some(2), Some(1)).as_deref(), Ok("two\n"));
        assert_eq!(folder.shown(absolute), "src/a.txt");
        for (path, why) in [
            ("../outside.txt", FileRefusal::Outside),
            ("/etc/hostname", FileRefusal::Outside),
            (".env", FileRefusal::SecretName),
            ("key.txt", FileRefusal::Secret),
            ("q.db", FileRefusal::Database),
            ("q.db.files/ab/cd", FileRefusal::Database),
            ("bytes", FileRefusal::NotText),
            ("src", FileRefusal::NotAFile),
            ("none", FileRefusal::NotFound),
            ("long", FileRefusal::TooMuch),
        ] {
            assert_eq!(folder.read(path, None, None), Err(why), "{path}");
        }
        assert_eq!(folder.read("long", Some(3), Some(2)).as_deref(), Ok("x\nx\n"));
        #[cfg(unix)]
        {
            assert_eq!(folder.read("link.txt", None, None), Err(FileRefusal::Outside));
            assert_eq!(folder.write("link.txt", "x"), Err(FileRefusal::Outside));
            assert!(!folder.holds("link.txt"));
        }
        assert!(folder.holds("src/new.txt") && !folder.holds("../new.txt"));
        assert_eq!(folder.write("src/new.txt", "new"), Ok(()));
        assert_eq!(fs::read_to_string(root.join("src/new.txt")).expect("there"), "new");
        assert_eq!(folder.write("../new.txt", "new"), Err(FileRefusal::Outside));
        assert_eq!(folder.write("q.db", "new"), Err(FileRefusal::Database));
        assert_eq!(folder.write("q.db-wal", "new"), Err(FileRefusal::Database));
        assert_eq!(folder.write("none/new.txt", "new"), Err(FileRefusal::NotFound));
        assert!(
            Folder::open(&root, Path::new("..")).is_none(),
            "no folder of a seat leads out of the configured one"
        );
        fs::remove_dir_all(&place).expect("removed");
    }
}
