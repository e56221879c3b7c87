### HTTP 接口的提示。

## access/admission

server-proxy-without-accounts = 请求经代理转发而来，而这里无需登录
server-proxy-without-accounts-hint = 请运营者建立所有者账户，并用 --trust-proxy 写明代理
server-request-too-slow = 请求用时过长，已被中断
server-request-too-slow-hint = 先查看是否已经完成，再重试

## access/identity

server-not-signed-in = 尚未登录
server-not-signed-in-hint = 在 /api/v1/sessions 登录，或带上头部 authorization: Bearer 访问令牌
server-not-signed-in-hint-tools = 请带上头部 authorization: Bearer 访问令牌
server-token-unknown = 访问令牌无效或已过期
server-token-unknown-hint = 在 /api/v1/sessions/refresh 续期、重新登录，或申请新的访问令牌
server-token-unknown-hint-tools = 请申请新的访问令牌，并填入此客户端的配置

## stopping

server-wait-retry-after = 按 Retry-After 等待后再试
server-stopping = 服务正在停止
server-stopping-hint = 等它恢复后再试

## access/local

server-local-token-needed = 本服务只回应出示本地令牌的请求
server-local-token-needed-hint = 打开服务启动时打印的地址，或带上头部 authorization: Bearer 本地令牌

## access/local_sign_in

server-has-accounts = 这里用名字和密码登录
server-has-accounts-hint = 在 /api/v1/sessions 登录
server-wrong-token = 本地令牌不对

## access/origin

server-wrong-host = “{ $host }”不是本服务的主机名
server-wrong-host-hint = 使用 127.0.0.1 或 localhost；本机的其他名字用 --allow-host 名字 放行
server-wrong-origin = 请求来自其他站点的页面
server-wrong-origin-hint = 使用本服务的页面；其他站点用 --allow-origin 地址 放行

## access/sessions

server-no-session = 没有可以续期的会话
server-sign-in-first = 请先登录
server-not-by-session-hint = 访问令牌在 /api/v1/tokens/{"{"}id{"}"} 撤销

## body

server-body-not-declared = 正文没有声明为 JSON
server-body-not-declared-hint = 带上头部 content-type: application/json
server-body-too-large = 正文超过上限
server-body-too-large-files-hint = 减少内容；文件上传到 /api/v1/meetings/{"{"}id{"}"}/uploads
server-body-too-large-files-hint-tools = 请减少内容
server-body-is-list = 它是数组，应为对象
server-see-docs-body = 正文的说明见 /api/v1/docs
server-see-docs-body-tools = 请按该工具的输入格式重新调用
server-body-too-deep = 嵌套层数太多：{ $inner }
server-body-not-json = 正文不是 JSON：{ $inner }
server-body-goes-on = JSON 之后还有内容：{ $error }
server-see-docs-query = 查询参数的说明见 /api/v1/docs
server-see-docs-query-tools = 请按该工具的输入格式重新调用
server-path-not-utf8 = 路径中的 { $part } 不是 UTF-8
server-path-part = 路径中的 { $part } 不能是“{ $value }”
server-path-part-because = 路径中的 { $part } 不能是“{ $value }”：{ $why }
server-path-value = 路径中的“{ $value }”不是这里允许的值
server-see-docs-path = 路径的说明见 /api/v1/docs
server-see-docs-path-tools = 请用其他工具返回的 id 重新调用

## body_limits

server-body-too-large-signed-out = 未登录时，正文超过了上限
server-body-too-large-signed-out-hint = 先登录，或减少内容
server-body-too-slow = 正文迟迟没有收完
server-body-too-slow-hint = 请重新发送，中间不要停顿
server-too-much-at-once = 你同时发送的内容超过上限
server-too-much-at-once-hint = 等前面的请求得到回应后再发

## compute

server-compute-busy = 正在计算其他请求
server-compute-own = 你有 { $own } 个请求尚未完成

## exports/pool

server-exports-busy = 正在生成其他导出文件
server-exports-own = 你有 { $own } 个导出尚未完成
server-exports-own-hint = 请逐个导出

## exports/renderer

