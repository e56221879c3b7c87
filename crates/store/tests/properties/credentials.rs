//! Credentials of providers.

use proptest::prelude::*;
use quorate_contract::Timestamp;

use crate::{Bench, any, cases};

/// All that lies beside the database as text, with the names of the files.
fn all_files(bench: &Bench) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(bench.folder.path()).expect("the folder is there");
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        (path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned())
    };
    entries.map(read).collect()
}

/// Feature: ai-agent-meeting, Property 6: a credential is read back as it was stored, and no file
/// shows its key.
#[test]
fn p06_a_credential_is_read_back_as_it_was_stored() {
    let bench = Bench::new();
    proptest!(cases(), |(credentials in prop::collection::vec(any::credential(), 1..4))| {
        for (name, _) in bench.wait(bench.store.credential_names()).unwrap() {
            bench.wait(bench.store.delete_credential(&name)).unwrap();
        }
        for credential in &credentials {
            bench.wait(bench.store.save_credential(credential.clone(), Timestamp(1))).unwrap();
        }
        let reopened = bench.reopened();
        let mut of_each = credentials.clone();
        of_each.reverse();
        of_each.sort_by(|a, b| a.provider.cmp(&b.provider));
        of_each.dedup_by(|a, b| a.provider == b.provider);
        for credential in &of_each {
            let stored = bench.wait(reopened.credential(&credential.provider)).unwrap().unwrap();
            prop_assert_eq!(&stored.key, &credential.key, "the last one that was given");
            if credential.base_url.is_some() {
                prop_assert_eq!(&stored.base_url, &credential.base_url);
            }
        }
        prop_assert_eq!(bench.wait(reopened.credentials()).unwrap().len(), of_each.len());
        let shown = format!("{:?}", bench.wait(reopened.credentials()).unwrap());
        let files = all_files(&bench);
        for key in credentials.iter().filter_map(|credential| credential.key.as_ref()) {
            // A key of a few signs is found in anything.
            let key = key.expose();
            if key.len() < 8 {
                continue;
            }
            prop_assert!(!shown.contains(key), "{shown}");
            for (name, text) in &files {
                prop_assert!(!text.contains(key), "{} shows the key", name);
            }
        }
    });
}
