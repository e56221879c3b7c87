### 命令行的帮助：help-命令-参数。

help-about = 让多个 AI 模型一起议事：多位参会者、写明的规则、可追溯的结论
help-accounts-about = 添加、列出和删除可以登录服务的账户
help-accounts-add-about = 新建账户；密码要输入两次
help-accounts-add-json = 以 JSON 打印账户
help-accounts-add-name = 名称，1-50 个字
help-accounts-add-password_stdin = 密码取标准输入的第一行
help-accounts-add-scope = 权限：read 查看，speak 发言，manage 管理会议，owner 全部 [默认：第一个账户为 owner，其他为 speak]
help-accounts-after = 没有账户时，服务只接受来自本机、带本地令牌的请求。第一个账户属于所有者；此后所有人都要登录。
help-accounts-list-about = 列出账户
help-accounts-list-json = 每行打印一个账户（JSON）
help-accounts-password-about = 更换账户的密码；该账户的所有登录会话随即结束
help-accounts-password-json = 以 JSON 打印结果
help-accounts-password-name = 账户
help-accounts-password-password_stdin = 密码取标准输入的第一行
help-accounts-remove-about = 删除账户，连同其登录会话和访问令牌
help-accounts-remove-json = 以 JSON 打印结果
help-accounts-remove-name = 账户
help-after =
    从这里开始：quorate run "我们的服务该用 SQLite 还是 PostgreSQL？"

    退出码：0 会议已结束（或命令已完成），1 失败，2 命令行有误，3 会议已暂停，4 会议已结束但多数席位调用失败，130 立即停止。
help-agents-about = 管理可参加多场会议的智能体
help-agents-after =
    将智能体加入会议：quorate run "主题" --agent Ada --agent Ben

    会议复制智能体当时的设置；之后修改智能体不会影响这场会议。
help-agents-create-about = 添加智能体
help-agents-create-api_key_env = 从这个环境变量读取供应商的密钥，并加密存储
help-agents-create-api_key_stdin = 从标准输入读取供应商的密钥，并加密存储
help-agents-create-base_url = 供应商 API 的基础 URL，例如 https://api.example.com/v1
help-agents-create-description = 角色说明，1-2000 字；@文件 表示从文件读取
help-agents-create-effort = 思考强度：none、low、medium 或 high；default 表示使用供应商的默认值
help-agents-create-fallback = 备用模型，写作 供应商/名称；none 表示不设
help-agents-create-json = 以 JSON 打印这个智能体
help-agents-create-max_tokens = 单次回答最多多少 token；default 表示不限制
help-agents-create-model = 模型，写作 供应商/名称；或代替它回答的程序：process/进程名、acp/智能体名
help-agents-create-name = 名称，1-50 字
help-agents-create-prompt = 附加指令，最多 2000 字；@文件 表示从文件读取
help-agents-create-role = 角色名称，1-50 字
help-agents-create-temperament = 使用模拟智能体，并指定性情
help-agents-create-temperature = 采样温度，0-2；default 表示使用供应商的默认值
help-agents-create-top_p = 核采样阈值（top-p），0-1；default 表示使用供应商的默认值
help-agents-delete-about = 删除智能体；已有会议不受影响
help-agents-delete-json = 以 JSON 打印智能体
help-agents-delete-name = 智能体的名称
help-agents-list-about = 列出智能体
help-agents-list-json = 每行打印一个智能体（JSON）
help-agents-show-about = 显示智能体及其执行器
help-agents-show-json = 以 JSON 打印智能体
help-agents-show-name = 智能体的名称
help-agents-test-about = 测试智能体：请它的模型回答一个词，可能花费少量 token
help-agents-test-config = 同时使用此会议文件中的供应商
help-agents-test-json = 以 JSON 打印结果
help-agents-test-name = 智能体的名称
help-agents-update-about = 修改智能体；未给出的设置不变
help-agents-update-agent = 智能体现在的名称
help-agents-update-api_key_env = 从这个环境变量读取供应商的密钥，并加密存储
help-agents-update-api_key_stdin = 从标准输入读取供应商的密钥，并加密存储
help-agents-update-base_url = 供应商 API 的基础 URL，例如 https://api.example.com/v1
help-agents-update-description = 角色说明，1-2000 字；@文件 表示从文件读取
help-agents-update-effort = 思考强度：none、low、medium 或 high；default 表示使用供应商的默认值
help-agents-update-fallback = 备用模型，写作 供应商/名称；none 表示不设
help-agents-update-json = 以 JSON 打印这个智能体
help-agents-update-max_tokens = 单次回答最多多少 token；default 表示不限制
help-agents-update-model = 模型，写作 供应商/名称；或代替它回答的程序：process/进程名、acp/智能体名
help-agents-update-name = 新的名称，1-50 字
help-agents-update-prompt = 附加指令，最多 2000 字；@文件 表示从文件读取
help-agents-update-role = 角色名称，1-50 字
help-agents-update-temperament = 使用模拟智能体，并指定性情
help-agents-update-temperature = 采样温度，0-2；default 表示使用供应商的默认值
help-agents-update-top_p = 核采样阈值（top-p），0-1；default 表示使用供应商的默认值
help-api-about = 向服务发送请求，用于没有专门命令的操作
help-api-after =
    用于没有专门命令的操作：模板、登录会话、设置、会议的议程和参会者。请求发往持有数据库的服务，或 --server 指定的服务。docs/openapi.json 和运行中服务的 /api/v1/docs 说明每条路径。

    例如：
      quorate api GET /templates
      quorate api POST /meetings/编号/agenda --data '{"{"}"title": "成本"{"}"}'
      quorate api POST '/meetings/编号/files?name=costs.csv' --file costs.csv
