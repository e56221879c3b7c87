### 各项功能的提示。

## doctor

app-doctor-database = 数据库
app-doctor-signing-key = 签名密钥
app-doctor-signing-key-none = 第一次导出时生成
app-doctor-backups = 备份
app-doctor-backups-none = 没有定时备份；在配置文件的 [server.backup] 里设置文件夹
app-doctor-backups-failed = { $at } 失败：{ $detail }
app-doctor-backups-first = { $folder }：还没有备份
app-doctor-backups-newest = { $folder }：{ $count } 份备份，最新一份于 { $at }
app-doctor-backups-old-hint = 最新一份已超过间隔的两倍；备份在服务器运行时进行，失败的原因见服务器日志
app-doctor-configuration = 配置
app-doctor-there-no-none-needed = 没有 { $config }（不是必需）
app-doctor-stored-credentials = 存放的凭证
app-doctor-provider = 供应商
app-doctor-stored-nothing-says-where-its = 已存放，但没有接口地址
app-doctor-give-its-address-quorate-providers = 给出地址：quorate providers add { $name } --base-url URL
app-doctor-give-its-address-settings-providers = 在“设置 › 供应商”中给出地址
app-doctor-models = 模型
app-doctor-no-provider-configured-works-so = 已配置的供应商都不可用，会议无法用真实模型开始
app-doctor-mend-one-those-above-hold = 解决上面的任一问题，或改用模拟参会者
app-doctor-no-model-can-used-meetings = 没有可用的模型，会议将由模拟参会者进行
app-doctor-set-openai-api-key-another = 设置 OPENAI_API_KEY 等密钥（quorate providers list --presets 列出全部），或 OPENAI_BASE_URL，或启动 Ollama
app-doctor-add-provider-its-key-settings = 在“设置 › 供应商”中添加一个供应商及其密钥，或启动 Ollama
app-doctor-does-not-exist-yet-first = { $path } 尚不存在，第一场会议会创建它
app-doctor-use-by-another-process = ，另一个进程正在使用
app-doctor-no-meeting-can-held-here = 这里不能开会：{ $error }
app-doctor-can-only-read = ，只能读取
app-doctor-meeting = 会议
app-doctor-exporter = 导出程序
app-doctor-process = 进程
app-doctor-program-not-found = 找不到程序“{ $program }”
app-doctor-install-change-command-processes = 安装它，或修改 [{ $table }.{ $name }] 的 command
app-doctor-there-no-folder = 没有文件夹 { $folder }
app-doctor-change-cwd = 修改 cwd
app-doctor-store-another-key-quorate-providers = 重新存放密钥：quorate providers add { $name } --api-key-stdin
app-doctor-no-answer-within-10-s = 10 秒内没有响应
app-doctor-running-check-address = 服务在运行吗？检查地址
app-doctor-answered-ms = ；{ $model } 用 { $latency_ms } 毫秒作答
app-doctor-probe-had-no-answer-within = 试问超过 120 秒没有回答
app-doctor-try-smaller-model = 换一个更小的模型
app-doctor-unset-variables = 它要用的变量尚未设置：{ $unset }
app-doctor-count-models = { $count } 个模型：{ $some }

## trial

app-agent-unknown = 没有名为“{ $name }”的远程智能体
app-agent-add = 在“设置 › 供应商”中添加，格式选 A2A，并填写智能体的地址
app-agent-add-terminal = 添加：quorate providers add { $name } --wire a2a --base-url URL
app-agent-known = 可用的有 { $known }；或以 A2A 格式把 { $name } 添加为供应商
app-trial-listed = { $count } 个模型
app-trial-listed-none-can-talk = { $count } 个模型，都不能对话
app-trial-load-one-name-one = 请在服务器上加载一个模型，或填写模型名
app-trial-no-answer-within-s = { $seconds } 秒内没有回答
app-trial-try-again-choose-smaller-model = 再试一次，或换一个更小的模型
app-trial-pieces = { $pieces } 段：{ $said }
app-trial-meetings-work-all-same-answers = 会议照常进行，只是回答一次显示完
app-trial-not-shape-asked = 不是要求的 JSON：{ $said }
app-trial-choose-another-model-set-structured = 换一个模型，或把这个供应商的“结构化输出”（structured）设为 json_object 或 none

## choose

app-choose-named-by-variable = 由环境变量指定
app-choose-its-vendors-usual-small-model = 该供应商常用的小模型
app-choose-first-listed-model-can-talk = 列表中第一个能对话的模型
app-choose-another-family-another-view = 另一家的模型，让视角更多样
app-choose-strong-model-summaries-conclusion = 强模型，用于总结与结论
app-choose-largest-listed-model-summaries-conclusion = 列表中最大的模型，用于总结与结论

## providers

app-providers-looked-machine = 本机，自动寻找
app-providers-stored = 已存放
app-providers-variable = 环境变量 { $name }
app-providers-configuration-file = 配置文件
app-providers-meeting-file = 会议文件
app-add-preset = 在“设置 › 供应商”中添加 { $provider } 及其密钥，或设置 { $variable }
app-add-preset-terminal = 设置 { $variable }，或存放密钥：quorate providers add { $provider } --api-key-stdin
app-near-setting = 是否指 { $near }？
app-provider-no-setting = 供应商没有“{ $setting }”这项设置
app-provider-bad-setting = { $setting } 不能取这个值
app-provider-bad-setting-hint = docs/providers.md 列出各项设置及其可取的值；未写的设置取默认值
app-provider-known-settings = 可用的设置：base_url、api_key、{ $settings }
app-near-provider = 是否指 { $near }？“设置 › 供应商”列出全部供应商
app-near-provider-terminal = 是否指 { $near }？quorate providers list 列出全部供应商
app-otherwise = 是否指 { $near }？否则请{ $hint }
app-add-provider = 在“设置 › 供应商”中添加 { $provider }，给出接口地址和密钥
app-add-provider-terminal = 存放它的接口地址和密钥：{ $command }
app-vendors-unreadable-hint = 改正它的权限，或移走它
app-vendor-without-name = 第 { $place } 个 [[vendor]] 没有 name
app-vendors-hint = 可以写的内容见 docs/providers-data.md
app-provider-no-vendor = 供应商 { $provider }：没有厂商“{ $vendor }”
app-provider-no-vendor-hint = 从 { $names } 中选择厂商，或改为给出 base_url
app-provider-no-address = 供应商 { $provider } 没有 base_url，也没有同名的厂商
app-provider-no-address-hint = 给出 base_url，或写明它是哪家厂商的接口：{ $names }

