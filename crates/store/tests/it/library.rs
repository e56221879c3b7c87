//! Agents, credentials under their key file, and meetings that go: what people can run into.

use std::path::PathBuf;

use quorate_contract::{AgentId, ModelParameters, Role, RunnerSpec, Timestamp, TurnDelivery};
use quorate_engine::{Journal, JournalError, Secret};
use quorate_store::{Agent, Credential, SeenAgent, Settings, Store, StoreError};

use crate::fixtures::{Place, id, lines_of_talk, talk_on, verify};

const KEY: &str = "sk-planted-0123456789";

fn ada() -> Agent {
    Agent {
        id: AgentId::new("agent-1"),
        name: "Ada".to_owned(),
        role: Role {
            name: "Keeper".to_owned(),
            description: "Looks after the data.".to_owned(),
            system_prompt: String::new(),
        },
        runner: RunnerSpec::Model {
            provider: "lab".to_owned(),
            model: "talker".to_owned(),
            parameters: ModelParameters::default(),
            price: None,
            fallback: None,
        },
        profile: None,
        skip_list: vec!["收到".to_owned(), "/status".to_owned()],
        created_ms: Timestamp(1),
        updated_ms: Timestamp(1),
    }
}

fn credential(provider: &str, base_url: Option<&str>, key: Option<&str>) -> Credential {
    Credential {
        provider: provider.to_owned(),
        base_url: base_url.map(str::to_owned),
        key: key.map(Secret::new),
        settings: Settings::default(),
    }
}

fn key_file(place: &Place) -> PathBuf {
    place.folder().join("meetings.db.key")
}

#[tokio::test]
async fn what_is_not_given_stays_as_it_was() {
    let place = Place::new();
    let store = place.open();
    let save = |given| store.save_credential(given, Timestamp(1));
    save(credential("lab", Some("https://lab.example/v1"), Some(KEY))).await.unwrap();
    let renewed = save(credential("lab", None, Some("sk-another"))).await.unwrap();
    assert_eq!(renewed, credential("lab", Some("https://lab.example/v1"), Some("sk-another")));
    let same = save(credential("lab", Some("https://lab.example/v1"), None)).await.unwrap();
    assert_eq!(same, renewed);

    let moved = save(credential("lab", Some("https://elsewhere.example/v1"), None)).await.unwrap_err();
    assert!(matches!(moved, StoreError::KeyOfAnotherAddress { .. }), "{moved}");
    assert!(moved.hint().contains("for the new address, too"), "{}", moved.hint());
    assert_eq!(store.credential("lab").await.unwrap(), Some(renewed), "and stays as it was");

    save(credential("local", Some("http://localhost:1/v1"), None)).await.expect("some want no key");
    for wrong in [
        credential("lab", None, Some(" \n")),
        credential("lab", None, None),
        credential("lab", Some(" "), Some(KEY)),
        credential("a/b", None, Some(KEY)),
    ] {
        let refused = save(wrong.clone()).await.unwrap_err();
        assert!(matches!(refused, StoreError::Invalid(_)), "{wrong:?}: {refused}");
    }
    let names: Vec<String> =
        store.credential_names().await.unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["lab", "local"]);
}

#[tokio::test]
async fn an_agent_and_its_credential_are_stored_together_or_not_at_all() {
    let place = Place::new();
    let store = place.open();
    let with = |key| Some(credential("lab", None, Some(key)));
    store.create_agent(ada(), with(KEY)).await.unwrap();
    let again = Agent { id: AgentId::new("agent-2"), ..ada() };
    let taken = store.create_agent(again, with("sk-of-the-second")).await.unwrap_err();
    assert!(matches!(taken, StoreError::AgentExists { .. }), "{taken}");
    assert!(taken.hint().contains("change the agent"), "{}", taken.hint());
    let ben = Agent { id: AgentId::new("agent-3"), name: "Ben".to_owned(), ..ada() };
    store.create_agent(ben, with(" ")).await.unwrap_err();
    assert_eq!(store.agents().await.unwrap(), [ada()]);
    assert_eq!(store.credential("lab").await.unwrap(), Some(credential("lab", None, Some(KEY))));
    let missing = Agent { id: AgentId::new("nobody"), ..ada() };
    let lost = store.update_agent(missing, with("sk-of-nobody")).await.unwrap_err();
    assert!(matches!(lost, StoreError::NoSuchAgent { .. }), "{lost}");
    assert_eq!(store.credential("lab").await.unwrap(), Some(credential("lab", None, Some(KEY))));
}

