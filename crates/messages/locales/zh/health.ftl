### 对会议共识的判断；网页也读取这些文字。

## 判定

health-standing-open = 没有达成一致。
health-standing-converging = 没有达成一致，但意见比之前接近。
health-standing-ideas = { $ideas ->
    [0] 这场会议收集想法，不求一致；还没有想法。
   *[other] 这场会议收集想法，不求一致；目前有 { $ideas } 个想法。
}
health-standing-ideas-over = { $ideas ->
    [0] 这场会议收集想法，不求一致；没有留下想法。
   *[other] 这场会议收集想法，不求一致；共有 { $ideas } 个想法。
}
health-standing-robust = 意见一致且有依据，没有未解决的反对。
health-standing-robust-most = 多数人意见一致且有依据，没有未解决的反对。
health-standing-thin = 意见一致，但依据薄弱。
health-standing-thin-most = 多数人意见一致，但依据薄弱。
health-standing-majority = 表决已通过，但并非人人同意。
health-standing-contested = 存在未解决的反对或分歧。
health-standing-suspicious = 一致来得可疑：没有新的依据。采纳之前，请先权衡反对的理由。

## 理由

health-agreement-ballot = 在第 { $ballot } 次表决中，{ $share } 的表决人同意通过。
health-agreement-position = { $share } 的参会者持会议得出的立场。
health-agreement-leading = { $share } 的参会者持领先立场。
health-ballot-missed = 表决未通过：得票之外的通过条件没有满足。
health-no-round = 还没有完成一轮讨论。
health-voices = { $voices ->
    [0] 还没有参会者说明立场。
   *[other] 只有 { $voices } 位参会者说明了立场。
}
health-new-evidence = 最初表态之后出现了 { $count } 处新的依据。
health-no-evidence = 最初表态之后没有出现新的依据。
health-blind-support = 领先立场在各自表态时只有 { $share } 支持。
health-blind-leader = 最初领先的是另一个立场：“{ $position }”。
health-family = { $share } 的支持来自同一系列的模型（{ $family }）。
health-family-simulated = { $share } 的支持来自同一个模拟程序。
health-unevidenced-share = { $share } 的参会者改变立场时没有说明依据。
health-outvoted = { $silent ->
    [0] { $asked } 位表决人中 { $supports } 位同意通过，{ $dissents } 位反对。
   *[other] { $asked } 位表决人中 { $supports } 位同意通过，{ $dissents } 位反对，{ $silent } 位没有投票。
}
health-objections = { $count } 条反对尚未解决。
health-against = { $votes } 票中有 { $against } 票反对。
health-split = 领先立场只有 { $share } 支持，另有 { $others } 位持另一立场。
health-judges = { $seats } 个席位约相当于 { $effective } 个独立判断。
health-judges-simulated = { $seats } 个席位约相当于 { $effective } 个独立判断，其中有模拟参会者。
health-judges-all-simulated = { $seats } 个席位约相当于 { $effective } 个独立判断，席位全部为模拟参会者。

## 提醒

health-jump = 第 { $round } 轮没有新的依据，领先立场却增加了 { $share }。
health-collapse = { $rounds } 轮里，分歧在没有新依据的情况下全部消失。
health-unevidenced = { $seats } 位参会者改变立场时没有说明依据。
health-blind-gap = 领先立场比各自表态时多了 { $share }，而没有新的依据。
health-novelty = 最近两轮几乎没有新论点。
health-unshared = 表决时有 { $facts } 条事实只有提出者自己提过。
health-coverage = { $raised } 个论点中只有 { $answered } 个得到回应。
health-gini = 论点集中在少数参会者身上。
health-value = 最近一轮只让平均分变了 { $points } 分。

## 再开一轮

health-round-none-left = 没有剩余轮次。
health-round-over = 会议已结束。
health-round-unshared = 还有 { $facts } 条事实只有提出者自己提过；再开一轮时请先讨论它们。
health-round-unanswered = { $claims } 个论点还没有人回应；再开一轮值得用来回应它们。
health-round-talked-out = 最近两轮几乎没有新论点；再开一轮多半不会改变结果，可以表决。
health-round-little = 最近两次表决之间平均分只变了 { $points } 分；再开一轮的作用可能很小。
health-round-further = 最近两次表决之间平均分变了 { $points } 分；再开一轮可能还会有变化。
health-round-covered = 已有 { $share } 的论点得到回应；在第二次表决之前，还不知道一轮能改变多少。
health-round-ideas = { $ideas ->
    [0] 上一轮没有新的想法。
   *[other] 上一轮有 { $ideas } 个新的想法。
}
health-round-nothing-raised = 还没有人提出论点；在第二次表决之前，还不知道一轮能改变多少。
