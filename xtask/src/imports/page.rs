//! Imports of the page's TypeScript: no circle of files, no two folders that import each other, and no feature that
//! imports another.
//!
//! A dynamic import (`import("…")`) is in no circle when the page starts, and counts for features only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::circles::circles;

/// The folder of the sources.
const SOURCES: &str = "web/app/src";
/// The folder of the features: each is imported by pages and by the frame around them, and by nothing else.
const FEATURES: &str = "web/app/src/features/";
/// What may import features.
const OVER_FEATURES: [&str; 3] = ["web/app/src/pages/", "web/app/src/shell/", "web/app/src/routes.tsx"];

/// The violations in the page's imports.
pub fn check(root: &Path) -> Vec<String> {
    let mut files = BTreeMap::new();
    collect(root, SOURCES, &mut files);
    let paths: Vec<&str> = files.keys().map(String::as_str).collect();
    let number = |path: &str| paths.binary_search(&path).ok();
    let needs: Vec<Vec<usize>> = files
        .iter()
        .map(|(path, text)| {
            imports(path, text, &STATIC).iter().filter_map(|path| found(path, number)).collect()
        })
        .collect();
    let mut wrong: Vec<String> = circles(&needs)
        .into_iter()
        .map(|circle| {
            let names: Vec<&str> = circle.into_iter().map(|one| paths[one]).collect();
            format!("a circle of imports: {}", names.join(", "))
        })
        .collect();
    wrong.extend(mutual(&paths, &needs));
    for (path, text) in &files {
        let wanted = imports(path, text, &[&STATIC[..], &["import(\""]].concat());
        wrong.extend(wanted.iter().filter(|to| reaches_into_a_feature(path, to)).map(|to| {
            format!("{path} imports {to}: what features share lies in components/, meeting/ or meeting-form/")
        }));
    }
    wrong
}

fn reaches_into_a_feature(from: &str, to: &str) -> bool {
    let feature = |path: &str| path.strip_prefix(FEATURES)?.split('/').next().map(str::to_owned);
    let over = OVER_FEATURES.iter().any(|over| from.starts_with(over));
    feature(to).is_some_and(|other| !over && feature(from) != Some(other))
}

fn collect(root: &Path, folder: &str, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(root, &path, files);
        } else if path.ends_with(".ts") || path.ends_with(".tsx") {
            files.insert(path, std::fs::read_to_string(entry.path()).unwrap_or_default());
        }
    }
}

/// What stands before the path of an import that is there when the page starts.
const STATIC: [&str; 2] = ["from \"", "import \""];

/// The paths that a file imports after one of these signs, without their endings.
fn imports(path: &str, text: &str, signs: &[&str]) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    signs
        .iter()
        .flat_map(|&sign| text.split(sign).skip(1).filter_map(|rest| rest.split('"').next()))
        .filter(|wanted| wanted.starts_with('.'))
        .map(|wanted| {
            let mut steps: Vec<&str> = folder.split('/').collect();
            for step in wanted.split('/') {
                match step {
                    "." => {}
                    ".." => _ = steps.pop(),
                    step => steps.push(step),
                }
            }
            steps.join("/")
        })
        .collect()
}

fn found(path: &str, number: impl Fn(&str) -> Option<usize>) -> Option<usize> {
    ["", ".ts", ".tsx", ".d.ts", "/index.ts", "/index.tsx"]
        .iter()
        .find_map(|end| number(&format!("{path}{end}")))
}

/// Folders that import each other, each pair once with the imports of the side that has fewer. A folder and
/// its subfolders may: they are one part.
fn mutual(paths: &[&str], needs: &[Vec<usize>]) -> Vec<String> {
    let mut arrows: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for (one, needed) in needs.iter().enumerate() {
        for &other in needed {
            let (from, to) = (super::folder(paths[one], paths), super::folder(paths[other], paths));
            if !from.starts_with(&to) && !to.starts_with(&from) {
                let arrow = format!("{} -> {}", paths[one], paths[other]);
                arrows.entry((from, to)).or_default().insert(arrow);
            }
        }
    }
    let mut wrong = Vec::new();
    for ((from, to), there) in &arrows {
        let Some(back) = arrows.get(&(to.clone(), from.clone())).filter(|_| from < to) else { continue };
        let fewer = if back.len() < there.len() { back } else { there };
        let fewer: Vec<&str> = fewer.iter().map(String::as_str).collect();
        wrong.push(format!("{from} and {to} import each other:\n  {}", fewer.join("\n  ")));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(name: &str, files: &[(&str, &str)]) -> Vec<String> {
        let root = std::env::temp_dir().join(format!("quorate-xtask-page-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = root.join(SOURCES).join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let wrong = check(&root);
        std::fs::remove_dir_all(&root).expect("gone");
        wrong
    }

    #[test]
    fn a_planted_circle_and_folders_that_import_each_other_are_found() {
        let sound = [
            ("main.tsx", "import { Head } from \"./head\";\nimport \"./styles.css\";\n"),
            ("head/index.tsx", "import {\n  type One,\n} from \"../talk/one\";\nexport const Head = 1;\n"),
            ("talk/one.ts", "export type One = 1; const late = import(\"../head\");\n"),
        ];
        assert_eq!(wrong("sound", &sound), Vec::<String>::new());

        let mut circle = sound;
        circle[2].1 = "export type { Head } from \"../head\";\n";
        let found = wrong("circle", &circle);
        assert_eq!(found[0], "a circle of imports: web/app/src/head/index.tsx, web/app/src/talk/one.ts");
        assert_eq!(found.len(), 2, "and the two folders: {found:?}");

        let mut mutual = sound.to_vec();
        mutual.push(("talk/two.ts", "import { low } from \"../head/low\";\n"));
        mutual.push(("head/low.ts", "export const low = 1;\n"));
        let found = wrong("mutual", &mutual);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("head/ and web/app/src/talk/ import each other"), "{found:?}");
    }

    #[test]
    fn a_feature_that_is_imported_by_another_is_found_and_so_is_a_component_that_imports_one() {
        let files = [
            ("features/talk/row.ts", "import { a } from \"./parts/a\";\n"),
            (
                "features/talk/parts/a.ts",
                "import { b } from \"../b\";\nimport { ui } from \"../../../ui/ui\";\n",
            ),
            ("features/talk/b.ts", "const late = import(\"../panel/panel\");\n"),
            ("features/panel/panel.ts", "export const panel = 1;\n"),
            ("components/mark.ts", "import { row } from \"../features/talk/row\";\n"),
            ("pages/meeting.ts", "import { row } from \"../features/talk/row\";\n"),
            ("ui/ui.ts", "export const ui = 1;\n"),
        ];
        let found = wrong("features", &files);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("web/app/src/components/mark.ts imports web/app/src/features/talk/row"));
        assert!(
            found[1].starts_with("web/app/src/features/talk/b.ts imports web/app/src/features/panel/panel")
        );
    }
}
