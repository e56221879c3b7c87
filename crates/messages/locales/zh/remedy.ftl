### 失败之后怎么办；事件里存有这些代码。

## 供应商的模型

remedy-raise-setting = 调大供应商 { $name } 的 { $setting }，或换一个更快的模型
remedy-give-turns-more-time = 在会议的限额里放宽每次发言的时限，或换一个更快的模型
remedy-raise-total-time = 调大供应商 { $name } 的 total_ms，或换一个更快的模型
remedy-connect-time = 时限由供应商的 connect_ms 决定
remedy-public-address = 给出公网地址，或去掉 public_only
remedy-check-certificates = 检查接口地址和本机的证书
remedy-ollama-pull = 可以用 `ollama pull { $model }` 拉取
remedy-load-model = { $provider } 没有模型；先加载或拉取一个
remedy-wait-too-long = 它要求等待 { $seconds } 秒，超过了这次调用的时限
remedy-go-on-after-wait = 过后再继续，或换一个供应商
remedy-use-responses-format = 这个模型使用另一种格式：把供应商 { $name } 的格式设为 `responses`
remedy-check-proxy-password = 检查供应商 { $name } 的代理用户名和密码
remedy-set-final-address = 接口地址是 { $shown_url }；把它改为供应商的最终地址
remedy-model-without-end = 换一个模型：这个模型的回答停不下来
remedy-set-key-variable = 把 { $variable } 设为 { $name } 的密钥
remedy-check-key-variable = 检查 { $variable } 里的密钥，或为 { $name } 换一个密钥
remedy-check-key-file = 检查 { $file } 里的密钥，或为 { $name } 换一个密钥
remedy-store-another-key = 为供应商 { $name } 保存另一个密钥
remedy-give-key = 为供应商 { $name } 提供密钥
remedy-lower-concurrency = 降低供应商 { $name } 的并发数，或过一分钟再继续
remedy-add-credit = 给 { $name } 充值，或换一个供应商
remedy-choose-listed-model = 从 { $name } 列出的模型里选一个
remedy-check-address-and-parameters = 检查接口地址（{ $shown_url }）和模型参数
remedy-is-it-running-behind-proxy = 确认它和代理 { $proxy } 正在运行；接口地址是 { $shown_url }
remedy-is-it-running = 确认它正在运行；接口地址是 { $shown_url }
remedy-raise-timeouts = 放宽供应商 { $name } 的时限
remedy-check-format = 确认 { $url } 使用 { $title } 格式
remedy-add-provider = 添加供应商 { $name }，并给出它的接口地址
remedy-later-or-another-model = 稍后继续，或换一个模型
remedy-longer-context = 换上下文更长的模型，或让会议少带一些历史
remedy-other-words = 换个说法描述主题，或换一个模型
remedy-allow-more-tokens = 换一个模型，或允许它输出更多 token
remedy-nothing-to-do = 不需要做什么
remedy-address-with-v1 = 接口地址是 { $url }；多数服务要求以 /v1 结尾
remedy-check-address-and-format = 接口地址是 { $url }；确认它使用 { $title } 格式

## 进程

remedy-see-its-log = 它自己的日志里可能有详情
remedy-see-protocol = 回答的格式见 docs/runner-protocol.md
remedy-put-words-into-message = 把内容放进 payload.message.content，或在它之前作为 token 写出
remedy-end-sooner = 让它早些结束回答
remedy-install-program = 安装 { $program }，或修改 [processes.{ $name }] 的 command
remedy-check-cwd = 检查 [processes.{ $name }] 的 cwd
remedy-one-line-per-event = 每个事件写成一行 JSON；格式见 docs/runner-protocol.md
remedy-run-by-hand = 手动运行 [processes.{ $name }] 的命令，看它为什么退出
remedy-end-with-message = 每次调用以 agent_message 或 error 结束；格式见 docs/runner-protocol.md