## agents

app-agent-model-or-temperament = 智能体不能既有模型又有性情
app-agent-model-or-temperament-hint = 给出模型；模拟的智能体则给出性情
app-agent-without-model = 没有模型为这个智能体作答
app-agent-without-model-hint = 给出模型（供应商/模型名），或给出性情让它被模拟
app-agent-without-model-hint-terminal = 给出 --model 供应商/模型，或用 --temperament 让它被模拟
app-agent-simulated-hint = 去掉它们，或给它模型（供应商/模型名）
app-agent-simulated-hint-terminal = 去掉它们，或给它模型：--model 供应商/模型
app-agent-simulated-key = 模拟的智能体不需要密钥和地址
app-agent-model-unclear = “{ $text }”没有写明是谁的模型
app-agent-model-unclear-hint = 写成 供应商/模型，如 openai/gpt-5-mini 或 ollama/qwen3:8b
app-acp-misconfigured = 编程智能体 { $agent }：{ $problem }
app-permit-person = 只有人可以许可编程智能体的请求
app-permit-person-hint = 请登录，或使用不是为智能体创建的令牌
app-remote-acp = 编程智能体由运营者配置
app-remote-acp-hint = 请将已配置的编程智能体作为参会者的模型：acp/名称
app-doctor-coding-agent = 编程智能体
app-doctor-change-folders = 请在 [acp.{ $name }.folders] 中修改
app-agent-simulated-parameters = 模拟的智能体没有 temperature、top-p、max-tokens、effort 和备用模型
app-agent-no-answer = { $name } 在 { $seconds } 秒内没有回答
app-agent-no-answer-hint = 请重试，或选一个较小的模型

## app/backup

app-backup-not-whole = 备份没有完整到达：{ $error }
app-backup-not-whole-hint = 请重试，并查看是否有足够的空间
app-backup-busy = 另一个备份正在生成或下载
app-backup-busy-hint = 等它结束后再试
app-backup-not-written = 无法写入 { $folder }：{ $error }
app-backup-not-written-hint = 在数据库旁边腾出空间；备份需要与数据库和上传文件同样大的空间

## backups

app-backups-folder = 备份文件夹 { $folder } 不能使用：{ $error }
app-backups-folder-hint = 检查上一级文件夹是否存在、磁盘是否挂载、能否写入
app-backups-full-hint = 在它的磁盘上腾出空间，少留几份（[server.backup] 的 keep），或换一个文件夹

## app/library

app-no-provider = 没有供应商“{ $name }”

## app/lock

app-meeting-password-needed = 打开这场会议需要密码
app-meeting-password-needed-hint = 请附上密码
app-meeting-password-wrong = 密码不对
app-try-again = 请重试

## background

app-broken-off-hint = 请重试；如果仍然如此，这是众议的缺陷，请报告
app-broken-off = 操作中断（{ $stopped }）

## command_line

app-bug-hint = 请附上日志报告
app-bug = 这是众议自身的缺陷

## credential

app-credential-unchanged = 没有要修改的内容
app-credential-unchanged-hint = 给出要修改的内容，如 api_key 或 base_url
app-credential-unchanged-hint-terminal = 给出要修改的内容；密钥用 --api-key-stdin 或 --api-key-env 变量名 给出
app-provider-unknown = 没有供应商“{ $name }”的任何资料
app-provider-needs-nothing = 已设置 { $of }，{ $name } 可以直接使用；没有需要保存的内容
app-provider-needs-nothing-hint = 在“设置 › 供应商”中测试它
app-provider-needs-nothing-hint-terminal = 测试它：quorate providers test { $name }
app-provider-without-key = { $name } 没有密钥
app-provider-without-address = 没有说明 { $name } 的接口地址
app-no-vendor = 没有厂商“{ $word }”
app-give-address = 给出接口地址（base_url），或写明它是哪家厂商的接口
app-give-address-terminal = 用 --base-url 给出接口地址，或用 --vendor 写明 quorate providers list --presets 列出的厂商，或先在 { $config } 中写入 [providers.{ $name }]
app-no-vendor-hint = 从列出的厂商中选择，或改为给出接口地址（base_url）
app-no-vendor-hint-terminal = 选择 quorate providers list --presets 列出的厂商，或改用 --base-url
app-cannot-be = { $written } 不能是“{ $word }”
app-write-one-of = 可选：{ $list }
app-operator-alone-hint = 只有运营者可以这样设置：本机及其网络的地址，以及代理
app-public-only-stays = public_only：不能关闭
app-proxy-from-afar = proxy：不能从别的机器设置
app-base-url-like = 形如 https://api.example.com/v1 或 http://localhost:8080/v1
app-value-is = { $name } 是“{ $text }”：{ $error }

## denial

