//! Every sort of problem that there is, explained: what the `type` of a problem refers to.

/// The sort, what it means, what helps; each in English and Chinese.
pub(crate) const SORTS: &[(&str, [&str; 2], [&str; 2])] = &[
    (
        "unreadable",
        [
            "The request is not in the form that was asked for: no JSON, no such header.",
            "请求的形式不对：不是 JSON，或头部不合要求。",
        ],
        [
            "Send JSON in UTF-8 with content-type application/json.",
            "以 UTF-8 发送 JSON，并带上 content-type: application/json。",
        ],
    ),
    (
        "invalid",
        [
            "The request can be read, and something in it is not right; `errors` points at it.",
            "请求可以读懂，但其中有内容不对；errors 指出位置。",
        ],
        ["Mend the fields that are pointed at.", "改正被指出的字段。"],
    ),
    (
        "not-found",
        ["What was named is not there, or not for whoever asks.", "所指的东西不存在，或者对你不可见。"],
        ["Look at the list; sign in if you have not.", "查看列表；尚未登录请先登录。"],
    ),
    (
        "method-not-allowed",
        ["The path is there, and this is not done with it.", "路径存在，但不支持这种方法。"],
        ["The header Allow says what is.", "头部 Allow 列出可用的方法。"],
    ),
    (
        "too-large",
        ["More was sent, or there would be more, than is taken.", "发送的内容或总量超过上限。"],
        ["Send less, or delete something first.", "减少内容，或先删除一些。"],
    ),
    (
        "uploads-full",
        ["The files of all meetings together take as much room as they may.", "所有会议的文件合计已达上限。"],
        [
            "Delete files or meetings that nobody needs; the owner may raise limits.uploads_bytes.",
            "删除不需要的文件或会议；所有者可以提高 limits.uploads_bytes。",
        ],
    ),
    (
        "too-many",
        ["More was asked in a short time than is answered.", "短时间内请求过多。"],
        ["Wait as long as Retry-After says.", "按 Retry-After 等待后再试。"],
    ),
    ("sign-in", ["Nobody has signed in.", "尚未登录。"], ["Sign in, or send a token.", "登录，或带上令牌。"]),
    (
        "token-needed",
        [
            "This server answers only the person at its machine, who shows its local token.",
            "本服务只回应本机使用者，请求须出示本地令牌。",
        ],
        [
            "Open the address that the server printed when it started, or send the token as authorization: Bearer TOKEN.",
            "打开服务启动时打印的地址，或以 authorization: Bearer 令牌 发送。",
        ],
    ),
    (
        "forbidden",
        ["You are known, and may not do this.", "已识别身份，但没有权限。"],
        ["Ask the owner for a token with a wider scope.", "请所有者发放权限更大的令牌。"],
    ),
    (
        "locked",
        [
            "The meeting asks for a password that you have not given.",
            "进入这个会议需要密码，而你还没有提供。",
        ],
        [
            "Give it at /api/v1/meetings/{id}/enter, or open an invitation link.",
            "在 /api/v1/meetings/{id}/enter 提供密码，或打开邀请链接。",
        ],
    ),
    ("is-paused", ["The meeting is paused.", "会议已暂停。"], ["Resume it first.", "先恢复会议。"]),
    (
        "not-paused",
        ["The meeting is not paused.", "会议没有暂停。"],
        ["There is nothing to resume.", "无需恢复。"],
    ),
    (
        "not-started",
        ["The meeting has not started.", "会议还没有开始。"],
        ["Start it first.", "先开始会议。"],
    ),
    (
        "already-started",
        ["The meeting has already started.", "会议已经开始。"],
        ["Say something, pause it, or create another.", "可以发言、暂停，或另建会议。"],
    ),
    (
        "meeting-is-over",
        ["The meeting is over.", "会议已经结束。"],
        ["Fork it at an earlier event to go on from there.", "从较早的事件分叉后继续。"],
    ),
    (
        "wrong-resume-token",
        ["The token belongs to another pause.", "令牌属于另一次暂停。"],
        ["Take the token of the last pause.", "使用最近一次暂停的令牌。"],
    ),
    (
        "no-such-participant",
        ["Nobody of that name sits at the table.", "桌上没有这个名字的参会者。"],
        ["The hint lists who does.", "提示中列出了在座者。"],
    ),
    ("name-taken", ["The name is taken.", "名字已被占用。"], ["Choose another.", "换一个名字。"]),
    (
        "turn-is-over",
        ["The turn has ended; the first answer counts.", "发言机会已结束，以第一个答复为准。"],
        ["Nothing is needed.", "无需处理。"],
    ),
    (
        "cannot-skip",
        ["Whoever is asked something in particular cannot pass.", "被点名者不能跳过。"],
        ["Answer in a sentence.", "用一句话回答。"],
    ),
    (
        "cannot-call-up",
        ["Nobody can be called up at this point.", "此刻不能点名发言。"],
        ["Mention them with @name.", "用 @名字 提及对方。"],
    ),
    (
        "no-such-agenda-item",
        ["There is no such item on the agenda.", "议程上没有这一项。"],
        ["The hint lists the agenda.", "提示中列出了议程。"],
    ),
    (
        "people-may-not-speak",
        ["The rules let agents talk among themselves.", "规则规定只有智能体发言。"],
        ["Change turns.people_may_speak.", "修改 turns.people_may_speak。"],
    ),
    (
        "answer-missing",
        ["A question has to be answered before the meeting goes on.", "会议继续之前必须回答问题。"],
        ["Answer it, or let defaults hold.", "回答它，或采用默认值。"],
    ),
    (
        "bad-answer",
        ["An answer is not what the question wants.", "回答不符合问题的要求。"],
        ["The hint says what would be right.", "提示说明了正确的形式。"],
    ),
    (
        "not-asked",
        ["An answer came to a question that was not asked.", "回答了没有提出的问题。"],
        ["The hint lists the questions.", "提示中列出了问题。"],
    ),
    (
        "nothing-to-record",
        ["Nothing has been said that could be written down.", "还没有可以记录的发言。"],
        ["Wait until somebody has spoken.", "等有人发言之后。"],
    ),
    (
        "already-requested",
        ["It was asked for already.", "已经请求过。"],
        ["It comes when it is written.", "写好后就会出现。"],
    ),
    (
        "minutes-outdated",
        ["Somebody else has edited the minutes meanwhile.", "其间有人修改了纪要。"],
        ["Look at the last version and edit that.", "基于最新版本修改。"],
    ),
    (
        "changed-meanwhile",
        ["It was changed since you looked at it.", "自你查看之后它已改变。"],
        ["Look again, then send its new ETag as If-Match.", "重新查看，再用新的 ETag 作 If-Match。"],
    ),
    (
        "somebody-was-faster",
        ["Another process has written to the meeting in between.", "另一个进程抢先写入了会议。"],
        ["Look at it again and repeat.", "重新查看后重试。"],
    ),
    (
        "quarantined",
        [
            "The meeting failed again and again, and runs no more; the others do.",
            "这场会议反复出错，已停止运行；其他会议不受影响。",
        ],
        [
            "The hint says what helps. Then resume the meeting: it is taken up where it was.",
            "按 hint 处理后继续会议，它会从原处接着进行。",
        ],
    ),
    (
        "broken-off",
        [
            "A computation over the meeting broke down or took too long.",
            "对这场会议的计算出错中断或耗时过长。",
        ],
        [
            "Try again; if it stays, report it with the server's log.",
            "请重试；如果仍然如此，请连同服务日志一起报告。",
        ],
    ),
    (
        "off-record",
        ["Nothing of the meeting is written to the disk.", "这场会议不落盘。"],
        ["Say it in a message instead.", "改为在消息中说明。"],
    ),
    (
        "no-ballot",
        [
            "No ballot of the meeting was counted, so there is nothing to judge again.",
            "会议没有已计票的表决，无法重新判定。",
        ],
        ["Let it go on to its first ballot.", "先让会议开到第一次表决。"],
    ),
    (
        "interrupted",
        [
            "The service stopped during the first request with this key, and may have done it.",
            "带此键的第一个请求进行中服务停止了，可能已经完成。",
        ],
        [
            "Look whether it is done; when it is not, send it once more.",
            "查看是否已完成；没有完成再发送一次。",
        ],
    ),
    (
        "idempotency-key-reused",
        ["The key was used for another request.", "这个幂等键已用于另一请求。"],
        ["Make a new key for each request.", "每个请求用新的键。"],
    ),
    (
        "still-running",
        ["The first request with this key is not answered yet.", "带此键的第一个请求尚未完成。"],
        ["Wait as long as Retry-After says.", "按 Retry-After 等待。"],
    ),
    (
        "provider",
        ["A provider of models did not do its part.", "模型供应商没有完成请求。"],
        ["The hint says what; test the provider.", "提示说明原因；可测试该供应商。"],
    ),
    (
        "key-refused",
        [
            "The key of a provider of models is missing, wrong or expired.",
            "模型供应商的密钥缺失、有误或已过期。",
        ],
        ["Store another key for it.", "为它保存另一个密钥。"],
    ),
    (
        "stopping",
        ["The service is about to stop, or the meeting is being put away.", "服务正在停止，或会议正被收起。"],
        ["Ask again in a moment.", "稍后再试。"],
    ),
    (
        "storage",
        ["The database did not do its part; nothing was acknowledged.", "数据库未完成操作；没有内容被确认。"],
        ["The hint says what is wrong with it.", "提示说明问题所在。"],
    ),
    (
        "disk-full",
        [
            "The disk of the database has no space left; nothing of the request was kept.",
            "数据库所在的磁盘已满；请求没有留下任何内容。",
        ],
        [
            "Free some space; the server goes on by itself, and running meetings with it.",
            "腾出空间；服务会自行继续，进行中的会议也会继续。",
        ],
    ),
    (
        "database-read-only",
        [
            "The database may only be read; nothing of the request was kept.",
            "数据库只能读取；请求没有留下任何内容。",
        ],
        [
            "Check the permissions and how the disk is mounted; the server goes on by itself.",
            "检查权限和磁盘的挂载方式；服务会自行继续。",
        ],
    ),
    (
        "database-gone",
        [
            "The file of the database was removed, moved away or replaced while the server ran.",
            "服务运行时，数据库文件被删除、移走或替换。",
        ],
        [
            "Put the same file back; or stop the server, restore a backup and start it again.",
            "把原来的文件放回原处；或停止服务，恢复备份后重新启动。",
        ],
    ),
    (
        "database-busy",
        ["Another program holds the database.", "数据库正被另一个程序占用。"],
        ["Close it, or ask again in a moment.", "关闭那个程序，或稍后再试。"],
    ),
    (
        "damaged",
        ["What is stored is not what was written.", "存储内容与写入的不一致。"],
        ["Verify the database; restore a backup.", "检查数据库；用备份恢复。"],
    ),
    (
        "already-subscribed",
        ["The meeting is told over this connection already.", "这个连接已经订阅了这场会议。"],
        ["Unsubscribe first.", "先取消订阅。"],
    ),
    (
        "too-many-subscriptions",
        ["More meetings are told over one connection than may be.", "一个连接订阅的会议过多。"],
        ["Unsubscribe from another, or open another connection.", "取消其他订阅，或另开连接。"],
    ),
    (
        "too-many-lines",
        ["More connections listen than may.", "保持的连接过多。"],
        ["Close one; a WebSocket can follow many meetings.", "关闭一些；一个 WebSocket 可以跟随多场会议。"],
    ),
    (
        "too-many-meetings",
        ["More meetings run than may at once.", "同时进行的会议过多。"],
        [
            "Let one end or pause, or raise the limit in the settings.",
            "等会议结束或暂停，或在设置中提高上限。",
        ],
    ),
    (
        "passwords-busy",
        ["More passwords are being checked than the machine can take.", "要核对的密码太多，机器处理不过来。"],
        ["Wait as long as Retry-After says.", "按 Retry-After 等待后再试。"],
    ),
    (
        "too-slow",
        ["The request took longer than it may.", "请求用时过长。"],
        ["Ask for less at once.", "一次少要一些。"],
    ),
    (
        "no-session",
        ["The session is over, or was begun elsewhere.", "会话已结束，或来自别处。"],
        ["Sign in again.", "重新登录。"],
    ),
    (
        "wrong-password",
        ["The password is not right.", "密码不对。"],
        ["Try again; attempts are limited.", "请重试；次数有限。"],
    ),
    (
        "wrong-host",
        ["The request is for a name that is not this server's.", "请求的主机名不属于本服务。"],
        [
            "Ask for 127.0.0.1 or localhost, or allow the name with --allow-host.",
            "使用 127.0.0.1 或 localhost，或用 --allow-host 放行。",
        ],
    ),
    (
        "wrong-origin",
        ["The request comes from a page of another site.", "请求来自其他站点的页面。"],
        [
            "Open the page of this server, or allow the origin with --allow-origin.",
            "使用本服务的页面，或用 --allow-origin 放行。",
        ],
    ),
    (
        "through-a-proxy",
        ["A proxy passed the request on, and nobody said that it may.", "请求经代理转发，而该代理未被信任。"],
        ["Start the server with --trust-proxy.", "启动时加 --trust-proxy。"],
    ),
    (
        "last-owner",
        ["Without this account nobody could do everything any more.", "去掉这个账户后将没有所有者。"],
        ["Make another owner first.", "先建立另一个所有者账户。"],
    ),
    (
        "no-random-numbers",
        ["This machine gives no random numbers.", "本机无法提供随机数。"],
        ["Try again; look at the machine.", "请重试并检查机器。"],
    ),
    (
        "no-pdf",
        ["No PDF can be made here.", "这里无法生成 PDF。"],
        ["The hint says why; ask for format=html.", "提示说明原因；可改用 format=html。"],
    ),
    (
        "pdf-failed",
        [
            "The pages of a PDF took more time or memory than they may, or could not be set; the server is unharmed.",
            "PDF 排版超过了时间或内存上限，或无法完成；服务不受影响。",
        ],
        ["Ask for format=html and print that page.", "改用 format=html，再打印该页面。"],
    ),
    (
        "exports-busy",
        [
            "As many exports are being made, or wait, as may be at once; 429 when they are your own.",
            "正在生成和等待的导出已达上限；若都是你自己的，状态为 429。",
        ],
        ["Wait as long as Retry-After says.", "按 Retry-After 等待后再试。"],
    ),
    (
        "busy",
        [
            "As many reports and views are being computed, or wait, as may be at once; 429 when they are your own.",
            "正在计算和等待的报告与视图已达上限；若都是你自己的，状态为 429。",
        ],
        ["Wait as long as Retry-After says.", "按 Retry-After 等待后再试。"],
    ),
    (
        "bug",
        ["This is a fault of Quorate.", "这是众议自身的缺陷。"],
        ["Nothing acknowledged is lost; report it with the log.", "已确认的内容不会丢失；请附日志报告。"],
    ),
];

