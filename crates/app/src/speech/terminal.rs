//! Hints for a reader at a terminal, where a command can be typed. The page and HTTP responses show the same
//! errors without them.

use quorate_contract::Wording;
use quorate_engine::{EngineError, FaultKind, JournalError, StorageFault};
use quorate_store::StoreError;

type Said = Option<(String, String)>;

fn said(english: impl Into<String>, chinese: impl Into<String>) -> Said {
    Some((english.into(), chinese.into()))
}

/// The hint with its form for a terminal, where there is one.
pub(super) fn with(hint: Wording, terminal: Said) -> Wording {
    match terminal {
        Some(terminal) => hint.at_terminal(terminal),
        None => hint,
    }
}

pub(super) fn store(error: &StoreError) -> Said {
    match error {
        StoreError::Journal(error) => journal(error),
        StoreError::NoDatabase { .. } => said(
            "the first meeting makes it; or name another database with --db",
            "第一场会议会建立它；或用 --db 指定另一个数据库",
        ),
        StoreError::Unreachable { .. } => said(
            "check that the folder exists and may be written, or name another database with --db",
            "检查目录是否存在、是否可写，或用 --db 指定另一个数据库",
        ),
        StoreError::NotOurs { .. } => said(
            "nothing was changed in it; name another file with --db",
            "文件没有被改动；用 --db 指定另一个文件",
        ),
        StoreError::Newer { .. } => said(
            "this database was written by a newer quorate; upgrade, or use --db for another",
            "数据库由更新的版本写成；请升级，或用 --db 指定另一个",
        ),
        StoreError::BeforeContract { .. } => said(
            "nothing was changed in it; export its meetings with the version that wrote it (quorate export), and name \
             another database with --db",
            "文件没有被改动；用写它的程序导出会议（quorate export），并用 --db 指定另一个数据库",
        ),
        StoreError::NewerContract { .. } => said(
            "nothing was changed in it; upgrade, or use --db for another database",
            "文件没有被改动；请升级，或用 --db 指定另一个数据库",
        ),
        StoreError::Older { .. } => said(
            "any command that writes, such as `quorate run`, brings it up to date; make a copy first if an older \
             quorate is still to use it",
            "任何会写入的命令（如 quorate run）都会把它升级；旧版本还要用时，先复制一份",
        ),
        StoreError::InUse { .. } => said(
            "commands that only read still work; this one needs the database to itself: wait until the other is done, \
             or stop it, or use --db for another database",
            "只读的命令仍然可用；或等它结束，或用 --db 指定另一个数据库",
        ),
        StoreError::WouldReplace { .. } => said(
            "with --force it is replaced, and kept beside it under another name; a backup cannot take its own place",
            "加 --force 替换，原来的会以别的名字保留；备份不能取代它自己",
        ),
        StoreError::DamagedCopy { .. } => said(
            "nothing was replaced; `quorate verify` says more about the original, or take another backup",
            "没有替换任何内容；quorate verify 可以检查原件，或另取一份备份",
        ),
        StoreError::NoMatch { .. } => {
            said("`quorate list` shows the meetings there are", "quorate list 列出所有会议")
        }
        StoreError::NoMeetings => said("`quorate run` holds the first one", "quorate run 召开第一场"),
        StoreError::DamagedCatalogue { .. } => said(
            "the log itself may be whole: `quorate verify` tells; the catalogue can be made from it again",
            "日志本身可能完好：quorate verify 可以检查，目录可以由日志重建",
        ),
        StoreError::NoSuchAgent { .. } => {
            said("`quorate agents list` shows the agents there are", "quorate agents list 列出所有代理")
        }
        StoreError::AgentExists { name } => said(
            format!("choose another name, or change it: quorate agents update {name:?}"),
            format!("换一个名字，或修改它：quorate agents update {name:?}"),
        ),
        StoreError::DamagedAgent { name, .. } => said(
            format!("restore the database from a backup, or `quorate agents delete {name:?}`"),
            format!("用备份恢复数据库，或 quorate agents delete {name:?}"),
        ),
        StoreError::NoSuchCredential { .. } => {
            said("`quorate providers list` shows what is stored", "quorate providers list 列出已保存的凭证")
        }
        StoreError::KeyOfAnotherAddress { .. } => said(
            "give the key for the new address, too (--api-key-stdin or --api-key-env), or call the provider by another \
             name",
            "把新地址的密钥一并给出（--api-key-stdin 或 --api-key-env），或给供应商另取一个名字",
        ),
        StoreError::VaultKeyMissing { .. } => said(
            "put the key file back from your backup; or give up what it sealed with `quorate providers remove \
             PROVIDER`, and store the keys again",
            "从备份放回密钥文件；或用 quorate providers remove 放弃已封存的凭证，再重新保存",
        ),
        StoreError::VaultKeyUnusable { .. } => said(
            "put the right key file back from your backup; or remove it, give up what it sealed with `quorate \
             providers remove PROVIDER`, and store the keys again",
            "从备份放回正确的密钥文件；或移走它，用 quorate providers remove 放弃已封存的凭证，再重新保存",
        ),
        StoreError::SealedOtherwise { provider, .. } => said(
            format!(
                "put the key file back with which it was sealed; or `quorate providers remove {provider}`, and store \
                 the key again"
            ),
            format!("放回封存时的密钥文件；或 quorate providers remove {provider}，再重新保存密钥"),
        ),
        StoreError::Invalid(_)
        | StoreError::LogWithoutDatabase { .. }
        | StoreError::Exists { .. }
        | StoreError::Ambiguous { .. }
        | StoreError::BadCursor
        | StoreError::BadIdempotencyKey { .. }
        | StoreError::NoSuchUpload { .. }
        | StoreError::UploadExists { .. }
        | StoreError::UploadTooLarge { .. }
        | StoreError::UploadsFull { .. }
        | StoreError::DamagedUpload { .. }
        | StoreError::NoSuchTemplate { .. }
        | StoreError::TemplateExists { .. }
        | StoreError::TemplateChanged { .. }
        | StoreError::DamagedSetting { .. }
        | StoreError::VaultKeyExposed { .. } => None,
    }
}

