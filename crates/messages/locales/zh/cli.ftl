### 命令行的文字。

## commands/access

cli-access-first-account-has-owners = 第一个账户必须是所有者
cli-access-make-one-scope-owner-first = 先建一个 --scope owner 的账户
cli-access-account-made = 已建账户：
cli-access-there-no-account-yet-server = 还没有账户；服务只在本机可用，无需登录。新建：
cli-access-has-another-password-sessions-ended = { $name } 的密码已更换，结束了 { $ended } 个登录
cli-access-account-gone = 已删除账户：
cli-access-name-has-have-1-100 = 名称须有 1 到 100 个字
cli-access-say-what-token = 写明访问令牌的用途
cli-access-token-shown-once-keep-well = 访问令牌只显示这一次，请妥善保存：
cli-access-there-no-token-yet-make = 还没有访问令牌；新建：
cli-access-all-meetings = 全部会议
cli-access-there-no-token = 没有编号为“{ $id }”的访问令牌
cli-access-shows-those-there = {" "}列出全部访问令牌
cli-access-token-taken-back = 已收回访问令牌：
cli-access-nothing-noted = 没有记录
cli-access-there-more = 还有更多：
cli-access-there-already-account = 已经有账户“{ $name }”
cli-access-choose-another-name-set-another = 换一个名称；要更换密码：
cli-access-there-no-account = 没有账户“{ $name }”
cli-access-token-for-whom = 有几个账户是所有者：{ $owners }
cli-access-token-for-whom-hint = 用 --by ACCOUNT 写明访问令牌代表哪个账户
cli-labels-no-tags = 这场会议没有标签
cli-labels-title-removed = 已清除标题，会议重新以主题为名
cli-labels-renamed = 已重命名会议：
cli-links-needs-server = 链接要在使用此数据库的服务器地址下打开：{ $serve }
cli-links-shown-once = 链接只显示这一次；持有链接的人都能查看结果：
cli-links-none = 这个结果还没有链接；创建一个：
cli-links-until-revoked = 撤销前有效
cli-links-until = 有效期至 { $when }
cli-links-reads = 已查看 { $reads } 次
cli-links-revoked = 已撤销链接：
cli-access-shows-those-there-2 = {" "}列出全部账户

## commands/agents

cli-agents-library = 已入库：
cli-agents-changed = 已更新：
cli-agents-deleted = 已删除：
cli-agents-credential-still-stored-forget = { $provider } 的凭证仍然存放着；要删除：
cli-agents-said = { $name }（{ $role }，{ $label }）
cli-agents-there-nobody-library-yet = 智能体库还是空的。添加智能体：
cli-agents-prompt = 指令：
cli-agents-model = 模型：
cli-agents-fallback = 备用模型：
cli-agents-parameters = 参数：
cli-agents-provider-key = 供应商：{ $shown_url }（密钥：{ $key_words }）
cli-agents-provider-not-configured = 供应商：{ $name }（没有配置）
cli-agents-simulated-can-always-speak = { $name } 由程序模拟，随时可以发言
cli-agents-answered-ms = { $name }（{ $label }）用 { $ms } 毫秒作答：{ $said }
cli-agents-try = 试一试：
cli-agents-from-environment = 来自环境变量
cli-agents-from-file = 来自文件
cli-agents-stored-sealed = 已加密存放
cli-agents-none = 没有
cli-agents-shared = { $provider } 的凭证也用于：{ $others }

## commands/api

cli-api-path-begins-slash = 路径要以 / 开头
cli-api-path-example = 例如：quorate api GET /templates
cli-api-body-no-json = 正文不是 JSON：{ $error }
cli-api-single-quotes = 用单引号把它整个括起来，或放在文件里：--data @文件
cli-api-cannot-be-used = “{ $given }”无法使用
cli-api-name-value = 写成 '名称: 值'
cli-api-name-readable-file = 给出一个可以读取的文件
cli-api-answer-not-written = 答复无法写出：{ $error }
cli-api-make-room = 腾出空间，或换一个位置

## commands/backup

cli-backup-copied-meetings-events-uploaded-files = 已备份到 { $path }：{ $meetings } 场会议，{ $events } 个事件，{ $files } 个上传的文件，均已检查
cli-backup-key-file-lies-beside-copy = 副本旁边有密钥文件：谁拿到它们，谁就能使用供应商的密钥
cli-backup-key-file-does-not-leave = 密钥文件不经网络传送
cli-backup-leave-out-key-keep-copy = 去掉 --with-key，并在服务所在的机器上另外保管密钥文件
cli-backup-there-no-file = 没有 { $path } 这个文件
cli-backup-name-file-quorate-backup-wrote = 写出 quorate backup 写的那个文件
cli-backup-there-would-replaced = { $path } 已经存在，会被取代
cli-backup-add-force-if-meant-then = 确定就加上 --force：原来的会以带日期的名称留在旁边
cli-backup-restored-meetings-events-uploaded-files = 已恢复到 { $path }：{ $meetings } 场会议，{ $events } 个事件，{ $files } 个上传的文件，均已检查
cli-backup-what-there-before = 原来的数据库在
cli-backup-uploaded-files-not-there-damaged = 有 { $count } 个上传的文件不在或已损坏：{ $missing }
cli-backup-copying-pages = 复制数据页
cli-backup-copying-rows = 复制数据行
cli-nodes-none = 数据库是一个文件，只有一个写入者
cli-nodes-gone = 已失效
cli-nodes-draining = 正在停止
cli-nodes-alive = 运行中
cli-nodes-counts = { $meetings } 场会议，接管过 { $takeovers } 场
cli-nodes-no-changes = 近 30 天内没有会议换过节点
cli-nodes-change = { $from } → { $to }，任期 { $epoch }
cli-serve-node = 节点 { $node }，数据库 { $location }
cli-migrated = 已复制到 { $to }：{ $meetings } 场会议，{ $events } 个事件，{ $files } 个上传的文件；两边的校验和全部一致
cli-migrated-key = 密钥文件已复制到本机的数据目录；其他节点也需要同一个密钥文件
cli-backup-checking-meetings = 检查会议
cli-backup-copying-files = 复制文件
cli-backup-in-use = 恢复会取代整个数据库：先停下正在使用它的进程，再重复这条命令
cli-backup-in-use-by = 恢复会取代整个数据库：先停下正在使用它的进程（{ $pid }），再重复这条命令

## commands/calls

