### 调用、发言或任务为何失败；事件里存有这些代码。

## 供应商的模型

failure-answered = { $provider } 返回 { $status }
failure-answered-said = { $provider } 返回 { $status }：{ $said }
failure-asks-to-wait = { $failure }；它要求等待 { $seconds } 秒
failure-asked-times = { $failure }（共请求 { $times } 次）
failure-reported = { $provider } 返回的是错误，不是回答
failure-reported-said = { $provider } 返回的是错误，不是回答：{ $said }
failure-moved = { $provider } 返回 { $status }：它要求改为请求 { $place }，而重定向不会被跟随
failure-moved-elsewhere = { $provider } 返回 { $status }：它要求改为请求另一个地址，而重定向不会被跟随
failure-fell-silent = { $provider } 在回答中途停顿了 { $duration }
failure-sent-nothing = { $provider } 在 { $duration } 内没有返回任何内容
failure-out-of-time = 总时限已到，{ $provider } 仍未答完
failure-cut-before-answer = 与 { $provider } 的连接在回答开始前断开
failure-cut-within-answer = 与 { $provider } 的连接在回答中途断开
failure-cut-before-end = 与 { $provider } 的连接在回答完成前断开
failure-no-connection = { $duration } 内未能连接到 { $provider }
failure-not-public = 没有请求 { $provider }：{ $why }
failure-untrusted-certificate = { $provider } 的证书不受信任：{ $why }
failure-unreachable = 无法连接 { $provider }：{ $why }
failure-no-request = 无法构造发往 { $provider } 的请求
failure-answer-too-large = { $provider } 返回的回答超过 4 MiB
failure-line-too-large = { $provider } 返回的一行超过 1 MiB
failure-web-page = { $provider } 返回了一个网页
failure-no-model-list = { $provider } 没有返回模型列表
failure-no-model-list-within = { $seconds } 秒内没有返回模型列表
failure-answer-incomplete = { $provider } 返回的回答不完整
failure-not-json = { $provider } 返回的内容不是 JSON 格式的回答（第 { $column } 列）
failure-broke-off = { $provider } 中止了回答：{ $why }
failure-model-refused = 模型拒绝回答：{ $said }
failure-provider-withheld = { $provider } 扣下了回答
failure-wanted-tool = 模型要调用工具，但会议没有提供工具
failure-empty = 收到的回答是空的
failure-only-thought = 模型只有思考，没有回答
failure-closed = { $provider } 要求在 { $seconds } 秒内不再请求
failure-rate-limits = 受 { $provider } 的限速约束，请求未能在时限内发出
failure-resting = { $provider } 已连续失败 { $failures } 次；{ $seconds } 秒内不再请求
failure-resting-tried = { $provider } 已连续失败 { $failures } 次；另一次调用正在试探
failure-no-key = 没有 { $provider } 的密钥：{ $variable } 未设置
failure-models-only = { $provider } 只为模型作答
failure-misconfigured = { $problem }

## 原因

failure-cause-no-address = 域名解析不到地址
failure-cause-refused = 连接被拒绝
failure-cause-reset = 连接被重置
failure-cause-host-unreachable = 主机不可达
failure-cause-network-unreachable = 网络不可达
failure-cause-no-host = 地址要以 http:// 或 https:// 加主机名开头
failure-cause-local-name = { $name } 是本机或本地网络的名称
failure-cause-local-address = { $address } 是本机、本地网络或未分配的地址
failure-cause-leads-inside = { $name } 指向本机或本地网络

## 进程