#[cfg(unix)]
#[tokio::test]
async fn the_key_file_is_made_for_its_owner_alone_and_refused_when_others_can_read_it() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let store = place.open();
    assert!(!key_file(&place).exists(), "only when something is to be sealed");
    store.save_credential(credential("lab", None, Some(KEY)), Timestamp(1)).await.unwrap();
    assert_eq!(metadata(key_file(&place)).unwrap().permissions().mode() & 0o777, 0o600);
    for mode in [0o640, 0o604, 0o660, 0o644] {
        set_permissions(key_file(&place), Permissions::from_mode(mode)).unwrap();
        let read = store.credential("lab").await.unwrap_err();
        let write =
            store.save_credential(credential("lab", None, Some("sk-2")), Timestamp(2)).await.unwrap_err();
        for error in [read, write] {
            assert!(matches!(error, StoreError::VaultKeyExposed { .. }), "{error}");
            assert!(error.hint().starts_with("chmod 600 "), "{}", error.hint());
        }
    }
    set_permissions(key_file(&place), Permissions::from_mode(0o600)).unwrap();
    assert_eq!(store.credential("lab").await.unwrap(), Some(credential("lab", None, Some(KEY))));
    assert!(store.meetings(1, 0).await.is_ok(), "whoever asks for no key needs no key file");
}