cli-calls-cached = （其中缓存 { $cached }）
cli-calls-calls = { $calls } 次调用
cli-calls-tokens = 输入 { $about }{ $input_tokens } token{ $cached }
cli-calls-out = 输出 { $about }{ $output_tokens } token
cli-calls-cost = 费用 { $cost }
cli-calls-cost-unknown-no-price = 费用未知（没有价格）
cli-calls-sent-again = 次重试
cli-calls-answered-by-fallback = 次由备用模型作答
cli-calls-asked-once-more = 次再问
cli-calls-shorter-context = 次缩短上下文
cli-calls-answers-mended = 个回答经过修补
cli-calls-calls-2 = 调用：

## commands/delete

cli-delete-nothing-deleted = 没有删除任何东西
cli-delete-deleted = 已删除：
cli-delete-nobody-can-asked-here-before = 删除之前需要确认，而这里没有终端可以问
cli-delete-add-yes-delete-all-same = 确定要删除就加上 --yes
cli-delete-delete-meeting-all-said-at = { $what }{"\u000A"}删除这场会议和其中的全部发言？无法恢复。[y/N]{" "}

## commands/doctor

cli-doctor-config-machine-only = --config 只用于本机
cli-doctor-leave-out-config-server = 去掉 --config 或 --server

## commands/estimate

cli-estimate-no-model-named-chosen = 没有指定模型，已选用：
cli-estimate-seats = 席位
cli-estimate-facilitator = 协调员
cli-estimate-left-out-which-gave-no = {"  "}未使用 { $names }：没有给出模型列表
cli-estimate-cost-unknown-model-has-no = 费用未知（有模型没有价格）
cli-estimate-about-calls-tokens = 预计 { $calls } 次调用，{ $tokens } token，{ $cost }{ $day }
cli-estimate-prices = （{ $first } 的价格）
cli-estimate-prices-2 = （{ $first } 至 { $last } 的价格）
cli-estimate-what-meeting-may-take-nobody = 这场会议预计用量（没有询问任何人，也没有写入任何内容）
cli-estimate-price-unknown = 价格未知
cli-estimate-calls-tokens-read-written = {"  "}{ $name }（{ $runner }）：{ $calls } 次调用，读 { $read }，写 { $written }，{ $cost }
cli-estimate-cost-unknown = 费用未知
cli-estimate-cost-unknown-search-has-no = 费用未知（有联网搜索没有价格）
cli-estimate-search-price-unknown = 搜索价格未知
cli-estimate-searches = { $searches } 次搜索，{ $cost }
cli-estimate-all-calls-tokens = 合计：{ $calls } 次调用，{ $tokens } token，{ $cost }{ $days }
cli-estimate-most-likely-rounds-calls-tokens = 最可能：{ $rounds } 轮，{ $some } 次调用，{ $tokens } token（其中约 { $cached } 来自缓存）{ $cost }
cli-estimate-least-first-ballot-passes-most = 最少：第一次表决即通过；最多：开满所有轮次，每个回答连同思考都写到上限（{ $answer } token 起）。最少与最可能不含模型的思考；重试与修复都不在其中。
cli-estimate-token-counts-estimates-within-19 = token 数是估计，二十次中有十九次误差不超过 { $percent }%；合计已计入误差。
cli-estimate-meeting-has-no-end-its = 这场会议没有自己的终点：推演在 400 次调用处停下。

## commands/export

cli-export-not-signed = 导出没有签名：
cli-export-not-written = 无法写出导出内容：{ $error }
cli-export-name-file = 用 --out 文件 指定文件
cli-export-pdf-terminal = 终端不能显示 PDF
cli-export-without-pdf = 这个众议没有 PDF 功能
cli-export-without-pdf-hint = 用 --format html 导出，再从浏览器打印

## commands/folders

cli-folders-files-have-bytes-more-than = 这些文件共 { $bytes } 字节，超过运行中的服务一次接收的上限（{ $remote_max }）
cli-folders-import-them-several-folders-stop = 分成几个文件夹逐个导入，或先停止服务再导入
cli-folders-go = 继续会议：
cli-folders-folder-also-holds-agents-agents = 文件夹里还有 { $agents_left } 个智能体；加 --agents 可收入智能体库
cli-folders-library = 已入库：
cli-folders-library-already-passed-over = 智能体库里已有 { $name }，跳过
cli-folders-not-taken-into-library = { $name } 没有入库：{ $detail }
cli-folders-to-stdout = 文件夹不能写到标准输出
cli-folders-name-out = 用 --out 文件夹 指定位置
cli-folders-no-folder = { $path } 不是可以读取的文件夹
cli-folders-another-out = 用 --out 换一个文件夹
cli-folders-not-ours = { $path } 里有 { $name }，它不属于导出的内容
cli-folders-not-ours-hint = 换一个空文件夹，或只放导出内容的文件夹
cli-folders-too-much = { $path } 超过 { $files } 个文件或 { $bytes } 字节
cli-folders-too-much-hint = 分成几个文件夹，逐个导入
cli-folders-name-one = 给出存在的文件夹或文件
cli-folders-leave-out = 让它可以读取，或去掉它
cli-folders-file-long = { $path } 超过 { $bytes } 字节
cli-folders-is-log = { $path } 是会议日志，可以校验，不能导入
cli-folders-is-log-hint = 用 --format files 导出会议，再导入那个文件夹；日志用 quorate verify 校验
cli-folders-not-utf-8 = { $path } 不是 UTF-8 文本
cli-folders-save-utf-8 = 另存为 UTF-8

## commands/look

cli-look-damaged = （记录损坏）
cli-look-stopped = 已停止运行
cli-look-waits-next-try = 等待 { $names }，{ $at } 再试
cli-look-simulated = （模拟）
cli-look-there-no-meetings-yet-begin = 还没有会议。开始一场：quorate run "主题"
cli-look-draft = 草稿
cli-look-preparation = 准备中
cli-look-discussion = 讨论中
cli-look-ballot = 表决中
cli-look-closing = 撰写结论
cli-look-paused = 已暂停
cli-look-ended = 已结束
cli-look-accepted = 已通过
cli-look-converged = 已收敛
cli-look-completed = 已完成
cli-look-warning = 警告：
cli-look-not-one-event-meeting-whole = 会议 { $id } 没有一个完好的事件：{ $detail }
cli-look-restore-backup-quorate-restore = 用 quorate restore 恢复备份
cli-look-go = 继续会议：
cli-look-cost = 费用{" "}
cli-look-cost-unknown-no-price = 费用未知（没有价格）
cli-look-s = { $seconds } 秒
cli-look-taken-over-up-event-tokens = { $title }{"\u000A"}沿用到事件 { $at }：已用 { $tokens } token、{ $cost }、{ $calls } 次调用、{ $time }，计入预算
cli-look-calls-were-under-way-made = 当时正在进行的 { $n } 次调用会在继续后重新发出，尚未计费
cli-look-no-agreement = 未达成一致

