### 会议形式与规则：筹备会议时看到的文字。每条规则的文字以它的路径为名：`rules-label-turns-timeout-ms`。

## 会议形式：名称、适用场合、产出

rules-format-consensus = 共识
rules-when-consensus = 需要所有人都认可的决定
rules-yields-consensus = 经表决通过的结论，或没有结论的原因
rules-format-discussion = 讨论
rules-when-discussion = 有议程的话题，由主持人带着谈
rules-yields-discussion = 纪要，每一行都能追溯到谁说的
rules-format-decision = 决策
rules-when-decision = 架构、方案、计划，先问清缺什么
rules-yields-decision = ADR、任务清单、风险清单
rules-format-room = 聊天室
rules-when-room = 让参会者自由交谈，随时插话
rules-yields-room = 完整记录，结束时写出结论
rules-format-brainstorm = 头脑风暴
rules-when-brainstorm = 需要想法，并让想法彼此启发
rules-yields-brainstorm = 最好的几个想法和一个意外之选

## 规则分组

rules-group-intake = 询问你
rules-group-turns = 发言
rules-group-talk = 风格
rules-group-context = 参会者读到什么
rules-group-decision = 决定
rules-group-roster = 人员
rules-group-closing = 收尾
rules-group-limits = 上限

## 询问你

rules-label-intake-when = 向你了解缺少的信息
rules-help-intake-when = 会议暂停并列出问题；没有回答时按默认值继续。
rules-choice-intake-when-never = 不问
rules-choice-intake-when-start = 开始前问一次
rules-choice-intake-when-each-round = 每轮前都问
rules-label-intake-max-questions = 最多问几个问题
rules-help-intake-max-questions = 每次提问的上限。

## 发言

rules-label-turns-floor = 谁给发言权
rules-help-turns-floor = “由主持人点名”时，没被提到的人不发言。
rules-choice-turns-floor-rotation = 轮流
rules-choice-turns-floor-host = 由主持人点名
rules-label-turns-mode = 轮流说还是同时说
rules-help-turns-mode = 自动：人少轮流，人多同时。
rules-choice-turns-mode-auto = 自动
rules-choice-turns-mode-serial-turn = 轮流
rules-choice-turns-mode-parallel-round = 同时
rules-label-turns-parallel-from = 多少人起同时发言
rules-help-turns-parallel-from = 只在“自动”时有效。
rules-label-turns-order = 发言顺序
rules-help-turns-order = “每轮换人先说”：下一轮从后一位开始。
rules-choice-turns-order-rotating = 每轮换人先说
rules-choice-turns-order-sequential = 按座次
rules-choice-turns-order-random = 随机
rules-label-turns-answer = 回答的形式
rules-help-turns-answer = 结构化：立场、理由、把握分栏写明。
rules-choice-turns-answer-prose = 自然表述
rules-choice-turns-answer-structured = 结构化
rules-label-turns-blind-round = 先盲答：各自独立作答，再看别人的
rules-help-turns-blind-round = 避免互相带偏。
rules-label-turns-cross-reply-targets = 每人必须回应几个他人的论点
rules-help-turns-cross-reply-targets = 发言前逐条点明要回应谁的哪一点。
rules-label-turns-may-skip = 可以跳过发言
rules-help-turns-may-skip = 被提及的人除外。
rules-label-turns-show-skips = 显示谁跳过了
rules-help-turns-show-skips = 无论是否显示，日志里都有记录。
rules-label-turns-extra-turns = 每轮因被提及最多加说几次
rules-help-turns-extra-turns = 按每位参会者计，自己的一次除外。
rules-label-turns-mention-ends-round = 被提及的人答完，这一轮就结束
rules-help-turns-mention-ends-round = 还没轮到的人等下一轮。
rules-label-turns-people-may-speak = 人可以发言
rules-help-turns-people-may-speak = 关闭后，人只能旁听。
rules-label-turns-ideas = 请每人提编号的想法
rules-help-turns-ideas = 其他人可以按编号接着发展。
rules-label-turns-pace = 模拟参会者的发言速度
rules-help-turns-pace = 不设则按服务的设置，通常是阅读速度；真实模型的速度由模型决定。
rules-choice-turns-pace-live = 阅读速度
rules-choice-turns-pace-brisk = 较快
rules-choice-turns-pace-instant = 立即
rules-label-turns-timeout-ms = 一次发言或投票最多等多久
rules-help-turns-timeout-ms = 超过就算失败，或算跳过。
rules-label-turns-timeout-skips = 超时算跳过，而不是失败
rules-help-turns-timeout-skips = 这时不提示失败。
rules-label-turns-max-message-chars = 一条发言最多多少字
rules-help-turns-max-message-chars = 更长的会被截断并标明。

