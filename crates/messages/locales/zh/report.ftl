### 会议结果（Markdown）：参会者的话以外的文字。模板里不写 `report-`（`crates/views/src/templates/result.md.jinja`）。

## 标点

report-paren = （{ $text }）
report-colon = ：
report-comma = ，
report-semicolon = ；
report-stop = 。
report-dash = ——
report-list = 、
report-quote = “{ $text }”

## 开头

report-topic = **主题**：{ $topic }
report-simulated = > 本次会议有模拟参会者参加。他们的发言仅供演示，不是真实模型的意见。
report-incomplete = > **结果不完整**：{ $why }
report-outcome = **结果**：{ $headline }（讨论 { $rounds } 轮，{ $messages } 条消息，{ $ballots } 次表决）

## 调用失败

report-failed-calls = 调用失败
report-never-spoke = 没有发过言
report-failed-turns = { $turns } 次发言机会失败 { $failed } 次
report-failed-votes = { $votes } 次投票失败
report-what-helps = 解决办法

## 结论

report-conclusion = 结论
report-not-passed = > **以下不是会议的决议**：没有草案通过表决。
report-no-conclusion = 会议还没有结论。
report-reasons-note = 以下理由由协调员补充，不在表决通过的草案之内。
report-why-no-consensus = 为什么没有达成一致
report-agenda = 议程
report-best-ideas = 最佳想法
report-wildcard = 意外之选
report-disagreements = 分歧
report-unsigned = （未署名）
report-disagreements-above = 结论中没有列出；持不同意见的参会者见上。
report-no-disagreement = 没有留下明显的分歧。
report-dissent = 不同意见
report-points = { $score } 分
report-nobody-against = 没有人投反对票。
report-nobody-voted = 没有人投票。
report-nobody-asked = 没有进行表决，也就没有征询各方是否同意。
report-no-majority = 没有表决，也没有哪个立场占多数。
report-left-open = 尚未解决的问题见“分歧”。
report-no-dissent-yet = 目前没有人提出不同意见。
report-position = 立场
report-reason = 理由
report-missing-is = 还缺：{ $what }
report-points-in-ballot = 第 { $ballot } 次表决给 { $score } 分
report-reservations = 有保留的支持
report-reservations-note = 以下参会者支持这一结果，但不完全同意。
report-actions = 行动项
report-no-actions = 没有约定行动项。
report-missing = 还缺什么
report-ballot = 第 { $ballot } 次表决

## 纪要与交付物

report-minutes = 纪要
report-version = 第 { $version } 版
report-by = { $author }撰写
report-up-to = 涵盖至 { $covers }
report-decided = 决定
report-to-do = 行动
report-risk = 风险
report-adr = 决策记录（ADR）
report-adr-head = **{ $title }**（{ $status }；{ $version }，{ $author }撰写）
report-status-accepted = 已接受
report-status-proposed = 提议
report-decision = 决定
report-option = 方案
report-pro = 优点
report-con = 缺点
report-consequence = 后果
report-tasks = 任务
report-priority = 优先级{ $level }
report-level-high = 高
report-level-medium = 中
report-level-low = 低
report-done-when = 完成标准：{ $text }
report-risks = 风险
report-likelihood = 可能性{ $level }
report-impact = 影响{ $level }
report-no-risks = 会上没有提到风险。
report-summary = 摘要
report-open = 未决

## 想法、收敛、评分

report-ideas = 全部想法
report-builds-on = （基于 { $ideas }）
report-files = 文件与引用
report-file-lines = { $lines } 行
report-convergence = 收敛过程
report-convergence-columns = | 轮次 | 未决问题 | 分歧 | 收敛度 | 建议未变 |
report-rounds = { $rounds } 轮
report-marks = 隐藏评分
report-marks-columns = | 轮次 | 参会者 | 评分 | 理由 |

## 表决与立场

report-ballots = 表决
report-ballot-heading = 第 { $ballot } 次表决（第 { $round } 轮后，草案第 { $draft } 版）：{ $state }
report-state-passed = 通过
report-state-failed = 未通过
report-state-interrupted = 被中断
report-state-open = 进行中
report-state-not-counted = 未计票
report-votes-columns = | 参会者 | 分数 | 通过 | 理由 |
report-vote-failed = 失败
report-vote-abstained = 弃权
report-vote-yes = 是
report-vote-no = 否
report-vote-contradicts = 与分数矛盾
report-no-ballot = 没有进行表决。
report-positions = 立场变化
report-positions-columns = | 参会者 | 最初立场 | 最后立场 | 把握 | 最后评分 | 改变 |
report-position-returned = （改变过，又回到最初的立场）
report-position-same-words = （自称已改变，但措辞相同）
report-position-unchanged = （未变）
report-not-moved = 无
report-moved-by-argument = { $times } 次有依据
report-moved-without = { $times } 次无依据
report-no-position = 没有记录到立场。

## 费用

report-cost = 用量与费用
report-cost-columns = | 参会者 | 执行器 | 调用 | 输入 | 输出 | 缓存 | 费用 |
report-cost-unknown = 费用未知
report-fallbacks = 其中 { $calls } 次调用由备用模型回答。
report-retries = 这些调用中有 { $requests } 个请求没有得到回答，已重新发送。
report-lost-calls = 有 { $calls } 次调用因进程中断而丢失，其实际用量未知。
report-closing = 会议编号 `{ $meeting }`；方括号中的编号指会议记录中的内容：m1 是消息，c1 是论点，t1 是工具调用。
report-evidence = 依据
