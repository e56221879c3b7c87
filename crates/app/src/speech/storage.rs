//! Errors of the database, the engine and passwords in Chinese. The errors themselves are in English.

use quorate_engine::{EngineError, FaultKind, JournalError, StorageFault};
use quorate_store::{PASSWORD_MAX_BYTES, PASSWORD_MIN_CHARS, PasswordError, StoreError};

/// The message and the hint; `None` where the error holds a refusal of the core.
pub(crate) fn store(error: &StoreError) -> Option<(String, String)> {
    let told = |message: String, hint: &str| Some((message, hint.to_owned()));
    match error {
        StoreError::Invalid(_) => None,
        StoreError::Journal(error) => Some(journal(error)),
        StoreError::NoDatabase { path } => {
            told(format!("{} 没有数据库", path.display()), "第一场会议会建立它；或使用另一个数据库")
        }
        StoreError::Unreachable { path, source } => told(
            format!("无法使用 {}：{source}", path.display()),
            "检查目录是否存在、是否可写，或使用另一个数据库",
        ),
        StoreError::NotOurs { path, detail } => {
            told(format!("{} 不是众议的数据库：{detail}", path.display()), "文件没有被改动；请指定另一个文件")
        }
        StoreError::Newer { path, found, known } => told(
            format!("{} 的版本是 {found}，本程序只认识到 {known}", path.display()),
            "数据库由更新的版本写成；请升级，或使用另一个数据库",
        ),
        StoreError::Older { path, found, known } => told(
            format!("{} 是较旧的版本 {found}，读取需要版本 {known}", path.display()),
            "任何写入都会把它升级；旧版本还要用时，先复制一份",
        ),
        StoreError::BeforeContract { path } => told(
            format!("{} 里的事件早于事件契约的第一个版本", path.display()),
            "文件没有被改动；用写它的程序导出会议，并使用另一个数据库",
        ),
        StoreError::NewerContract { path, found, known } => told(
            format!("{} 里的事件按契约版本 {found} 写成，本程序只认识到 {known}", path.display()),
            "文件没有被改动；请升级，或使用另一个数据库",
        ),
        StoreError::LogWithoutDatabase { path, log } => Some((
            format!("{} 没有数据库，而 {} 里还有未并入的事件", path.display(), log.display()),
            format!("把数据库放回它旁边；若要放弃这些事件重新开始，先移走 {}", log.display()),
        )),
        StoreError::InUse { path, pid } => {
            let by = pid.map_or_else(|| "另一个进程".to_owned(), |pid| format!("进程 {pid}"));
            let hint = "等它结束或停止它，或使用另一个数据库";
            told(format!("{} 正被{by}使用", path.display()), hint)
        }
        StoreError::Exists { path } => told(format!("{} 已经存在", path.display()), "换一个不存在的文件名"),
        StoreError::WouldReplace { path } => told(
            format!("{} 已有数据库，会被替换", path.display()),
            "确认替换后，原来的会以别的名字保留；备份不能取代它自己",
        ),
        StoreError::DamagedCopy { found, first } => {
            told(format!("副本有 {found} 处损坏：{first}"), "没有替换任何内容；检查原件，或另取一份备份")
        }
        StoreError::NoMatch { prefix } => told(format!("没有编号以“{prefix}”开头的会议"), "查看会议列表"),
        StoreError::NoMeetings => told("还没有会议".to_owned(), "召开第一场会议即可"),
        StoreError::Ambiguous { prefix, candidates, more } => {
            let known: Vec<_> = candidates.iter().map(|id| id.as_str()).collect();
            let count = if *more { format!("不止 {} ", known.len()) } else { format!("{} ", known.len()) };
            let message = format!("有{count}场会议以“{prefix}”开头：{}", known.join("、"));
            told(message, "多写几个字符")
        }
        StoreError::DamagedCatalogue { detail } => {
            told(format!("会议目录已损坏：{detail}"), "日志本身可能完好，目录可以由日志重建；请检查数据库")
        }
        StoreError::BadCursor => {
            told("这不是本列表的游标".to_owned(), "按上一页给出的游标原样传入，或不带游标从头开始")
        }
        StoreError::BadIdempotencyKey { bytes } => {
            told(format!("幂等键应有 1 到 255 字节；这个有 {bytes} 字节"), "每个请求用自己的键，如一个 UUID")
        }
        StoreError::NoSuchUpload { id } => {
            told(format!("没有文件“{id}”"), "查看会议的文件列表；这个可能已被删除")
        }
        StoreError::UploadExists { id } => told(format!("已经有文件“{id}”"), "换一个编号"),
        StoreError::UploadTooLarge { most } => {
            told(format!("文件超过了 {most} 字节"), "发送较小的文件，或只发送要紧的部分")
        }
        StoreError::UploadsFull { files, bytes } => told(
            format!("所有会议共有 {files} 个文件、{bytes} 字节，再加就超过上限"),
            "删除不需要的文件，或连同文件删除会议；所有者可以提高上限",
        ),
        StoreError::DamagedUpload { id, detail } => {
            told(format!("文件“{id}”无法读取：{detail}"), "重新上传，或用备份恢复")
        }
        StoreError::NoSuchTemplate { name } => told(format!("没有模板“{name}”"), "查看模板列表"),
        StoreError::TemplateExists { name } => {
            told(format!("已经有模板“{name}”"), "换一个名字，或修改那个模板")
        }
        StoreError::TemplateChanged { name, found } => {
            told(format!("模板“{name}”其间已被修改，现在是第 {found} 版"), "重新读取，再在现在的内容上修改")
        }
        StoreError::DamagedSetting { name, detail } => {
            told(format!("设置“{name}”无法读取：{detail}"), "重新设置，或用备份恢复数据库")
        }
        StoreError::NoSuchAgent { name } => told(format!("没有代理“{name}”"), "查看代理列表"),
        StoreError::AgentExists { name } => {
            Some((format!("已经有代理“{name}”"), format!("换一个名字，或修改代理“{name}”")))
        }
        StoreError::DamagedAgent { name, detail } => {
            Some((format!("代理“{name}”无法读取：{detail}"), format!("用备份恢复数据库，或删除代理“{name}”")))
        }
        StoreError::NoSuchCredential { provider } => {
            told(format!("没有为“{provider}”保存凭证"), "查看供应商列表")
        }
        StoreError::KeyOfAnotherAddress { provider } => told(
            format!("为 {provider} 保存的密钥属于另一个地址"),
            "把新地址的密钥一并给出，或给供应商另取一个名字",
        ),
        StoreError::VaultKeyMissing { path, providers } => told(
            format!("密钥文件 {} 不见了，而 {} 的凭证由它封存", path.display(), providers.join("、")),
            "从备份放回密钥文件；或移除这些供应商（放弃已封存的凭证），再重新保存密钥",
        ),
        StoreError::VaultKeyExposed { path, mode } => Some((
            format!("密钥文件 {} 可被他人读取（权限 {mode:03o}）", path.display()),
            format!("chmod 600 {}；可能已被读取时请更换密钥", path.display()),
        )),
        StoreError::VaultKeyUnusable { path, detail } => told(
            format!("{} 不是密钥文件：{detail}", path.display()),
            "从备份放回正确的密钥文件；或移走它，移除由它封存的供应商，再重新保存密钥",
        ),
        StoreError::SealedOtherwise { provider, path } => Some((
            format!("{provider} 的凭证无法用 {} 打开", path.display()),
            format!("放回封存时的密钥文件；或移除供应商 {provider}，再重新保存密钥"),
        )),
    }
}