app-not-signed-in = 尚未登录
app-sign-in-first = 请先登录
app-meeting-list-hint = 查看会议列表
app-forbidden = 你没有权限做这件事
app-forbidden-hint = 请服务的所有者发放权限更大的访问令牌
app-of-person = 只有人才能这样做；智能体的令牌只能以智能体的名义参与
app-of-person-hint = 请由人来操作，或使用 manage 权限的令牌
app-locked = 进入这个会议需要密码
app-locked-hint = 在 /api/v1/meetings/{"{"}id{"}"}/enter 提供密码
app-locked-hint-tools = 请主持人取消会议密码；工具无法输入密码
app-blind-round = 盲答轮结束后才能看到各方的回答
app-blind-round-hint = 请先完成自己的回答，本轮结束后即可看到他人的回答；智能体可用 GET /api/v1/meetings/{"{"}id{"}"}/context 读取当前可见的内容
app-blind-round-hint-tools = 请先完成自己的回答，本轮结束后即可看到他人的回答；get_context 返回当前可见的内容
app-open-ballot = 表决结束后才能看到各方的投票
app-open-ballot-hint = 你在本次会议中有席位，或在表决开始时有席位，请在表决结束后再试
app-too-many-calls = 请求过多
app-too-many-attempts = 登录尝试过多
app-too-many-meetings = 已有 { $running } 场会议在进行
app-too-many-meetings-hint = 等其中一场结束，或暂停一场
app-too-many-of-account = { $account } 已有 { $running } 场会议在进行，达到每个账户的上限
app-too-many-of-account-hint = 等其中一场结束，或暂停一场；所有者可在“设置 › 服务器”中提高 running_meetings_per_account
app-key-reused = 这个幂等键已用于另一请求
app-key-reused-hint = 每个请求用新的键
app-still-running = 带此键的第一个请求尚未完成
app-still-running-hint = 稍后用同一个键再问
app-wait = 等待 { $seconds } 秒后再试
app-look-meeting = GET { $here } 显示它的状态
app-look-meetings = GET /api/v1/meetings 先列出最新的会议
app-look-turns = GET /api/v1/turns 列出仍开放的发言机会
app-look-part = GET { $here }/{ $name } 可以看到
app-look-list = GET /api/v1/{ $name } 列出全部
app-look-log = GET { $here }/log 最后的事件里会有 `{ $kind }`
app-perhaps-called-up = 可能已经请其发言
app-perhaps-joined = 可能已有人加入
app-perhaps-on-agenda = 议题可能已在议程上
app-perhaps-minutes = 可能已经请求撰写纪要
app-perhaps-artifact = 可能已经请求撰写交付物
app-perhaps-agent = 智能体可能已经创建
app-perhaps-template = 模板可能已经创建
app-perhaps-forked = 可能已经分叉
app-perhaps-imported = 部分会议可能已经导入
app-perhaps-started = 会议可能已经开始
app-perhaps-paused = 会议可能已经暂停
app-perhaps-resumed = 会议可能已经继续
app-perhaps-ending = 会议可能正在结束
app-perhaps-advanced = 会议可能已经推进
app-perhaps-permitted = 可能已经答复了智能体的请求
app-perhaps-answered = 发言机会可能已经回答
app-perhaps-skipped = 发言机会可能已经跳过
app-perhaps-arrived = 此人可能已经加入会议
app-perhaps-left = 此人可能已经退出会议
app-perhaps-handed-over = 主持人可能已经更换
app-perhaps-said = 可能已经说出
app-perhaps-created = 会议可能已经创建
app-no-meeting-for-you = 没有你能看到的会议“{ $id }”
app-interrupted = 带此键的第一个请求进行中服务停止了：{ $what }，也可能什么都没有发生
app-interrupted-hint = { $look }；没有完成就再发送一次，用原来的键或新的键都可以

## discover

app-no-model-can-talk = { $url } 没有能对话的模型
app-no-model-chosen = 无法在 { $place } 选定模型：{ $detail }
app-name-model = 写明模型 { $provider }/模型名，或设置 { $variable }
app-name-model-terminal = 写明模型：{ $variable }=…，或 --model { $provider }/模型名

## given_rules

app-rules-listed-tools = 请使用这里列出的规则，或省略 rules 以采用该形式的默认规则
app-rules-listed = docs/meeting-file.md 列出所有规则

## library

app-library-own = participants[{ $at }]：智能体“{ $name }”自带名字、角色和模型
app-library-own-hint = 只保留 `agent`，或修改智能体本身
app-library-own-hint-terminal = 只保留 `agent`，或修改智能体：quorate agents update
app-provider-not-configured = { $agent } 使用的供应商 { $provider } 没有配置
app-provider-settings = 为 { $provider } 保存的设置中有无法使用的内容
app-provider-settings-hint = 在“设置 › 供应商”中移除 { $provider }，再重新添加
app-provider-settings-hint-terminal = 移除后重新添加：quorate providers remove { $provider }

## local/changes

app-no-token = 没有编号为“{ $id }”的访问令牌
app-no-token-hint = quorate tokens list 列出全部访问令牌
app-token-beyond-account = 超出了该账户的权限
app-token-beyond-account-hint = 它的权限是 { $scope }

## log_file

app-log-unreadable = 事件 { $event } 无法读取
app-log-changed = 事件 { $event } 被改动：它的原文与校验值不符
app-log-missing-one = 缺少事件 { $event }
app-log-missing = 缺少事件 { $from } 至 { $to }
app-log-out-of-place = 事件 { $event } 位置不对：它排在更晚的事件之后，或出现两次
app-log-added = 事件 { $event } 是后来添加的：签名的日志在它之前结束
app-log-other-meeting = 事件 { $event } 属于另一场会议：{ $meeting }
app-log-shown-otherwise = 事件 { $event } 展示的内容与它的原文不同
app-log-no-checksum = 事件 { $event } 没有校验值
app-log-checksums = 校验值与签名的不同：日志在签名之后被改动
app-log-signature = 签名无效：签名或它所说明的内容被改动
app-log-cut-off = 文件不完整：缺少最后一行，即校验值和签名
app-log-other-key = 日志不是用指定的密钥签名的
app-log-too-large = { $file } 超过 { $megabytes } MiB
app-log-too-large-hint = 把会议导出为 jsonl：任意大小的文件都能逐行核验
app-log-unreadable-file = 无法读取 { $file }：{ $error }
app-log-unreadable-file-hint = 检查它的权限
app-log-no-file-hint = 写出 json、jsonl 或 html 的导出文件，或 files 导出的文件夹
app-log-not-whole = { $file } 不完整：{ $detail }
app-log-not-whole-hint = 文件被截断或损坏；请从原处重新导出会议
app-log-database = { $file } 是数据库，不是导出文件
app-log-database-hint = 请校验数据库及其中的所有会议
app-log-database-hint-terminal = 校验其中的所有会议：quorate verify --db { $file }
app-log-none = { $file } 里没有可以核验的日志
app-log-none-hint = 把会议导出为 json、jsonl、html 或 files；Markdown 和 PDF 无法核验

## models

app-model-unknown = 模型“{ $text }”不属于任何已配置的供应商
app-model-add-provider = 写成 供应商/模型名，并在“设置 › 供应商”中添加供应商
app-model-add-provider-terminal = 写成 供应商/模型名，并添加供应商：quorate providers add --help
app-model-known = 写成 供应商/模型名，供应商可以是 { $known }；或在“设置 › 供应商”中添加
app-model-known-terminal = 写成 供应商/模型名，供应商可以是 { $known }；或添加：quorate providers add --help
app-model-not-fallback = “{ $text }”不是模型，只有模型可以代替另一个模型作答
app-model-not-fallback-hint = 写成 供应商/模型名，或写 `none`

## new_meeting