## commands/meet

cli-meet-meeting-off-record-takes-no = 不留记录的会议不能设密码
cli-meet-leave-out-one-them-gone = 去掉其中一个：它随命令结束而消失
cli-meet-meeting-over-there-nothing-resume = 会议已经结束，无法继续。查看结果：{ $next }
cli-meet-meeting-waits-answer-nothing-changed = 会议在等待回答，没有改变任何内容{"\u000A"}{ $text }
cli-meet-let-defaults-hold-yes = { $command }；或用 --yes 取默认值
cli-meet-result = 结果已写入
cli-meet-meeting-did-not-come-its = 会议没有开完，也没有留下记录：它已经不存在了
cli-meet-go = 继续会议：
cli-meet-no-model-found-so-simulated = 没有找到可用的模型，本次会议由模拟参会者进行。要使用真实模型：设置 OPENAI_API_KEY 等密钥，或 OPENAI_BASE_URL，或启动 Ollama，或用 quorate providers add 存放供应商。
cli-meet-provider-missing = 会议使用的供应商 { $provider } 在这里没有配置
cli-meet-process-missing = 会议使用的进程 { $name } 在这里没有配置
cli-meet-process-missing-hint = 用 --config 给出会议开始时的文件，或添加 [processes.{ $name }]
cli-meet-acp-missing = 会议使用的编程智能体 { $name } 在这里没有配置
cli-meet-acp-missing-hint = 用 --config 给出会议开始时的文件，或添加 [acp.{ $name }] 及其命令和文件夹
cli-meet-started-with = 设置会议开始时的变量（如 OPENAI_BASE_URL），或用 --config 给出它的文件；或{ $or }

## commands/minutes

cli-minutes-meeting-has-no-minutes-yet = 这场会议还没有纪要
cli-minutes-there-no-such-version-minutes = 没有这一版纪要
cli-minutes-nothing-changed = 没有改动
cli-minutes-what-you-wrote-still = 你写的内容还在
cli-minutes-there-no-editor-edit-them = 没有可用的编辑器
cli-minutes-set-editor-terminal-give-edit = 在终端里设置 EDITOR，或用 --edit 文件、--edit - 从标准输入读取
cli-minutes-versions = 现有的版本：{ $known }
cli-minutes-stdin-unreadable = 无法读取标准输入：{ $error }
cli-minutes-give-file = 用 --edit 文件，或用 --edit - 从标准输入读取
cli-minutes-unreadable = 无法读取纪要：{ $problem }
cli-minutes-unreadable-hint = 形式见 quorate minutes ID --json
cli-minutes-form-hint = 保留标题和各项的形式，如 quorate minutes ID 所示
cli-minutes-not-edited = 无法编辑 { $path }：{ $error }
cli-minutes-edit-file = 用 --edit 文件
cli-minutes-editor-ended = { $editor } 以 { $status } 结束

## commands/pause_and_end

cli-pause-and-end-meeting-paused-already-go = 会议已经暂停。继续会议：
cli-pause-and-end-pauses-after-current-speaker-go = 当前发言结束后暂停。继续会议：
cli-pause-and-end-meeting-paused-go = 会议已暂停。继续会议：
cli-pause-and-end-meeting-ends-its-result = 会议正在收尾或已结束。查看结果：
cli-pause-and-end-gate = 如果有交付物没有通过检查，会议会暂停。届时可让规则生成其余全部：{ $again }

## commands/prices

cli-prices-your-own = （你的设定）
cli-prices-your-own-price-holds-instead = {"    "}你的设定 { $pattern } 取代了它
cli-prices-prompts-up-tokens = {"    "}只适用于不超过 { $tokens } token 的提示
cli-prices-no-price-known-unknown-not = 没有找到价格：未知的价格不是零
cli-prices-us-dollars-per-million-tokens = 美元，每百万 token：读 / 写
cli-prices-us-dollars-per-thousand-searches = 美元，每千次网页搜索
cli-prices-search = {"    "}每千次网页搜索 { $search }
cli-prices-cached = {"  "}缓存 { $cached }
cli-prices-into-cache = {"  "}写入缓存 { $write }

## commands/providers/add

cli-add-stored-sealed = 已存放 { $name }，密钥已加密
cli-add-nothing-about-has-changed = { $name } 没有变化
cli-add-note-wins-over-what-stored = 注意：{ $from } 优先于存放的内容
cli-add-has-no-key-yet = 还没有密钥：
cli-add-try = 试一试：
cli-add-use = 使用：
cli-add-stored-unreadable = 存放的内容无法读取
cli-add-stored-unreadable-hint = quorate providers list 列出已有的供应商
cli-add-changed = 已更新 { $name }：{ $changed }
cli-add-no-header = 请求头由名称、冒号和值组成
cli-add-no-header-hint = 写成 --header "X-Team: platform"
cli-add-no-timeout = 没有“{ $kind }”这种时限
cli-add-no-seconds = “{ $seconds }”不是秒数
cli-add-seconds-range = { $seconds } 不在 0.001 到 86400 秒（一天）之间
cli-add-timeout-hint = 写成 --timeout idle=60；可用 connect、first-byte、idle、total

## commands/providers/key

cli-key-key = { $provider } 的密钥：
cli-key-not-set = 没有设置 { $variable }
cli-key-not-set-hint = 设置它，或改用 --api-key-stdin
cli-key-unreadable = 无法从标准输入读取密钥：{ $error }
cli-key-unreadable-hint = 以文本给出：quorate providers add … --api-key-stdin < 文件
cli-key-empty = 密钥是空的

## commands/providers/list

cli-list-key = 有密钥
cli-list-wants-no-key = 不需要密钥
cli-list-none-models-fits = { $name } 的 { $count } 个模型中没有符合的
cli-list-per-million-tokens-out = { $label }  每百万 token：输入 { $input }，输出 { $output }
cli-list-lacks-its-key = 缺少密钥（{ $name }）
cli-list-without-key = 没有密钥
cli-list-at-once = 次同时
cli-list-requests-minute = 次/分钟
cli-list-tokens-minute = token/分钟
cli-list-no-proxy = 不用代理
cli-list-through-proxy = 经代理
cli-list-public-addresses-only = 仅公网地址