server-pdf-not-started = 生成 PDF 的进程无法启动
server-pdf-too-slow = 排版超过了 { $seconds } 秒
server-pdf-failed-hint = format=html 给出同样内容的网页，可从浏览器打印；format=markdown、format=json 给出文本；管理服务的人可调高 [server.exports] 的 pdf_seconds 与 pdf_megabytes
server-pdf-crashed = 排版所需超过上限（{ $megabytes } MiB），或排版程序出错（{ $status }）
server-pdf-no-chinese-font = 服务器上没有含中文字形的字体
server-pdf-no-chinese-font-hint = 在服务器上安装一种（Debian、Ubuntu：fonts-noto-cjk；Fedora：google-noto-sans-cjk-fonts；Arch：noto-fonts-cjk；Alpine：font-noto-cjk），或用 QUORATE_FONT 指定字体文件
server-pdf-not-laid-out = 无法排版：{ $problem }
server-pdf-font = QUORATE_FONT 指定的字体不能用：{ $problem }
server-pdf-font-hint = 检查 QUORATE_FONT 的路径；须是 .ttf、.otf 或 .ttc 文件

## live/listener

server-beyond-last-event = { $seen } 超出了最后一个事件 { $last }
server-beyond-last-event-hint = 用你见过的事件的编号，或 0
server-context-limit = { $limit } 条发言超出了一次能返回的数量
server-context-limit-hint = 请写 0 到 { $most }，其余用下一个请求读取
server-context-after-hint = 请用之前响应中的 cursor，或省略 after
server-context-after-hint-tools = 调用 get_context 时用之前返回的 cursor，或省略 after
server-empty-filter-hint = 给 { $name } 一个值，或省略它

## live/socket/call

server-bug = 这是众议自身的缺陷

## live/socket/client_message

server-message-is-object = 消息应是一个 JSON 对象
server-message-id = 它不是至多 128 个字的文本，也不是数
server-message-id-hint = 换一个 id，或不写
server-message-key = idempotency_key 里没有有效的键
server-idempotency-key-hint = 发送一个键：1 到 255 个可见的 ASCII 字符，如 UUID
server-see-docs-socket = /api/v1/ws 可以发送的内容见 /api/v1/docs
server-message-not-json = 消息不是 JSON：{ $error }

## live/socket/connection

server-message-is-text = 消息是文本帧里的 JSON
server-no-parameters = 未知参数 `{ $name }`：这个请求的查询串不接受参数
server-unknown-field = 未知字段 `{ $name }`
server-already-signed-in = 这条连接已用另一个身份登录
server-already-signed-in-hint = 请为此令牌另开一条连接
server-already-subscribed = 已经订阅 { $meeting }
server-already-subscribed-hint = 先取消订阅，或另开连接
server-too-many-subscriptions = 这个连接已订阅 { $subscriptions_max } 场会议
server-too-many-subscriptions-hint = 取消其他订阅，或另开连接
server-socket-sign-in-hint = 先发送 {"{"}"type":"sign_in","token":…{"}"}，或带上头部 authorization: Bearer 访问令牌

## live/socket

server-socket-only = 这个地址使用 WebSocket（RFC 6455）；同一会议也可经 GET /api/v1/meetings/{"{"}id{"}"}/events 收听

## live/socket/subscription

server-meeting-unloaded = 会议 { $meeting } 已被删除或从内存中卸下
server-meeting-unloaded-hint = 重新订阅
server-connect-again = 稍后重新连接

## live/sse

server-not-event-number = 它不是事件的编号
server-not-event-number-hint = 发送你收到的最后一个编号
server-no-event-type = 没有类型为“{ $name }”的事件
server-choose-from = 可选：{ $known }

## ops/health

server-about-to-stop = 服务即将停止

## page

server-method-hint = 头部 Allow 列出可用的方法；/api/v1/docs 列出全部接口
server-method-hint-tools = 头部 Allow 列出可用的方法
server-see-docs = /api/v1/docs 列出全部接口
server-method = 这里不支持 { $method }
server-unknown-method = 这里不支持这种方法

## problem