app-seats-twice = seats：既给了人数，又写了名单
app-seats-twice-hint = 只给 `seats` 或 `participants` 之一
app-remote-providers-hint = 先保存供应商，再以 供应商/模型 写出模型
app-remote-providers = 会议不能自带供应商
app-remote-processes-hint = 程序由运营者在 config.toml 中配置；在 `models` 中以 process/名字 使用
app-remote-processes = 会议不能自带程序
app-remote-prices-hint = 价格由运营者在 config.toml 中设定
app-remote-prices = 会议不能自带价格
app-remote-seat-hint = 给它一个模型或性情，或安排一个智能体
app-remote-seat = 程序只能在会议文件中入席
app-in-field = { $field }：{ $problem }

## password

app-password-unreadable = 保存的密码无法读取
app-password-unreadable-hint = 用备份恢复数据库

## plan

app-no-topic = 没有主题
app-no-topic-hint = 提一个问题，例如“我们的服务该用 SQLite 还是 PostgreSQL？”
app-no-topic-hint-terminal = 提一个问题：quorate run "我们的服务该用 SQLite 还是 PostgreSQL？"

## registration

app-agent-name-in-use = 智能体库中已有另一个名为“{ $name }”的智能体
app-agent-name-in-use-hint = 请换一个智能体名字重新生成访问令牌
app-agent-unregistered = 智能体尚未注册
app-agent-unregistered-hint = 请先注册：register_agent，或 PUT /api/v1/agents/self
app-agent-unregistered-hint-tools = 请先调用 register_agent
app-token-without-agent = 这个访问令牌不属于任何智能体
app-token-without-agent-hint = 生成访问令牌时填写 `agent`：POST /api/v1/tokens，或在“设置 › 访问令牌”中生成
app-token-without-agent-hint-tools = 请申请一个指定了智能体的访问令牌，可在“设置 › 访问令牌”中生成
app-registration-capabilities = 能力过多或过长
app-registration-capabilities-hint = 最多 20 项能力，每项 1 到 50 个字
app-registration-language = language 不是语言标签
app-registration-language-hint = 请填写 BCP 47 标签，例如 zh-CN 或 en；没有时请省略此字段
app-person-role = 真人
app-person-role-description = 由本人作答的参会者。
app-mentions-of-people = 只有真人有“提及”列表
app-mentions-of-people-hint = 智能体在会议的上下文中读取提及自己的消息：GET /api/v1/meetings/ID/context
app-mentions-of-people-hint-tools = 智能体用 get_context 读取提及自己的消息
app-seat-by-invitation = 访客须通过带席位的邀请入席
app-seat-by-invitation-hint = 请主持人发一个带席位的邀请
app-last-owner = 这是唯一的所有者
app-last-owner-hint = 先建另一个所有者，或先删除其他账户
app-no-seat = 你在这场会议中没有席位
app-fork-of-one-meeting = 此权限只限一场会议，而分叉会产生另一场会议
app-fork-of-one-meeting-hint = 请用账号，或用不限会议的访问令牌来分叉
app-fork-of-one-meeting-hint-tools = 请联系管理会议的人
app-no-seat-hint = 在 GET /api/v1/meetings/{"{"}id{"}"}/participants 中查看谁有席位
app-no-seat-hint-tools = 调用 join_meeting 入席；get_context 显示谁有席位

## resume_permission

app-may-not-change-topic = 你可以发言，但不能改主题
app-may-not-change-topic-hint = 不改主题，再提交其余回答；这次的回答都还没有采用
app-may-not-set-budget = 你可以发言，但不能改预算
app-may-not-decide-team = 你可以发言，但不能决定谁加入、谁离开
app-may-not-end = 你可以发言，但不能结束会议
app-may-not-end-hint = 请回答 continue（继续），或请主持人来结束
app-paused-by-host = 会议是主持人暂停的
app-paused-by-host-hint = 请主持人来恢复
app-host-answers = 请主持人来回答这个问题

## seats

app-process-and-field = “{ $name }”既有 process 又有 { $field }
app-process-and-field-hint = 去掉其中一个：process 不接受 { $field }
app-seats-count = 无法安排 { $count } 位参会者
app-seats-count-hint = 选择 1 到 12，或在会议文件中写出至多 16 位

## speech/terminal

app-no-database-terminal = 第一场会议会建立它；或用 --db 指定另一个数据库
app-unreachable-terminal = 检查目录是否存在、是否可写，或用 --db 指定另一个数据库
app-not-ours-terminal = 文件没有被改动；用 --db 指定另一个文件
app-newer-terminal = 数据库由更新的版本写成；请升级，或用 --db 指定另一个
app-before-contract-terminal = 文件没有被改动；用写它的程序导出会议（quorate export），并用 --db 指定另一个数据库
app-newer-contract-terminal = 文件没有被改动；请升级，或用 --db 指定另一个数据库
app-older-terminal = 任何会写入的命令（如 quorate run）都会把它升级；旧版本还要用时，先复制一份
app-in-use-terminal = 只读的命令仍然可用；或等它结束，或用 --db 指定另一个数据库。如果占用它的是服务器，用 `quorate url` 查看地址
app-would-replace-terminal = 加 --force 替换，原来的会以别的名字保留；备份不能取代它自己
app-damaged-copy-terminal = 没有替换任何内容；quorate verify 可以检查原件，或另取一份备份
app-list-meetings-terminal = quorate list 列出所有会议
app-no-meetings-terminal = quorate run 召开第一场
app-damaged-catalogue-terminal = 日志本身可能完好：quorate verify 可以检查，目录可以由日志重建
app-no-agent-terminal = quorate agents list 列出所有智能体
app-agent-exists-terminal = 换一个名字，或修改它：quorate agents update "{ $name }"
app-damaged-agent-terminal = 用备份恢复数据库，或 quorate agents delete "{ $name }"
app-no-credential-terminal = quorate providers list 列出已保存的凭证
app-other-address-terminal = 把新地址的密钥一并给出（--api-key-stdin 或 --api-key-env），或给供应商另取一个名字
app-vault-missing-terminal = 从备份放回密钥文件；或用 quorate providers remove 放弃已封存的凭证，再重新保存
app-vault-unusable-terminal = 从备份放回正确的密钥文件；或移走它，用 quorate providers remove 放弃已封存的凭证，再重新保存
app-vault-missing-signing-terminal = 从备份放回密钥文件；或用 `quorate providers remove 供应商` 放弃已封存的凭证，再重新保存密钥；其中 `signing/key` 是给日志签名的密钥，用 `quorate api POST /signing-key` 更换
app-sealed-otherwise-terminal = 放回封存时的密钥文件；或 quorate providers remove { $provider }，再重新保存密钥
app-signing-key-sealed-otherwise-terminal = 放回封存时的密钥文件；或更换签名密钥：`quorate api POST /signing-key`
app-damaged-event-terminal = quorate export { $meeting } --salvage 给出它之前的内容，quorate verify 显示损坏的范围；或用备份恢复数据库
app-gone-terminal = 把原来的文件放回原处，会议就会继续；或停止众议，用 quorate restore 恢复备份后再启动
app-disk-terminal = 检查磁盘及其限额，并运行 quorate verify；已确认的内容都已写入磁盘
app-corrupt-terminal = quorate verify 显示损坏的范围；用备份恢复数据库
app-refused-terminal = 运行 quorate verify；如果没有发现问题，这是众议的缺陷，请报告
app-damaged-terminal = quorate verify 显示损坏的范围，quorate export ID --salvage 给出完好的部分；用备份恢复后再继续会议
app-invariant-terminal = 已存储的内容完好；请随缺陷报告附上 quorate show ID --diagnostics 的输出（其中不含会议内容）；可以结束会议，或从最后几条发言之前分叉
app-meeting-refused-terminal = 运行 quorate verify，重新启动服务，然后继续会议