## commands/providers

cli-providers-forgotten = 已删除：
cli-providers-can-still-used = 它仍然可用：{ $from }
cli-providers-no-keys-stored-there-nothing = 没有存放任何密钥，无需更换
cli-providers-resealed = 已用新的密钥文件重新加密：{ $resealed }。旧的密钥文件备份不再能打开它们

## commands/providers/test

cli-test-models = 模型列表
cli-test-answer = 作答
cli-test-answer-pieces = 逐段作答
cli-test-answer-shape = 结构化输出
cli-test-ms = { $latency_ms } 毫秒
cli-test-tried = { $mark } { $what }：{ $detail }（{ $numbers }）
cli-test-tokens-out = 输入 { $about }{ $read }、输出 { $about }{ $written } token

## commands/search

cli-search-nothing-found-try-another-word = 没有找到。换个词试试，或去掉一些条件
cli-search-minutes = （纪要）
cli-search-artifact = （交付物）
cli-search-conclusion = （结论）
cli-search-topic = （主题）
cli-search-by-facilitator = 协调员
cli-search-by-participant = 参会者
cli-search-by-rules = 规则
cli-search-by-user = 用户
cli-search-events-not-indexed-yet-process = 还有 { $behind } 个事件没有编入索引，正在使用数据库的程序会继续
cli-search-indexing-events-left = 正在编索引，剩余事件：
cli-search-no-date = --{ $field }：“{ $text }”不是日期
cli-search-write-as-2026-01-31 = 写成 2026-01-31 或 2026-01-31T09:30:00Z

## commands/serve

cli-serve-quorate-ready-browser = 众议已就绪，在浏览器中打开：
cli-serve-quorate-ready-without-its-page = 众议已就绪，但没有页面：
cli-serve-programs = （接口文档：{ $url }）
cli-serve-browser-could-not-opened = 浏览器打不开：
cli-serve-stopped = 已停止
cli-serve-stopped-calls-were-cut-off = 已停止；{ $left } 次调用被打断，下次启动时会重新进行
cli-serve-stopping-once-more-stops-at = 正在停止；再按一次 Ctrl-C 立即停止，已确认的内容都不会丢失
cli-serve-table-hint = 可以写的内容见 docs/server.md
cli-serve-limit = [server.access.limits] { $name }：{ $given } 不在 { $least } 到 { $most } 之间
cli-serve-limit-hint = 去掉它即用默认值；各项的用途见 docs/access.md
cli-serve-no-telemetry = 去掉 --telemetry-url
cli-serve-telemetry-scheme = “{ $url }”不以 http:// 或 https:// 开头
cli-serve-telemetry-url = “{ $url }”不是收集器的地址：{ $why }
cli-serve-telemetry-exporter = 无法导出追踪数据：{ $error }
cli-serve-telemetry-hint = 给出接受 OTLP over HTTP 的收集器地址，如 http://localhost:4318

## commands/shell

