### 导出的网页与 PDF 的文字。

## html

print-html-quorate = 众议

## pdf

print-pdf-quorate = 众议
print-pdf-files = 附件
print-pdf-record = 会议记录
print-pdf-round = 第 { $round } 轮
print-pdf-name-role = { $name }（{ $role }）
print-pdf-date = 日期
print-pdf-participants = 参会者
print-pdf-outcome = 结果
print-pdf-characters-such-as-emoji-no = 文中有 { $count } 种字符（如表情符号）在本机字体里没有，以 [U+编码] 的形式印出。
print-font-unreadable = 无法读取字体文件 { $path }：{ $error }
print-font-unreadable-hint = 检查 --font 或 QUORATE_FONT 给出的路径
print-no-font = { $path } 不是可以用来排版的字体
print-no-font-hint = 给出 TrueType 或 OpenType 文件：.ttf、.otf 或 .ttc
print-no-chinese-font = 本机没有含汉字的字体
print-no-chinese-font-hint = 安装一种（Debian、Ubuntu：fonts-noto-cjk；Fedora：google-noto-sans-cjk-fonts；Arch：noto-fonts-cjk；Alpine：font-noto-cjk），或用 --font 或 QUORATE_FONT 指定字体文件
print-not-set = 无法排版：{ $error }
print-not-set-hint = 这是众议的缺陷，请报告；--format html 不需要排版

## transcript

print-transcript-record = 会议记录
print-section-before = 第 1 轮之前
print-section-after-blind = 盲答之后
print-transcript-zone = {"\u000A"}时区：{ $zone }{"\u000A"}

## times

print-times-before-noon = 上午{ $time }
print-times-after-noon = 下午{ $time }

## page：导出的网页自己的文字，与会议同一种语言