## speech/storage

app-no-database = { $path } 没有数据库
app-no-database-hint = 第一场会议会建立它；或使用另一个数据库
app-unreachable = 无法使用 { $path }：{ $source }
app-unreachable-hint = 检查目录是否存在、是否可写，或使用另一个数据库
app-not-ours = { $path } 不是众议的数据库：{ $detail }
app-not-ours-hint = 文件没有被改动；请指定另一个文件
app-newer = { $path } 的版本是 { $found }，本程序只认识到 { $known }
app-newer-hint = 数据库由更新的版本写成；请升级，或使用另一个数据库
app-older = { $path } 是较旧的版本 { $found }，读取需要版本 { $known }
app-older-hint = 任何写入都会把它升级；旧版本还要用时，先复制一份
app-before-contract = { $path } 里的事件早于事件契约的第一个版本
app-before-contract-hint = 文件没有被改动；用写它的程序导出会议，并使用另一个数据库
app-newer-contract = { $path } 里的事件按契约版本 { $found } 写成，本程序只认识到 { $known }
app-newer-contract-hint = 文件没有被改动；请升级，或使用另一个数据库
app-log-without-database = { $path } 没有数据库，而 { $log } 里还有未并入的事件
app-log-without-database-hint = 把数据库放回它旁边；若要放弃这些事件重新开始，先移走 { $log }
app-in-use = { $path } 正被{ $by }使用
app-in-use-hint = 等它结束或停止它，或使用另一个数据库
app-exists = { $path } 已经存在
app-exists-hint = 换一个不存在的文件名
app-would-replace = { $path } 已有数据库，会被替换
app-would-replace-hint = 确认替换后，原来的会以别的名字保留；备份不能取代它自己
app-damaged-copy = 副本有 { $found } 处损坏：{ $first }
app-damaged-copy-hint = 没有替换任何内容；检查原件，或另取一份备份
app-no-match = 没有编号以“{ $prefix }”开头的会议
app-no-match-hint = 查看会议列表
app-no-meetings = 还没有会议
app-no-meetings-hint = 召开第一场会议即可
app-damaged-catalogue = 会议目录已损坏：{ $detail }
app-damaged-catalogue-hint = 日志本身可能完好，目录可以由日志重建；请检查数据库
app-bad-cursor = 这不是本列表的游标
app-bad-cursor-hint = 按上一页给出的游标原样传入，或不带游标从头开始
app-bad-key = 幂等键应有 1 到 255 字节；这个有 { $bytes } 字节
app-bad-key-hint = 每个请求用自己的键，如一个 UUID
app-no-upload = 没有文件“{ $id }”
app-no-upload-hint = 查看会议的文件列表；这个可能已被删除
app-upload-exists = 已经有文件“{ $id }”
app-upload-exists-hint = 换一个编号
app-upload-too-large = 文件超过了 { $most } 字节
app-upload-too-large-hint = 上传较小的文件，或只上传要紧的部分
app-uploads-full = 所有会议共有 { $files } 个文件、{ $bytes } 字节，再加就超过上限
app-uploads-full-hint = 删除不需要的文件，或连同文件删除会议；所有者可以提高上限
app-damaged-upload = 文件“{ $id }”无法读取：{ $detail }
app-damaged-upload-hint = 重新上传，或用备份恢复
app-no-template = 没有模板“{ $name }”
app-no-template-hint = 查看模板列表
app-template-exists = 已经有模板“{ $name }”
app-template-exists-hint = 换一个名字，或修改那个模板
app-template-changed = 模板“{ $name }”其间已被修改，现在是第 { $found } 版
app-template-changed-hint = 重新读取，再在现在的内容上修改
app-damaged-setting = 设置“{ $name }”无法读取：{ $detail }
app-damaged-setting-hint = 重新设置，或用备份恢复数据库
app-no-agent = 没有智能体“{ $name }”
app-no-agent-hint = 查看智能体列表
app-agent-exists = 已经有智能体“{ $name }”
app-agent-exists-hint = 换一个名字，或修改智能体“{ $name }”
app-damaged-agent = 智能体“{ $name }”无法读取：{ $detail }
app-damaged-agent-hint = 用备份恢复数据库，或删除智能体“{ $name }”
app-no-credential = 没有为“{ $provider }”保存凭证
app-no-credential-hint = 查看供应商列表
app-other-address = 为 { $provider } 保存的密钥属于另一个地址
app-other-address-hint = 把新地址的密钥一并给出，或给供应商另取一个名字
app-vault-missing = 密钥文件 { $path } 不见了，而 { $providers } 的凭证由它封存
app-vault-missing-hint = 从备份放回密钥文件；或移除这些供应商（放弃已封存的凭证），再重新保存密钥
app-vault-missing-signing-hint = 从备份放回密钥文件；或移除这些供应商（放弃已封存的凭证），再重新保存密钥；其中 `signing/key` 是给日志签名的密钥，用 POST /api/v1/signing-key 更换
app-vault-missing-signing-hint-tools = 请运维人员从备份放回密钥文件
app-vault-exposed = 密钥文件 { $path } 可被他人读取（权限 { $mode }）
app-vault-exposed-hint = chmod 600 { $path }；可能已被读取时请更换密钥
app-vault-unusable = { $path } 不是密钥文件：{ $detail }
app-vault-unusable-hint = 从备份放回正确的密钥文件；或移走它，移除由它封存的供应商，再重新保存密钥
app-sealed-otherwise = { $provider } 的凭证无法用 { $path } 打开
app-sealed-otherwise-hint = 放回封存时的密钥文件；或移除供应商 { $provider }，再重新保存密钥
app-signing-key-sealed-otherwise-hint = 放回封存时的密钥文件；或用 POST /api/v1/signing-key 更换签名密钥
app-signing-key-sealed-otherwise-hint-tools = 请运维人员放回封存时的密钥文件
app-conflict = 会议 { $meeting } 有 { $found } 个事件，预期是 { $expected } 个
app-conflict-hint = 另一个进程正在写这场会议；重新读取后重试
app-no-meeting = 没有会议 { $meeting }
app-no-meeting-hint = 查看会议列表
app-damaged-event = 会议 { $meeting } 的事件 { $seq } 无法读取：{ $detail }
app-damaged-event-hint = 它之前的内容仍可导出；用备份恢复数据库，或请运营者检查数据库
app-disk-full = 数据库所在的磁盘已满
app-disk-full-hint = 在数据库所在的磁盘上腾出空间，会议随后会自行继续；已确认的内容不会丢失
app-read-only = 数据库只能读取
app-read-only-hint = 检查数据库及其目录的权限，以及磁盘是否以只读方式挂载；解决后会议会自行继续
app-gone = 数据库文件不见了
app-gone-hint = 把原来的文件放回原处，会议就会继续；或停止众议，恢复备份后再启动
app-inaccessible = 数据库无法打开
app-inaccessible-hint = 检查文件是否存在、所在目录是否可写
app-busy = 数据库正被另一个程序占用
app-busy-hint = 关闭占用数据库的程序，然后重试
app-elsewhere = 会议 { $meeting } 正在节点 { $node } 上运行
app-elsewhere-hint = 请使用该节点，或使用同一数据库的任一服务器，它会转发请求；如果该节点已经失效，12 秒内会由其他节点接管
app-storage-unreachable = 无法连接数据库服务器
app-storage-unreachable-hint = 确认数据库服务器正在运行、且能从本机连接；会议随后会自行继续，已确认的内容不会丢失
app-server-unreachable = 无法连接数据库 { $url }：{ $detail }
app-server-unreachable-hint = 确认服务器正在运行，地址、用户名和密码正确，且允许本机连接
app-bad-database-url = { $url } 不是数据库地址：{ $detail }
app-bad-database-url-hint = 请给出文件路径，或形如 postgres://用户:密码@主机/数据库 的地址
app-not-a-server = { $path } 不是服务器上的数据库
app-not-empty = 服务器上的数据库不是空的：表 { $table } 中已有数据
app-not-empty-hint = 请为它新建一个空数据库；这个数据库未作任何改动
app-not-a-file = { $url } 是服务器上的数据库，而此操作只适用于数据库文件
app-not-a-file-hint = 请使用数据库服务器自带的工具，例如 pg_dump 和 pg_restore
app-disk = 数据库所在的磁盘报告错误
app-disk-hint = 检查磁盘及其限额，并检查数据库；已确认的内容都已写入磁盘
app-corrupt = 数据库已损坏
app-corrupt-hint = 检查数据库以了解损坏的范围，并用备份恢复
app-out-of-memory = 内存不足
app-out-of-memory-hint = 关闭其他程序，然后重试
app-stopped = 数据库的写入线程已停止
app-stopped-hint = 重新启动众议并继续会议；这是缺陷，请报告
app-refused = 数据库拒绝了操作
app-refused-hint = 检查数据库；如果没有发现问题，这是众议的缺陷，请报告
app-meeting-gone = 会议已不在这里运行
app-meeting-gone-hint = 重新打开会议；已确认的内容不会丢失
app-panicked = 这场会议的一次计算出错中断
app-panicked-hint = 继续会议即可再试一次，也可以结束它；如果再次停止，请从最后几条发言之前分叉，或导出已有内容，并连同服务日志报告这个缺陷
app-panicked-hint-tools = 请主持人继续会议，或调用 end_meeting；请附上服务器日志报告此错误
app-invariant = 这场会议的下一步会出错，未被存储
app-invariant-hint = 已存储的内容完好。请随缺陷报告附上会议的诊断报告（其中不含会议内容）；可以结束会议，或从最后几条发言之前分叉
app-invariant-hint-tools = 请主持人随缺陷报告附上会议的诊断报告，或调用 end_meeting
app-too-long = 这场会议的一次计算耗时过长
app-too-long-hint = 继续会议即可再试一次，也可以结束它，或从造成问题的发言之前分叉；请连同服务日志一起报告
app-too-long-hint-tools = 请主持人继续会议，或调用 end_meeting；请附上服务器日志报告
app-damaged = 这场会议的存储内容损坏
app-damaged-hint = 完好的部分仍可导出；用备份恢复数据库后再继续会议
app-contended = 另一个进程不断写入这场会议
app-contended-hint = 关闭正在使用这个数据库的其他程序，然后继续会议
app-meeting-refused = 数据库拒绝了这场会议
app-meeting-refused-hint = 检查数据库，重新启动服务，然后继续会议
app-password-length = 密码有 { $bytes } 字节
app-password-length-hint = 选择 1 到 { $most } 字节的密码
app-password-short = 密码只有 { $chars } 个字符
app-password-short-hint = 选择至少 { $least } 个字符的密码；几个词连用就很好
app-password-obvious = 这个密码太容易被猜到
app-password-obvious-hint = 选一个没有人猜得到的；几个词连用就很好
app-password-not-hashed = 密码无法加密保存：{ $detail }
app-password-not-hashed-hint = 请重试；本机无法提供随机数
app-process-pid = 进程 { $pid }{" "}
app-another-process = 另一个进程
app-ambiguous = 有 { $count } 场会议以“{ $prefix }”开头：{ $known }
app-ambiguous-more = 有不止 { $count } 场会议以“{ $prefix }”开头：{ $known }
app-ambiguous-hint = 多写几个字符
app-situation = { $situation }（{ $detail }）
app-meeting-stopped = 会议已停止运行：{ $situation }

