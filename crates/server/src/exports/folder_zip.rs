//! The folder of a meeting as one ZIP file.

use std::fs::File;
use std::io::{self, Seek as _, Write as _};

use quorate_views::folder_layouts::{FolderContent, FolderExport};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The folder in the archive, which an import reads.
const ROOT: &str = "data";

/// Writes the folder into a file that has no name and goes with its last reader. `contents` are those of attached files
/// that are there, each once, by their checksums.
///
/// # Errors
/// When a content cannot be read, or the disk is full.
pub(crate) fn folder_zip(folder: &FolderExport, contents: Vec<(String, File)>) -> io::Result<File> {
    let mut archive = ZipWriter::new(tempfile::tempfile()?);
    let options = SimpleFileOptions::default();
    for (path, text) in &folder.texts {
        archive.start_file(format!("{ROOT}/{path}"), options)?;
        archive.write_all(text.as_bytes())?;
    }
    let mut present: Vec<&FolderContent> = Vec::new();
    for (sha256, mut content) in contents {
        // The same content may have several names.
        for one in folder.contents.iter().filter(|one| one.sha256 == sha256) {
            content.rewind()?;
            archive.start_file(format!("{ROOT}/{}", one.path), options)?;
            io::copy(&mut content, &mut archive)?;
            present.push(one);
        }
    }
    if let Some((path, sums)) = folder.checksums(present) {
        archive.start_file(format!("{ROOT}/{path}"), options)?;
        archive.write_all(sums.as_bytes())?;
    }
    let mut file = archive.finish()?;
    file.rewind()?;
    Ok(file)
}