print-page-result = 结果
print-page-record = 会议记录
print-page-check = 核验
print-page-skip = 跳到会议记录
print-page-verified = 已核验：{ $n } 个事件与校验链一致
print-page-verified-one = 已核验：{ $n } 个事件与校验链一致
print-page-withheld-too = ，另有 { $n } 个事件未附上原文
print-page-withheld-too-one = ，另有 { $n } 个事件未附上原文
print-page-broken-at = 第 { $n } 个事件与校验链不符：此页在写成之后被改动或损坏
print-page-conclusion-differs = 页首的结果与记录里的结论不一致：此页在写成之后被改动
print-page-about-chain = 每个事件的校验值都覆盖它之前的全部事件，本页打开时在本机重新计算，不联网。它能发现损坏和随手的改动；有心人可以把整条链重新算过，签名则伪造不了。
print-page-signature-checking = 正在核验签名……
print-page-signature-valid = ✓ 签名有效：记录自签名以来没有改动
print-page-signature-invalid = ✗ 签名与此页不符：记录在签名之后被改动，或签名不是用所列密钥写的
print-page-signature-unsupported = 此浏览器不能核验 Ed25519 签名。请用 quorate verify 核验这个文件，或换一个新版浏览器打开。
print-page-about-signature = 签名证明：持有这个密钥的 Quorate 在所列时间存有这份记录。它不说明那是谁的密钥——请把密钥编号与对方给出的核对（“设置 › 关于”、quorate doctor 或 /api/v1/signing-key）。页首的报告由记录写成，不在签名之内。这一页由自己核验自己；不信任它的来历时，请用 quorate verify 核验。
print-page-signed-at = 签名时间
print-page-key-id = 密钥编号
print-page-unsigned-damaged = 没有签名：记录已损坏，后面的内容缺失。
print-page-unsigned-withheld = 没有签名：导出者看不到记录的全部内容。
print-page-unsigned-off-record = 没有签名：会议不留记录。
print-page-unsigned-no-key = 没有签名：导出时无法使用签名密钥。
print-page-about-withheld = 隐藏评分、私有记忆和模型的思考过程默认不附上：这些事件只留下校验值，链条仍然连续。去掉一部分之后展示的发言标有「部分」。
print-page-events = 事件
print-page-last = 最后的校验值
print-page-meeting = 会议编号
print-page-blind-round = 盲答
print-page-round = 第 { $n } 轮
print-page-person = 用户
print-page-summary = 摘要
print-page-draft = 结论草案 · 第 { $n } 版
print-page-conclusion = 结论
print-page-reasons = 以下理由由协调员补充，不在表决通过的草案之内。
print-page-minutes = 会议纪要 · 第 { $n } 版
print-page-announcement = 公告
print-page-artifact = 交付物 { $kind } { $version } 已写成
print-page-passes = 通过
print-page-fails = 不通过
print-page-abstains = 弃权
print-page-ballot = 第 { $n } 次表决
print-page-vote-failed = { $name } 投票失败：{ $why }
print-page-missing = 还缺
print-page-ballot-passed = 表决通过
print-page-ballot-failed = 表决未通过
print-page-interrupted = 表决被插话中断
print-page-joined = { $name } 入席
print-page-arrived = { $name } 加入会议
print-page-departed = { $name } 退出会议
print-page-hosts = { $name } 现在主持会议
print-page-left = { $name } 离席
print-page-skipped = { $name } 跳过了这次发言
print-page-not-asked = { $name } 跳过：只有人说了{ $phrases }
print-page-not-asked-list = { $name } 跳过：按跳过列表
print-page-timed-out = { $name } 超时，跳过
print-page-failed = { $name } 没有作答：{ $why }
print-page-paused = 会议暂停
print-page-resumed = 会议继续
print-page-recovered = 会议由另一个进程接管
print-page-idle = 系统时间被调快，或电脑曾休眠；这段时间不计入会议用时
print-page-forked = 以上内容来自会议 { $from }，到事件 { $at } 为止；从这里分叉
print-page-facilitator = 协调员
print-page-file-attached = 添加文件：{ $name }（{ $id }）
print-page-agent-asked = { $name } 请求许可：{ $what }
print-page-agent-allowed = { $by } 许可 { $name }：{ $what }
print-page-agent-refused = { $by } 拒绝 { $name }：{ $what }
print-page-agent-unanswered = 没有人及时答复 { $name }：{ $what }
print-page-file-removed = 移除文件 { $id }
print-page-topic = 主题改为：{ $text }
print-page-called = 会议标题：{ $text }
print-page-before-noon = 上午{ $time }
print-page-after-noon = 下午{ $time }
print-page-agenda-added = 新增议题：{ $text }
print-page-outage = 无法连接 { $names }，会议等待并会再试
print-page-reachable = 供应商已恢复，会议继续
print-page-budget = 预算已用尽
print-page-error = 出了一个问题，由规则接手：{ $why }
print-page-metric = 收敛度 { $score }
print-page-finished = 会议结束
print-page-position = 立场
print-page-confidence = 把握 { $n }
print-page-marks = 第 { $n } 轮评分
print-page-memory = { $name } 的私有记忆
print-page-reasoning = 思考过程
print-page-withheld-evaluation = 评分未附上
print-page-withheld-memory = 私有记忆未附上
print-page-withheld-other = 未附上
print-page-partly = 部分
print-page-play = 播放
print-page-pause = 暂停
print-page-again = 重播
print-page-back = 上一条
print-page-next = 下一条
print-page-speed = 速度
print-page-place = 位置
print-page-step = { $n } / { $all }
print-page-keys = 空格 播放或暂停　← → 逐条　[ ] 换轮　+ − 速度　Home End 首尾
print-page-comma = 、
print-page-colon = ：
print-page-tool-called = { $id } { $name } 调用 { $tool }
print-page-tool-reviewed = { $id }：{ $decision }
print-page-tool-returned = { $id } 返回了结果
print-page-tool-returned-cut = { $id } 返回了结果，末尾已截去
print-page-tool-no-result = { $id } 没有结果：{ $why }。{ $detail }
print-page-tool-arguments = 参数
print-page-tool-result = 结果
print-page-file-text = 正文
print-page-evidence = 依据：
print-transcript-call = **{ $name }** 调用了 `{ $tool }` [{ $id }]
print-transcript-evidence = 依据：{ $cited }

## record: 会议上发生的事，用于不含日志的格式

print-record-focus = 本轮要讨论的问题
print-record-quoted = “{ $phrase }”
print-record-paren = （{ $text }）