## 模拟的参会者

remedy-simulated-as-flaky = 这位参会者按不稳定模拟，再试一次可能成功

## 并列

remedy-both = { $first }；{ $then }

## 供应商

remedy-raise-rate-limits = 调大供应商 { $name } 的 requests_per_minute 和 tokens_per_minute，或放宽每次发言的时限
remedy-models-there-are = { $provider } 有 { $models }
remedy-models-and-others = { $provider } 有 { $models } 和另外 { $count } 个模型
remedy-no-provider-configured = 没有配置任何供应商；请添加供应商 { $name }，并给出它的接口地址
remedy-use-other-provider = 可选：{ $known }；或添加供应商 { $name }，并给出它的接口地址
remedy-no-process-configured = 没有配置任何进程；请添加 [processes.{ $name }] 及其 command
remedy-use-other-process = 可选：{ $known }；或添加 [processes.{ $name }] 及其 command
remedy-simulate-or-configure = 把这位参会者改为模拟，或先配置它的供应商

## 进程

remedy-raise-process-time = 调大 [processes.{ $name }] 的 timeout_ms；并确认程序每次只读一行，写完会刷新输出
remedy-raise-turn-time-for-process = 调大 `turns.timeout_ms`；并确认程序每次只读一行，写完会刷新输出

## 编程智能体

remedy-no-acp-configured = 没有配置编程智能体；请添加 [acp.{ $name }] 及其命令和文件夹
remedy-use-other-acp = 可选：{ $known }；或添加 [acp.{ $name }] 及其命令和文件夹
remedy-acp-name = 请使用简短的名称
remedy-acp-command = 请指明程序：command = ["claude-agent-acp"]
remedy-acp-env = env 只列变量名，例如 ["ANTHROPIC_API_KEY"]；变量的值留在环境中
remedy-acp-folders = 请在 [acp.{ $name }.folders] 中指明文件夹：project = "/path/to/project"
remedy-acp-bounds = timeout_ms 为 1 到 86400000，permission_ms 为 1 到 3600000，concurrency 为 1 到 64
remedy-acp-name-folder = 请在席位中指明文件夹：acp/{ $name }/{ $folder }
remedy-acp-add-folder = 可选：{ $known }；或将文件夹加入 [acp.{ $name }.folders]
remedy-acp-folder-gone = 请检查 [acp.{ $name }.folders] 中的路径，以及席位所指的子文件夹
remedy-acp-install-program = 请安装 { $program }，或修改 [acp.{ $name }] 的 command
remedy-acp-run-by-hand = 请手动运行 [acp.{ $name }] 的命令，看它输出什么
remedy-acp-is-it-an-agent = [acp.{ $name }] 的命令启动的是供编辑器使用的智能体吗？许多程序需要为此加参数
remedy-acp-mode = 把 [acp.{ $name }] 的 mode 改成智能体提供的模式，或去掉它
remedy-acp-version = 请使用支持第 1 版的发行版，并写入 [acp.{ $name }]
remedy-acp-sign-in = 请在终端运行“{ $command }”并登录，或在 [acp.{ $name }] 的 env 中传入密钥变量，或用 auth 指明登录方式
remedy-acp-raise-time = 请调高 [acp.{ $name }] 的 timeout_ms
remedy-acp-raise-turn-time = 请调大规则“一次发言或投票最多等多久”：先读文件的智能体需要几分钟
remedy-acp-too-many-questions = 请让它在一次发言中少做些事，或为 [acp.{ $name }] 设置只读模式
remedy-acp-model = 请选择智能体账号可用的模型：在智能体自己的设置中，或用 [acp.{ $name }] 的 env 所传的变量
remedy-acp-quota = 请在智能体的供应商处充值，或换一个智能体
remedy-acp-flag-env = --acp-env 只写变量名，例如 ANTHROPIC_API_KEY；变量的值留在环境中
remedy-acp-flag-folder-gone = 请检查 --folder 的路径
remedy-acp-flag-install-program = 请安装 { $program }，或用 --acp 指定别的程序
remedy-acp-flag-run-by-hand = 请手动运行“{ $command }”，看它输出什么
remedy-acp-flag-is-it-an-agent = 用 --acp 启动的是供编辑器使用的智能体吗？许多程序需要为此加参数
remedy-acp-flag-version = 请使用智能体支持第 1 版协议的发行版
remedy-acp-flag-sign-in = 请在终端运行“{ $command }”并登录，或用 --acp-env 传入密钥变量
remedy-acp-flag-raise-time = 请把智能体配置为 [acp.{ $name }]，并调高 timeout_ms（docs/guides/acp.md）
remedy-acp-flag-too-many-questions = 请让它在一次发言中少做些事
remedy-acp-flag-model = 请选择智能体账号可用的模型：在智能体自己的设置中，或用 --acp-env 所传的变量

