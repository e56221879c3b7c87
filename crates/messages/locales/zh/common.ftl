### 文字之间的标点。

common-colon = ：
common-comma = ，
common-list-separator = 、
common-rounds = { $rounds } 轮
common-semicolon = ；

## What is wrong with a value that was sent

common-decode-array = 列表
common-decode-boolean = 布尔值（true 或 false）
common-decode-choice = 没有 `{ $value }` 这个值，可用的有：{ $known }
common-decode-given-boolean = 布尔值 { $value }
common-decode-given-null = 空值 null
common-decode-given-number = 数字 { $value }
common-decode-given-text = 文字 { $value }
common-decode-integer = 整数
common-decode-length = 有 { $count } 项，应当是{ $wanted }
common-decode-missing = 缺少字段 `{ $field }`
common-decode-no-fields = 没有字段 `{ $field }`；这里不需要任何字段
common-decode-no-form = 不是这里接受的任何一种形式
common-decode-number = 数字
common-decode-object = 对象
common-decode-other = 内容不合要求（{ $told }）
common-decode-range = { $number } 超出范围：{ $min } 到 { $max }
common-decode-text = 文字
common-decode-time = 时间，如 2026-03-01T08:30:00Z（RFC 3339）
common-decode-too-large = 数字过大
common-decode-too-small = 数字过小
common-decode-twice = 字段 `{ $field }` 出现了两次
common-decode-type = 类型不对：应当是{ $wanted }，收到的是{ $given }
common-decode-unknown = 没有字段 `{ $field }`，可用的有：{ $known }
common-decode-value = 值不对：应当是{ $wanted }
common-decode-date-pattern = 应当是日期的格式，如 yyyy-MM-dd 或 d.M.yyyy
common-decode-interval = 应当是 1 分钟到 366 天之间的时间，如 24h、30m 或 1d
common-decode-id = “{ $value }”不是{ $kind }，应形如 { $example }
common-kind-participant = 参会者编号
common-kind-message = 消息编号
common-kind-claim = 论点编号
common-kind-agenda-item = 议题编号
common-kind-version = 版本号
common-kind-ballot = 表决编号
common-kind-file = 文件编号
common-kind-turn = 发言机会编号
common-kind-artifact = 交付物
common-kind-task = 任务编号
common-kind-mode = 表决方式
common-kind-format = 会议形式
common-decode-time-zone = 应当是 IANA 时区名称，如 Asia/Shanghai

## Files

common-unreadable = 无法读取 { $path }：{ $error }
common-not-written = 无法写入 { $path }：{ $error }
common-not-created = 无法创建 { $path }：{ $error }
common-io-denied = 没有权限
common-io-exists = 已经存在
common-io-full = 磁盘空间不足
common-io-is-folder = 这是一个文件夹
common-io-no-folder = 路径中有一段不是文件夹
common-io-not-found = 没有这个文件或文件夹
common-io-not-text = 不是 UTF-8 文本
common-io-read-only = 文件系统是只读的
common-file = { $path }：{ $problem }
common-at-line = 第 { $line } 行：{ $problem }
common-said = { $text }
