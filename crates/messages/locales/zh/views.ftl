### 报告、讨论健康与换规则试算的文字。

## whatif/change

views-change-give-whole-number-from-0 = 给出 0 到 { $max } 之间的整数，例如 70
views-change-give-share = 给出 0.0 到 1.0 之间的比例，例如 0.75
views-change-no-ballot-counted = 这场会议没有已计票的表决，没有可以重新判定的内容
views-change-out-of-range = { $field }：{ $value } 不在 0 到 { $max } 之间
views-change-no-such-participant = 会上没有名为“{ $name }”的参会者
views-change-rules-hold-no-ballots = 它的规则不设表决；带表决的会议形式如 consensus
views-change-go-on-to-first-ballot = 先让会议继续，开到第一次表决
views-change-result-says-how-ended = 会议的结果会说明它是怎么结束的
views-change-at-the-table = 参会者：{ $seats }

## whatif/text

views-text-simulated = （模拟）
views-text-as = 实际：{ $was }
views-text-what-another-outcome-would-take = 怎样才会有不同的结局
views-text-what-if = 换规则试算：{ $changes }
views-text-ballots = 表决
views-text-ballot-clause-as-as-would = | 表决 | 条款 | 实际 | 试算 |
views-text-ballot-clause-as = | 表决 | 条款 | 实际 |
views-text-after-round = { $name }（第 { $round } 轮后）
views-text-interrupted = 被中断
views-text-not-counted = 没有计票
views-text-passed = 通过
views-text-failed = 未通过
views-text-not-held = （不会举行）
views-text-verdict = 判定
views-text-needed = { $sign } { $got }（需要 ≥ { $needed }）
views-text-mean-score-needed = 平均分门槛
views-text-outcome-stays-all-other-clauses = 门槛在 { $from } 到 { $to } 之间时结局不变，其他条款照旧。
views-text-needed-passes-first = | 门槛 | 首先通过 | |
views-text-after-round-2 = { $ballot }（第 { $round } 轮后）
views-text-none = 无
views-text-as-2 = 实际
views-text-whose-votes-decide = 少了谁会不同
views-text-left-out-outcome = | 不计谁的票 | 结局 |
views-text-stays = 不变
views-text-pivotal-after-round-would-have = **关键**：第 { $round } 轮后的{ $ballot }就会通过
views-text-pivotal-would-have-passed = **关键**：{ $ballot }会通过
views-text-pivotal-would-not-have-passed = **关键**：{ $ballot }不会通过，不会达成一致
views-text-pivotal-would-not-have-passed-2 = **关键**：{ $ballot }不会通过，之后不得而知

## whatif/judgement_text

views-words-mean-score = 平均分门槛为 { $needed }
views-words-pass-ratio = 赞成比例门槛为 { $share }
views-words-lowest-score = 最低分门槛为 { $needed }
views-words-quorum = 须有 { $share } 的人投票
views-words-mode = 表决方式为{ $mode }
views-words-leaving-out = 不计 { $name } 的票
views-words-would-have-ended-as-did = 结局不变：{ $ended }。
views-words-nothing-would-have-been-different = 到目前为止没有不同。
views-words-so-far = 到目前为止
views-words-would-have-ended-earlier-after = 会更早结束：第 { $round } 轮后的{ $name }就会通过，{ $so_far }省下 { $saved }。
views-words-would-have-ended-at-same = 会在同一处结束，但结局不同：第 { $round } 轮后的{ $name }会通过（实际：{ $ended }）。
views-words-would-have-ended-at-same-2 = 会在同一处结束，但结局不同：{ $name }不会通过，而第 { $round } 轮是最后一轮，所以不会达成一致。
views-words-would-not-have-ended-there = 不会在那时结束：第 { $round } 轮后的{ $name }不会通过，会议会继续，最多还有 { $rounds_left } 轮。记录到此为止，之后会怎样不得而知。
views-words-saved = { $rounds } 轮、{ $calls } 次调用、{ $tokens }
views-words-saved-at-cost = { $saved }、费用 { $amount }
views-words-tokens = { $tokens } 个 token
views-words-about-tokens = 约 { $tokens } 个 token
views-words-ballot-would-have-passed = 第 { $ballot } 次表决会通过：{ $why }。
views-words-ballot-would-not-have-passed = 第 { $ballot } 次表决不会通过：{ $why }。
views-words-ballot-passed-as-did = 第 { $ballot } 次表决同样通过。
views-words-ballot-failed-as-did = 第 { $ballot } 次表决同样不通过：{ $why }。
views-words-ballot-interrupted = 第 { $ballot } 次表决被一条发言中断，已投的票不计；在任何规则下都是如此。
views-words-ballot-not-counted = 第 { $ballot } 次表决没有计票：还有人没有投票。
views-words-but-meeting-would-have-been = 不过会议在此之前就已结束，这次表决不会举行。
views-words-not-asked = 不再看{ $name }
views-words-nobody-left-vote = 没有人可以投票
views-words-no-change-alone-enough-takes = 没有哪一项单独就够，要合在一起。
views-words-alone-enough = 单凭“{ $change }”就够
views-words-alone-not = 单凭“{ $change }”不够
views-words-of-the-changes = { $changes }。
views-words-meeting-not-finished = 会议尚未结束；以上只就目前的记录而言。
views-words-rules-changed = 会议中途改过规则；每次表决都按当时有效的规则判定。
views-words-change-without-effect = “{ $change }”不起作用：表决方式为{ $mode }时不看这一项。
views-words-votes-left-out = 只是不计他们的票；他们说过的话仍然影响了其他人。

