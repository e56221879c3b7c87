//! Databases, and what lies beside one and belongs to it: keys, contents of attached files, sessions, locks. Participants
//! read none of it, and no result is written over it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// How a database of SQLite begins.
const HEAD: &[u8; 15] = b"SQLite format 3";
/// What is appended to the name of a database for what belongs to it.
const ENDINGS: [&str; 10] =
    ["-wal", "-shm", "-journal", ".lock", ".key", ".key.next", ".server", ".run", ".files", ".audit"];
/// The ending that takes the place of the database's own: sessions of coding agents.
const SESSIONS: &str = "acp";

/// Whether this is a database of SQLite.
fn is_database(path: &Path) -> bool {
    let mut head = [0; HEAD.len()];
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    is_file && File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *HEAD
}

/// Whether a file or folder is a database, or lies beside one and belongs to it.
pub fn belongs_to_database(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let beside = |ending: &&str| name.strip_suffix(ending).is_some_and(|stem| is_database(Path::new(stem)));
    is_database(path) || ENDINGS.iter().any(beside) || holds_sessions(path)
}

/// Whether a path in a folder is one of them, or lies in one of them.
pub(crate) fn leads_to_database(root: &Path, path: &Path) -> bool {
    path.ancestors().take_while(|part| *part != root).any(belongs_to_database)
}

fn holds_sessions(path: &Path) -> bool {
    let is_named = path.extension().is_some_and(|ending| ending == SESSIONS) && path.is_dir();
    let folder = path.parent().and_then(|folder| folder.read_dir().ok());
    let mut beside = folder.filter(|_| is_named).into_iter().flatten().filter_map(Result::ok);
    beside.any(|entry| entry.path().file_stem() == path.file_stem() && is_database(&entry.path()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_database_is_known_with_what_lies_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::write(root.join("q.db"), b"SQLite format 3\0and more").expect("written");
        for name in ["q.db-wal", "q.db.key", "q.db.server", "other.key", "notes.db", "notes.db-wal"] {
            fs::write(root.join(name), "x").expect("written");
        }
        for name in ["q.db.files/ab", "q.acp/claude", "notes.acp"] {
            fs::create_dir_all(root.join(name)).expect("made");
        }
        for name in ["q.db", "q.db-wal", "q.db.key", "q.db.server", "q.db.files", "q.acp"] {
            assert!(belongs_to_database(&root.join(name)), "{name}");
        }
        for name in ["other.key", "notes.db", "notes.db-wal", "notes.acp", "none"] {
            assert!(!belongs_to_database(&root.join(name)), "{name}");
        }
        assert!(leads_to_database(root, &root.join("q.db.files/ab/cd")));
        assert!(!leads_to_database(root, &root.join("notes.acp/x")));
    }
}