server-send-json = 以 UTF-8 发送 JSON，并带上 content-type: application/json
server-not-found-hint-tools = 请用 list_meetings 查看你能看到的会议，用 get_context 查看会议中有什么；也可能对你隐藏
server-not-found-hint = 查看列表；它也可能对你不可见
server-bug-because = 这是众议自身的缺陷：{ $what }
server-bug-hint = 已确认的内容不会丢失；请附上日志报告
server-agent-exists-hint = 换一个名字，或修改已有的智能体
server-lease-not-renewed = 本节点已有数秒未能连接数据库服务器，暂不写入
server-node-unreachable = 无法连接运行此会议的节点 { $node }
server-node-unreachable-hint = 请重试；如果该节点已经失效，12 秒内会由其他节点接管会议
server-no-route = 此服务器没有路径 { $path }
server-not-found = 没有你能看到的{ $what }“{ $id }”
server-told-elsewhere = { $general }（{ $said }）

## rate_limits

server-too-many-uploads = 你已经在上传 { $uploads_at_once } 个文件
server-too-many-uploads-hint = 等其中一个传完
server-too-many-lines = 已有 { $most } 个连接
server-too-many-lines-hint = 先关闭一个；一个 WebSocket 可以跟随多场会议

## rest/advance

server-wait-too-long-hint = 最多等 30 秒，之后收听事件
server-wait-too-long = 时间太长

## rest/agents

server-provider-is-owners = 供应商的密钥和地址只能由所有者设置
server-provider-is-owners-hint = 去掉 api_key 和 base_url，请服务的所有者添加该供应商
server-agent-changed = 自 If-Match 所指的版本之后，这个智能体已被修改

## rest/artifacts

server-kinds-are = 种类有：{ $known }
server-request-artifact = 先请求撰写：POST …/artifacts
server-request-artifact-tools = 没有撰写交付物的工具；请主持人生成，或用 resources/read 读取 quorate://meetings/{"{"}meeting{"}"} 查看已有的交付物

## rest/ballots

server-no-ballot-yet = 还没有表决过

## rest/call

server-body-too-large-hint = 减少内容

## rest/claims

server-no-claim = “{ $id }”不是论点编号
server-cursor-hint = 原样发送上一页给出的 next_cursor
server-claims-hint = 按消息里的写法列出论点：c1,c4

## rest/export

server-no-marks-for-you = 你不能查看评分和私有记忆
server-no-marks-for-you-hint = 去掉 with_marks
server-exporter-hint = 服务器日志中有该程序的说明；format=json 给出它收到的内容
server-export-form = 没有这种格式的导出
server-export-form-hint = 可选：{ $all }
server-export-abandoned = 已无人等待这个导出
server-export-not-written = 无法写入压缩包：{ $error }
server-export-not-written-hint = 请在服务器临时文件所在的磁盘上腾出空间，然后重新导出
server-no-pdf = 本服务不能生成 PDF
server-no-pdf-hint = 导出 HTML，再用浏览器打印为 PDF

## rest/idempotency

server-idempotency-header = 头部 idempotency-key 里没有有效的键

## rest/lifecycle

server-modes-are = 方式有：{ $known }

## rest/log

server-no-type-of-event = 没有“{ $kind }”这种事件
server-types-are = 事件类型有：{ $known }
server-no-such-event-hint = 给出你已有的某个事件的编号
server-no-such-event = 没有这个事件
server-event-unreadable = 事件无法读取：{ $error }
server-event-unreadable-hint = 请运营者检查数据库

## rest/meeting_access

server-event-not-in-log = 日志里没有事件 { $at }
server-event-not-in-log-hint = 选择 1 到 { $last } 之间的数
server-result-gone = 找不到已完成的结果
server-result-gone-hint = 请求已经完成；请查看会议
server-there-are = 现有：{ $known }

## rest/meetings

server-no-state = 没有“{ $name }”这个状态
server-states-are = 状态有：{ $known }
server-query-value-length = 最多 { $most } 个字
server-query-length = 应有 1 到 200 个字
server-query-length-hint = 少写几个词
server-tag-length = 标签为 1 到 40 个字
server-tag-length-hint = 用列表中已有的标签
server-too-many-messages-hint = 最多 500 条，其余在 /messages 查看
server-too-many-messages = { $messages } 条太多了

## rest/messages