## webhooks

app-no-webhook = 没有 Webhook { $id }
app-no-webhook-hint = 查看 Webhook 列表
app-no-webhook-message = 这个 Webhook 没有保留消息 { $id }
app-no-webhook-message-hint = 查看它的投递记录；测试消息不会重新投递
app-too-many-webhooks = 已有 { $count } 个 Webhook
app-too-many-webhooks-hint = 删除一个不再需要的
app-webhook-grace = 旧密钥最多继续有效 { $most } 小时
app-webhook-grace-hint = 写 0 表示立即失效；通常为 { $usual }
app-webhook-agent = 智能体的名字太短或太长
app-webhook-agent-hint = 写 1-50 个字符，与席位 agent/NAME 中的名字相同
app-webhook-without-agent = 发言机会属于智能体，但没有指定智能体
app-webhook-without-agent-hint = 指定智能体，或去掉 turns
app-webhook-about-nothing = 这个 Webhook 既没有智能体，也没有事件种类
app-webhook-about-nothing-hint = 选择一个智能体以接收它的发言机会，或至少选择一种事件；* 表示全部
app-webhook-off-record = 该会议不留记录，它的事件不会推送
app-webhook-off-record-hint = 请指定接收其发言机会的智能体，或换一个会议
app-webhook-event = 没有“{ $kind }”这种事件
app-webhook-event-hint = 可用的种类：*（全部）、{ $all }
app-webhook-url = 这不是网址
app-webhook-url-hint = 形如 https://agent.example.com/quorate
app-webhook-url-long = 网址超过 { $most } 个字符
app-webhook-not-https = 网址不以 https:// 开头
app-webhook-decorated = 网址中带有用户名、密码或片段
app-webhook-private = 网址指向本机或本机所在的网络
app-webhook-private-hint = 使用公网地址，或请运营者设置 allow_local_addresses
app-webhook-no-secret = 无法生成密钥
app-delivery-turn-over = 发言机会已经结束
app-delivery-event-gone = 事件已不存在
app-delivery-redirect = HTTP { $status }：不跟随重定向
app-delivery-no-answer = 响应中没有回答：text、fields 或 skip
app-delivery-asked-again = 再次询问：{ $problem }
app-delivery-too-late = 回答来得太晚：发言机会已经结束
app-delivery-cannot-skip = 这次发言不能跳过
app-delivery-paused = 这个网址已连续失败 { $failures } 次
app-delivery-long = 响应超过 { $bytes } 字节