pub(super) fn journal(error: &JournalError) -> Said {
    match error {
        JournalError::NoSuchMeeting(_) => {
            said("`quorate list` shows the meetings there are", "quorate list 列出所有会议")
        }
        JournalError::Damaged { meeting, .. } => said(
            format!(
                "`quorate export {meeting} --salvage` gives what comes before it, `quorate verify` shows the extent; or \
                 restore the database from a backup"
            ),
            format!(
                "quorate export {meeting} --salvage 给出它之前的内容，quorate verify 显示损坏的范围；或用备份恢复数据库"
            ),
        ),
        JournalError::Unavailable { fault, .. } => storage(*fault),
        JournalError::Conflict { .. } => None,
    }
}

fn storage(fault: StorageFault) -> Said {
    match fault {
        StorageFault::Gone => said(
            "put the same file back where it was, and meetings go on; or stop Quorate, restore a backup with `quorate \
             restore`, and start it again",
            "把原来的文件放回原处，会议就会继续；或停止众议，用 quorate restore 恢复备份后再启动",
        ),
        StorageFault::Disk => said(
            "check the disk and its limits, and run `quorate verify`; what was acknowledged was on the disk",
            "检查磁盘及其限额，并运行 quorate verify；已确认的内容都已写入磁盘",
        ),
        StorageFault::Corrupt => said(
            "`quorate verify` shows the extent; restore the database from a backup",
            "quorate verify 显示损坏的范围；用备份恢复数据库",
        ),
        StorageFault::Bug => said(
            "run `quorate verify`; if it finds nothing, this is a bug in quorate: please report it",
            "运行 quorate verify；如果没有发现问题，这是众议的缺陷，请报告",
        ),
        StorageFault::Full
        | StorageFault::ReadOnly
        | StorageFault::Inaccessible
        | StorageFault::Busy
        | StorageFault::OutOfMemory
        | StorageFault::Stopped => None,
    }
}

pub(super) fn engine(error: &EngineError) -> Said {
    match error {
        EngineError::Journal(error) => journal(error),
        EngineError::Quarantined(fault) => kind(fault.kind),
        EngineError::Broken(broken, _) => kind(*broken),
        EngineError::Refused(_) | EngineError::Gone => None,
    }
}

fn kind(kind: FaultKind) -> Said {
    match kind {
        FaultKind::Damaged => said(
            "`quorate verify` shows the extent, `quorate export ID --salvage` gives what is whole; restore a backup, then \
             resume the meeting",
            "quorate verify 显示损坏的范围，quorate export ID --salvage 给出完好的部分；用备份恢复后再继续会议",
        ),
        FaultKind::Storage => said(
            "run `quorate verify`, restart the server, then resume the meeting",
            "运行 quorate verify，重新启动服务，然后继续会议",
        ),
        FaultKind::Panicked | FaultKind::TooLong | FaultKind::Contended => None,
    }
}