/// The same for the log of meetings. What SQLite says stays as it is.
pub(crate) fn journal(error: &JournalError) -> (String, String) {
    let told = |message: String, hint: &str| (message, hint.to_owned());
    match error {
        JournalError::Conflict { meeting, expected, found } => told(
            format!("会议 {meeting} 有 {found} 个事件，预期是 {expected} 个"),
            "另一个进程正在写这场会议；重新读取后重试",
        ),
        JournalError::NoSuchMeeting(id) => told(format!("没有会议 {id}"), "查看会议列表"),
        JournalError::Unavailable { fault, detail } => storage(*fault, detail),
        JournalError::Damaged { meeting, seq, detail } => told(
            format!("会议 {meeting} 的事件 {seq} 无法读取：{detail}"),
            "它之前的内容仍可导出；用备份恢复数据库，或请运营者检查数据库",
        ),
    }
}

/// The same for what is wrong with the storage.
fn storage(fault: StorageFault, detail: &str) -> (String, String) {
    let (situation, hint) = match fault {
        StorageFault::Full => {
            ("数据库所在的磁盘已满", "在数据库所在的磁盘上腾出空间，会议随后会自行继续；已确认的内容不会丢失")
        }
        StorageFault::ReadOnly => {
            ("数据库只能读取", "检查数据库及其目录的权限，以及磁盘是否以只读方式挂载；解决后会议会自行继续")
        }
        StorageFault::Gone => {
            ("数据库文件不见了", "把原来的文件放回原处，会议就会继续；或停止众议，恢复备份后再启动")
        }
        StorageFault::Inaccessible => ("数据库无法打开", "检查文件是否存在、所在目录是否可写"),
        StorageFault::Busy => ("数据库正被另一个程序占用", "关闭占用数据库的程序，然后重试"),
        StorageFault::Disk => {
            ("数据库所在的磁盘报告错误", "检查磁盘及其限额，并检查数据库；已确认的内容都已写入磁盘")
        }
        StorageFault::Corrupt => ("数据库已损坏", "检查数据库以了解损坏的范围，并用备份恢复"),
        StorageFault::OutOfMemory => ("内存不足", "关闭其他程序，然后重试"),
        StorageFault::Stopped => ("数据库的写入线程已停止", "重新启动众议并继续会议；这是缺陷，请报告"),
        StorageFault::Bug => ("数据库拒绝了操作", "检查数据库；如果没有发现问题，这是众议的缺陷，请报告"),
    };
    let message = match detail {
        "" => situation.to_owned(),
        detail => format!("{situation}（{detail}）"),
    };
    (message, hint.to_owned())
}