## health/text

views-health-simulated = 有模拟参会者：以下数字不反映真实意见。
views-health-none = 没有。
views-health-dissent = 未解决的异议
views-health-objection = { $who }：{ $text }（#{ $seq }）
views-health-objection-answered = { $who }：{ $text }（#{ $seq }，{ $by }已回应）
views-health-lowest-score-passes = 第 { $ballot } 次表决最低 { $score } 分（{ $who }），仍同意通过
views-health-low-score-passes = 第 { $ballot } 次表决中的低分：{ $who } { $score } 分，赞成
views-health-low-score-fails = 第 { $ballot } 次表决中的低分：{ $who } { $score } 分，反对
views-health-positions = 立场：现在与最初
views-health-no-position = 还没有人说明立场。
views-health-position = { $text }：现在 { $now }（{ $holders }），最初 { $first }{ $seqs }
views-health-flips = 改变立场
views-health-no-flip = 没有人改变立场。
views-health-flip-by = 第 { $round } 轮，{ $who }：{ $from } → { $to }，因为 { $owner } 说的“{ $said }”（#{ $seq }）
views-health-flip-by-nothing = 第 { $round } 轮，{ $who }：{ $from } → { $to }，没有说明依据（#{ $seq }）
views-health-loose = 无人接过的内容
views-health-no-claim = 还没有人提出论点。
views-health-claims = 论点 { $raised } 个，得到回应 { $answered } 个（{ $coverage }）
views-health-cited = { $raised } 条论点中有 { $cited } 条引用了文件。
views-health-unshared-fact = 事实，仅 { $who } 提过：{ $text }（#{ $seq }）
views-health-participation = 参与与独立性
views-health-seat = { $who }：发言机会 { $turns }，跳过 { $skips }，失败 { $failures }，论点 { $claims }，表决 { $votes }，弃权 { $abstentions }
views-health-judges = { $seats } 个席位约相当于 { $effective } 个独立判断（按假设的相关性 { $rho }）
views-health-value = 再开一轮
views-health-rounds-left = 剩余轮次 { $rounds }；已用调用 { $calls } 次、token { $tokens }
views-health-alarms = 提醒

## report/headline

views-headline-outcome-counts = { $outcome }：{ $counts }
views-headline-voted-to-pass = { $all } 位表决人中 { $supports } 位同意通过
views-headline-no-majority = 没有哪个立场占多数
views-headline-hold-this-conclusion = { $all } 位中 { $supports } 位持此结论
views-headline-with-reservations = 其中 { $reserved } 位有保留
views-headline-against = { $dissents } 位反对
views-headline-hold-another-position = { $dissents } 位持其他立场
views-headline-abstained = { $abstained } 位弃权
views-headline-failed = { $failed } 位调用失败
views-headline-left = { $left } 位已离开
views-headline-took-no-position = { $undecided } 位没有表明立场

## report

views-report-total = 合计
views-report-no-ballot-counted = 没有一次表决得出结果

## report/seats

views-seats-call-failed = 调用失败
views-seats-seats-failed-result-without-them = { $seats } 个席位中有 { $failed } 个调用失败，这个结果没有它们的意见。先解决失败的原因，再重新开会。
views-seats-votes-failed-result-without-them = { $seats } 个席位中有 { $failed } 个表决失败，这个结果有它们的发言，没有它们的票。先解决失败的原因，再重新开会。