/// The Chinese title of each type; the English one follows from its name.
const TITLES: &[(&str, &str)] = &[
    ("unreadable", "请求无法读取"),
    ("invalid", "内容不对"),
    ("not-found", "不存在"),
    ("method-not-allowed", "方法不可用"),
    ("too-large", "内容过大"),
    ("uploads-full", "文件空间已满"),
    ("too-many", "请求过多"),
    ("sign-in", "需要登录"),
    ("token-needed", "需要本地令牌"),
    ("forbidden", "没有权限"),
    ("locked", "需要会议密码"),
    ("is-paused", "会议已暂停"),
    ("not-paused", "会议没有暂停"),
    ("not-started", "会议还没有开始"),
    ("already-started", "会议已经开始"),
    ("meeting-is-over", "会议已经结束"),
    ("wrong-resume-token", "恢复令牌不对"),
    ("no-such-participant", "没有这位参会者"),
    ("name-taken", "名字已被占用"),
    ("turn-is-over", "发言机会已结束"),
    ("cannot-skip", "不能跳过"),
    ("cannot-call-up", "此刻不能点名"),
    ("no-such-agenda-item", "没有这项议程"),
    ("people-may-not-speak", "人不能发言"),
    ("answer-missing", "缺少回答"),
    ("bad-answer", "回答不合要求"),
    ("not-asked", "没有问过"),
    ("nothing-to-record", "没有可记录的内容"),
    ("already-requested", "已经请求过"),
    ("minutes-outdated", "纪要已有新版本"),
    ("changed-meanwhile", "其间已被修改"),
    ("somebody-was-faster", "有人抢先写入"),
    ("quarantined", "会议已停止运行"),
    ("broken-off", "计算中断"),
    ("off-record", "会议不落盘"),
    ("no-ballot", "没有已计票的表决"),
    ("interrupted", "请求曾被打断"),
    ("idempotency-key-reused", "幂等键已用于另一请求"),
    ("still-running", "请求仍在进行"),
    ("provider", "供应商出错"),
    ("key-refused", "密钥不被接受"),
    ("stopping", "服务正在停止"),
    ("storage", "存储出错"),
    ("disk-full", "磁盘已满"),
    ("database-read-only", "数据库只读"),
    ("database-gone", "数据库文件不见了"),
    ("database-busy", "数据库被占用"),
    ("damaged", "存储内容损坏"),
    ("already-subscribed", "已经订阅"),
    ("too-many-subscriptions", "订阅过多"),
    ("too-many-lines", "连接过多"),
    ("too-many-meetings", "同时进行的会议过多"),
    ("passwords-busy", "核对密码的请求过多"),
    ("too-slow", "请求用时过长"),
    ("no-session", "没有会话"),
    ("wrong-password", "密码不对"),
    ("wrong-host", "主机名不对"),
    ("wrong-origin", "来源不对"),
    ("through-a-proxy", "经过未受信任的代理"),
    ("last-owner", "最后一个所有者"),
    ("no-random-numbers", "没有随机数"),
    ("no-pdf", "无法生成 PDF"),
    ("pdf-failed", "PDF 生成失败"),
    ("exports-busy", "导出繁忙"),
    ("busy", "请求繁忙"),
    ("bug", "程序缺陷"),
];