server-cursor = 它不是这个列表的游标
server-messages-are = 消息是 m1 到 { $id }
server-no-message-yet = 还没有人发言

## rest/minutes

server-request-minutes = 先请求撰写：POST …/minutes
server-request-minutes-tools = 没有撰写纪要的工具；请主持人生成，或用 resources/read 读取 quorate://meetings/{"{"}meeting{"}"}/record 或 /report
server-minutes-changed = 自 If-Match 所指的版本之后，纪要已被修改

## rest/pagination

server-limit = { $limit } 超出范围
server-limit-hint = 填写 1 到 { $most }

## rest/mentions

server-seq-without-meeting = `seq` 是一场会议中的事件序号
server-seq-without-meeting-hint = 在 `meeting` 中写明会议，或去掉 `seq`

## rest/participants

server-who-joins-hint = 给出智能体库中的智能体、一句描述，或名字及其设定
server-agent-described = 智能体库中的智能体已有描述
server-stands-alone = 它只能单独给出
server-nobody-named = 没有写明是谁

## rest/rules

server-rules-hint = GET …/rules 列出全部规则
server-rules-hint-tools = create_meeting 的输入模式说明了规则
server-display-hint = 可填 time_zone、time_format（12h 或 24h）和 date_format；填 null 表示由读者自己的设置决定
server-meeting-changed = 自 If-Match 所指的版本之后，会议已被修改
server-rules-changed = 自 If-Match 所指的版本之后，规则已被修改

## rest/search

server-hits = { $limit } 不在 1 到 { $hits_max } 之间
server-hits-hint = 用 `cursor` 取下一页
server-no-kind = 没有“{ $word }”这一类

## rest/tag

server-no-tag = 头部 { $name } 里没有有效的标签
server-no-tag-hint = 按收到的样子发送 ETag，连同引号，或写 *
server-changed-meanwhile-hint = 重新查看，再发送 If-Match: "{ $now }"

## rest/templates

server-see-docs-meeting = 会议的说明见 /api/v1/docs

## rest/turns

server-wait-seconds = { $wait_seconds } 超出范围
server-wait-seconds-hint = 等待 0 到 25 秒，然后再次请求
server-answer-empty = 回答为空
server-answer-empty-hint = 填写 `text` 或 `fields`
server-answer-double = 同时给出了 `text` 和 `fields`
server-answer-double-hint = 只填写其中一项
server-turn-over = 这次发言机会已结束
server-turn-over-wait = 等待下一次：GET /api/v1/turns?wait_seconds=25
server-turn-over-wait-tools = 请调用 wait_for_turn 等待下一次发言机会
server-turn-over-meeting-ended = 这次发言机会已结束：会议已结束
server-turn-over-meeting-ended-hint = 那里不再有发言机会；会议结果：GET /api/v1/meetings/…/report
server-turn-over-meeting-ended-hint-tools = 那里不再有发言机会；请调用 get_result 查看结果
server-turn-no-ticket = 这不是本服务器上发言机会的 ticket
server-turn-no-ticket-hint = 请原样使用发言机会的 ticket：GET /api/v1/turns
server-turn-no-ticket-hint-tools = 请原样使用 wait_for_turn 返回的 ticket，或省略 ticket
server-ticket-of-other-meeting = 这个 ticket 属于会议 { $of } 的发言机会，而不是会议 { $named }
server-ticket-of-other-meeting-hint = 请写 ticket 所属的会议，或使用这场会议的 ticket；什么也没有发出
server-turn-not-skippable = 这次发言需要回答，不能跳过
server-turn-not-skippable-hint = 用一两句话回答
server-turn-over-open = 回答仍开放的发言机会：{ $open }

## rest/uploads

server-off-record = 这场会议不留记录
server-off-record-hint = 改为在消息中说明
server-meeting-files-full = 会议已有 { $files } 个文件，共 { $bytes } 字节
server-meeting-files-full-hint = 先删除一些
server-file-empty = 文件是空的
server-file-empty-hint = 以正文发送文件内容
server-uploads-busy = 此刻正在上传的文件太多
server-uploads-busy-hint = 稍后再发送
server-file-broken-off = 文件没有完整到达：{ $error }
server-send-again = 请重新发送

