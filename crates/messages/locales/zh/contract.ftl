### 值有什么问题，怎样才对。

## names

contract-names-choose-another-name = 换一个名字

## rules/check

contract-check-participants = 有 { $count } 位参会者
contract-check-seat-1-3-8-work = 请安排 1 到 { $participants_max } 位，3 到 8 位最合适
contract-check-offer-models-team-set-facilitator = 提供团队可选的模型、设置协调员，或安排参会者
contract-check-nothing-could-answer-team = 没有模型可以组成团队
contract-check-leave-out-quotation-marks-backticks = 去掉引号、@、< >、反引号、控制字符，以及首尾或连续的空格
contract-check-choose-number-from-0 = 选择 0 到 { $max } 之间的数
contract-check-choose-at-least-1-leave = 至少为 1，或留空
contract-check-choose-at-least-leave-out = 至少为 { $min }，或留空
contract-check-name-providers-model-leave-out = 写供应商的模型，或留空
contract-check-no-model = { $label } 不是模型
contract-check-name-another-model-leave-out = 写另一个模型，或留空
contract-check-model-itself = { $label } 就是这个模型自己
contract-check-leave-out-fallback = 去掉 `{ $field }.fallback`
contract-check-fallback-has-none-its-own = 备用模型不能再有备用模型
contract-check-choose-number-from = 选择 { $min } 到 { $max } 之间的数
contract-check-choose-share-from-0-0 = 选择 0.0 到 1.0 之间的比例
contract-check-only-quorum = 未设置，pass_ratio 和 min_score 也未设置：赞成和反对就没有区别了
contract-check-set-a-threshold = 设置 decision.mean_score、decision.pass_ratio 或 decision.min_score 之一，或关闭 decision.ballots
contract-check-price-not-known-so-budget = 不知道 { $label } 的价格，无法遵守费用预算
contract-check-give-its-price-configuration-set = 在配置中写明价格，或改用 token 预算
contract-check-write-characters = 写 { $min } 到 { $max } 个字
contract-check-empty = 不能为空
contract-check-shorten-characters = 缩短到 { $max } 个字以内
contract-check-has-characters = 有 { $chars } 个字
contract-check-skip-list-has = 有 { $phrases } 个短语
contract-check-shorten-skip-list = 请缩减到 { $skip_list_max } 个短语以内
contract-check-name-moderator = 从 { $names } 中选一位，或留空由你自己主持
contract-check-not-at-table = “{ $name }”不在会上
contract-check-cannot-be-mentioned = “{ $name }”无法用 @名字 提到

## details

contract-display-no-time-format = “{ $given }”既不是 12h，也不是 24h
contract-display-no-time-format-hint = 填写 12h 或 24h，或者留空
contract-display-no-time-zone = 没有名为“{ $given }”的时区
contract-display-no-time-zone-hint = 填写 IANA 时区名，例如 Asia/Shanghai、Europe/Berlin 或 UTC，或者留空
contract-display-no-date-format = “{ $given }”不是日期格式
contract-display-no-date-format-hint = 年（yyyy 或 yy）、月（MM 或 M）、日（dd 或 d）各写一次，用 - / . , 空格或 年月日 分隔，最多 20 个字符，例如 yyyy-MM-dd
contract-names-hidden-mark = 含有看不见的字符（U+{ $code }）
contract-names-id-of-guest = 是来宾的标识
contract-names-no-letters = 没有可读的文字
contract-names-too-many-marks = 一个字上的附加符号太多
contract-names-mixed-scripts = “{ $word }”混用了形似的不同文字
contract-names-reserved = 是保留名：“{ $name }”会被当成“{ $word }”