/// The title of a sort, what it means and what helps, in Chinese.
pub(crate) fn chinese(sort: &str) -> (&'static str, &'static str, &'static str) {
    let title = TITLES.iter().find(|(known, _)| *known == sort).map_or("出错了", |(_, title)| title);
    let told = SORTS.iter().find(|(known, ..)| *known == sort);
    told.map_or((title, "请求没有完成。", "请查看日志。"), |(_, [_, means], [_, helps])| {
        (title, means, helps)
    })
}

/// The types of resources, by the word for them.
const THINGS: &[(&str, &str)] = &[
    ("account", "账户"),
    ("agent", "代理"),
    ("artifact", "工件"),
    ("ballot", "表决"),
    ("credential", "凭证"),
    ("database", "数据库"),
    ("guest", "来宾"),
    ("invitation", "邀请"),
    ("meeting", "会议"),
    ("message", "消息"),
    ("page", "页面"),
    ("participant", "参会者"),
    ("provider", "供应商"),
    ("session", "会话"),
    ("subscription to the meeting", "会议订阅"),
    ("template", "模板"),
    ("token", "令牌"),
    ("upload", "文件"),
    ("version of the minutes", "纪要版本"),
    ("version of this artifact", "工件版本"),
];

/// The Chinese word for what is not there.
pub(crate) fn thing(what: &str) -> &'static str {
    THINGS.iter().find(|(known, _)| *known == what).map_or("内容", |(_, word)| word)
}