cli-shell-there-no-command = 没有命令 { $word }
cli-shell-quorate-help-lists-all-commands = quorate --help 列出所有命令
cli-man-name = 名称
cli-man-synopsis = 用法
cli-man-description = 说明
cli-man-options = 选项
cli-man-subcommands = 命令
cli-man-extra = 补充
cli-man-version = 版本
cli-man-print-help = 显示说明
cli-man-print-version = 显示版本
cli-man-subcommands-value = 命令
cli-man-possible-values = 可选值：
cli-man-default = [默认：
cli-shell-page = 无法写出这一页：{ $error }

## commands/url

cli-url-no-server-uses-database = 没有服务在使用数据库 { $db }
cli-url-start-one = 启动一个：
cli-url-browser-could-not-opened = 浏览器打不开：

## commands/verify

cli-verify-meetings = 场会议，共
cli-verify-sound-meetings-ended-events = 完好：{ $meetings } 场会议（{ $ended } 场已结束），{ $events } 个事件
cli-verify-more = 另有 { $more } 处问题
cli-verify-database-damaged-places = 数据库有 { $found } 处损坏
cli-verify-copy-file-first-then-restore = 先复制一份数据库文件，再从备份恢复；没有列出的会议仍然可以导出
cli-verify-export = { $file }：会议 { $meeting }，{ $events } 个事件
cli-verify-export-fits = 与校验链一致的事件：{ $checked }
cli-verify-export-fits-withheld = 与校验链一致的事件：{ $checked }；只留校验值的事件：{ $withheld }
cli-verify-export-signed = { $at } 由密钥 { $key } 签名
cli-verify-export-key-named = 正是你指定的密钥
cli-verify-export-key-known = 这是本安装的密钥
cli-verify-export-key-unknown = 这是谁的密钥，只能看编号：与对方给出的核对（“设置 › 关于”、`quorate doctor`），或用 --key 指定
cli-verify-unsigned = 没有签名：校验值只能发现损坏和随手的改动
cli-verify-unsigned-damaged = 没有签名：日志已损坏，后面的内容缺失
cli-verify-unsigned-withheld = 没有签名：导出者看不到日志的全部内容
cli-verify-unsigned-off-record = 没有签名：会议不留记录
cli-verify-unsigned-no-key = 没有签名：导出时无法使用签名密钥
cli-verify-export-differs = 导出文件与写入和签名时不一致
cli-verify-export-differs-hint = 从原处重新导出这场会议；列出的内容在那之后被改动、丢失或添加

## commands/whatif

cli-whatif-threshold-out-range = --threshold { $value } 超出范围
cli-whatif-out-range = --{ $flag } { $value } 超出范围
cli-whatif-go-on-first = 先用 quorate resume 让会议开到第一次表决
cli-whatif-how-it-ended = quorate show 会说明它是怎么结束的

## control

cli-control-another-meeting-held-there = 正在进行的是另一场会议：{ $meeting }
cli-control-try-again-when-over-paused = 等它结束或暂停后再试
cli-control-command-holds-meeting-did-not = 正在进行会议的命令没有回答
cli-control-may-just-have-ended-try = 它可能刚刚结束，再试一次

## error

cli-error-error = 错误：
cli-error-hint = 建议：
cli-error-see-help = 见 --help

## live/asking

cli-asking-has-answered = 这个问题需要回答
cli-asking-write-number-such-as-1200 = 请写一个数字，例如 1200
cli-asking-write-yes-no = 请写“是”或“否”
cli-asking-choose-one = 请从这些中选择：{ $list }
cli-asking-why = 原因：{ $why }
cli-asking-choices = 可选：{ $list }
cli-asking-choice = { $words }（{ $choice }）
cli-choice-accept = 同意
cli-choice-again = 重新提议
cli-choice-all-by-rules = 全部由规则生成
cli-choice-by-rules = 由规则生成
cli-choice-continue = 继续会议
cli-choice-end = 结束会议
cli-choice-reject = 不同意
cli-choice-retry = 重试
cli-asking-yes-no = 回答是或否
cli-asking-number = 回答一个数字
cli-asking-default = 默认：{ $default }
cli-asking-answer-needed = 必须回答
cli-asking-may-left-empty = 可以不答
cli-asking-answer = '回答'

## live/line

cli-line-choose-adr-tasks-risks-minutes = 可选 ADR、TASKS、RISKS、MINUTES、SUMMARY
cli-line-commands-pause-end-next-name = 可用的命令：/pause 暂停，/end 结束，/next 名称 请某人发言；其他文字作为插话。
cli-acp-no-folder = 没有文件夹 { $folder }
cli-acp-no-folder-hint = 请指明编程智能体读取的文件夹：--folder PATH
cli-acp-command = “{ $command }”不是命令
cli-acp-command-hint = 请将程序及其参数写成一段文本：--acp "npx -y some-agent"
cli-line-no-agent-asks = 没有编程智能体在请求许可
cli-line-no-agent-asks-hint = 智能体只在发言期间请求，答复须在时限之前
cli-line-there-no-command = 没有命令 { $word }
cli-line-help-lists-all-commands = /help 列出所有命令
cli-line-near-help-lists-all-commands = 相近的有 { $near }；/help 列出所有命令
cli-line-lacks-something = { $word } 不完整，或后面的内容不合要求
cli-line-write = 写作 { $usage }

## live/lists

cli-lists-agenda-empty = 议程为空
cli-lists-there-no-ideas-yet = 还没有想法
cli-lists-nobody-has-been-marked-yet = 还没有评分
cli-lists-round = 第 { $round } 轮
cli-lists-leaves = {"  "}{ $name } 离开：{ $reason }
cli-lists-away = （暂离）
cli-lists-nobody-at-table-yet = 还没有参会者
cli-lists-nothing-asked-now = 现在没有问题
cli-lists-joins = 加入
cli-lists-role = 角色
cli-lists-focus = 关注点
cli-lists-model = 模型
cli-lists-reason = 理由
cli-lists-no-skip-list = { $name } 没有跳过列表

## live/session

cli-session-meeting-paused-speak-add-sentence = 会议已暂停：可以发言，或 /add 一句话、/remove 名称、/minutes；/resume 继续，/quit 离开，/help 列出全部
cli-session-enter-takes-default = 直接回车取默认值
cli-session-pausing-after-current-speaker-press = 当前发言结束后暂停；再按一次 Ctrl-C 立即停止，什么都不会丢。
cli-session-password-not-typed-into-meeting = 密码不在会议里输入，免得显示在屏幕上；会议暂停时使用：
cli-session-from-another-command = 另一个命令：
cli-session-terminal-meeting = { $text } 只能在会议所在的终端里用
cli-session-try-again-while-meeting-paused = 等会议暂停后再试
cli-session-others-let-it-go-on = 会议正在等待主持会议的人；发言可能使会议继续，/quit 离开

## live/view/ballot

cli-ballot-pass = 通过
cli-ballot-fail = 不通过
cli-ballot-contradicts-its-score = （与分数矛盾）
cli-ballot-abstained = 弃权
cli-ballot-failed = 失败
cli-ballot-ballot-has-passed = 通过
cli-ballot-ballot-has-not-passed = 未通过

## live/view/calls

cli-calls-asks-again-at-once = 立即重试
cli-calls-asks-again-s = { $seconds } 秒后重试
cli-calls-does-not-answer-answers-instead = ⇄ { $who }：{ $own } 没有作答，改由 { $fallback } 回答
cli-calls-answers-instead = ⇄ { $who }：改由 { $fallback } 回答
cli-calls-asked-once-more-nobody-knows = 不知道上次是否完成，再问一次
cli-calls-asked-once-more-shorter-context = 上下文太长，缩短后再问
cli-calls-agent-asks = { $who } 请求许可：{ $what } — /allow { $number } 或 /refuse { $number }
cli-calls-agent-allowed = { $by } 许可 { $who }：{ $what }
cli-calls-agent-refused = { $by } 拒绝 { $who }：{ $what }
cli-calls-agent-unanswered = 没有人答复 { $who }：{ $what }
cli-calls-fails = ↻ { $who }：{ $what }；{ $when }（第 { $next } 次）

## live/view/changes

cli-changes-somebody-invited = 请来新成员
cli-changes-person-joined = 加入会议
cli-changes-person-left = 退出会议
cli-changes-hosts = 现在主持会议
cli-changes-back = 回来了
cli-changes-away = 暂时离开
cli-changes-topic-now = 主题改为：{ $bold }{ $topic }{ $bold2 } { $dim }（原为：{ $was }）{ $dim2 }
cli-changes-details = 会议标题：{ $bold }{ $title }{ $bold2 }
cli-changes-rules-change = 规则改变
cli-changes-file-attached = { $by }添加了文件 { $name }（{ $id }）
cli-changes-file-removed = { $by }移除了文件 { $id }
cli-changes-announcement = 公告
cli-changes-password-needed-open-meeting = 打开会议需要密码
cli-changes-no-password-needed-any-more = 打开会议不再需要密码
cli-changes-nothing-missing = 没有缺少的信息
cli-changes-who-comes-goes = 人员安排
cli-changes-convergence-100-open-questions-disagreements = 收敛度 { $score }/100 · 未决问题 { $open } · 分歧 { $divided }
cli-changes-facilitator = 协调员
cli-changes-asked-minutes = 请{ $who }写纪要
cli-changes-document-asked = 请人写交付物
cli-changes-has-passed-gate = 交付物 { $artifact_type } { $version }{ $by } 已通过检查{ $title }
cli-changes-agenda = 议程新增
cli-changes-agenda-2 = 议程完成
cli-changes-agenda-3 = 议程重开
cli-changes-agenda-4 = 议程移除
cli-changes-minutes-version = 纪要第 { $version } 版{ $by }
cli-changes-decisions-actions-risks = 决定 { $decisions } · 待办 { $actions } · 风险 { $risks }
cli-changes-written-by-rules = （由规则生成）
cli-changes-by-other = （{ $who }）
cli-changes-count = （{ $count }）
cli-changes-by = （{ $name } 撰写）
cli-changes-edited-by-person = （由人编辑）
cli-changes-skip-list = 出现这些内容时不必询问：{ $list }
cli-changes-no-skip-list = 所有内容都会询问

## live/view

cli-view-round-messages-so-far = { $bold }{ $title }{ $bold2 }{"\u000A"}{ $dim }第 { $round_number } 轮 · { $phase_text } · 已有 { $said } 条消息{ $dim2 }
cli-view-passes = 跳过
cli-view-took-too-long-passed-over = 超时，视为跳过
cli-view-skipped-only-said = 跳过：只有人说了{ $phrases }
cli-view-asked-again = 的回答无法采用，再问一次
cli-view-summary = 本轮摘要
cli-view-chosen-by-rules-from-positions = （由规则从立场中选出）
cli-view-draft-version = 结论草案第 { $version } 版{ $by }
cli-view-ballot-draft-version = 第 { $ballot } 次表决 · 草案第 { $draft_version } 版
cli-view-abstains = 弃权
cli-view-abstains-because = （{ $why }）
cli-view-failed-vote = 投票失败
cli-view-ballot-interrupted = 插话中断了本次表决
cli-view-joins = 加入会议 · { $role } · { $label }
cli-view-leaves = 离开会议
cli-view-meeting-goes = 会议继续
cli-view-what-above-from-meeting-up = 以上内容来自会议 { $from }，到事件 { $at } 为止；从这里分叉
cli-view-clock-set-forward-machine-slept = 系统时间被调快，或电脑曾休眠；这段时间不计入会议用时
cli-view-calls-were-under-way-when = 上次中断时正在进行的调用已丢失，重新询问
cli-view-budget-has-no-room-next = 预算不够下一步：已用 { $spent }，上限 { $limit }，下一步连同结论最多需要 { $needed }
cli-view-budget-time-used-up = 时间预算已用完：已用 { $spent }，上限 { $limit }
cli-view-ctrl-c-pauses = ◷ { $wait }（按 Ctrl-C 暂停）
cli-view-provider-answers-again-meeting-goes = 供应商已恢复，会议继续
cli-view-failed = { $name } 失败：{ $why }
cli-view-marks = 评分
cli-view-round-0-everybody-answers-alone = 第 0 轮 · 各自独立作答
cli-view-round-at-most-turn = 第 { $number } 轮（最多 { $last }）· 轮流发言
cli-view-round-at-most-all-at = 第 { $number } 轮（最多 { $last }）· 同时发言
cli-view-focus = 焦点
cli-view-facilitator = 协调员
cli-view-round = 第 { $number } 轮
cli-view-answered-blind = 已作答，所有人答完后显示

## live/view/speech

cli-speech-goes = 接着说
cli-speech-begins-again = 从头再说

## live/view/status

cli-status-paused-type-speak-resume-goes = 已暂停 · 输入文字发言 · /resume 继续 · /quit 离开 · /help
cli-status-type-speak-attends = 输入文字插话 · /help · Ctrl-C 离开，会议继续
cli-status-type-speak-pause-help-ctrl = 输入文字插话 · /pause 暂停 · /help · Ctrl-C 暂停并离开
cli-status-pausing-after-ctrl-c-again = 等 { $names } 说完后暂停 · 再按 Ctrl-C 立即离开  { $seconds } 秒
cli-status-speaking = 正在发言
cli-status-thinking = 思考中
cli-status-summing-up = 正在总结
cli-status-looking-what-divides-table = 正在寻找分歧
cli-status-writing-conclusion = 正在撰写结论
cli-status-looking-what-missing = 正在检查缺少的信息
cli-status-putting-team-together = 正在安排成员
cli-status-evaluating = 正在评估
cli-status-writing-minutes = 正在撰写纪要
cli-status-writing-artifact = 正在撰写交付物
cli-status-characters-thought = （已思考 { $chars } 字）
cli-status-s = {" "}秒
cli-status-none = 无
cli-status-meeting = 会议
cli-status-format = 形式
cli-status-seed = 种子
cli-status-facilitator = 协调员
cli-status-free-simulated = 免费（模拟）
cli-status-cost-unknown-no-price = 费用未知（没有价格）
cli-status-cached = （其中缓存 { $cached }）
cli-status-sent-again = {" "}· { $retries } 次重试
cli-status-calls-tokens-out = { $calls } 次调用 · 输入 { $about }{ $read }{ $cached } · 输出 { $about }{ $written } token · { $cost }{ $retries }
cli-status-voting = 表决中：已投 { $cast } 票，等待 { $waiting }  { $seconds } 秒

## live/waiting

cli-waiting-meeting-paused = 会议已暂停
cli-waiting-meeting-paused-something-missing = 会议已暂停：需要补充信息
cli-waiting-meeting-paused-check-before-round = 会议已暂停：轮次开始前的确认
cli-waiting-meeting-paused-approval-needed = 会议已暂停：等待批准
cli-waiting-meeting-waits-host = 等待主持人发言
cli-waiting-meeting-paused-nothing-new-said = 会议已暂停：没有新内容
cli-waiting-meeting-paused-artifact-did-not = 会议已暂停：交付物未通过检查
cli-waiting-meeting-paused-budget-used-up = 会议已暂停：预算已用尽
cli-waiting-meeting-paused-nobody-could-answer = 会议已暂停：没有一位参会者给出可用的回答或投票
cli-waiting-waiting-next-try-at = 正在等待 { $names }，下次尝试在 { $at }
cli-waiting-tokens = { $amount } token
cli-waiting-s = { $seconds } 秒

## main

cli-place-no-home = 当前用户没有主目录
cli-place-no-home-hint = 用 --db 路径 指定数据库
cli-main-not-utf-8 = { $word } 不是 UTF-8
cli-main-not-utf-8-hint = 改用 UTF-8，或写在文件里
cli-main-not-started = 程序无法启动：{ $error }
cli-result-not-written = 无法写出结果：{ $error }
cli-choose-folder = 换一个文件夹
cli-choose-place = 换一个位置
cli-out-is-database = { $path } 是数据库，或属于一个数据库
cli-out-is-database-hint = 换一个位置，否则会丢失会议
cli-see-help = 见 --help

## password

cli-password-password-meeting = 会议密码：
cli-password-password-needed-open-meeting = 打开这场会议需要密码
cli-password-type-terminal-set = 在终端里输入，或设置 { $variable }
cli-password-password-wrong = 密码不对
cli-password-try-again-password-taken-before = 再试一次；{ $variable } 里的密码优先于输入
cli-password-new-password-empty-takes-away = 新密码（留空则取消密码）：
cli-password-once-more = 再输入一次：
cli-password-two-not-same = 两次输入不一致
cli-password-nothing-changed-try-again = 没有改变任何内容，请再试一次
cli-password-there-no-terminal-here-type = 这里没有终端可以输入密码
cli-password-add-password-stdin-read-from = 加上 --password-stdin，从标准输入读取
cli-password-password-at-least-8-characters = 密码（至少 8 个字符）：
cli-password-unreadable = 无法读取密码：{ $error }
cli-write-utf-8 = 改用 UTF-8

## remote

cli-remote-example-quorate-token-quorate-doctor = 例如：QUORATE_TOKEN=… quorate doctor --server https://quorate.example；访问令牌由 quorate tokens add 建立
cli-remote-no-address-server = “{ $address }”不是网址
cli-remote-there-no-token-quorate-token = 没有访问令牌
cli-remote-event-hint = 服务可能是更新的版本；请在这里使用同一版本
cli-remote-not-asked = 运行中的服务不从这里接受“{ $command }”
cli-remote-not-asked-hint = 先停止服务；没有改变任何内容
cli-remote-not-connected = 无法建立连接：{ $error }

## remote/request

cli-request-server-at-holds-database-does = 持有数据库的服务（{ $url }）没有回应：{ $why }
cli-request-see-whether-still-runs-once = 看看它是否还在运行；停下它之后，命令会直接使用数据库
cli-request-unreadable = 无法读取服务（{ $url }）的答复：{ $error }
cli-request-unreadable-hint = 它可能是众议的另一个版本；停止它，再启动这个版本
cli-request-status = 服务的答复是 { $status }

## commands/mcp

cli-mcp-no-server = 这个数据库上没有运行中的服务
cli-mcp-no-server-hint = 用 quorate serve 启动，或用 --server URL 和 QUORATE_TOKEN 指定一个
cli-mcp-server-gone-hint = 请运维人员启动服务端，然后重新调用该工具
cli-mcp-from-client = 由支持模型上下文协议（MCP）的客户端启动；方法见 docs/guides/mcp.md

## commands/replay

cli-replay-event-unreadable = 事件 { $seq } 无法读取：{ $error }
cli-replay-event-unreadable-hint = quorate verify 显示损坏的范围
cli-replay-newer-hint = 它可能由更新的版本写成；用 quorate verify 查看详情
cli-replay-speed-hint = 给出大于 0 的数，如 4

## commands/minutes/form

cli-form-record = # 经过
cli-form-summary = # 摘要
cli-form-decisions = # 决定
cli-form-actions = # 待办
cli-form-risks = # 风险
cli-form-who = 负责人
cli-form-from = 出处
cli-form-quote = 引文
cli-form-begins = 纪要要以 { $head } 开头
cli-form-item = 每一项以 `- ` 开头
cli-form-no-field = “{ $text }”不是 who、from、quote 中的任何一个
cli-form-no-id = “{ $text }”不是消息的编号，应如 m3

## speech/usage

cli-usage-possible = [可选：
cli-usage-error = 错误：
cli-usage-tip = 建议：
cli-usage-near = 相近的有 { $near }
cli-usage-more = 更多说明见 --help。
cli-usage-choices = （可选：{ $all }）
cli-usage-needs-value = { $argument } 需要一个值{ $choices }
cli-usage-cannot-be = { $argument } 不能是“{ $value }”{ $choices }
cli-usage-no-argument = 没有参数 { $argument }
cli-usage-no-command = 没有命令 { $command }
cli-usage-no-equals = { $argument } 的值要用等号连接
cli-usage-not-valid = { $argument } 不能是“{ $value }”：{ $reason }
cli-usage-too-many = { $argument } 不再接受更多的值：“{ $value }”
cli-usage-too-few = { $argument } 至少需要 { $least } 个值，只给了 { $given } 个
cli-usage-wrong-number = { $argument } 需要 { $wanted } 个值，给了 { $given } 个
cli-usage-only-once = { $argument } 不能写多次
cli-usage-conflict = { $argument } 不能与 { $others } 同时使用
cli-usage-missing = 缺少 { $argument }
cli-usage-command-missing = 还需要一个命令{ $choices }
cli-usage-not-utf-8 = 命令行里有不是 UTF-8 的文字
cli-usage-range = 请写一个 { $from }-{ $to } 之间的数
cli-usage-whole-number = 请写一个整数
cli-usage-too-large = 这个数太大
cli-usage-too-small = 这个数太小
cli-usage-number = 请写一个数字
cli-usage-effort = 可选 none、low、medium、high、default

## live/seat

cli-seat-your-turn = 轮到你发言
cli-seat-your-vote = 轮到你投票
cli-seat-as-role = { $name }，{ $role }
cli-seat-time-up = 时间已到
cli-seat-seconds-left = 剩余 { $seconds } 秒
cli-seat-minutes-left = 剩余 { $minutes } 分钟
cli-seat-soon = 请尽快作答，{ $left }
cli-seat-not-read = 上一次回答无法读取：{ $problem }
cli-seat-focus = 本轮要谈的问题：
cli-seat-targets = 请回应这些论点：
cli-seat-draft = 本次表决的草案：
cli-seat-how = 按回车提交；行末写 \ 则在下一行继续；/turn 再次显示问题。
cli-seat-may-skip = /skip 跳过这次发言。
cli-seat-may-not-skip = 这次发言不能跳过。
cli-seat-your-words = 你的发言（支持 Markdown，所有参会者都会读到）：
cli-seat-answer = 回答
cli-seat-question = { $label }（{ $hints }）
cli-seat-at-most-characters = 最多 { $most } 个字
cli-seat-number = 数字
cli-seat-yes-no = 是或否
cli-seat-json = 写成 JSON
cli-seat-may-be-empty = 可以留空
cli-seat-empty-ends = 空行表示写完
cli-seat-yes = 是
cli-seat-no = 否
cli-seat-enter-sends = 按回车提交；/undo 撤回最后一行
cli-seat-enter-sends-again = 你的回答已保留：按回车重新提交，/undo 撤回最后一行
cli-seat-ready = 回答已填完：按回车提交，/undo 撤回最后一行
cli-seat-taken = 你的回答已记入会议记录
cli-seat-taken-blind = 你的回答已记入会议记录，所有人答完后其他人才能看到
cli-seat-taken-vote = 你的投票已记录，表决结束时计票
cli-seat-skipped = 你跳过了这次发言
cli-seat-over = 这次发言已结束：时间已到，或已在别处作答。
cli-seat-over-send = /send 把你写的内容作为普通发言发出
cli-seat-nothing-to-send = 没有可发送的内容；发言在提交前结束时，你写的内容才会保留
cli-seat-no-turn = 现在没有轮到你；直接输入的内容是普通发言
cli-seat-none = 你在这里没有席位；用 `quorate run --seat 名称` 或 `quorate join` 入席
cli-seat-elsewhere = 请在持有席位的终端里作答
cli-seat-elsewhere-hint = 请在那里输入，或在本终端用 quorate join 入席
cli-seat-lost = 暂时连不上服务器，恢复后会再次显示你的发言机会
cli-seat-closed = 这里不会再询问你：你已不能访问这场会议
cli-seat-fault-missing = 请填写
cli-seat-fault-long = 最多 { $most } 个字，现在有 { $length } 个
cli-seat-fault-few = 至少填 { $least } 项
cli-seat-fault-number = 请填数字
cli-seat-fault-whole = 请填整数
cli-seat-fault-least = 不能小于 { $least }
cli-seat-fault-most = 不能大于 { $most }
cli-seat-fault-json = 不是有效的 JSON：{ $problem }
cli-seat-fault-lines = 回答的行数太多；/undo 可撤回
cli-seat-program-how = 写成 {"{"}"ticket":"…","text":"…"{"}"}、{"{"}"ticket":"…","fields":{"{"}…{"}"}{"}"}、{"{"}"ticket":"…","skip":true{"}"} 或 {"{"}"say":"…"{"}"}；不写 ticket 时回答当前的发言机会
cli-seat-program-no-answer = 这一行不是回答
cli-seat-program-not-one = 这一行没有回答，或有几个回答
cli-seat-program-no-turn = 当前没有发言机会

## commands/join

cli-join-seated = 你以 { $name } 的身份入席，轮到你时会在这里询问
cli-join-gave-up = 你已放弃席位，说过的话会保留
cli-join-left = 会议继续进行，你的席位保留。返回会议：
cli-join-left-draft = 会议还没有开始，你的席位保留。返回会议：
cli-join-left-paused = 会议已暂停，你的席位保留。返回会议：
cli-join-no-server = 没有服务器在使用这个数据库
cli-join-no-server-hint = 用 quorate serve 启动一个，用 --server URL 指定一个，或在本终端主持会议：quorate resume last --seat 名称
cli-join-no-meeting = 这个服务器上没有你可以查看的会议
cli-join-no-meeting-hint = 请索取邀请，或使用账户的令牌
cli-join-several = 有 { $count } 场会议的编号以 { $prefix } 开头
cli-join-several-hint = 请多写几位编号

## commands/attach

cli-attach-unreadable-hint = 请给出存在的文件或文件夹
cli-attach-left-out-secret = 已跳过 { $name }：这类文件通常存有密钥或密码
cli-attach-left-out-size = 已跳过 { $name }：大小为 { $bytes } 字节
cli-attach-size-hint = 只能添加不超过 { $most } MiB 的非空文件
cli-attach-left-out-unreadable = 已跳过 { $name }：无法读取（{ $error }）
cli-attach-left-out = 已跳过 { $name }：{ $why }
cli-attach-too-many = 文件超过 { $most } 个
cli-attach-too-many-hint = 请指定单个文件或文件较少的文件夹；.gitignore 和 .ignore 可以排除文件
cli-attach-progress = 已添加 { $done } / { $all } 个文件
cli-attach-off-record = 不留记录的会议不能添加文件
cli-changes-no-tools-allowed = 不允许使用任何工具
cli-changes-tools-allowed = 允许的工具：{ $names }
cli-changes-tool-called = ⚒ { $id } { $who } 调用 { $tool } { $arguments }
cli-changes-tool-reviewed = ⚒ { $id } { $decision }（{ $by }）
cli-changes-tool-returned = ⚒ { $id } 返回 { $lines } 行：{ $first }
cli-changes-tool-returned-cut = ⚒ { $id } 返回 { $lines } 行，其余截去：{ $first }
cli-changes-tool-failed = ⚒ { $id } 没有结果：{ $why }
cli-waiting-meeting-paused-tool = 会议已暂停：有工具调用可能改动数据，等待你决定
cli-folder-at-server = 只有没有服务器在使用这个数据库时，才能用 --folder
cli-folder-at-server-hint = 把文件夹以 [tools.NAME] 写入 config.toml 并使用 --tools NAME，或停止服务器

## setup

cli-setup-no-style = 没有“{ $name }”这种风格
cli-setup-styles = 可选 formal、casual、debate
cli-setup-no-length = 没有“{ $name }”这种发言长度
cli-setup-lengths = 可选 brief、moderate、detailed
cli-setup-no-pair = “{ $text }”不是 KEY=VALUE 的形式
cli-setup-write-pair = 写成 { $flag } KEY=VALUE
cli-setup-no-artifact = 没有“{ $name }”这种交付物
cli-setup-no-format = 没有“{ $name }”这种会议形式
cli-setup-no-temperament = 没有“{ $name }”这种性情
cli-setup-not-positive = { $name } 是 { $value }
cli-setup-positive = 给出大于 0 的数
cli-give-file = 写成 { $option } @文件

## commands/run

cli-run-no-folder = 无法写入 { $path }：没有文件夹 { $folder }
cli-run-is-folder = 无法写入 { $path }：它是一个文件夹
cli-run-no-folder-hint = 建立这个文件夹，或在其他位置指定文件
cli-run-answer-file = 写成 --answer KEY=@文件

## progress

cli-waiting = { $what } { $seconds } 秒
cli-waiting-providers = 正在询问各供应商……
cli-waiting-provider = 正在询问 { $name }……