help-api-data = JSON 请求体；@文件 表示从文件读取，@- 表示从标准输入读取
help-api-file = 把此文件的内容作为请求体发送，用于上传文件
help-api-header = 请求头，例如 'If-Match: "3"'；可写多次
help-api-method = HTTP 方法
help-api-out = 把响应写入此文件，而不是标准输出
help-api-path = /api/v1 之后的路径和查询参数：'/meetings?limit=5'
help-api-server = 使用此地址的服务器，访问令牌取自 QUORATE_TOKEN
help-audit-about = 显示审计日志：谁在何时、从哪里做了什么
help-audit-action = 只显示此操作，例如 meetings.delete；前缀以点结尾，例如 sign_in. 表示所有登录操作
help-audit-cursor = 上一页末尾打印的游标
help-audit-json = 每行打印一条记录（JSON）
help-audit-limit = 最多显示多少条
help-audit-meeting = 只显示此会议的记录，写完整编号
help-audit-by = 只显示此人的记录，例如 user:owner
help-backup-about = 备份数据库和上传的文件，会议进行时也可以
help-backup-after = 备份时会议照常进行。副本完整并通过校验后才以指定的名称出现；上传的文件存放在旁边的 目标.files 中。不写 --with-key 时，副本中的供应商密钥只能用本数据库的密钥文件解密：请另行保管密钥文件；或使用 --with-key，并像保管密钥一样保管副本。
help-backup-json = 以 JSON 打印结果
help-backup-to = 副本的路径，必须尚不存在
help-backup-with_key = 同时复制密钥文件，它能解密供应商的密钥
help-backup-server = 使用此地址的服务器，访问令牌取自 QUORATE_TOKEN
help-completions-about = 打印 shell 补全脚本
help-completions-after = 例：quorate completions bash > ~/.local/share/bash-completion/completions/quorate
help-completions-shell = shell 的名称
help-db = 数据库：文件，或 postgres://用户:密码@主机/名称 [默认：你的数据目录中的文件]
help-delete-about = 删除会议及其全部内容
help-delete-id = 会议编号、编号的开头，或 last
help-delete-json = 以 JSON 打印结果；需要 --yes
help-delete-yes = 不先询问
help-doctor-about = 检查配置和连接，并说明如何解决问题
help-doctor-config = 同时检查此会议文件中的供应商
help-doctor-json = 以 JSON 打印检查结果
help-doctor-probe = 同时请每个模型回答一个词，可能花费少量 token
help-doctor-server = 使用此地址的服务器，访问令牌取自 QUORATE_TOKEN
help-end-about = 结束会议，并给出目前最好的结论
help-end-after =
    协调员先写结论，因此会议稍后才结束。没有进程运行这场会议时，由本命令结束它。

    例：quorate end last "预算另行决定"
