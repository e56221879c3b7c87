//! The modules of all crates, and which file a path leads to.

use std::collections::BTreeMap;

use super::tokens::{Import, Source};

/// The largest length of a chain of re-exports.
const HANDED_ON_MAX: usize = 12;

/// The files of all crates, each at its place among the modules.
#[derive(Default)]
pub struct Tree {
    files: Vec<File>,
    /// Crate and modules (`["quorate_core", "flow", "round"]`) → the file.
    modules: BTreeMap<Vec<String>, usize>,
}

struct File {
    path: String,
    module: Vec<String>,
    source: Source,
}

impl Tree {
    /// Takes in a file: `crates/core/src/flow/round.rs` is `quorate_core::flow::round`.
    pub fn add(&mut self, path: &str, source: Source) {
        let Some((krate, inside)) = split(path) else { return };
        let mut module = vec![krate];
        let steps = inside.trim_end_matches(".rs").split('/');
        module.extend(steps.filter(|step| !matches!(*step, "mod" | "lib")).map(str::to_owned));
        // A binary that has no library beside it is the root of its crate. Files come in the order of their names.
        if inside == "main.rs" && !self.modules.contains_key(&module[..1]) {
            module.truncate(1);
        }
        self.modules.insert(module.clone(), self.files.len());
        self.files.push(File { path: path.to_owned(), module, source });
    }

    /// The paths of all files, by their numbers.
    pub fn paths(&self) -> Vec<&str> {
        self.files.iter().map(|file| file.path.as_str()).collect()
    }

    /// What was read of each file, by their numbers.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.files.iter().map(|file| (file.path.as_str(), &file.source))
    }

    /// The files that each file depends on, by their numbers. A list of re-exports depends on no file.
    pub fn needs(&self) -> Vec<Vec<usize>> {
        (0..self.files.len())
            .map(|number| {
                let file = &self.files[number];
                let imported = file
                    .source
                    .imports
                    .iter()
                    .filter(|import| !import.is_export)
                    .map(|import| import.path.as_slice());
                let mut found: Vec<usize> = imported
                    .chain(file.source.paths.iter().map(Vec::as_slice))
                    .filter_map(|path| self.resolve(&file.module, path, 0))
                    .filter(|found| *found != number)
                    .collect();
                found.sort_unstable();
                found.dedup();
                found
            })
            .collect()
    }

    /// The file that defines what `path` names, seen from the module `from`.
    fn resolve(&self, from: &[String], path: &[String], handed_on: usize) -> Option<usize> {
        if handed_on > HANDED_ON_MAX {
            return None;
        }
        let (mut at, mut rest) = self.begin(from, path)?;
        while let Some((step, after)) = rest.split_first() {
            let mut deeper = at.clone();
            deeper.push(step.clone());
            if self.modules.contains_key(&deeper) {
                (at, rest) = (deeper, after);
                continue;
            }
            let file = &self.files[*self.modules.get(&at)?];
            let named =
                file.source.imports.iter().find(|import| import.name == *step && import.path.len() > 1);
            if let Some(import) = named
                && !file.source.defines.contains(step)
            {
                let mut path = import.path.clone();
                path.extend(after.iter().cloned());
                return self.resolve(&at, &path, handed_on + 1);
            }
            if !file.source.defines.contains(step) {
                let stars = file.source.imports.iter().filter(|import| import.name == "*");
                let through = |star: &Import| {
                    let number = self.resolve(&at, &star.path[..star.path.len() - 1], handed_on + 1)?;
                    self.provides(number, step, handed_on + 1)
                };
                if let Some(found) = stars.into_iter().find_map(through) {
                    return Some(found);
                }
            }
            break;
        }
        self.modules.get(&at).copied()
    }

    /// The file that defines `name`, when the file `number` does or hands it on.
    fn provides(&self, number: usize, name: &str, handed_on: usize) -> Option<usize> {
        let file = &self.files[number];
        if file.source.defines.iter().any(|defined| defined == name) {
            return Some(number);
        }
        let handed =
            file.source.imports.iter().any(|one| one.is_export && (one.name == name || one.name == "*"));
        if !handed {
            return None;
        }
        let found = self.resolve(&file.module, &["self".to_owned(), name.to_owned()], handed_on + 1)?;
        (found != number).then_some(found)
    }

    /// The module at which a path starts, and the rest of the path.
    fn begin<'a>(&self, from: &[String], path: &'a [String]) -> Option<(Vec<String>, &'a [String])> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some((from[..1].to_vec(), rest)),
            "self" => Some((from.to_vec(), rest)),
            "super" => {
                let mut at = from[..from.len().saturating_sub(1)].to_vec();
                let mut rest = rest;
                while let Some((step, after)) = rest.split_first()
                    && step == "super"
                {
                    at.pop();
                    rest = after;
                }
                (!at.is_empty()).then_some((at, rest))
            }
            krate if self.modules.contains_key(&vec![krate.to_owned()]) => {
                Some((vec![krate.to_owned()], rest))
            }
            child => {
                let mut at = from.to_vec();
                at.push(child.to_owned());
                self.modules.contains_key(&at).then_some((at, rest))
            }
        }
    }
}

/// The crate of a file and its path within it.
fn split(path: &str) -> Option<(String, &str)> {
    if let Some(inside) = path.strip_prefix("xtask/src/") {
        return Some(("xtask".to_owned(), inside));
    }
    let (krate, inside) = path.strip_prefix("crates/")?.split_once("/src/")?;
    Some((format!("quorate_{krate}"), inside))
}
