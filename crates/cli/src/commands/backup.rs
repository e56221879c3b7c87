//! Copies the database, and puts a copy back.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Instant;

use jiff::Zoned;
use quorate_app::{CopyProgress, InBoth, LocalDatabase, StoreError, unpack_backup};
use quorate_messages::{message, text};
use reqwest::Method;

use super::print;
use crate::args::{BackupArgs, MigrateArgs, RestoreArgs};
use crate::error::{CliError, ErrorKind};
use crate::language::Speech;
use crate::place::{Place, located};
use crate::remote::Remote;

/// Copies the database with its files, checks the copy, and says what is in it.
pub(crate) async fn backup(place: &Place, args: BackupArgs, speech: Speech) -> Result<ExitCode, CliError> {
    if let Some(server) = Remote::named(place)? {
        return download(&server, args, speech).await;
    }
    super::folder_exists(&args.to)?;
    let store = place.read()?;
    let report = store.backup(args.to, args.with_key, shown(speech)).await;
    clear();
    let report = report?;
    if args.json {
        print(&serde_json::to_string(&report).expect("a report has only text keys"));
    } else {
        let (path, meetings, events, files) =
            (report.path.display(), report.meetings, report.events, report.files);
        print(
            &text!(speech, "cli-backup-copied-meetings-events-uploaded-files", %path, meetings, events, files),
        );
        print(&format!("sha256  {}", report.sha256));
        missing(&report.missing, speech);
        if report.key {
            anstream::eprintln!("{}", text!(speech, "cli-backup-key-file-lies-beside-copy"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Downloads a copy of the database of a server, checks it, and says what is in it.
async fn download(server: &Remote, args: BackupArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let BackupArgs { to, with_key, json, server: _ } = args;
    if with_key {
        return Err(CliError::usage(
            text!(speech, "cli-backup-key-file-does-not-leave"),
            text!(speech, "cli-backup-leave-out-key-keep-copy"),
        )
        .with("field", "with_key"));
    }
    if to.symlink_metadata().is_ok() {
        return Err(StoreError::Exists { path: to }.into());
    }
    let archive = server.download(Method::POST, "/backup").await?;
    let unpacking = tokio::task::spawn_blocking(move || unpack_backup(archive, &to, shown(speech)));
    let report = unpacking.await.map_err(|stopped| {
        CliError::new(message!("app-broken-off", %stopped), message!("app-broken-off-hint"))
            .of(ErrorKind::Internal)
    });
    clear();
    let report = report??;
    if json {
        print(&serde_json::to_string(&report).expect("a report has only text keys"));
        return Ok(ExitCode::SUCCESS);
    }
    let (path, meetings, events, files) =
        (report.path.display(), report.meetings, report.events, report.files);
    print(&text!(speech, "cli-backup-copied-meetings-events-uploaded-files", %path, meetings, events, files));
    missing(&report.missing, speech);
    Ok(ExitCode::SUCCESS)
}

/// Puts a backup in the place of the database.
pub(crate) async fn restore(place: &Place, args: RestoreArgs, speech: Speech) -> Result<ExitCode, CliError> {
    if !args.from.exists() {
        let path = args.from.display();
        return Err(CliError::usage(
            text!(speech, "cli-backup-there-no-file", %path),
            text!(speech, "cli-backup-name-file-quorate-backup-wrote"),
        )
        .with("field", "from"));
    }
    let stamp = Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
    let report = LocalDatabase::restore(&args.from, &place.location, args.force, &stamp, shown(speech)).await;
    clear();
    let report = report.map_err(|error| match error {
        StoreError::WouldReplace { path } if !args.force => CliError::usage(
            text!(speech, "cli-backup-there-would-replaced", path = %path.display()),
            text!(speech, "cli-backup-add-force-if-meant-then"),
        )
        .with("field", "force"),
        StoreError::InUse { path, pid } => {
            let hint = match pid {
                Some(pid) => message!("cli-backup-in-use-by", %pid),
                None => message!("cli-backup-in-use"),
            };
            CliError::new(StoreError::InUse { path, pid }.in_both().0, hint).of(ErrorKind::Storage)
        }
        other => other.into(),
    })?;
    if args.json {
        print(&serde_json::to_string(&report).expect("a report has only text keys"));
        return Ok(ExitCode::SUCCESS);
    }
    let (path, meetings, events, files) =
        (report.path.display(), report.meetings, report.events, report.files);
    print(
        &text!(speech, "cli-backup-restored-meetings-events-uploaded-files", %path, meetings, events, files),
    );
    if let Some(kept) = &report.kept {
        print(&format!("{} {}", text!(speech, "cli-backup-what-there-before"), kept.display()));
    }
    missing(&report.missing, speech);
    Ok(ExitCode::SUCCESS)
}

/// Copies a whole database into an empty one on a server.
pub(crate) async fn migrate(args: MigrateArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let from = located(&args.from)?;
    if let Some(file) = from.file().filter(|file| !file.exists()) {
        return Err(StoreError::NoDatabase { path: file.to_owned() }.into());
    }
    let report = LocalDatabase::migrate(from, located(&args.to)?, shown(speech)).await;
    clear();
    let report = report?;
    if args.json {
        print(&serde_json::to_string(&report).expect("a report has only text keys"));
        return Ok(ExitCode::SUCCESS);
    }
    let (to, meetings, events, files) = (&report.to, report.meetings, report.events, report.files);
    print(&text!(speech, "cli-migrated", %to, meetings, events, files));
    missing(&report.missing, speech);
    if report.key {
        anstream::eprintln!("{}", text!(speech, "cli-migrated-key"));
    }
    Ok(ExitCode::SUCCESS)
}

fn missing(missing: &[String], speech: Speech) {
    if !missing.is_empty() {
        let count = missing.len();
        let note = text!(speech, "cli-backup-uploaded-files-not-there-damaged", %count, missing);
        anstream::eprintln!("{note}");
    }
}

/// Says on a terminal how far it has come, now and then.
fn shown(speech: Speech) -> impl FnMut(CopyProgress) + Send + 'static {
    let terminal = std::io::stderr().is_terminal();
    let mut last: Option<Instant> = None;
    move |progress| {
        let due = last.is_none_or(|last| last.elapsed().as_millis() > 200);
        if !terminal || !due {
            return;
        }
        last = Some(Instant::now());
        let (what, done, of) = match progress {
            CopyProgress::Pages(done, of) => (text!(speech, "cli-backup-copying-pages"), done, of),
            CopyProgress::Rows(done, of) => (text!(speech, "cli-backup-copying-rows"), done, of),
            CopyProgress::Meetings(done, of) => (text!(speech, "cli-backup-checking-meetings"), done, of),
            CopyProgress::Files(done, of) => (text!(speech, "cli-backup-copying-files"), done, of),
        };
        eprint!("\r\x1b[2K{what} {done}/{of}");
    }
}

fn clear() {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[2K");
    }
}