## exporters

app-exporter-config = 导出程序 { $name } 配置有误：{ $problem }
app-exporter-not-started = 导出程序 { $name } 无法启动：{ $error }
app-exporter-slow = 导出程序 { $name } 超过 { $seconds } 秒仍未完成
app-exporter-long = 导出程序 { $name } 的输出超过 { $megabytes } MiB
app-exporter-status = 导出程序 { $name } 以 { $status } 结束
app-exporter-status-said = 导出程序 { $name } 以 { $status } 结束：{ $said }
app-exporter-empty = 导出程序 { $name } 没有任何输出
app-exporter-hint = 先把会议导出为 json，手动交给它的命令试试，并检查配置文件中的 [exporters.{ $name }]
app-no-such-format = 没有这种导出格式
app-no-such-format-hint = 可选：{ $all }；在配置文件中写 [exporters.NAME] 可以增加格式
app-http-client = 无法建立 HTTP 客户端：{ $error }
app-settings-not-kept = 只有账户和本机的使用者在服务器上保存个人设置
app-settings-not-kept-hint = 请用账户登录；访客的设置保存在浏览器里

## rules

app-rules-no-such = 没有规则“{ $key }”
app-rules-near = 相近的有：{ $near }
app-rules-cannot-be = { $key } 不能是“{ $value }”
app-rules-takes-switch = 设为 true 或 false
app-rules-takes-choice = 请选择：{ $names }
app-rules-takes-choice-or-none = 请选择：{ $names }；none 表示不设
app-rules-takes-number = 请设为 { $min } 到 { $max } 的整数
app-rules-takes-number-or-none = 请设为 { $min } 到 { $max } 的整数，或 none
app-rules-takes-share = 请设为 0.0 到 1.0 的比例
app-rules-takes-share-or-none = 请设为 0.0 到 1.0 的比例，或 none
app-rules-takes-list = 请从这些里选：{ $names }；none 表示都不要

## app/files

app-file-secret-name = 名为 { $name } 的文件通常存有密钥或密码
app-file-secret-line = { $name } 第 { $line } 行有密钥
app-file-secret-hint = 参会者和模型服务商都会读到它；去掉密钥后再添加
app-file-content-absent = 这里没有 { $name } 的内容
app-file-content-absent-hint = 导入的日志不含文件内容；请重新添加这个文件
app-file-without-text = { $name } 没有可读的文字（{ $media_type }）
app-file-without-text-hint = 请下载文件，或把其中的文字另存为文件再添加
app-file-no-such-lines = { $name } 共有 { $lines } 行
app-file-no-such-lines-hint = 请在文件范围内取行，起始行不能大于结束行
app-file-no-text-now = 暂时读不出 { $name } 的文字
app-file-unreadable = 无法读取内容：{ $error }
app-file-unreadable-hint = 请检查数据库旁的文件夹
app-image-broken = { $name } 不是可读的图片
app-image-broken-hint = 文件可能已损坏，请重新保存为 PNG 或 JPEG
app-image-too-large = { $name } 有 { $width } × { $height } 像素
app-image-too-large-hint = 最多可读 { $millions } 百万像素，单边不超过 { $side }；请先缩小图片
app-file-no-image = { $name } 不是可展示的图片（{ $media_type }）
app-file-no-image-hint = 可展示 PNG、JPEG、WebP 和 GIF；其他文件请下载查看
app-may-not-allow-tool = 只有主持人可以允许或拒绝工具调用
app-tools-unknown = 没有名为 { $name } 的工具组
app-no-tools-hint = 在 config.toml 中添加 [tools.{ $name }] 及其文件夹
app-unknown-tools-hint = 可选：{ $known }；或在 config.toml 中添加 [tools.{ $name }]
app-tools-of-owner = 只有服务器所有者可以允许使用工具
app-tools-of-owner-hint = 使用 owner 权限的令牌，或去掉 tools
app-tools-own = { $name }（{ $label }）不会调用会议的工具
app-tools-own-hint = 从许可中去掉 { $name }：智能体和进程使用自己的工具，也能读取附件
app-web-search-none = { $name }（{ $label }）没有联网搜索
app-web-search-nobody = 没有参会者的供应商提供联网搜索
app-web-search-none-hint = 取消这项许可，或改用有联网搜索的模型：Anthropic、Gemini、OpenAI（responses 格式或搜索模型）、GLM。DeepSeek、Ollama 等可以把带搜索的 MCP 服务器配置为 [tools.名称]
app-web-search-excluded = { $name }（{ $label }）会同时得到工具 { $tools } 和联网搜索，而它的供应商一次只接受其中之一
app-web-search-excluded-hint = 只许可其他参会者联网搜索（--tools web-search=姓名），或不把 { $tools } 给 { $name }（--tools { $tools }=姓名）
app-web-search-unpriced = { $label } 的联网搜索价格未知，无法守住金额预算
app-web-search-unpriced-hint = 在 config.toml 的 [prices."{ $model }"] 里写 search（每千次搜索的价格），或改为限制 token
app-budget-first-call-tokens = { $limit } token 的预算不够第一次回答，它要预留 { $needed }
app-budget-first-call-cost = { $limit } 的预算不够第一次回答，它要预留 { $needed }
app-budget-first-call-hint = 把预算提高到至少 { $needed }
app-budget-first-call-search-hint = 把预算提高到至少 { $needed }，或取消联网搜索：每次发言前要为 3 次搜索各预留 10,000 token 的网页内容
app-import-contents-large = uploads/ 里的文件共 { $bytes } 字节，超过 { $most }
app-import-contents-large-hint = 去掉大文件，或分几次导入
app-import-content-changed = { $path } 与 SHA256SUMS 里的校验值不符
app-import-content-changed-hint = 重新导出会议，或从文件夹里删除该文件
app-import-not-base64 = { $path } 不是 base64
app-import-not-base64-hint = uploads 里每个文件的内容都用 base64 编码
app-doctor-tool-source = 工具组