failure-process = { $process }：{ $failure }
failure-process-stderr = { $process }：{ $failure }；它的 stderr：{ $stderr }
failure-no-program = 找不到程序“{ $program }”
failure-no-folder = 找不到它的工作目录，或程序的解释器
failure-not-started = 无法启动“{ $program }”：{ $error }
failure-line-too-long = 它写出的一行超过 1 MB
failure-ended-within-answer = { $how }，回答只写了一半
failure-ended-without-answer = { $how }，没有给出回答
failure-garbage = { $failure }；它的 stdout 有 { $count } 行不是事件
failure-exit-code = 它以退出码 { $code } 结束
failure-signal = 它被信号 { $signal } 终止
failure-ended = 它结束了
failure-stdout-closed = 它关闭了 stdout
failure-message-without-content = 它写出的 agent_message 没有 payload.message
failure-message-of-other-role = 它写出的 agent_message 的 role 不是 assistant
failure-reports-error = 它报告出错
failure-wrote-too-much = 它写出的内容超过 4 MB
failure-no-provider = 没有名为 { $name } 的供应商
failure-no-process = 没有名为 { $name } 的进程

## 编程智能体

failure-no-acp = 没有名为 { $name } 的编程智能体
failure-acp-name = 名称须为 1 到 50 个字符，且不含斜杠
failure-acp-no-command = command 为空，或不是纯文本
failure-acp-env = env 中有内容不是变量名
failure-acp-no-folders = 没有配置它可以使用的文件夹，或多于 100 个
failure-acp-folder-name = “{ $folder }”不能用作文件夹名称
failure-acp-bounds = timeout_ms、permission_ms 或 concurrency 超出范围
failure-acp-folder-unnamed = 它可以使用多个文件夹，而席位没有指明：{ $known }
failure-acp-no-folder = 其配置中没有文件夹“{ $folder }”
failure-acp-folder-gone = 席位的文件夹不存在
failure-acp-ended-at-start = 未就绪，{ $how }
failure-acp-ended-within-turn = 发言中途，{ $how }
failure-acp-no-protocol = 它不使用 Agent Client Protocol；其标准输出有 { $count } 行不是消息
failure-acp-mode = 智能体不接受模式“{ $mode }”：{ $said }
failure-acp-version = 它使用 Agent Client Protocol 第 { $version } 版，而众议使用第 1 版
failure-acp-sign-in = 它要求登录
failure-acp-sign-in-by = 它要求登录：{ $methods }
failure-acp-not-ready = 它在 { $seconds } 秒内未就绪
failure-acp-reported = 它报告：{ $said }
failure-acp-refused = 它拒绝回答
failure-acp-cancelled = 它取消了自己的发言
failure-acp-unreadable = 它的回答无法解析
failure-acp-flood = 它在一次发言中写得太多
failure-acp-too-many-actions = 它在一次发言中做了 500 多件事
failure-acp-too-many-questions = 它反复请求许可

## 模拟的参会者

failure-simulated-network = 模拟：连接中途断开
failure-simulated-overloaded = 模拟：当前请求过多
failure-simulated-timed-out = 模拟：没有按时作答
failure-simulated-empty = 模拟：回答是空的
failure-not-simulated = 模拟程序被要求为 { $label } 作答

## 会议

failure-no-answer-within = { $seconds } 秒内没有回答
failure-webhook-status = { $seconds } 秒内没有回答：接收端返回 HTTP { $status }
failure-webhook-unreachable = { $seconds } 秒内没有回答：无法连接接收端
failure-webhook-slow = { $seconds } 秒内没有回答：接收端没有按时响应
failure-webhook-no-answer = { $seconds } 秒内没有回答：接收端的响应中没有回答
failure-runner-broke-down = 执行器出现故障
failure-withheld = 供应商扣下了回答
failure-budget-too-small = 预算不足以完成这一步
failure-budget-used-up = 预算已用尽
failure-out-of-time-to-conclude = 时间预算内没有写完结论
failure-table-full = 席位已满，无法加入
failure-left = 参会者不在会议中
failure-nothing-to-record = 回答里没有可以记录的内容
failure-tool-arguments-long = 参数超过 { $max } 个字符。
failure-tool-arguments-no-object = 参数必须是 JSON 对象。
failure-tool-arguments-no-json = 参数不是 JSON：{ $problem }
failure-tool-arguments = 参数不符：{ $problem }
failure-tool-path-outside = { $path } 超出了文件夹。请使用列出的路径。
failure-tool-no-file = 没有可读的文件 { $path }。请先列出文件。
failure-tool-no-attached-file = 会议没有文件 { $file }。它的文件：{ $known }
failure-tool-secret = { $path } 含有密钥或密码，不予显示。
failure-tool-unreadable = 无法读取 { $path }。
failure-tool-too-large = { $path } 超过 { $max } MB。
failure-tool-no-text = { $path } 不是文本。
failure-tool-no-such-lines = { $path } 共 { $lines } 行，请在其中选取。
failure-tool-nothing-found = 没有找到。
failure-tool-text-or-regex = 文本和正则表达式请只给一个。
failure-tool-regex = 检索式为空、过长，或不是正则表达式。
failure-tool-glob = { $glob } 不是路径的模式。
failure-tool-server-unreachable = 无法连接 { $name } 背后的服务器。

