//! Meetings with injected faults as they are written: with the other logs of `fixtures/meetings` they hold every kind of
//! event.
//!
//! `QUORATE_BLESS=1 cargo test -p quorate-sim --test golden` writes them anew.

use std::path::{Path, PathBuf};

use quorate_sim::play;

/// Short meetings at which much happens, with the language that each is held in. Logs of other seeds beside them were
/// written before the simulation attached files; they stay as they are.
const SEEDS: [(&str, u64); 2] = [("zh", 181), ("en", 741)];

fn fixture(language: &str, seed: u64) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/meetings");
    root.join(language).join(format!("faults-{seed}.jsonl"))
}

#[test]
fn a_seed_writes_the_meeting_that_it_wrote_before() {
    let bless = std::env::var_os("QUORATE_BLESS").is_some();
    for (language, seed) in SEEDS {
        let story = play(seed).unwrap_or_else(|breach| panic!("{breach}"));
        let (now, path) = (story.log.join("\n") + "\n", fixture(language, seed));
        assert!(now.contains(&format!("\"language\":\"{language}\"")), "seed {seed}");
        if bless {
            std::fs::write(&path, &now).expect("it can be written");
            continue;
        }
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let differs = before.lines().zip(now.lines()).find(|(before, now)| before != now);
        assert!(before == now, "{} differs, first here: {differs:#?}", path.display());
    }
}
