### 文字之间的标点。

common-colon = ：
common-comma = ，
common-list-separator = 、
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