## 会议

remedy-raise-turn-time = 调大规则“一次发言或投票最多等多久”，或换一个更快的模型
remedy-raise-turn-time-for-person = 调大规则“一次发言或投票最多等多久”，或提醒对方轮到其发言
remedy-raise-turn-time-for-agent = 检查智能体是否已连接并在等待轮次，或调大规则“一次发言或投票最多等多久”
remedy-raise-turn-time-for-webhook = 查看该 Webhook 的投递记录，或调大规则“一次发言或投票最多等多久”
remedy-fault-of-ours = 这是众议的缺陷；日志里有详情
remedy-follow-format = 换一个更守格式的模型，或调大规则“单次回答最多多少 token”
remedy-word-differently = 换一种方式表述主题，或换一个模型
remedy-another-model-or-later = 换一个模型，或稍后重试
remedy-try-again = 再试一次，或换一个模型
remedy-raise-budget = 提高预算后重试
remedy-fork-with-larger-budget = 提高预算后分叉重来
remedy-more-time = 下次给会议更多时间
remedy-free-a-seat = 先请一位参会者离开，再邀请
remedy-is-server-running = 确认服务正在运行，并检查接口地址

## 远程智能体（A2A）

remedy-agent-address = 把 base_url（{ $url }）改为提供 /.well-known/agent-card.json 的地址，或名片本身的地址
remedy-agent-version = 请使用支持 A2A 1.0 或 0.3（JSON-RPC 或 HTTP+JSON）的智能体，或升级它
remedy-agent-elsewhere = 如果信任 { $place }，请把它设为 base_url；密钥只会发往为它设置的地址
remedy-agent-asks = 把它询问的内容写进主题、背景或角色，或移除这位参会者
remedy-agent-sign-in = 为供应商 { $agent } 设置该智能体要求的密钥或请求头
remedy-agent-log = 查看智能体 { $agent } 的日志，然后重新测试供应商
remedy-setting-base-url = 形如 https://api.example.com/v1 或 http://localhost:11434/v1
remedy-setting-key = 重新复制密钥，不带引号，只占一行
remedy-setting-key-file = 在 { $file } 中只放密钥，或用 key_env 指定环境变量
remedy-setting-proxy = 形如 http://proxy.example.com:3128，不用代理则写 none；密码中的 % 写成 %25
remedy-setting-not-public = 给出公网地址，或去掉 public_only
remedy-setting-header = 请求头用普通的名称和 ASCII 的值；密钥写在 key_env 中
remedy-setting-range = 修改 { $setting }，或去掉它以使用默认值
remedy-setting-client = 检查系统是否装有根证书（ca-certificates）
remedy-repair-receiver = 修好接收端并启用 Webhook，或让智能体自己来取发言机会
remedy-enable-webhook = 启用 Webhook，或让智能体自行获取发言机会
remedy-add-webhook = 为智能体添加 Webhook，或让它自行获取发言机会