help-end-config = 开始会议时使用的会议文件；供应商在其中配置时需要
help-end-id = 会议编号、编号的开头，或 last
help-end-note = 原因，会写入记录
help-export-about = 把会议导出为 Markdown、网页、PDF、JSON 或日志，或导出为 JSON 文件夹
help-export-font = 用于 pdf：中文所用的字体文件；不写则用本机最合适的字体
help-export-format = md：Markdown；html：单个网页，可回放会议并自行校验，无需联网；pdf；json：供程序使用，含报告和全部事件；jsonl：逐行的日志，与存储内容一致；files：供其他程序和 quorate import 读取的文件夹。除 Markdown 和 PDF 外都带签名（见 docs/export.md）。也可以是导出程序的名称，即配置文件中的 [exporters.NAME]（见 docs/plugins.md）
help-export-id = 会议编号、编号的开头，或 last
help-export-lang = 标题、标签和说明的语言 [默认：会议的语言]；发言内容不翻译
help-export-out = 输出文件；不写则打印到标准输出。使用 files 时为文件夹
help-export-salvage = 会议损坏时，导出损坏之前的内容
help-export-time_zone = 配合 md、html 和 pdf：以此时区显示时间，例如 Asia/Shanghai [默认：会议的时区，否则为本机时区]
help-export-with_marks = 用于 html、pdf 和 files：包含隐藏评分、私有记忆和模型的思考过程
help-fork-about = 分叉会议：从较早的事件开始一场新会议
help-fork-at = 沿用到哪个事件为止 [默认：最后一个可以继续的事件]
help-fork-budget_cost = 费用预算，包括原会议已花的费用，货币与价格表一致
help-fork-budget_minutes = 时间预算（分钟），包括原会议已用的时间
help-fork-budget_tokens = token 预算，包括原会议已用的 token
help-fork-id = 会议编号、编号的开头，或 last
help-fork-json = 以 JSON 打印新会议的编号
help-fork-rounds = 最多讨论多少轮
help-fork-title = 新会议的标题 [默认：原标题加后缀]
help-import-about = 从 JSON 文件夹或单个文件导入会议
help-import-after = 每次导入都会创建新会议，即使文件以前导入过。未结束的会议导入后处于暂停状态，用 quorate resume 继续。不会读取文件中的密钥。
help-import-agents = 同时导入 agents/ 中的智能体；已有的名称会跳过
help-import-json = 每行打印一场新会议（JSON）
help-import-path = 含 agents/ 与 meetings/ 的文件夹，或含 rooms.json 与 room_messages/ 的文件夹；也可以是一场会议的文件
help-import-server = 使用此地址的服务器，访问令牌取自 QUORATE_TOKEN
help-join-about = 在服务器运行的会议中入席，并在本终端作答
help-join-after =
    轮到你时，终端会提示。此时输入的内容就是回答：/turn 再次显示任务，/skip 在允许时跳过，/undo 撤回最后一行；行末写 \ 则在下一行继续。Ctrl-C 离开，席位保留，会议继续进行。

    使用 --json 时，每次发言机会是标准输出上的一行（{"{"}"type":"turn",…{"}"}），回答是标准输入上的一行：{"{"}"ticket":"…","text":"…"{"}"}、{"{"}"ticket":"…","fields":{"{"}…{"}"}{"}"} 或 {"{"}"ticket":"…","skip":true{"}"}。

    例：QUORATE_TOKEN=… quorate join last --role 架构师 --server https://quorate.example
help-join-events_after = 与 --json 一起用：先打印此序号之后的事件，脚本就不会有缺口
help-join-id = 会议编号、编号的开头，或 last
help-join-json = 改为在标准输出上逐行打印事件和发言机会（JSON），并逐行读取 JSON 回答
help-join-leave = 改为放弃席位，说过的话会保留
help-join-name = 你在会议中的名称 [默认：账户名]
help-join-role = 你的角色，几个字即可
help-join-server = 使用此地址的服务器，访问令牌取自 QUORATE_TOKEN
help-links-about = 创建、列出和撤销会议结果的只读链接
help-links-add-about = 为已结束会议的结果创建只读链接；只显示一次
help-links-add-days = 有效天数，1-3650 [默认：撤销前一直有效]
help-links-add-json = 以 JSON 打印链接
help-links-add-meeting = 会议：编号、编号的开头，或 last
help-links-after = 持有链接的人无需登录即可查看结果：结论、不同意见、表决及理由、行动和交付物；看不到发言，也看不到真人参会者是谁。
help-links-list-about = 列出会议结果的链接，以及各自的查看次数
help-links-list-json = 每行打印一个链接（JSON）
help-links-list-meeting = 会议：编号、编号的开头，或 last
help-links-remove-about = 撤销会议结果的链接
help-links-remove-id = 链接的编号，见列表
help-links-remove-json = 以 JSON 打印结果
help-links-remove-meeting = 会议：编号、编号的开头，或 last
help-list-about = 列出会议
help-list-json = 每行打印一场会议（JSON）
help-list-limit = 最多列出多少场
help-list-tag = 只列出带有此标签的会议
help-man-about = 打印手册页，或把所有手册页写入一个文件夹
help-man-after =
    例：quorate man | man -l -
    　　quorate man --out ~/.local/share/man/man1
