### 会议暂停时向人提出的问题；事件里存有这些代码。

question-go-on-or-end = 继续还是结束？
question-nothing-new-said = 连续 { $rounds } 轮没有新内容，只有智能体在发言
question-all-skipped = 所有参会者都跳过了发言；有人发言后会议会继续
question-no-person-spoke = 已连续 { $rounds } 轮没有真人发言
question-rounds-held = 会议已经进行了 { $rounds } 轮
question-speak-as-host = 请以主持人身份发言，并用 @名字 点名请谁回答
question-only-mentioned-speak = 主持人模式下只有被点名的人发言
question-new-token-limit = 预算 { $limit } 已用尽。新的上限是多少（token 数）？填 0 结束会议
question-new-cost-limit = 预算 { $limit } 已用尽。新的上限是多少（百万分之一货币单位）？填 0 结束会议
question-new-time-limit = 预算 { $limit } 已用尽。新的上限是多少（毫秒）？填 0 结束会议
question-new-topic = 新的讨论主题（留空则不变）
question-anything-to-add = 有什么要补充的信息？
question-agree-with-team = 同意这样的人员安排吗？
question-leave-out = 要去掉哪些新成员（名字，逗号分隔）？
question-another-proposal = 如果要重新提议，有什么要求？
question-gate = 交付物 { $record } 没有满足通过条件。再写一次，还是由规则根据记录生成？
question-gate-of-several = 交付物 { $record } 没有满足通过条件，还要生成：{ $others }。再写一次，由规则根据记录生成这一份，还是全部由规则生成？
question-allow-tool = 是否允许 { $name } 调用 { $tool }，只此一次，还是本场会议都允许？它可能改动数据。
question-tool-arguments = 参数：{ $arguments }
