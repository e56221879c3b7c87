//! A fingerprint over the names and contents of files, to tell whether they have changed.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::Hasher;
use std::path::Path;

/// Folders of build products, which are not fingerprinted.
const MADE: [&str; 2] = ["dist", "node_modules"];

/// The number of these files and folders. Another compiler may come to another one, which costs one build.
///
/// # Errors
/// When one of them cannot be read.
pub fn fingerprint(paths: &[&str]) -> Result<String, String> {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        add(Path::new(path), path, &mut hasher).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn add(at: &Path, name: &str, hasher: &mut DefaultHasher) -> std::io::Result<()> {
    if !at.is_dir() {
        let bytes = fs::read(at)?;
        for part in [name.as_bytes(), &bytes] {
            hasher.write_usize(part.len());
            hasher.write(part);
        }
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(at)? {
        entries.push(entry?.file_name().to_string_lossy().into_owned());
    }
    entries.sort();
    for entry in entries.iter().filter(|entry| !MADE.contains(&entry.as_str())) {
        add(&at.join(entry), &format!("{name}/{entry}"), hasher)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_count_and_what_is_made_of_them_does_not() {
        let folder = std::env::temp_dir().join(format!("quorate-xtask-print-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let at = folder.join(name);
            fs::create_dir_all(at.parent().expect("a folder")).expect("a folder");
            fs::write(at, text).expect("a file");
        };
        write("src/a.ts", "a");
        let path = folder.display().to_string();
        let print = || fingerprint(&[&path]).expect("a number");
        let first = print();
        write("dist/index.html", "made");
        write("node_modules/x/index.js", "fetched");
        assert_eq!(print(), first);
        write("src/a.ts", "b");
        let second = print();
        assert_ne!(second, first, "what is in a file");
        write("src/b.ts", "");
        let third = print();
        assert_ne!(third, second, "an empty file more");
        fs::rename(folder.join("src/b.ts"), folder.join("src/c.ts")).expect("moved");
        assert_ne!(print(), third, "its name");
        fs::remove_dir_all(&folder).expect("gone");
        assert!(fingerprint(&[&path]).is_err());
    }
}