## settings

server-settings-hint = GET /api/v1/settings 列出全部设置
server-setting-range = { $given } 不在 { $least } 到 { $most } 之间
server-setting-too-small = 这样小会把你自己也挡在外面；至少填写 { $least }，或写 null 恢复默认
server-setting-too-large = 最多填写 { $most }，或写 null 恢复默认

## state

server-log-levels = 选择 debug、info、warning、error 或 critical，或写明部分：quorate_runners=debug,warning

## live/ring

server-database-recovered = 数据库又可以写入了

## webhooks

server-webhook-signature = 签名不符
server-webhook-signature-hint = 用这个 Webhook 的密钥对“ID.TIMESTAMP.BODY”签名，并附上 webhook-id、webhook-timestamp 和 webhook-signature
server-webhook-time = 消息的时间相差超过五分钟
server-webhook-time-hint = 校准发送方的时钟，重新签名
server-webhook-replayed = 已收到过带有这个 webhook-id 的消息
server-webhook-replayed-hint = 如果已有答复则无需处理；否则换一个 id 再发
server-webhook-disabled = 这个 Webhook 已停用
server-webhook-disabled-hint = 在 设置 › Webhook 中启用它
server-webhook-no-answer = 请求中没有答复
server-webhook-no-answer-hint = 请发送 ticket，以及 text、fields、skip 三者之一；在轮次之外发言则发送 meeting 和 text

## start

server-start-no-owner = { $what }，而没有可以登录的账户
server-start-no-owner-hint = 新建账户：quorate accounts add owner（在容器里设置 QUORATE_OWNER_PASSWORD）；或在 127.0.0.1 上监听
server-start-reached = 其他机器可以访问这个地址
server-start-behind-proxy = 前面有代理（--trust-proxy）
server-start-public-url = 人们从其他机器访问它（--public-url）
server-start-option = { $option }：{ $problem }
server-start-token = 令牌须有 16 到 256 个字符，只能用字母、数字和 - . _ ~
server-start-token-hint = 用 openssl rand -hex 16 生成一个，或不设这个变量，由众议生成
server-start-no-network = “{ $text }”既不是地址，也不是网络
server-start-no-network-hint = 形如 10.0.0.7 或 10.0.0.0/8
server-start-not-root = 公开地址只能是主机，不能带路径、查询参数或用户名
server-start-not-root-hint = Quorate 需要单独的主机名，例如 { $origin }；请在反向代理中为它配置 quorate.example.org 这样的域名
server-start-no-page = “{ $text }”不是网页的地址
server-start-no-page-hint = 形如 https://meet.example.org
server-start-no-certificate = 里面没有证书
server-start-no-key = 里面没有可以读取的私钥
server-start-tls-hint = 给出证书及其上级证书（--tls-cert）和它的私钥（--tls-key），都用 PEM 格式
server-start-tls-unusable = 无法使用证书和密钥：{ $error }
server-start-tls-unusable-hint = 证书和密钥要成对，请从同一处取得
server-log-no-level = “{ $word }”不是日志级别
server-log-fixed = 这个服务的日志不能更改
server-log-no-filter = “{ $levels }”不是过滤条件：{ $error }
server-start-address = 无法在 { $address } 监听：{ $source }
server-start-address-in-use-hint = 已有别的程序在那里监听，也许是另一个众议；换一个端口（--port 0 自动选用空闲端口）
server-start-address-hint = 换一个地址（--host）或端口（--port）
server-start-nats = 无法使用 NATS 服务器：{ $error }
server-start-nats-hint = 地址写作 nats://主机:4222 或 tls://主机:4222（--nats）；需要凭据时指定凭据文件（--nats-credentials）
server-start-broken = 监听中断：{ $source }
server-start-broken-hint = 重新启动即可；已确认的内容不会丢失
server-close-too-big = 消息超过 64 KiB
server-close-not-utf8 = 文本消息不是 UTF-8
server-close-protocol = 有一帧不符合协议
server-close-stopping = 服务器正在停止
server-close-not-signed-in = 没有登录
server-close-signed-out = 已退出登录
server-close-silent = 太久没有收到任何内容