## 风格

rules-label-talk-style = 讨论风格
rules-help-talk-style = 不设则各随其便。
rules-choice-talk-style-formal = 正式
rules-choice-talk-style-casual = 随意
rules-choice-talk-style-debate = 辩论
rules-label-talk-lengths = 每人的发言长度
rules-help-talk-lengths = 按名字设置；没有设置的人长短随意。
rules-choice-talk-lengths-brief = 简短
rules-choice-talk-lengths-moderate = 适中
rules-choice-talk-lengths-detailed = 详细

## 参会者读到什么

rules-label-context-view = 发言前读哪些记录
rules-help-context-view = 无论哪一种，纪要都代替它覆盖的内容。
rules-choice-context-view-record = 全部记录
rules-choice-context-view-since-own-word = 自己上次发言之后
rules-choice-context-view-round = 本轮
rules-choice-context-view-layered = 分层：摘要加引文
rules-label-context-quotes = 分层视图里最多引用几条
rules-help-context-quotes = 按相关程度选取。
rules-label-context-private-memory = 每人有只给自己看的私有记忆
rules-help-context-private-memory = 其他参会者读不到。
rules-label-context-rolling-summary = 每轮写滚动摘要，替代旧消息
rules-help-context-rolling-summary = 会议再长，提示词也不会太长。
rules-label-context-summary-max-chars = 摘要最多多少字
rules-help-context-summary-max-chars = 更长的会被截断。
rules-label-context-recent-messages = 最近多少条保留原文
rules-help-context-recent-messages = 0 表示全部保留。

## 决定

rules-label-decision-ballots = 用表决来决定
rules-help-decision-ballots = 所有参会者给结论草案打 0–100 分。关闭后谈满轮次即结束。
rules-label-decision-mean-score = 平均分达到多少才通过
rules-help-decision-mean-score = 按全部有效票计算；弃权没有分数。
rules-label-decision-pass-ratio = 赞成的票至少占多少
rules-help-decision-pass-ratio = 按投出的票计算。
rules-label-decision-min-score = 任何一票低于多少就不通过
rules-help-decision-min-score = 一票否决的底线。
rules-label-decision-quorum = 至少多少参会者投了票才算数
rules-help-decision-quorum = 弃权不算投票。
rules-label-decision-min-rounds = 第一次表决前至少谈几轮
rules-help-decision-min-rounds = 盲答不计；不超过最多轮次。
rules-label-decision-on-steering = 表决时你插话会怎样
rules-help-decision-on-steering = 被打断的表决不计票。
rules-choice-decision-on-steering-interrupt = 打断表决，先听你说
rules-choice-decision-on-steering-queue = 表决完再读
rules-label-decision-convergence = 看法收敛时提前结束
rules-help-decision-convergence = 分歧和问题少到一定程度，或立场不再变化。
rules-label-decision-convergence-max-open-questions = 未决问题不超过
rules-help-decision-convergence-max-open-questions = 与分歧的上限同时满足。
rules-label-decision-convergence-max-disagreements = 分歧不超过
rules-help-decision-convergence-max-disagreements = 与未决问题的上限同时满足。
rules-label-decision-convergence-stable-rounds = 立场连续不变
rules-help-decision-convergence-stable-rounds = 连续这么多轮没有人改变建议。

## 人员

rules-label-roster-assemble = 没有指名时按主题组队
rules-help-roster-assemble = 由协调员按主题提议。
rules-label-roster-team-size = 团队几人
rules-help-roster-team-size = 用于自动组成的团队。
rules-label-roster-approve = 有人加入或离开前先问你
rules-help-roster-approve = 关闭后，候选人加入和离开都不再询问。
rules-label-roster-evaluate = 每轮后给每人打分
rules-help-roster-evaluate = 0–10 分，参会者看不到。
rules-label-roster-leave-below = 低于几分可能被请离
rules-help-roster-leave-below = 每轮最多一位；0 表示谁也不离开。
rules-label-roster-newcomers = 轮次之间可以提议新人加入
rules-help-roster-newcomers = 不超过团队人数。
rules-label-roster-min-team = 至少保留几位
rules-help-roster-min-team = 只剩这么多人时不再请离。