help-man-command = 打印哪个命令的手册页；不写则是 quorate 的
help-man-out = 写入所有手册页的文件夹
help-mcp-about = 让编辑器或编程智能体参会：通过标准输入输出提供 MCP
help-mcp-server = 使用此地址的服务器，访问令牌取自 QUORATE_TOKEN
help-minutes-about = 查看、比较或编辑一场会议的纪要
help-minutes-diff = 显示从 A 版到 B 版的变化
help-minutes-edit = 写一个新版本：来自文件；- 表示标准输入；都不写则打开 $EDITOR
help-minutes-id = 会议编号、编号的开头，或 last
help-minutes-json = 以 JSON 打印纪要
help-minutes-version = 版本 [默认：最新一版]
help-attach-about = 把文件或文件夹添加到会议，供参会者阅读和引用
help-attach-after =
    参会者从下一次发言起读到各文件开头的文字；自行连接的智能体还可以读取其余部分。引用写成 [f1#12-20]。

    文件夹中由 .gitignore 或 .ignore 排除的文件和隐藏文件会跳过。存有密钥或密码的文件不会添加。一次最多 500 个文件，每个不超过 20 MiB。

    例：quorate attach last costs.csv docs/
help-attach-id = 会议编号、编号的开头，或 last
help-attach-json = 以 JSON 打印每个添加的文件
help-attach-paths = 文件和文件夹
help-pause-about = 暂停在另一个终端或服务中进行的会议
help-pause-after =
    当前发言人说完后会议暂停。终端保持打开，可在其中用 /resume 继续，或使用 quorate resume。

    例：quorate pause last
help-pause-at_once = 立即暂停，不等当前发言结束
help-pause-id = 会议编号、编号的开头，或 last
help-nodes-about = 列出节点：共享同一 PostgreSQL 数据库的进程
help-nodes-changes = 改为列出哪些会议换过节点，最新的在前
help-nodes-json = 以 JSON 打印列表
help-nodes-server = 使用此地址的服务器，访问令牌取自 QUORATE_TOKEN
help-prices-about = 列出模型价格，以及各价格的日期和来源
help-prices-filter = 只列出供应商或名称包含此文字的模型
help-prices-json = 以 JSON 打印价格
help-prices-server = 使用此地址的服务器，访问令牌取自 QUORATE_TOKEN
help-providers-about = 添加、列出、测试和删除模型供应商及其密钥
help-providers-add-about = 存储供应商：密钥、基础 URL 和设置；未给出的设置不变
help-providers-add-api_key_env = 从这个环境变量读取供应商的密钥，并加密存储
help-providers-add-api_key_stdin = 从标准输入读取供应商的密钥，并加密存储
help-providers-add-base_url = 供应商 API 的基础 URL，例如 https://api.example.com/v1
help-providers-add-concurrency = 最多同时进行多少次调用，1-1024
help-providers-add-header = 每个请求附加的请求头，写作 "名称: 值"；"名称:" 表示移除；可写多次
help-providers-add-json = 以 JSON 打印已存储的设置（不含密钥）
help-providers-add-provider = 供应商的名称，即 供应商/名称 的前半部分；厂商的名称自带地址和接口格式
help-providers-add-proxy = 请求使用的代理，none 表示不用 [默认：HTTPS_PROXY 的值]
help-providers-add-public_only = 拒绝本机和内网地址；=false 表示恢复默认
help-providers-add-requests_per_minute = 每分钟最多多少个请求
help-providers-add-retries = 确定未被处理的请求最多重试几次，0-10
help-providers-add-streaming = 是否使用流式输出：auto（直到发现某个模型的流式输出有问题）、on 或 off
help-providers-add-structured = 如何使回答符合 schema：auto、json_schema、json_object 或 none
help-providers-add-timeout = 时间限制（秒）：connect=、first-byte=、idle= 或 total=；可写多次
help-providers-add-tokens_per_minute = 每分钟最多多少 token
help-providers-add-vendor = API 的厂商（名称未指明时）：见 quorate providers list --presets
help-providers-add-wire = API 的接口格式，例如 openai；远程智能体用 a2a [默认：厂商的格式]
help-providers-after =
    密钥加密存储在数据库中，加密用的密钥文件位于数据库旁边，不应放入数据库的备份。OPENAI_API_KEY 等环境变量优先于已存储的密钥。

    例如：
      quorate providers add anthropic --api-key-stdin < key.txt
      quorate providers add lab --base-url http://localhost:8080/v1
      quorate providers test lab
help-providers-list-about = 列出可用的供应商及其来源；从不显示密钥
help-providers-list-json = 每行打印一个供应商（JSON）
help-providers-list-presets = 列出内置的厂商及其密钥的环境变量
help-providers-models-about = 列出供应商的模型
help-providers-models-filter = 只列出名称包含此文字的模型
help-providers-models-json = 每行打印一个模型（JSON）
help-providers-models-provider = 供应商的名称，即 供应商/名称 的前半部分
help-providers-remove-about = 删除供应商的已存设置和密钥
help-providers-remove-json = 以 JSON 打印结果
help-providers-remove-provider = 供应商的名称，即 供应商/名称 的前半部分
help-providers-rotate-about = 用新的密钥文件重新加密所有已存储的密钥
help-providers-rotate-json = 以 JSON 打印密钥已重新加密的供应商
help-providers-test-about = 测试供应商，会花费少量 token
help-providers-test-json = 以 JSON 打印结果
help-providers-test-model = 使用的模型 [默认：第一个合适的]
help-providers-test-provider = 供应商的名称，即 供应商/名称 的前半部分
help-read-pdf-about = 读出标准输入中一个 PDF 文件的文字，写到标准输出；由 quorate 自行启动
help-read-pdf-megabytes = 地址空间上限（MiB）
help-read-pdf-seconds = 时间上限（秒）
help-render-pdf-about = 把标准输入中的一场会议排版为 PDF，写到标准输出；由服务自行启动
help-render-pdf-megabytes = 地址空间上限（MiB）
help-render-pdf-seconds = 时间上限（秒）
help-rename-about = 重命名会议，结束后也可以
help-rename-id = 会议编号、编号的开头，或 last
help-rename-json = 以 JSON 打印结果
help-rename-title = 标题，最多 200 个字
help-replay-about = 根据日志回放会议，不调用模型
help-replay-id = 会议编号、编号的开头，或 last
help-replay-json = 逐字节打印会议进行时的事件
help-replay-speed = 保留会议中的停顿，并以此倍数加快 [默认：立即打印]
help-migrate-about = 把数据库迁移到 PostgreSQL 服务器，并比对两边
help-migrate-after = 原数据库保持不变；请先停止正在使用它的服务器。服务器上的数据库必须是空的。两边的校验和都会逐一核对，只有完全一致才会提交。之后用 --db 或 QUORATE_DB 指定它。密钥文件会复制到本机的数据目录；其他节点也需要它。
help-migrate-from = 要迁移的数据库：文件，或服务器上另一个数据库的地址
help-migrate-json = 以 JSON 打印结果
help-migrate-to = 空数据库的地址：postgres://用户:密码@主机/名称
help-restore-about = 从备份恢复数据库
help-restore-after = 替换之前先复制并校验备份。使用 --force 时，原有的数据库会以带日期的名称保留在旁边；要恢复它：quorate restore 该文件 --force
help-restore-force = 替换已有的数据库，原有的另存为其他名称
help-restore-from = quorate backup 写出的备份
help-restore-json = 以 JSON 打印结果
help-resume-about = 继续已暂停或中断的会议
help-resume-events_after = 与 --json 一起使用：先打印此序号之后的事件，使脚本不遗漏事件
help-resume-answer = 回答暂停时的问题，写作 键=值；@文件 表示从文件读取；可写多次
help-resume-config = 开始会议时使用的会议文件；供应商在其中配置时需要
help-resume-id = 会议编号、编号的开头，或 last
help-resume-json = 改为在标准输出上逐行打印已写入磁盘的事件（JSON）
help-resume-out = 把结果写入文件；.json 写 JSON，其他写 Markdown
help-resume-pace = 模拟参会者的发言速度，随会议保存 [默认：在终端中查看结果时为 live，否则为 instant；继续会议时不变]
help-resume-role = 你的角色，几个字即可
help-resume-seat = 你自己也入席，使用这个名称：在本终端轮流接受询问，并参加表决
help-resume-token = 所回答的那次暂停的恢复令牌；会议已因其他原因暂停时会被拒绝
help-resume-yes = 不提问，也不读取终端输入；会议的问题取默认值，编程智能体的请求一律拒绝
help-run-about = 就一个主题开会，在终端中实时进行
help-run-acp = 使用 Agent Client Protocol 的编程智能体的命令，与模型同样分配；它读取 --folder 中的文件
help-run-acp_env = --acp 的编程智能体可以读取的环境变量，例如 ANTHROPIC_API_KEY；写多次则有多个
help-run-after =
    会议进行时，输入一行文字即可发送消息。/pause 暂停，/end 结束，/next 名称 请某人发言，/help 列出全部命令。Ctrl-C 在当前发言结束后暂停，并打印恢复命令；再按一次立即停止，内容不会丢失。

    会议提问时，--yes 取默认值：

      问题              默认值
      轮前确认          不作修改
      缺少信息          视为未知
      团队或团队变动    同意
      主持人发言        请所有人就主题发言
      没有新内容        结束会议
      交付物未通过      由规则生成
      预算用尽          结束会议

    没有 --yes 且不在终端中时，会议会在此暂停（退出码 3），并打印回答的方法。

    没有密钥也没有可用的服务时，参会者由程序模拟。要使用真实模型：设置 OPENAI_API_KEY 等密钥（quorate providers list --presets 列出全部），或用 OPENAI_BASE_URL 指向兼容的服务，或启动 Ollama，或存储供应商：quorate providers add。
help-run-agenda = 一项议题，写作 标题 或 "标题：说明"；可写多次
help-run-agent = 添加库中的智能体；可写多次，按席位顺序
help-run-agents_only = 只有智能体和主持人发言，其他人旁听
help-run-announce = 开始时发给所有参会者的公告，最多 2000 字
help-run-artifact = 结束时撰写并检查的交付物，代替该形式的默认交付物；可写多次 [默认：discussion 为 MINUTES；decision 为 ADR、TASKS 和 RISKS]
help-run-attach = 添加文件，或文件夹中的文件，供参会者阅读和引用；可写多次
help-run-background = 回答问题所需的背景；@文件 表示从文件读取
help-run-budget_cost = 整场会议的费用预算，货币与价格表一致
help-run-budget_minutes = 整场会议的时间预算（分钟）
help-run-budget_tokens = 整场会议的 token 预算（输入与输出合计）
help-run-config = 会议文件：主题、参会者、规则、供应商（见 docs/meeting-file.md）
help-run-description = 会议简介，一行，最多 200 字
help-run-estimate = 估算会议的调用次数、token 和费用，不开会；与 --json 一起使用时打印 JSON
help-run-fallback = 参会者自己的模型无法回答时使用的备用模型，写作 供应商/名称；智能体和会议文件中的设置优先，none 表示不设
help-run-folder = 允许参会者列出、阅读和检索这个文件夹中的文件；--acp 的编程智能体也在其中工作
help-run-format = 会议形式 [默认：consensus]
help-run-host = 主持人模式：主持人每发一条消息开始一轮，只有被 @ 的参会者发言。名称是担任主持人的参会者；不写则由你主持 [--yes：提及所有参会者]
help-run-json = 改为在标准输出上逐行打印已写入磁盘的事件（JSON）
help-run-lang = 会议的语言 [默认：主题的语言]
help-run-length = 参会者的发言长度，写作 名称=brief 简短、名称=moderate 适中、名称=detailed 详细；可写多次
help-run-model = 模型，写作 供应商/名称、process/进程名、acp/智能体名 或 a2a/远程智能体名；写多次则依次分配给参会者
help-run-moderator = 主持会议和议程的主持人，写名称 [默认：你]
help-run-no_facilitator = 不设协调员
help-run-off_record = 不留记录：会议只在内存中进行，命令结束后即消失
help-run-out = 把结果写入文件；.json 写 JSON，其他写 Markdown
help-run-pace = 模拟参会者的发言速度，随会议保存 [默认：在终端中查看结果时为 live，否则为 instant；继续会议时不变]
help-run-participants = 参会者人数（1-12），或用逗号分隔的名称 [默认：4；brainstorm 会组建团队]
help-run-password_stdin = 为会议设置密码：取标准输入的第一行；不写此参数时取 QUORATE_PASSWORD（如已设置）
help-run-provider_wait = 供应商无法连接时最多等待多少分钟；0 表示不等待 [默认：10]
help-run-role = 你的角色，几个字即可
help-run-rounds = 最多讨论多少轮 [默认：consensus 8，discussion 3，decision 5，room 直到结束，brainstorm 4]
help-run-seat = 你自己也入席，使用这个名称：在本终端轮流接受询问，并参加表决
help-run-seed = 随机顺序和模拟参会者的种子
help-run-set = 按路径设置任一规则，例如 turns.timeout_ms=1000 或 roster.approve=false；优先于形式和文件，但低于其他参数；可写多次（见 docs/meeting-file.md）
help-run-simulate = 即使有模型可用，也使用模拟参会者
help-run-style = 讨论风格：formal 正式，casual 轻松，debate 辩论 [默认：discussion 为正式，其他形式不设]
help-run-team = 按主题组建此人数的团队（1-16），不指定参会者 [默认：brainstorm 为 4]
help-run-threshold = 表决通过所需的平均分，0-100 [默认：80]
help-run-time_zone = 页面和导出显示会议时间所用的时区，例如 Asia/Shanghai [默认：读者自己的时区]
help-run-title = 会议标题，最多 200 字 [默认：主题]
help-run-topic = 要讨论的问题，最多 200 字
help-run-yes = 不提问，也不读取终端输入；会议的问题取默认值，编程智能体的请求一律拒绝
help-say-about = 向会议发送消息或一条命令，而不继续会议
help-say-after =
    请求的事项（纪要、交付物、新参会者）会在命令结束前完成；会议本身保持暂停。

    例如：quorate say last "数据有 40 GB" "/remove 林晚" "/minutes"
help-say-config = 开始会议时使用的会议文件；供应商在其中配置时需要
help-say-id = 会议编号、编号的开头，或 last
help-say-json = 改为在标准输出上逐行打印已写入磁盘的事件（JSON）
help-say-lines = 消息，或会议中的命令，例如 "/minutes"；/help 列出全部命令
help-search-about = 搜索所有会议或某一场会议的消息和记录
help-search-after =
    所有词都必须出现。短语要加内层引号：'"two writers"'。三个字母以上的词也能找到以它开头的词。模型的思考过程、评分和私有记忆不会被搜索。有密码的会议只在 --meeting 指定时搜索。

    例如：quorate search 收敛 --participant Ada --since 2026-01-01
help-search-json = 每行打印一条结果（JSON）
help-search-kind = 只搜索此类内容；可写多次：message 发言，minutes 纪要，artifact 交付物，conclusion 结论，topic 主题
help-search-limit = 最多列出多少条
help-search-meeting = 只搜索此会议：会议编号、编号的开头，或 last
help-search-participant = 只搜索此发言人或作者的内容
help-search-since = 只搜索此日（2026-01-31）或此刻（2026-01-31T09:30:00Z）以来的内容
help-search-until = 只搜索此日结束之前或此刻之前的内容
help-search-words = 要搜索的词，语言不限
help-serve-about = 通过 HTTP 提供服务：REST、实时事件、API 文档
help-serve-after =
    没有账户时，服务只接受带本地令牌的请求：打开启动时打印的地址，或设置 QUORATE_TOKEN（至少 16 个字符）并发送 authorization: Bearer 本地令牌。要供他人使用，先创建账户（quorate accounts add 名称），再设置 --host；见 docs/access.md。

    命令行参数优先于环境变量，环境变量优先于配置文件的 [server]，最后是默认值。
help-serve-allow_host = 没有账户时，请求可以使用的其他主机名；可写多次
help-serve-allow_origin = 允许从浏览器使用本服务的页面来源；可写多次
help-serve-backup_every = 两次备份之间的时间，例如 24h、30m 或 1d [默认：24h]
help-serve-backup_folder = 服务运行时，定时备份到此文件夹
help-serve-backup_keep = 保留最新的多少份备份 [默认：7]
help-serve-host = 监听的地址 [默认：127.0.0.1]
help-serve-log = 日志级别：debug、info、warning、error、critical，或按组件：quorate_runners=debug,warning [默认：info]
help-serve-log_format = 日志格式 [默认：text]
help-serve-nats = NATS 服务器，同一数据库的各节点通过它获知彼此的会议：nats://主机:4222；不指定时各节点通过 HTTP 互相询问
help-serve-nats_credentials = NATS 服务器的凭据文件
help-serve-no_token = 不要求本地令牌，接受本机所有程序的请求；供自己机器上的脚本使用
help-serve-open = 在浏览器中打开页面
help-serve-pace = 新会议未指定时，模拟参会者的发言速度，随会议保存 [默认：live]
help-serve-port = 端口；0 表示任选空闲端口 [默认：7420]
help-serve-node_url = 同一数据库的其他节点访问本节点的地址 [默认：监听地址]
help-serve-public_url = 本服务的公开 URL（与监听地址不同时）：https://meet.example.org
help-serve-telemetry_url = 接收 OpenTelemetry span 的收集器，例如 http://localhost:4318
help-serve-tls_cert = 证书链的 PEM 文件；需要 --tls-key
help-serve-tls_key = 证书私钥的 PEM 文件
help-serve-trust_proxy = 可信的代理：地址或网段；可写多次
help-show-about = 显示会议的状态或结果
help-show-diagnostics = 以 JSON 输出诊断报告：日志的结构和版本，不含任何内容
help-show-health = 显示共识质量：依据、未解决的异议、立场变化、未回应的论点
help-show-id = 会议编号、编号的开头，或 last
help-show-json = 以 JSON 打印报告
help-show-lang = 标题、标签和说明的语言 [默认：会议的语言]；发言内容不翻译
help-show-marks = 显示参会者的隐藏评分
help-show-salvage = 会议损坏时，显示损坏之前的状态
help-tag-about = 查看或设置会议的标签
help-tag-after = 不写标签则打印会议的标签。
help-tag-clear = 去掉所有标签
help-tag-id = 会议编号、编号的开头，或 last
help-tag-json = 以 JSON 打印标签
help-tag-tags = 标签，取代原有的标签：最多 10 个，每个最多 40 个字
help-tokens-about = 为使用服务的程序创建、列出和撤销访问令牌
help-tokens-add-about = 为程序创建访问令牌；只显示一次
help-tokens-add-agent = 使用此访问令牌回答发言机会的智能体，写席位上的名称 [默认：无]
help-tokens-add-by = 访问令牌所代表的账户 [默认：所有者]
help-tokens-add-days = 有效天数，1-3650 [默认：不限]
help-tokens-add-json = 以 JSON 打印访问令牌
help-tokens-add-meeting = 只限一场会议：会议编号、编号的开头，或 last [默认：全部]
help-tokens-add-name = 用途，1-100 个字
help-tokens-add-scope = 权限：read 查看，speak 发言，manage 管理会议，owner 全部
help-tokens-after = 程序在请求头中发送访问令牌：authorization: Bearer 访问令牌。
help-tokens-list-about = 列出访问令牌，不含密文
help-tokens-list-json = 每行打印一个访问令牌（JSON）
help-tokens-remove-about = 撤销访问令牌
help-tokens-remove-id = 访问令牌的编号，见列表
help-tokens-remove-json = 以 JSON 打印结果
help-url-about = 打印打开运行中服务页面的地址（含本地令牌）
help-url-after = 服务运行时，修改数据的命令由它执行：run、resume、say、fork、delete、agents、providers、accounts、tokens。服务把地址和本地令牌存放在数据库旁边一个只有你能读取的文件中。
help-url-json = 以 JSON 打印进程、地址、页面和本地令牌
help-url-open = 在浏览器中打开页面
help-value-account = 账户
help-value-action = 操作
help-value-address = 地址
help-value-address-cidr = 地址|网段
help-value-agent = 智能体
help-value-amount = 金额
help-value-bool = 是否
help-value-command = 命令
help-value-count = 数量
help-value-cursor = 游标
help-value-database = 数据库
help-value-date = 日期
help-value-days = 天数
help-value-effort = 强度
help-value-factor = 倍数
help-value-file = 文件
help-value-filter = 筛选
help-value-folder = 文件夹
help-value-format = 形式
help-value-from = 来源
help-value-header = 头部
help-value-host = 主机名
help-value-json = JSON
help-value-key = 密钥
help-value-key-value = 键=值
help-value-kind = 类型
help-value-kind-seconds = 类型=秒数
help-value-lang = 语言
help-value-levels = 级别
help-value-line = 内容
help-value-log-format = 格式
help-value-meeting = 会议
help-value-method = 方法
help-value-minutes = 分钟
help-value-mode = 方式
help-value-n-names = 人数|名称
help-value-name = 名称
help-value-name-length = 名称=长度
help-value-name-value = 名称: 值
help-value-note = 说明
help-value-pace = 速度
help-value-path = 路径
help-value-port = 端口
help-value-preset = 厂商
help-value-provider = 供应商
help-value-provider-name = 供应商/名称
help-value-provider-name-none = 供应商/名称|none
help-value-role = 角色
help-value-scope = 权限
help-value-score = 分数
help-value-seq = 序号
help-value-share = 比例
help-value-style = 风格
help-value-tag = 标签
help-value-tags = 标签,标签
help-value-text = 文字
help-value-time = 时间
help-value-title = 标题
help-value-to = 目标
help-value-token = 恢复令牌
help-value-topic = 主题
help-value-variable = 变量名
help-value-principal = 主体
help-value-words = 词
help-value-zone = 时区
help-verify-about = 校验数据库或导出文件是否被改动
help-verify-after =
    文件 是 json、jsonl 或 html 导出文件，或 files 导出的文件夹。校验时将每个事件与其校验和比对，再将校验和与签名比对。结果用密钥编号说明由哪个安装签名；--key 指定应有的密钥。不写 文件 则校验数据库。

    例：quorate verify meeting.jsonl --key 3f0c2a4be1d95c7786aa01d2b43c9e5f
help-verify-file = 校验此导出文件，而不是数据库
help-verify-json = 以 JSON 打印检查结果
help-verify-key = 与 文件 一起使用：必须用于签名的密钥，写密钥编号或公钥
help-verify-server = 使用此地址的服务器，访问令牌取自 QUORATE_TOKEN
help-whatif-about = 根据日志按其他规则重新判定会议，不调用模型
help-whatif-after =
    不写改动时，显示哪些阈值、哪些人的票决定了结局。

    例如：quorate whatif last --threshold 70 --without 林晚
help-whatif-id = 会议编号、编号的开头，或 last
help-whatif-json = 以 JSON 打印结果
help-whatif-min_score = 试算的每票最低分，0-100
help-whatif-mode = 试算适用的条款：average 平均分，pass_ratio 赞成比例，both 两者，unanimous 全体投票且全部赞成
help-whatif-pass_ratio = 试算须赞成的票数比例，0.0-1.0
help-whatif-quorum = 试算须投票的参会者比例，0.0-1.0
help-whatif-threshold = 试算通过所需的平均分，0-100
help-whatif-without = 不计此参会者的票，写名称；可写多次
help-run-tools = 允许参会者调用以此名称配置的工具，`web-search` 为联网搜索；`名称=甲,乙` 只给其中几位；可写多次