#[tokio::test]
async fn a_key_file_that_is_lost_or_another_one_opens_nothing_and_says_so() {
    let place = Place::new();
    let store = place.open();
    store.save_credential(credential("lab", None, Some(KEY)), Timestamp(1)).await.unwrap();
    let right = std::fs::read(key_file(&place)).unwrap();
    std::fs::remove_file(key_file(&place)).unwrap();
    let read = store.credential("lab").await.unwrap_err();
    let write =
        store.save_credential(credential("other", None, Some("sk-2")), Timestamp(2)).await.unwrap_err();
    for error in [read, write] {
        assert!(
            matches!(&error, StoreError::VaultKeyMissing { providers, .. } if providers == &["lab"]),
            "{error}"
        );
        assert!(error.hint().contains("remove these providers"), "{}", error.hint());
    }
    assert!(!key_file(&place).exists(), "no new one that would open nothing");

    let private = |bytes: &[u8]| {
        std::fs::write(key_file(&place), bytes).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(key_file(&place), std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .unwrap();
    };
    private(&[7; 32]);
    let other = store.credential("lab").await.unwrap_err();
    assert!(matches!(other, StoreError::SealedOtherwise { .. }), "{other}");
    private(&right[..31]);
    let short = store.credential("lab").await.unwrap_err();
    assert!(matches!(short, StoreError::VaultKeyUnusable { .. }), "{short}");
    private(&right);
    assert_eq!(store.credential("lab").await.unwrap(), Some(credential("lab", None, Some(KEY))));

    std::fs::remove_file(key_file(&place)).unwrap();
    store.delete_credential("lab").await.expect("to give it up needs no key file");
    let nothing = store.delete_credential("lab").await.unwrap_err();
    assert!(matches!(nothing, StoreError::NoSuchCredential { .. }), "{nothing}");
    store.save_credential(credential("lab", None, Some(KEY)), Timestamp(3)).await.expect("a new key file");
    assert_ne!(std::fs::read(key_file(&place)).unwrap(), right);
}

/// The files of a place, as they lie there now.
fn files(place: &Place) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(place.folder()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_file()).map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

fn private(path: &std::path::Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
}

#[tokio::test]
async fn wherever_a_change_of_the_key_file_is_cut_off_everything_can_be_opened() {
    if quorate_test_database::is_on_server() {
        // The rows are put back together with the files, as a file of SQLite is.
        return;
    }
    let place = Place::new();
    let (lab, other) =
        (credential("lab", None, Some(KEY)), credential("other", None, Some("sk-other-012345")));
    let store = place.open();
    for credential in [&lab, &other] {
        store.save_credential(credential.clone(), Timestamp(1)).await.unwrap();
    }
    drop(store);
    let (before, old) = (files(&place), std::fs::read(key_file(&place)).unwrap());
    let store = place.open();
    assert_eq!(store.rotate_key_file(Timestamp(2)).await.unwrap(), ["lab", "other"]);
    assert_eq!(store.credentials().await.unwrap(), [lab.clone(), other.clone()]);
    drop(store);
    let (after, new) = (files(&place), std::fs::read(key_file(&place)).unwrap());
    assert_ne!(old, new);
    let mut next = key_file(&place).into_os_string();
    next.push(".next");
    let next = PathBuf::from(next);
    assert!(!next.exists(), "one key file is left");
    let partial = next.with_extension("next.partial");

    // What lies there when the power goes: the database and the key file of before or after, and
    // the successor whole, half or not at all.
    let cuts = [
        ("before the successor is whole", &before, &old, None, Some(&new[..9])),
        ("before the rows are committed", &before, &old, Some(&new), None),
        ("before the key file is replaced", &after, &old, Some(&new), None),
        ("at the end", &after, &new, None, None),
    ];
    for (when, database, key, successor, half) in cuts {
        for (path, _) in files(&place) {
            std::fs::remove_file(path).unwrap();
        }
        for (path, bytes) in database {
            private(path, bytes);
        }
        private(&key_file(&place), key);
        if let Some(bytes) = successor {
            private(&next, bytes);
        }
        if let Some(bytes) = half {
            private(&partial, bytes);
        }
        let reader = place.read_only();
        assert_eq!(reader.credentials().await.unwrap(), [lab.clone(), other.clone()], "{when}");
        drop(reader);
        let store = place.open();
        store
            .save_credential(credential("third", None, Some("sk-third-012345")), Timestamp(3))
            .await
            .unwrap();
        assert!(!next.exists(), "{when}: whoever writes next finishes it, or takes it back");
        assert_eq!(store.credentials().await.unwrap().len(), 3, "{when}");
        store.rotate_key_file(Timestamp(4)).await.unwrap();
        assert_eq!(store.credential("lab").await.unwrap(), Some(lab.clone()), "{when}");
        assert!(!next.exists() && std::fs::read(key_file(&place)).unwrap() != *key, "{when}");
    }
}

#[tokio::test]
async fn settings_are_sealed_and_laid_over_those_of_before() {
    let place = Place::new();
    let store = place.open();
    let with = |key: Option<&str>, url: Option<&str>, settings: serde_json::Value| Credential {
        settings: Settings(settings.as_object().unwrap().clone()),
        ..credential("lab", url, key)
    };
    let settings = serde_json::json!({
        "concurrency": 2, "extra_headers": { "x-team": "planted-header-0123" }, "timeouts": { "idle_ms": 5 },
    });
    let first = with(Some(KEY), Some("https://lab.example/v1"), settings);
    assert_eq!(store.save_credential(first.clone(), Timestamp(1)).await.unwrap(), first);
    assert!(!format!("{first:?}").contains("planted"), "{first:?}");
    let changes = serde_json::json!({ "concurrency": null, "retries": 1, "timeouts": { "total_ms": 9 } });
    let changed = store.save_credential(with(None, None, changes), Timestamp(2)).await.unwrap();
    let now = serde_json::json!({
        "retries": 1, "extra_headers": { "x-team": "planted-header-0123" },
        "timeouts": { "idle_ms": 5, "total_ms": 9 },
    });
    assert_eq!(changed, with(Some(KEY), Some("https://lab.example/v1"), now));
    let moved = with(Some("sk-2"), Some("https://elsewhere.example/v1"), serde_json::json!({}));
    let refused = store.save_credential(moved, Timestamp(3)).await.unwrap_err();
    assert!(matches!(refused, StoreError::KeyOfAnotherAddress { .. }), "the header stays behind: {refused}");
    let without = serde_json::json!({ "extra_headers": { "x-team": null } });
    let moved = with(Some("sk-2"), Some("https://elsewhere.example/v1"), without);
    let moved = store.save_credential(moved, Timestamp(3)).await.unwrap();
    assert!(!moved.settings.0.contains_key("extra_headers"));
    for (path, bytes) in files(&place) {
        assert!(!bytes.windows(7).any(|seen| seen == b"planted"), "{}", path.display());
    }
}

#[tokio::test]
async fn a_deleted_meeting_leaves_no_word_in_any_file() {
    let place = Place::new();
    let store = place.open();
    for name in ["a", "b"] {
        talk_on(&store, &id(name), 0, 200).await.unwrap();
    }
    let secret = crate::fixtures::said("the word is xylophone");
    store.append(id("a"), 200, vec![crate::fixtures::record(&id("a"), 201, secret)]).await.unwrap();
    store.delete_meeting(&id("a")).await.unwrap();
    for entry in std::fs::read_dir(place.folder()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        assert!(!bytes.windows(9).any(|window| window == b"xylophone"), "{}", path.display());
    }
    let late = talk_on(&store, &id("a"), 201, 1).await.unwrap_err();
    assert!(matches!(late, JournalError::Conflict { found: 0, .. }), "{late}");
    assert_eq!(crate::fixtures::lines(&store, &id("b")).await, lines_of_talk(&id("b"), 200));
    assert!(verify(&place.db()).unwrap().is_clean());
    talk_on(&store, &id("b"), 200, 1).await.expect("the others go on");
    let reader = place.read_only();
    let refused = reader.delete_meeting(&id("b")).await.unwrap_err();
    assert!(matches!(refused, StoreError::Journal(JournalError::Unavailable { .. })), "{refused}");
}

#[tokio::test]
async fn what_was_deleted_or_replaced_is_in_no_file() {
    let place = Place::new();
    let store = place.open();
    let provider = |name: &str, url: &str| credential(name, Some(url), None);
    for (name, url) in [("lab", "https://xylophone.example/v1"), ("hall", "https://lute.example/v1")] {
        store.save_credential(provider(name, url), Timestamp(1)).await.unwrap();
    }
    store.delete_credential("lab").await.unwrap();
    store.save_credential(provider("hall", "https://lyre.example/v1"), Timestamp(2)).await.unwrap();
    drop(store);
    for (path, bytes) in files(&place) {
        for gone in [&b"xylophone"[..], b"lute.example"] {
            assert!(!bytes.windows(gone.len()).any(|seen| seen == gone), "{}", path.display());
        }
    }
}

#[tokio::test]
async fn a_deleted_agent_leaves_its_meetings_as_they_were() {
    let place = Place::new();
    let store = place.open();
    store.create_agent(ada(), None).await.unwrap();
    talk_on(&store, &id("m"), 0, 4).await.unwrap();
    let before = store.lines(&id("m"), 0).await.unwrap();
    store.delete_agent("Ada", Timestamp(9)).await.unwrap();
    assert_eq!(store.lines(&id("m"), 0).await.unwrap(), before);
    assert!(verify(&place.db()).unwrap().is_clean());
}

#[tokio::test]
async fn when_an_agent_was_last_seen_outlives_a_restart_and_never_runs_backwards() {
    let place = Place::new();
    let store = place.open();
    let runner = RunnerSpec::External { via: TurnDelivery::Agent, name: "scout".to_owned() };
    let scout = Agent { name: "scout".to_owned(), runner, ..ada() };
    store.create_agent(scout.clone(), None).await.unwrap();
    let ben = Agent { id: AgentId::new("agent-2"), name: "Ben".to_owned(), ..ada() };
    store.create_agent(ben, None).await.unwrap();
    let seen = |name: &str, at| SeenAgent { name: name.to_owned(), at: Timestamp(at) };
    assert_eq!(store.seen_agents().await.unwrap(), []);
    store.keep_seen_agents(vec![seen("scout", 5_000), seen("nobody", 5_000), seen("Ben", 1)]).await.unwrap();
    store.keep_seen_agents(vec![seen("scout", 4_000)]).await.unwrap();
    let renamed = Agent { name: "Scout".to_owned(), ..scout };
    assert_eq!(
        store.update_agent(renamed.clone(), None).await.unwrap(),
        renamed,
        "it is no change of the agent"
    );
    drop(store);
    let store = place.open();
    assert_eq!(store.seen_agents().await.unwrap(), [seen("scout", 5_000)]);
}

#[tokio::test]
async fn what_was_sealed_cannot_be_moved_or_changed() {
    if quorate_test_database::is_on_server() {
        // What is flipped is written in the dialect of SQLite.
        return;
    }
    let place = Place::new();
    let store = place.open();
    store
        .save_credential(credential("lab", Some("https://lab.example"), Some(KEY)), Timestamp(1))
        .await
        .unwrap();
    store
        .save_credential(credential("evil", Some("https://evil.example"), None), Timestamp(1))
        .await
        .unwrap();
    let raw = rusqlite::Connection::open(place.db()).unwrap();
    let forge = async |sql: &str, provider: &str| {
        raw.execute_batch("SAVEPOINT before").unwrap();
        raw.execute_batch(sql).unwrap();
        raw.execute_batch("RELEASE before").unwrap();
        let error = store.credential(provider).await.unwrap_err();
        assert!(matches!(error, StoreError::SealedOtherwise { .. }), "{error}");
        assert!(!format!("{error} {error:?} {}", error.hint()).contains(KEY));
    };
    let swap = "UPDATE credential SET sealed = (SELECT sealed FROM credential WHERE provider = 'lab')
                WHERE provider = 'evil'";
    forge(swap, "evil").await;
    let flip =
        "UPDATE credential SET sealed = CAST(substr(sealed, 1, 40) || x'00' || substr(sealed, 42) AS BLOB)
                WHERE provider = 'lab'";
    forge(flip, "lab").await;
    forge("UPDATE credential SET sealed = x'0011' WHERE provider = 'lab'", "lab").await;
}

#[tokio::test]
async fn a_backup_holds_the_credentials_but_not_what_opens_them() {
    let place = Place::new();
    let store = place.open();
    store.save_credential(credential("lab", None, Some(KEY)), Timestamp(1)).await.unwrap();
    let copy = place.folder().join("copy.db");
    store.backup(&copy).await.unwrap();
    let copy = Store::open(copy).unwrap();
    let error = copy.credential("lab").await.unwrap_err();
    assert!(matches!(error, StoreError::VaultKeyMissing { .. }), "{error}");
}

#[tokio::test]
async fn how_far_an_agent_was_given_a_meeting_outlives_a_restart_and_goes_with_both() {
    let place = Place::new();
    let store = place.open();
    let runner = RunnerSpec::External { via: TurnDelivery::Agent, name: "scout".to_owned() };
    store.create_agent(Agent { name: "scout".to_owned(), runner, ..ada() }, None).await.unwrap();
    for name in ["a", "b"] {
        talk_on(&store, &id(name), 0, 4).await.unwrap();
    }
    assert_eq!(store.context_cursor("scout", &id("a")).await.unwrap(), None);
    for (agent, meeting, seq) in
        [("scout", "a", 3), ("scout", "a", 2), ("scout", "b", 1), ("Ada", "a", 4), ("scout", "nowhere", 9)]
    {
        store.advance_context_cursor(agent, &id(meeting), seq, Timestamp(7)).await.unwrap();
    }
    drop(store);
    let store = place.open();
    let cursors = async |store: &Store| {
        let mut cursors = Vec::new();
        for (agent, meeting) in [("scout", "a"), ("scout", "b"), ("Ada", "a"), ("scout", "nowhere")] {
            cursors.push(store.context_cursor(agent, &id(meeting)).await.unwrap());
        }
        cursors
    };
    assert_eq!(cursors(&store).await, [Some(3), Some(1), Some(4), None], "it never goes back");
    store.delete_meeting(&id("b")).await.unwrap();
    assert_eq!(cursors(&store).await, [Some(3), None, Some(4), None]);
    store.delete_agent("scout", Timestamp(9)).await.unwrap();
    assert_eq!(cursors(&store).await, [None, None, Some(4), None]);
}
