### Agent2Agent 协议：名片、任务与错误。

a2a-own-message = 你之前的发言：

## 名片

a2a-agent = 众议：{ $format }
a2a-description = 多个 AI 模型、智能体与人围绕你的问题按成文规则进行多轮讨论。一个任务就是一场会议：发言以流式返回，需要补充信息时返回 input-required，结果包含结论、不同意见、表决和交付物。
a2a-skill = { $when }。产出：{ $yields }。
a2a-token = 访问令牌：发起会议需要 `manage` 权限，回答会议的问题需要 `speak` 权限
a2a-extension = 消息元数据中 `quorate` 键下的会议设置：与 POST /api/v1/meetings 的字段相同，例如 `lang`、`participants`、`models`、`simulate`、`rules`
a2a-example = 我们的服务该用 SQLite 还是 PostgreSQL？

## 任务

a2a-started = 会议已开始。
a2a-preparation = 会议正在准备。
a2a-blind-round = 盲答：所有参会者独立作答。
a2a-round = 第 { $round } 轮。
a2a-ballot-opened = 表决开始。
a2a-ballot-passed = 表决结束：草案通过。
a2a-ballot-failed = 表决结束：草案未通过。
a2a-resumed = 会议继续。
a2a-closing = 会议正在收尾，正在撰写结论。
a2a-turn-failed = { $name } 没有回答：{ $why }。{ $help }
a2a-error = 会议的一个步骤失败：{ $why }。{ $help }
a2a-fault = 会议多次失败，已停止。管理员可以在众议中查看原因并恢复会议。
a2a-paused = 会议已暂停（{ $reason }）。向此任务发送一条消息即可继续。
a2a-questions = 会议已暂停，回答 { $count } 个问题后继续：
a2a-default = （默认：{ $value }）
a2a-how-to-answer = 在此任务中回复，每行写“键: 回答”，或附上数据部分 {"{"}"answers": {"{"}"key": …{"}"}{"}"}。未回答的问题取默认值。
a2a-conclusion = 结论
a2a-dissent = 不同意见
a2a-votes = 表决
a2a-actions = 行动项
a2a-vote-for = 赞成，{ $score } 分（满分 100）
a2a-vote-against = 反对，{ $score } 分（满分 100）
a2a-no-vote = 未投票
a2a-simulated = 本次会议有模拟参会者，其发言由程序生成。
a2a-reference =
    之前的问题：{ $topic }
    其结论：{ $conclusion }
a2a-reference-not-passed =
    之前的问题：{ $topic }
    没有草案通过表决。目前最好的结论：{ $conclusion }
a2a-canceled-note = 通过 A2A 取消

## 错误

a2a-no-agent = 没有这个智能体。可用地址为 /a2a/ 加上 { $formats } 之一。
a2a-post = 此地址只接受 POST。请发送一个 JSON-RPC 2.0 请求，或读取 /.well-known/agent-card.json 下的名片。
a2a-not-json = 请求正文不是 JSON：{ $problem }。请发送一个 JSON 对象。
a2a-no-batch = 请以对象形式发送一个 JSON-RPC 请求，不支持批量请求。
a2a-jsonrpc = `jsonrpc` 不是 "2.0"。请发送 JSON-RPC 2.0 请求。
a2a-rpc-id = `id` 既不是字符串也不是整数。请为每个请求设置各自的 id。
a2a-rpc-method = 缺少 `method`。请写明方法，例如 SendMessage 或 message/send。
a2a-no-method = 没有这个方法。可用的方法有 { $known }。
a2a-params = 参数不是对象。请发送包含该方法各字段的对象。
a2a-version = 不支持这个协议版本。请把 A2A-Version 设为 1.0 或 0.3。
a2a-too-large = 请求正文超过 { $most } 字节。请减少内容，或通过 HTTP 接口附加文件。
a2a-no-parts = `message.parts` 缺失或为空。请至少发送一个带文本的部分。
a2a-role = `message.role` 不是用户角色。请设为 ROLE_USER（1.0）或 user（0.3）。
a2a-too-many-parts = 消息超过 { $most } 个部分。请减少。
a2a-id = `message.{ $field }` 不是 1 到 { $most } 字节的 id。请设置。
a2a-content-type = 只支持文本和数据部分。请把内容写进文本，或通过 HTTP 接口附加文件。
a2a-data = 数据部分不是对象。请发送对象。
a2a-settings = `metadata.quorate` 不是对象。请发送 POST /api/v1/meetings 的字段。
a2a-no-push = 不支持推送通知。请用流跟随任务，或通过 HTTP 接口创建 webhook。
a2a-no-extended-card = 没有扩展名片，公开名片已包含全部信息。
a2a-no-task = 没有这个任务，或你无权查看。请列出任务，或发送不带任务 id 的消息开始新任务。
a2a-task-over = 任务已结束。请去掉任务 id、保留上下文 id，再发送消息以开始新任务。
a2a-nothing-to-follow = 任务已结束，不会再有更新。请获取任务查看结果。
a2a-not-cancelable = 任务已结束，无法取消。请获取任务查看结果。
a2a-other-context = 任务属于另一个上下文。请发送该任务的上下文 id，或不发送。
a2a-other-format = 此智能体只举行 { $format } 形式的会议。请去掉 format，或请求另一形式的智能体。
a2a-no-text = 消息没有文本。请以文本部分发送问题。
a2a-text-too-long = 消息超过 { $most } 个字符。请缩短，或通过 HTTP 接口附加文件。
a2a-answers-do-not-fit = 消息没有回答问题。请按“键: 回答”逐行发送，或发送包含 answers 的数据，键为 { $keys }。
a2a-too-many-streams = 打开的流太多。请关闭一个，或稍后再试。
a2a-response-too-long = 结果超出一次回答的长度。请通过 HTTP 接口读取会议。
a2a-page-size = `pageSize` 不是 1 到 { $most } 的数字。请修改，或不设置。
a2a-page-token = `pageToken` 不属于此列表。请去掉后重新开始。