/// The same for errors of the engine; `None` where the error holds a refusal of the core.
pub(crate) fn engine(error: &EngineError) -> Option<(String, String)> {
    match error {
        EngineError::Refused(_) => None,
        EngineError::Journal(error) => Some(journal(error)),
        EngineError::Gone => {
            Some(("会议已不在这里运行".to_owned(), "重新打开会议；已确认的内容不会丢失".to_owned()))
        }
        EngineError::Quarantined(fault) => {
            let (situation, hint) = fault_words(fault.kind);
            Some((format!("会议已停止运行：{situation}"), hint.to_owned()))
        }
        EngineError::Broken(kind, detail) => {
            let (situation, hint) = fault_words(*kind);
            Some((format!("{situation}（{detail}）"), hint.to_owned()))
        }
    }
}

/// The fault that stopped a meeting, and its remedy.
pub(crate) fn fault_words(kind: FaultKind) -> (&'static str, &'static str) {
    match kind {
        FaultKind::Panicked => (
            "这场会议的一次计算出错中断",
            "继续会议即可再试一次，也可以结束它；如果再次停止，请从最后几条发言之前分叉，或导出已有内容，并连同服务日志报告这个缺陷",
        ),
        FaultKind::TooLong => (
            "这场会议的一次计算耗时过长",
            "继续会议即可再试一次，也可以结束它，或从造成问题的发言之前分叉；请连同服务日志一起报告",
        ),
        FaultKind::Damaged => ("这场会议的存储内容损坏", "完好的部分仍可导出；用备份恢复数据库后再继续会议"),
        FaultKind::Contended => {
            ("另一个进程不断写入这场会议", "关闭正在使用这个数据库的其他程序，然后继续会议")
        }
        FaultKind::Storage => ("数据库拒绝了这场会议", "检查数据库，重新启动服务，然后继续会议"),
    }
}

/// The same for a password.
pub(crate) fn password(error: &PasswordError) -> (String, String) {
    match error {
        PasswordError::Length { bytes } => {
            (format!("密码有 {bytes} 字节"), format!("选择 1 到 {PASSWORD_MAX_BYTES} 字节的密码"))
        }
        PasswordError::Short { chars } => (
            format!("密码只有 {chars} 个字符"),
            format!("选择至少 {PASSWORD_MIN_CHARS} 个字符的密码；几个词连用就很好"),
        ),
        PasswordError::Obvious => {
            ("这个密码太容易被猜到".to_owned(), "选一个没有人猜得到的；几个词连用就很好".to_owned())
        }
        PasswordError::NotHashed { detail } => {
            (format!("密码无法加密保存：{detail}"), "请重试；本机无法提供随机数".to_owned())
        }
    }
}