## report/tables

views-tables-facilitator = 协调员

## phase

views-phase-draft = 草稿
views-phase-paused = 已暂停
views-phase-preparing = 准备中
views-phase-discussion = 讨论中
views-phase-summing-up = 总结中
views-phase-ballot = 表决中
views-phase-facilitation = 收敛中
views-phase-closing = 撰写结论
views-phase-ended = 已结束
views-phase-cost = 费用 { $cost }
views-phase-cost-unknown = 费用未知
views-phase-forked-from-meeting-after-event = 从会议 { $meeting } 的事件 { $seq } 之后分叉；沿用当时的用量：{ $calls } 次调用，{ $tokens } token，{ $cost }，{ $seconds } 秒。

## layout/export_room

views-export-room-user = 用户

## layout/import_meeting


## layout/import_room

views-import-room-member = 成员
views-import-room-no-introduction = 没有介绍。

## layout/errors

views-layout-twice = “{ $name }”出现了两次
views-layout-ids-hint = 每一项用自己的 id
views-layout-names-hint = 每一位用自己的名字
views-layout-other-room = “{ $room }”是另一个房间
views-layout-other-room-hint = 把这条消息放进它自己房间的文件
views-layout-hidden = 此人没有发言机会，不能是 false
views-layout-hidden-hint = 只有参会者的发言可以跳过；去掉这条消息
views-layout-not-before = “{ $id }”在此之前还没有说
views-layout-not-before-hint = 消息只能回应更早的消息；请改正顺序，或写 null
views-layout-no-message = 没有消息“{ $id }”
views-layout-no-message-hint = 写 null，或添加它
views-layout-no-temperament = “{ $name }”不是性情
views-layout-no-temperament-hint = 写 balanced、stubborn、agreeable 等
views-layout-number-is = 现在是 { $value }
views-layout-number = 请用 { $min } 到 { $max } 的数
views-layout-number-or-null = 请用 { $min } 到 { $max } 的数；不限则写 null
views-layout-round-order = 第 { $round } 轮排在第 { $before } 轮之后
views-layout-round-order-hint = 按发言的先后列出消息
views-layout-not-last-minutes = 不是 minutes_history 的最后一版
views-layout-not-last-minutes-hint = 在那里重复最后一版，或去掉它
views-layout-version-order = 第 { $version } 版排在第 { $before } 版之后
views-layout-version-order-hint = 版本从 1 起递增
views-layout-room-twice = room_id：“{ $room }”出现了两次
views-layout-too-many = 有 { $count } 项
views-layout-keep-to = 最多 { $max } 项
views-layout-divide = 分成几个文件夹
views-layout-missing = 缺少 { $file }
views-layout-missing-hint = 添加这个文件，或去掉这个 id
views-layout-message-hint = 改正这条消息；各种消息的样子见 docs/layout.md
views-layout-file-hint = 改正这个文件；各种文件的样子见 docs/layout.md
views-layout-file-long = 有 { $bytes } 字节，超过 { $most }
views-layout-shorten = 缩短它，或分成几份
views-layout-no-id = “{ $text }”不是 id
views-layout-no-id-hint = 用 1 到 100 个字母、数字、- _ 或点，不以点开头
views-layout-no-time = “{ $text }”不是时间
views-layout-no-time-hint = 写成 UTC 的 ISO 8601，如 2026-03-01T08:30:00Z
views-layout-participants = 有 { $count } 位参会者
views-layout-participants-hint = 保留 1 到 { $max } 位
views-layout-similar = “{ $name }”与“{ $other }”太像
views-layout-not-seated = “{ $name }”不在参会者中
views-layout-not-seated-hint = 可选：{ $known }；或把它加入参会者
views-layout-no-meeting = 里面没有会议
views-layout-no-meeting-hint = 给出含有 meetings/*.json 或 rooms.json 的文件夹，或这样一个文件（见 docs/layout.md）

## 参会者发言之外做了什么

views-work-no-result = 还没有结果
views-work-facilitator = 协调员
views-work-asked = { $told } · 等待许可
views-work-allowed = { $told } · { $by } 已允许
views-work-refused = { $told } · { $by } 已拒绝
views-work-unanswered = { $told } · 未获许可
views-work-failed = { $told } · 失败

## people, for those who are not to know who they are

views-people-somebody = 一位用户
views-people-numbered = 参会者 { $number }
