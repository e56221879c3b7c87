//! Copies the database, and puts a copy back.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Instant;

use jiff::Zoned;
use quorate_app::{InBoth, unpack_backup};
use quorate_store::{CopyProgress, StoreError};
use reqwest::Method;

use super::print;
use crate::args::{BackupArgs, RestoreArgs};
use crate::error::{CliError, ErrorKind};
use crate::place::Place;
use crate::remote::Remote;
use crate::speech::Speech;

/// Copies the database with its files, checks the copy, and says what is in it.
pub(crate) async fn backup(place: &Place, args: BackupArgs, speech: Speech) -> Result<ExitCode, CliError> {
    if let Some(server) = Remote::named(place)? {
        return download(&server, args, speech).await;
    }
    let store = place.read()?;
    let report = store.backup_whole(args.to, args.with_key, shown(speech)).await;
    clear();
    let report = report?;
    if args.json {
        print(&serde_json::to_string(&report).expect("a report has only text keys"));
    } else {
        let (path, meetings, events, files) =
            (report.path.display(), report.meetings, report.events, report.files);
        print(&speech.pick(
            format!("已备份到 {path}：{meetings} 场会议，{events} 个事件，{files} 个上传的文件，均已检查"),
            format!(
                "copied to {path}: {meetings} meetings, {events} events, {files} uploaded files, all checked"
            ),
        ));
        print(&format!("sha256  {}", report.sha256));
        missing(&report.missing, speech);
        if report.key {
            anstream::eprintln!(
                "{}",
                speech.pick(
                    "副本旁边有密钥文件：谁拿到它们，谁就能使用供应商的密钥",
                    "the key file lies beside the copy: whoever has both can use the keys of providers"
                )
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Downloads a copy of the database of a server, checks it, and says what is in it.
async fn download(server: &Remote, args: BackupArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let BackupArgs { to, with_key, json } = args;
    if with_key {
        return Err(CliError::usage(
            speech.pick("密钥文件不经网络传送", "the key file does not leave its machine over a network"),
            speech.pick(
                "去掉 --with-key，并在服务所在的机器上另外保管密钥文件",
                "leave out --with-key, and keep a copy of the key file by itself, at the machine of the server",
            ),
        )
        .with("field", "with_key"));
    }
    if to.symlink_metadata().is_ok() {
        return Err(StoreError::Exists { path: to }.into());
    }
    let archive = server.download(Method::POST, "/backup").await?;
    let unpacking = tokio::task::spawn_blocking(move || unpack_backup(archive, &to, shown(speech)));
    let report = unpacking.await.map_err(|stopped| {
        CliError::new(format!("the backup stopped: {stopped}"), "repeat it").of(ErrorKind::Internal)
    });
    clear();
    let report = report??;
    if json {
        print(&serde_json::to_string(&report).expect("a report has only text keys"));
        return Ok(ExitCode::SUCCESS);
    }
    let (path, meetings, events, files) =
        (report.path.display(), report.meetings, report.events, report.files);
    print(&speech.pick(
        format!("已备份到 {path}：{meetings} 场会议，{events} 个事件，{files} 个上传的文件，均已检查"),
        format!(
            "copied to {path}: {meetings} meetings, {events} events, {files} uploaded files, all checked"
        ),
    ));
    missing(&report.missing, speech);
    Ok(ExitCode::SUCCESS)
}

/// Puts a backup in the place of the database.
pub(crate) async fn restore(place: &Place, args: RestoreArgs, speech: Speech) -> Result<ExitCode, CliError> {
    if !args.from.exists() {
        let path = args.from.display();
        return Err(CliError::usage(
            speech.pick(format!("没有 {path} 这个文件"), format!("there is no file {path}")),
            speech.pick("写出 quorate backup 写的那个文件", "name the file that `quorate backup` wrote"),
        )
        .with("field", "from"));
    }
    let stamp = Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
    let report = quorate_store::restore(&args.from, &place.db, args.force, &stamp, shown(speech));
    clear();
    let report = report.map_err(|error| match error {
        StoreError::WouldReplace { path } if !args.force => CliError::usage(
            speech.pick(
                format!("{} 已经存在，会被取代", path.display()),
                format!("{} is there, and would be replaced", path.display()),
            ),
            speech.pick(
                "确定就加上 --force：原来的会以带日期的名字留在旁边",
                "add --force if that is meant: it is then kept beside, under a name with the date",
            ),
        )
        .with("field", "force"),
        StoreError::InUse { path, pid } => {
            let who = pid.map_or_else(String::new, |pid| format!(" ({pid})"));
            CliError::new(
                StoreError::InUse { path, pid }.in_both().0,
                (
                    format!("a restore replaces the whole database: stop the process that uses it{who}, then repeat this"),
                    format!("恢复会取代整个数据库：先停下正在使用它的进程{who}，再重复这条命令"),
                ),
            )
            .of(ErrorKind::Storage)
        }
        other => other.into(),
    })?;
    if args.json {
        print(&serde_json::to_string(&report).expect("a report has only text keys"));
        return Ok(ExitCode::SUCCESS);
    }
    let (path, meetings, events, files) =
        (report.path.display(), report.meetings, report.events, report.files);
    print(&speech.pick(
        format!("已恢复到 {path}：{meetings} 场会议，{events} 个事件，{files} 个上传的文件，均已检查"),
        format!(
            "restored to {path}: {meetings} meetings, {events} events, {files} uploaded files, all checked"
        ),
    ));
    if let Some(kept) = &report.kept {
        print(&format!("{} {}", speech.pick("原来的数据库在", "what was there before:"), kept.display()));
    }
    missing(&report.missing, speech);
    Ok(ExitCode::SUCCESS)
}

fn missing(missing: &[String], speech: Speech) {
    if !missing.is_empty() {
        let count = missing.len();
        let note = speech.pick(
            format!("有 {count} 个上传的文件不在或已损坏：{}", missing.join(", ")),
            format!("{count} uploaded files are not there or damaged: {}", missing.join(", ")),
        );
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
            CopyProgress::Pages(done, of) => (speech.pick("复制数据页", "copying pages"), done, of),
            CopyProgress::Meetings(done, of) => (speech.pick("检查会议", "checking meetings"), done, of),
            CopyProgress::Files(done, of) => (speech.pick("复制文件", "copying files"), done, of),
        };
        eprint!("\r\x1b[2K{what} {done}/{of}");
    }
}

fn clear() {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[2K");
    }
}
