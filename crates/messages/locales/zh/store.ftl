### 数据库的提示。

## accounts

store-accounts-no-name = 不能作名字
store-accounts-write-1-50-characters-one = 写在一行内，1 到 50 个字，不含 : / @ " < >

## uploads

store-uploads-file-has-no-name = 文件没有名字
store-uploads-give-one-1-characters = 给它一个 1 到 { $name_chars } 个字的名字

## credentials

store-is-empty = 不能为空
store-credentials-key-hint = 填写供应商发放的密钥
store-credentials-address-hint = 填写地址，形如 https://api.example.com/v1
store-credentials-missing = 没有给出
store-credentials-missing-hint = 给出密钥、base_url，或两者
store-credentials-provider-name = “{ $name }”不能作供应商的名字
store-credentials-provider-name-hint = 用 1 到 50 个字母、数字、点、横线或下划线，如 openai

## salvage

store-salvage-damaged = 这场会议的记录在第 { $event } 个事件处损坏（{ $detail }），其后的内容缺失（共 { $last } 个事件，缺 { $missing } 个）。这里只有损坏之前完好的 { $whole } 个事件。

## search/tokenize

store-search-fewer = 少写几个词
store-search-nothing = 没有可以查找的词
store-search-nothing-hint = 至少写一个字母或汉字
store-search-characters = 超过了 { $most } 个字
store-search-words = 超过了 { $most } 个词

## templates

store-template-name = 有 { $length } 个字
store-template-name-hint = 写在一行内，1 到 { $name_chars } 个字
store-template-body = 有 { $bytes } 字节
store-template-body-hint = 最多 { $body_bytes } 字节

## verification

store-verify-meeting = 会议 { $meeting }：{ $detail }
store-verify-event = 会议 { $meeting }，事件 { $seq }：{ $detail }
store-verify-database = 数据库：{ $detail }
store-verify-log-unreadable = 无法读取预写日志：{ $error }
store-verify-ends-differ = 副本中有日志的结尾与原件不同
store-verify-log-header = 预写日志的开头已损坏，其中的内容都无法读取
store-verify-log-damaged = 预写日志在第 { $frame } 帧损坏：从那里起写入的内容（至少 { $commits } 次提交）无法读取
store-verify-log-kept = 打开数据库时预写日志已损坏，其中的内容缺失；它保存为 { $name }
store-verify-orphans = { $events } 个事件不属于目录中的任何会议
store-verify-number = 有一个编号为 { $seq } 的事件，那里不该有事件
store-verify-missing = 缺失
store-verify-missing-up-to = 它和直到 { $last } 的事件都缺失
store-verify-checksum = 校验值不符
store-verify-undecodable = 无法解码：{ $error }
store-verify-other-event = 它写明是会议 { $meeting } 的事件 { $seq }
store-verify-beside = 它的时间或种类与原文不符
store-verify-no-log = 它在目录中，但日志缺失
store-verify-nothing-readable = 没有可以读取的事件
store-verify-column = 目录中的 { $column } 与日志不同
store-verify-audit-missing-one = 审计日志缺少第 { $entry } 条
store-verify-audit-missing = 审计日志缺少第 { $first } 至 { $last } 条
store-verify-audit-changed = 审计日志第 { $entry } 条与写入时不同
store-verify-audit-unchained = 审计日志第 { $entry } 条没有校验值
store-verify-audit-count = 审计日志的条数与写入时不同
store-verify-number-missing = 缺少第 { $last } 场会议，登记册中也没有它的编号
store-verify-numbers-missing = 缺少第 { $first } 至 { $last } 场会议，登记册中也没有它们的编号
store-verify-meeting-missing = 缺失：目录和日志中都没有它，而它没有被删除
store-verify-row-missing = 目录中缺少它；它的日志有 { $events } 个事件，下次打开数据库写入时会由日志重建
store-verify-other-id = 登记册中它的编号是 { $id }
store-verify-deleted = 登记册写明它已被删除
store-verify-unregistered = 登记册中没有它

## what is wrong

store-log-line-no-text = 它的原文不是文本
store-log-before-missing = 它前面的事件缺失
store-log-wrong-end = 日志的结尾与目录不符
store-log-is-event = 它是会议 { $meeting } 的事件 { $seq }
store-checksum-or-number = 校验值或编号不符
store-cannot-be-decoded = 无法解码
store-row-damaged = 目录中它的一行已损坏：{ $error }
store-no-sqlite = 它不是 SQLite 数据库
store-other-program = 里面是另一个程序的数据
store-too-long-to-seal = 凭证太长，无法加密
store-key-bytes = 密钥文件应有 { $bytes } 字节
store-other-file = { $path } 处是另一个文件
store-file-removed = { $path } 已被删除或移走
store-log-removed = 它的预写日志被删除：{ $error }
store-only-read = 数据库是以只读方式打开的
store-upload-length = 它有 { $found } 字节，原来有 { $was } 字节
store-upload-piece = 这个文件的前一部分未能写入
store-lease-not-renewed = 本节点已有数秒未能连接服务器
store-postgres-url = { $error }
store-postgres-password-option = 密码应写在主机之前，而不是写成选项
store-postgres-no-host = 缺少主机名
store-postgres-certificates = 无法读取 { $path } 中的证书：{ $error }
store-postgres-other-scheme = 只支持 SQLite 文件和 postgres:// 地址