/// All of them as a page.
pub(crate) fn page() -> String {
    let mut rows = String::new();
    for (sort, [en, zh], [helps, helps_zh]) in SORTS {
        let (title, ..) = chinese(sort);
        rows.push_str(&format!(
            "<section id=\"{sort}\"><h2>{sort}</h2><p>{en} {helps}</p><p lang=\"zh-CN\">{title}：{zh}{helps_zh}</p></section>\n"
        ));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Quorate: problems</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\"><style>body{{font:15px/1.6 system-ui,sans-serif;\
         max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}}h2{{font:600 1rem \
         ui-monospace,monospace;margin:1.6rem 0 .2rem}}p{{margin:.2rem 0}}:target{{background:color-mix(in srgb,\
         Highlight 15%,transparent);padding:.2rem .6rem}}</style></head>\n<body><h1>Problems · 问题</h1>\n{rows}</body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of all files of this crate.
    fn sources() -> String {
        fn gather(folder: &std::path::Path, text: &mut String) {
            for entry in std::fs::read_dir(folder).expect("the sources").flatten() {
                let path = entry.path();
                match path.is_dir() {
                    true => gather(&path, text),
                    false => text.push_str(&std::fs::read_to_string(&path).expect("a source")),
                }
            }
        }
        let mut text = String::new();
        gather(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut text);
        text
    }

    #[test]
    fn every_sort_has_its_title_and_every_thing_its_word_in_chinese() {
        let titled: Vec<_> = TITLES.iter().map(|(sort, _)| sort).collect();
        assert_eq!(titled, SORTS.iter().map(|(sort, ..)| sort).collect::<Vec<_>>());
        let sources = sources();
        for after in sources.split("not_found(\"").skip(1) {
            let what = after.split('"').next().unwrap_or_default();
            assert!(THINGS.iter().any(|(known, _)| *known == what), "{what:?} has no Chinese word");
        }
    }

    #[test]
    fn every_sort_is_explained_and_every_explanation_needed() {
        let sources = sources();
        let mut named = std::collections::BTreeSet::new();
        for after in sources.split("Problem::new(").chain(sources.split("Self::new(")).skip(1) {
            // The second argument, when it is written out.
            let head: String = after.chars().take(160).collect();
            let Some((before, rest)) = head.split_once('"') else { continue };
            if before.contains(')') {
                continue;
            }
            let Some((sort, _)) = rest.split_once('"') else { continue };
            if !sort.is_empty() && sort.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
                named.insert(sort.to_owned());
            }
        }
        assert!(named.contains("bug") && named.contains("too-large"), "{named:?}");
        for sort in &named {
            assert!(SORTS.iter().any(|(known, ..)| known == sort), "{sort} is not explained in problems.rs");
        }
        for (sort, ..) in SORTS {
            let quoted = format!("\"{sort}\"");
            // Once it is explained, once it has its title.
            assert!(sources.matches(&quoted).count() > 2, "{sort} is explained and never said");
        }
    }
}
