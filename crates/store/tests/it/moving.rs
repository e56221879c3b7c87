//! A whole database moves to a server and back, and says the same there.

use quorate_contract::{Actor, Timestamp};
use quorate_engine::{Journal, Secret};
use quorate_store::{
    Account, Credential, DatabaseLocation, NewUpload, Settings, Store, StoreError, Token, migrate, verify,
};
use std::io::Read;

use crate::fixtures::{Place, id, lines, location, talk_on};

async fn furnish(store: &Store) {
    for name in ["a", "b", "gone"] {
        talk_on(store, &id(name), 0, 30).await.unwrap();
    }
    store.delete_meeting(&id("gone")).await.unwrap();
    let what = NewUpload {
        id: "u1".to_owned(),
        meeting: id("a"),
        name: "数据.txt".to_owned(),
        media_type: "text/plain".to_owned(),
        by: Actor::person("ada", "ada"),
        created_ms: Timestamp(1),
    };
    let mut upload = store.begin_upload(what, 1 << 20).await.unwrap();
    upload.write(&[7; 600_000]).await.unwrap();
    upload.finish().await.unwrap();
    let credential = Credential {
        provider: "lab".to_owned(),
        base_url: None,
        key: Some(Secret::new("sk-planted-0123456789")),
        settings: Settings::default(),
    };
    store.save_credential(credential, Timestamp(1)).await.unwrap();
    let account = Account {
        name: "Ada".to_owned(),
        scope: "owner".to_owned(),
        created_ms: Timestamp(1),
        updated_ms: Timestamp(1),
    };
    store.add_account(account, "hash".to_owned()).await.unwrap();
    let token = Token {
        id: "t1".to_owned(),
        name: "build".to_owned(),
        by: "Ada".to_owned(),
        hash: [9; 32],
        prefix: "qt_12345678".to_owned(),
        scope: "read".to_owned(),
        meeting: None,
        agent: None,
        created_ms: Timestamp(1),
        expires_ms: None,
        used_ms: None,
    };
    store.add_token(token).await.unwrap();
    store.advance_context_cursor("scout", &id("b"), 21, Timestamp(1)).await.unwrap();
}

async fn look(store: &Store) -> String {
    let (_, mut file) = store.open_upload("u1").await.unwrap();
    let mut content = Vec::new();
    file.read_to_end(&mut content).unwrap();
    assert_eq!(content, [7; 600_000]);
    let meetings = store.meetings(10, 0).await.unwrap();
    let (a, b) = (lines(store, &id("a")).await, lines(store, &id("b")).await);
    let uploads = store.uploads(&id("a")).await.unwrap();
    let (accounts, tokens) = (store.accounts().await.unwrap(), store.tokens().await.unwrap());
    let key = store.credential("lab").await.unwrap().unwrap().key.unwrap().expose().to_owned();
    let cursor = store.context_cursor("scout", &id("b")).await.unwrap();
    assert_eq!(cursor, Some(21));
    format!("{meetings:?} {a:?} {b:?} {uploads:?} {accounts:?} {tokens:?} {key} {cursor:?}")
}

#[tokio::test]
async fn a_database_file_moves_to_a_server_and_comes_back_as_a_backup() {
    if !quorate_test_database::is_on_server() {
        // There is nowhere to move to.
        return;
    }
    let (file, server) = (Place::new(), Place::new());
    let from = DatabaseLocation::File(file.db());
    let store = Store::open(&from).unwrap();
    furnish(&store).await;
    let before = look(&store).await;
    let to = location(&server.db());
    let in_use = migrate(&from, &to, |_| {}).unwrap_err();
    assert!(matches!(in_use, StoreError::InUse { .. }), "{in_use}");
    drop(store);

    let report = migrate(&from, &to, |_| {}).unwrap();
    assert_eq!((report.meetings, report.files, report.key), (2, 1, true));
    assert_eq!(report.missing, Vec::<String>::new());
    let again = migrate(&from, &to, |_| {}).unwrap_err();
    assert!(matches!(again, StoreError::NotEmpty { .. }), "{again}");
    let moved = Store::open(&to).unwrap();
    assert_eq!(look(&moved).await, before);
    assert!(verify(&to, |_| {}, |_| {}).unwrap().is_clean());
    // It goes on there: the next numbers follow those of before.
    talk_on(&moved, &id("a"), 30, 2).await.unwrap();
    talk_on(&moved, &id("new"), 0, 2).await.unwrap();
    let after = look(&moved).await;

    let copy = file.folder().join("copy.db");
    let backup = moved.backup_whole(&copy, true, |_| {}).await.unwrap();
    assert_eq!((backup.meetings, backup.files, backup.key), (3, 1, true));
    drop(moved);
    let copy = Store::open(&copy).unwrap();
    assert_eq!(look(&copy).await, after);
    let late = copy.append(id("gone"), 30, Vec::new()).await;
    assert!(late.is_err(), "what was deleted stays so");
}