## meeting_file

app-file-path-hint = 给出会议文件的路径
app-file-fields-hint-tools = 请使用 create_meeting 的输入模式中的参数
app-file-fields-hint = 全部字段见 docs/meeting-file.md
app-file-no-number = 有一条规则的数值无法计算
app-file-no-number-hint = 给出有限的数
app-config-unreadable-hint = 改正它的权限，或用 QUORATE_CONFIG 指定另一个文件
app-one-object-hint = 只发送一个对象，后面不要有别的内容

## language/runners

## access

app-first-account-is-owner = 第一个账户必须是所有者
app-first-account-is-owner-hint = 先建立一个权限为 owner 的账户
app-account-exists = 已经有账户“{ $name }”
app-account-exists-hint = 换一个名字，或为那个账户重设密码
app-account-last-owner = { $name } 是唯一的所有者
app-account-last-owner-hint = 先建立另一个所有者；最后一个只能在服务所在的机器上移除
app-not-current-password = 这不是现在的密码
app-not-current-password-hint = 填写你登录用的密码
app-beyond-guest = 超出了访客的权限
app-beyond-guest-hint = 填写 read 或 speak
app-invitation-uses = 不在 1 到 1000 之间
app-invitation-uses-hint = 留空则不限次数
app-invitation-hours = 不在 1 到 8760 之间
app-invitation-hours-hint = 留空则为一周
app-seat-needs-speak = 席位只能给可以发言的访客
app-seat-needs-speak-hint = 把权限设为 `speak`，或不提供席位
app-seat-role-too-long = 超过 { $most } 个字
app-seat-role-too-long-hint = 用几个词写明角色
app-invitation-over = 它已过期或被撤销；请另要一个
app-guest-name-hint = 填写你在会上要用的名字
app-guest-name-missing = 没有填写
app-no-meeting-with-password = 没有使用这个密码的会议
app-no-meeting-with-password-hint = 向会议的主持人要密码或邀请
app-guest-name-taken = 已被占用，或与他人的名字太像
app-choose-another-name = 换一个名字
app-no-random-numbers-hint = 本机无法提供随机数；请重试
app-passwords-busy = 此刻要核对的密码太多，本机处理不过来
app-stored-password-unreadable = 保存的密码无法读取
app-stored-password-unreadable-hint = 在终端另设密码，或用备份恢复数据库
app-guest-already-here = { $name } 已在这场会议中
app-too-many-guests = 这场会议已有 { $guests } 位访客
app-too-many-guests-hint = 请主持人先请一位访客离开
app-session-over = 会话已结束
app-sign-in-again = 请重新登录
app-wrong-sign-in = 名字或密码不对
app-wrong-sign-in-hint = 请检查名字和密码；所有者或能使用服务所在机器的人可以重设密码
app-not-by-session = 你不是以会话登录的
app-token-makes-none = 访问令牌不能再生成访问令牌
app-token-makes-none-hint = 请用密码登录后再生成
app-token-beyond-you = 超出了你自己的权限
app-token-beyond-you-hint = 你的权限是 { $own }
app-token-name-length = 应有 1 到 100 个字
app-token-name-length-hint = 写明访问令牌的用途
app-token-days = 不在 1 到 3650 之间
app-token-days-hint = 留空则不会到期
app-token-agent-length = 应有 1 到 50 个字
app-token-agent-length-hint = 写席位上智能体的名字
app-too-many-tokens = { $by } 已有 { $own } 个访问令牌
app-too-many-tokens-hint = 请先撤销不再使用的访问令牌
app-token-for-others = 只有所有者可以替其他账户生成
app-token-for-others-hint = 去掉这一项
app-no-account = 没有账户“{ $id }”
app-no-account-hint = 用 `quorate accounts list` 查看现有账户
app-token-for-whom = 有几个账户是所有者：{ $owners }
app-token-for-whom-hint = 写明访问令牌代表哪个账户
app-nothing-of-this-id = 没有编号为“{ $id }”的内容
app-no-such-invitation = 没有这个邀请
app-tag-length = 为空，或超过 { $most } 个字
app-tag-length-hint = 用一两个词即可
app-too-many-tags = 超过 { $most } 个
app-too-many-tags-hint = 去掉没人会查找的标签
app-no-tags-off-record = 不留记录的会议没有标签
app-no-tags-off-record-hint = 它会随服务停止而消失，无需再查找
app-result-link-days-hint = 留空则在撤销前一直有效
app-no-such-result-link = 这个地址没有结果
app-result-link-over = 链接不完整、已过期或已被撤销；请向发送者另要一个
app-no-result-link-off-record = 不留记录的会议没有结果链接
app-no-result-link-off-record-hint = 请改为导出结果
app-no-result-link-yet = 会议尚未结束
app-no-result-link-yet-hint = 有结果后再创建链接；要让人参加会议，请创建邀请
app-too-many-result-links = 这个结果已有 { $most } 个链接
app-too-many-result-links-hint = 请先撤销没人用的链接