## 收尾

rules-label-closing-artifacts = 要写的交付物
rules-help-closing-artifacts = 每份都要满足通过条件，会议才算结束。
rules-choice-closing-artifacts-adr = 决策记录（ADR）
rules-choice-closing-artifacts-tasks = 任务清单
rules-choice-closing-artifacts-risks = 风险清单
rules-choice-closing-artifacts-minutes = 纪要
rules-choice-closing-artifacts-summary = 摘要
rules-label-closing-best-ideas = 结论里列出几个最佳想法
rules-help-closing-best-ideas = 另附一个意外之选；0 表示不列。

## 上限

rules-label-limits-max-rounds = 最多谈几轮
rules-help-limits-max-rounds = 盲答不计。
rules-label-limits-tokens = token 上限
rules-help-limits-tokens = 整场会议读写合计。
rules-label-limits-cost-micros = 费用上限
rules-help-limits-cost-micros = 所有模型的价格都已知时才能设置。
rules-label-limits-wall-ms = 时间上限
rules-help-limits-wall-ms = 从开始算起，暂停不计；最后五分之一（至多 90 秒）留给结论。
rules-label-limits-when-reached = 到达预算时
rules-help-limits-when-reached = 结束时按已有内容写出结论。
rules-choice-limits-when-reached-end = 结束并写结论
rules-choice-limits-when-reached-pause = 暂停，问你是否加预算
rules-label-limits-answer-tokens = 单次回答最多多少 token
rules-help-limits-answer-tokens = 模型另有上限时按模型的。
rules-label-limits-rounds-alone = 连续几轮没有人插话就暂停
rules-help-limits-rounds-alone = 0 表示不限。
rules-label-limits-rounds-stale = 连续几轮没有新内容就暂停
rules-help-limits-rounds-stale = 一轮里全部跳过时也会暂停；0 表示不限。
rules-label-limits-provider-wait-ms = 供应商中断时等待
rules-help-limits-provider-wait-ms = 没有可用的供应商时等待这么久，然后暂停；0 表示不等待。
rules-label-limits-tool-calls = 工具最多调用几次
rules-help-limits-tool-calls = 整场会议合计；用完后参会者按已知内容回答。0 表示不允许调用。
rules-label-limits-tool-calls-per-turn = 每次发言最多调用几次工具
rules-help-limits-tool-calls-per-turn = 用完后要求参会者直接回答。0 表示不允许调用。
rules-label-limits-tool-timeout-ms = 单次工具调用的时限
rules-help-limits-tool-timeout-ms = 到时没有结果，参会者会看到调用超时。

## 表决方式

rules-mode-average = 看平均分
rules-mode-help-average = 只要求平均分
rules-mode-pass-ratio = 看赞成比例
rules-mode-help-pass-ratio = 只要求赞成的占比
rules-mode-both = 两者都要
rules-mode-help-both = 平均分与赞成比例都要达到
rules-mode-unanimous = 全体一致
rules-mode-help-unanimous = 每个人都投票，且都赞成

## 单位，不含数字

rules-unit-points = { $count ->
   *[other] 分
}
rules-unit-rounds = { $count ->
   *[other] 轮
}
rules-unit-turns = { $count ->
   *[other] 次
}
rules-unit-participants = { $count ->
   *[other] 位
}
rules-unit-seconds = { $count ->
   *[other] 秒
}
rules-unit-minutes = { $count ->
   *[other] 分钟
}
rules-unit-characters = { $count ->
   *[other] 字
}
rules-unit-tokens = { $count ->
   *[other] token
}
rules-unit-money = { $count ->
   *[other] 美元
}
rules-unit-questions = { $count ->
   *[other] 个问题
}
rules-unit-messages = { $count ->
   *[other] 条消息
}
rules-unit-quotes = { $count ->
   *[other] 条引文
}
rules-unit-ideas = { $count ->
   *[other] 个想法
}
rules-unit-claims = { $count ->
   *[other] 个论点
}
rules-unit-disagreements = { $count ->
   *[other] 处分歧
}
rules-unit-calls = { $count ->
   *[other] 次
}