## 远程智能体（A2A）

failure-agent-no-card = { $agent } 的地址上没有智能体名片（agent card）
failure-agent-not-spoken = { $agent } 没有提供这里支持的接口：{ $offered }
failure-agent-elsewhere = { $agent } 的名片把接口指向另一个地址 { $place }，没有向它发出请求
failure-agent-extension = { $agent } 要求一个不支持的协议扩展：{ $extension }
failure-agent-reports = { $agent } 报告错误 { $code }：{ $said }
failure-agent-unreadable = { $agent } 返回的内容不是 Agent2Agent 协议的回答
failure-agent-other-task = { $agent } 回答的是另一个任务，不是交给它的任务
failure-agent-asks = { $agent } 没有回答，而是要求补充信息：{ $said }
failure-agent-wants-sign-in = { $agent } 要求授权：{ $said }
failure-agent-rejected = { $agent } 拒绝了这次发言：{ $said }
failure-agent-failed = { $agent } 执行失败：{ $said }
failure-agent-canceled = { $agent } 取消了这次发言：{ $said }
failure-agent-one-model = { $agent } 是远程智能体，唯一的模型是 `agent`
failure-setting-base-url = 供应商 { $provider }：base_url 不能使用（{ $problem }）
failure-setting-key = 供应商 { $provider }：密钥中有空格、换行或 ASCII 之外的字符
failure-setting-key-file = 供应商 { $provider }：无法读取密钥文件 { $file }：{ $error }
failure-setting-proxy = 供应商 { $provider }：proxy 不能使用（{ $problem }）
failure-setting-not-public = 供应商 { $provider }：设置了 public_only，base_url 不能使用：{ $reason }
failure-setting-header = 供应商 { $provider }：无法发送附加的请求头“{ $header }”
failure-setting-range = 供应商 { $provider }：{ $setting } 超出范围（{ $range }）
failure-setting-client = 供应商 { $provider }：无法建立 HTTP 客户端：{ $error }
failure-setting-url-scheme = 必须以 http:// 或 https:// 开头
failure-setting-url-user = 含有用户名或密码，应改用 key_env
failure-setting-url-fragment = 含有 # 之后的部分，这部分不会发送
failure-setting-url-unreadable = 不是网址
failure-setting-url-after-port = 端口之后还有内容
failure-setting-between = { $least } 到 { $most }
failure-setting-least = 至少 { $least }

## Webhook

failure-webhook-gone = 它的 Webhook 已停用：接收端返回了 HTTP 410
failure-webhook-failing = 它的 Webhook 已停用：投递始终没有成功
failure-webhook-disabled = 它的 Webhook 已停用
failure-webhook-deleted = 它的 Webhook 已删除

## 工具

failure-tools-not-configured = 运行会议的服务器上没有配置这个名称
failure-tools-not-started = 程序无法启动：{ $error }
failure-tools-unreachable = 服务器无法使用：{ $error }
failure-tools-silent = 服务器在 { $seconds } 秒内没有应答
failure-tools-no-token = 没有设置变量 { $variable }
failure-tools-none = 服务器没有提供可以调用的工具
failure-tools-said = { $problem }。它的输出：{ $said }
failure-tools-unusable = 工具 { $source }：{ $reason }
