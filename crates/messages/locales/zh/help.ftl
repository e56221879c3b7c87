### 命令行的帮助：help-命令-参数。

help-about = 让多个 AI 模型一起议事：多位参会者、写明的规则、可追溯的结论
help-accounts-about = 添加、列出和删除可以登录服务的账户
help-accounts-add-about = 新建账户；密码要输入两次
help-accounts-add-json = 以 JSON 打印账户
help-accounts-add-name = 名字，1-50 个字
help-accounts-add-password_stdin = 密码取标准输入的第一行
help-accounts-add-scope = 可以做什么：read 看，speak 发言，manage 管理会议，owner 一切 [默认：第一个账户为 owner，其他为 speak]
help-accounts-after = 没有账户时，服务只应答本机，无需登录。第一个账户是所有者；从此所有人都要登录。服务运行时，请用它的接口：/api/v1/accounts。
help-accounts-list-about = 列出账户
help-accounts-list-json = 每行打印一个账户（JSON）
help-accounts-password-about = 给账户更换密码；它的所有登录随即结束
help-accounts-password-json = 以 JSON 打印结果
help-accounts-password-name = 账户
help-accounts-password-password_stdin = 密码取标准输入的第一行
help-accounts-remove-about = 删除账户，连同它的登录和令牌
help-accounts-remove-json = 以 JSON 打印结果
help-accounts-remove-name = 账户
help-after =
    从这里开始：quorate run "我们的服务该用 SQLite 还是 PostgreSQL？"

    退出码：0 会议已结束（或命令已完成），1 失败，2 命令行有误，3 会议已暂停，4 会议已结束但多数席位调用失败，130 立即停止。
help-agents-about = 把智能体描述一次，请到多场会议入席
help-agents-after =
    请他们入席：quorate run "主题" --agent Ada --agent Ben

    会议沿用智能体入席那一刻的样子；此后智能体怎么变，都不改变任何会议。
help-agents-create-about = 让一个智能体入库
help-agents-create-api_key_env = 现在就从这个环境变量取得供应商的密钥，并加密存放
help-agents-create-api_key_stdin = 从标准输入读取供应商的密钥，并加密存放
help-agents-create-base_url = 供应商 API 的起点，例如 https://api.example.com/v1
help-agents-create-description = 看什么、怎么看，1-2000 字；@文件 表示从文件读取
help-agents-create-effort = 作答前思考多少：none、low、medium 或 high；default 表示用供应商的默认值
help-agents-create-fallback = 自己的模型没有作答时由谁代答，写作 供应商/名称；none 表示不设
help-agents-create-json = 以 JSON 打印这个智能体
help-agents-create-max_tokens = 一次回答最多多少令牌；default 表示不限定
help-agents-create-model = 模型，写作 供应商/名称
help-agents-create-name = 名字，1-50 字
help-agents-create-prompt = 进一步的指令，最多 2000 字；@文件 表示从文件读取
help-agents-create-role = 一两个词的角色名，1-50 字
help-agents-create-temperament = 改由程序模拟，用这种性情
help-agents-create-temperature = 模型选词的自由程度，0-2；default 表示用供应商的默认值
help-agents-create-top_p = 从多大比例的候选词里选，0-1；default 表示用供应商的默认值
help-agents-delete-about = 让一个智能体出库；其参加过的会议保持原样
help-agents-delete-json = 以 JSON 打印
help-agents-delete-name = 智能体的名字
help-agents-list-about = 列出智能体
help-agents-list-json = 每行一个智能体，以 JSON 打印
help-agents-show-about = 显示一个智能体，以及由谁替其作答
help-agents-show-json = 以 JSON 打印
help-agents-show-name = 智能体的名字
help-agents-test-about = 请智能体的模型回答一个词（可能花费少量令牌）
help-agents-test-config = 同时使用这个会议文件里的供应商
help-agents-test-json = 以 JSON 打印结果
help-agents-test-name = 智能体的名字
help-agents-update-about = 只改给出的部分，其余不变
help-agents-update-agent = 智能体现在的名字
help-agents-update-api_key_env = 现在就从这个环境变量取得供应商的密钥，并加密存放
help-agents-update-api_key_stdin = 从标准输入读取供应商的密钥，并加密存放
help-agents-update-base_url = 供应商 API 的起点，例如 https://api.example.com/v1
help-agents-update-description = 看什么、怎么看，1-2000 字；@文件 表示从文件读取
help-agents-update-effort = 作答前思考多少：none、low、medium 或 high；default 表示用供应商的默认值
help-agents-update-fallback = 自己的模型没有作答时由谁代答，写作 供应商/名称；none 表示不设
help-agents-update-json = 以 JSON 打印这个智能体
help-agents-update-max_tokens = 一次回答最多多少令牌；default 表示不限定
help-agents-update-model = 模型，写作 供应商/名称
help-agents-update-name = 此后的名字，1-50 字
help-agents-update-prompt = 进一步的指令，最多 2000 字；@文件 表示从文件读取
help-agents-update-role = 一两个词的角色名，1-50 字
help-agents-update-temperament = 改由程序模拟，用这种性情
help-agents-update-temperature = 模型选词的自由程度，0-2；default 表示用供应商的默认值
help-agents-update-top_p = 从多大比例的候选词里选，0-1；default 表示用供应商的默认值
help-api-about = 向服务发一个请求，用于没有专门命令的事情
help-api-after =
    接口能做的事，在这里不用写程序也能做：模板、上传、登录会话、设置、会议的议程和参会者。询问的是持有数据库的服务，或 --server 指定的服务。docs/openapi.json 或运行中服务的 /api/v1/docs 说明每条路径。

    例如：
      quorate api GET /templates
      quorate api POST /meetings/编号/agenda --data '{"{"}"title": "成本"{"}"}'
      quorate api POST '/meetings/编号/uploads?name=costs.csv' --file costs.csv
help-api-data = JSON 正文；@文件 表示从文件读取，@- 表示从标准输入读取
help-api-file = 把这个文件的内容作为正文发送，上传文件时使用
help-api-header = 请求的一个头部，例如 'If-Match: "3"'；可以写多次
help-api-method = 做什么
help-api-out = 把答复写到这个文件，而不是标准输出
help-api-path = /api/v1 之后的路径和查询：'/meetings?limit=5'
help-audit-about = 列出谁在服务上做了什么、何时、从哪里
help-audit-action = 只看某种操作，例如 meetings.delete；以点结尾则指所有这样开头的：sign_in.
help-audit-cursor = 接着上一页往下看：填上一页末尾给出的值
help-audit-json = 每行打印一条（JSON）
help-audit-limit = 最多几条
help-audit-meeting = 只看某场会议，写完整编号
help-audit-who = 只看某人做的，例如 user:owner
help-backup-about = 复制数据库和上传的文件，会议进行时也可以
help-backup-after = 会议进行时也可以使用。副本会被检查，完整之后才得到它的名字；上传的文件放在旁边的 TO.files 里。不写 --with-key 时，副本里供应商的密钥只能用本数据库的密钥文件打开：请把它另外保管；或者写上 --with-key，并像保管密钥一样保管副本。
help-backup-json = 以 JSON 打印复制了什么
help-backup-to = 副本放在哪里；那里必须还没有东西
help-backup-with_key = 也复制密钥文件（它能打开供应商的密钥）
help-completions-about = 打印让命令行补全本程序命令的脚本
help-completions-after = 例：quorate completions bash > ~/.local/share/bash-completion/completions/quorate
help-completions-shell = 哪一种命令行
help-db = 数据库文件；默认放在你的数据目录里
help-delete-about = 删除一场会议和其中的全部发言
help-delete-id = 会议编号、编号的开头，或 last
help-delete-json = 以 JSON 打印删除了什么；需要 --yes
help-delete-yes = 不先询问
help-doctor-about = 说明配置了什么、连得上什么、哪里有问题、怎么修
help-doctor-config = 同时检查这个会议文件里的供应商
help-doctor-json = 以 JSON 打印检查结果
help-doctor-probe = 另外请每个模型回答一个词（可能花费少量令牌）
help-end-about = 结束会议，取目前最好的结论
help-end-after =
    收敛器还要写结论，所以会议稍后才结束。没有在任何地方进行的会议由本命令结束。

    例：quorate end last "预算另行决定"
help-end-config = 会议开始时用的会议文件（供应商写在里面时需要）
help-end-id = 会议编号、编号的开头，或 last
help-end-note = 原因，写入记录
help-export-about = 把会议导出为 Markdown、网页、PDF、JSON 或日志，或导出为 JSON 文件夹
help-export-font = 用于 pdf：中文所用的字体文件；不写则用本机最合适的字体
help-export-format = md 给人看；html 是单个网页，可回放会议并自行核验，不联网；pdf 供打印；json 含报告与全部事件，给程序用；jsonl 是逐行的日志，与存储的一致；files 写成文件夹，供其他程序和 quorate import 读取。除 Markdown 和 PDF 外都带签名（见 docs/export.md）
help-export-id = 会议编号、编号的开头，或 last
help-export-lang = 标题、标签和说明所用的语言[默认为会议的语言]；发言内容保持原样
help-export-out = 写到哪里；不写则打印到标准输出。与 files 一起用时是文件夹
help-export-salvage = 会议损坏时，写出损坏之前的内容
help-export-with_marks = 用于 html、pdf 和 files：附上隐藏评分、私有记忆和模型的思考过程
help-fork-about = 从一场会议过去的某一点开始一场新会议
help-fork-at = 新会议沿用到第几个事件为止 [默认：最后一个还能继续的事件]
help-fork-budget_cost = 整场会议最多花多少钱，包括原会议已花的，货币与价格表一致
help-fork-budget_minutes = 整场会议最多用多少分钟，包括原会议已用的
help-fork-budget_tokens = 整场会议最多用多少令牌，包括原会议已用的
help-fork-id = 会议编号、编号的开头，或 last
help-fork-json = 以 JSON 打印新会议的编号
help-fork-rounds = 最多讨论到第几轮
help-fork-title = 新会议的名称 [默认：原会议名称加标记]
help-import-about = 从 JSON 文件夹或单个文件导入会议
help-import-after = 每次导入都生成新的会议，同样的文件也不例外。没有结束的会议先暂停，用 quorate resume 继续。文件里的密钥不会读入。
help-import-agents = 同时把 agents/ 里的智能体收入智能体库；名字已被占用的跳过
help-import-json = 每行打印一场新会议（JSON）
help-import-path = 含 agents/ 与 meetings/ 的文件夹，或含 rooms.json 与 room_messages/ 的文件夹；也可以是一场会议的文件
help-join-about = 在服务器运行的会议中入席，并在本终端作答
help-join-after =
    轮到你时，终端会提示。此时输入的内容就是回答：/turn 再次显示任务，/skip 在允许时跳过，/undo 撤回最后一行；行末写 \ 则在下一行继续。Ctrl-C 离开，席位保留，会议继续进行。

    使用 --json 时，每次发言机会是标准输出上的一行（{"{"}"type":"turn",…{"}"}），回答是标准输入上的一行：{"{"}"ticket":"…","text":"…"{"}"}、{"{"}"ticket":"…","fields":{"{"}…{"}"}{"}"} 或 {"{"}"ticket":"…","skip":true{"}"}。

    例：QUORATE_TOKEN=… quorate join last --role 架构师 --server https://quorate.example
help-join-events_after = 与 --json 一起用：先打印此序号之后的事件，脚本就不会有缺口
help-join-id = 会议编号、编号的开头，或 last
help-join-json = 改为在标准输出上逐行打印事件和发言机会（JSON），并逐行读取 JSON 回答
help-join-leave = 改为放弃席位，说过的话会保留
help-join-name = 你在会议中的名字 [默认：账户名]
help-join-role = 你的角色，几个字即可
help-list-about = 列出会议
help-list-json = 每行一场会议，以 JSON 打印
help-list-limit = 最多列出几场
help-man-about = 打印手册，或把所有手册页写到一个目录
help-man-after =
    例：quorate man | man -l -
    　　quorate man --out ~/.local/share/man/man1
help-man-command = 打印哪个命令的手册页；不写则是 quorate 的
help-man-out = 所有手册页写到哪个目录
help-mcp-about = 让编辑器或编码智能体参会：通过标准输入输出提供 MCP
help-minutes-about = 查看、比较或编辑一场会议的纪要
help-minutes-diff = 显示从 A 版到 B 版改了什么
help-minutes-edit = 写一个新版本：来自文件；- 表示标准输入；都不写则打开 $EDITOR
help-minutes-id = 会议编号、编号的开头，或 last
help-minutes-json = 以 JSON 打印
help-minutes-version = 第几版 [默认：最新一版]
help-pause-about = 暂停在另一个终端或服务里进行的会议
help-pause-after =
    正在发言的人可以说完。会议所在的终端不会退出；在那里，或用 quorate resume 继续。

    例：quorate pause last
help-pause-at_once = 不等正在发言的人
help-pause-id = 会议编号、编号的开头，或 last
help-prices-about = 列出各模型的价格，以及每个价格的日期和来源
help-prices-filter = 只列出供应商或模型名称里含有这些字的
help-prices-json = 以 JSON 打印价格
help-providers-about = 添加、列出、试用、移除模型供应商，并保管其密钥
help-providers-add-about = 存放一个供应商：密钥、地址、怎样请求；没有给出的保持不变
help-providers-add-api_key_env = 现在就从这个环境变量取得供应商的密钥，并加密存放
help-providers-add-api_key_stdin = 从标准输入读取供应商的密钥，并加密存放
help-providers-add-base_url = 供应商 API 的起点，例如 https://api.example.com/v1
help-providers-add-concurrency = 最多同时有几次调用，1-1024
help-providers-add-header = 每次请求另带的头，写作 "名字: 值"；"名字:" 表示去掉；可写多次
help-providers-add-json = 以 JSON 打印存放了什么（不含密钥）
help-providers-add-provider = 供应商的名字，即 供应商/名称 里的前一半；写预设的名字就有了地址和接口格式
help-providers-add-proxy = 请求经过的代理，或 none 表示不用 [默认：HTTPS_PROXY 所写的]
help-providers-add-public_only = 拒绝本机和内网的地址；=false 表示取消
help-providers-add-requests_per_minute = 每分钟最多多少次请求
help-providers-add-retries = 确定没有生效的请求最多重发几次，0-10
help-providers-add-streaming = 是否逐段取回答案：auto（直到发现某个模型的流有问题）、on 或 off
help-providers-add-structured = 怎样让回答符合形状：auto、json_schema、json_object 或 none
help-providers-add-timeout = 最多等多少秒：connect=、first-byte=、idle= 或 total=；可写多次
help-providers-add-tokens_per_minute = 每分钟最多多少令牌
help-providers-add-vendor = 是谁的 API（名字本身看不出时）：见 quorate providers list --presets
help-providers-add-wire = API 使用的接口格式，例如 openai [默认：预设的格式]
help-providers-after =
    密钥加密存放在数据库里，用旁边的密钥文件加密；备份数据库时不要带上它。OPENAI_API_KEY 这样的环境变量优先于存放的密钥。

    例如：
      quorate providers add anthropic --api-key-stdin < key.txt
      quorate providers add lab --base-url http://localhost:8080/v1
      quorate providers test lab
help-providers-list-about = 列出可用的供应商，以及各自来自哪里；从不显示密钥
help-providers-list-json = 每行一个供应商，以 JSON 打印
help-providers-list-presets = 列出认得名字的供应商，以及设了就能用的环境变量
help-providers-models-about = 列出一个供应商的模型
help-providers-models-filter = 只列出名字里含有它的模型
help-providers-models-json = 每行一个模型，以 JSON 打印
help-providers-models-provider = 供应商的名字，即 供应商/名称 里的前一半
help-providers-remove-about = 忘掉为供应商存放的内容
help-providers-remove-json = 以 JSON 打印忘掉了什么
help-providers-remove-provider = 供应商的名字，即 供应商/名称 里的前一半
help-providers-rotate-about = 用新的密钥文件重新加密所有密钥
help-providers-rotate-json = 以 JSON 打印重新加密了谁的密钥
help-providers-test-about = 试试一个供应商能做什么（花费少量令牌）
help-providers-test-json = 以 JSON 打印结果
help-providers-test-model = 请哪个模型回答 [默认：第一个合适的]
help-providers-test-provider = 供应商的名字，即 供应商/名称 里的前一半
help-render-pdf-about = 从标准输入读取一场会议，把排好的 PDF 写到标准输出；由服务自行启动
help-render-pdf-megabytes = 最多用多少地址空间（MiB）
help-render-pdf-seconds = 最多用多少秒
help-replay-about = 按日志重放一场会议，不调用任何模型
help-replay-id = 会议编号、编号的开头，或 last
help-replay-json = 按会议进行时的原样逐字节打印事件
help-replay-speed = 保留会议中的停顿，并加快这么多倍；不写则立即放完
help-restore-about = 用备份取代数据库
help-restore-after = 先复制并检查备份，然后才取代。写了 --force 时，原来的数据库会以带日期的名字留在旁边；要换回去：quorate restore 那个文件 --force
help-restore-force = 取代已有的数据库，并把它另存为别的名字
help-restore-from = quorate backup 写出的备份
help-restore-json = 以 JSON 打印恢复了什么
help-resume-about = 继续一场被暂停或被中断的会议
help-resume-after = 与 --json 一起用：先打印此序号之后的事件，脚本就不会有缺口
help-resume-answer = 回答暂停时的问题，写作 键=值；@文件 表示从文件读取；可写多次
help-resume-config = 会议开始时用的会议文件（供应商写在里面时需要）
help-resume-id = 会议编号、编号的开头，或 last
help-resume-json = 改为在标准输出上逐行打印已落盘的事件（JSON）
help-resume-out = 把结果写入文件；.json 写 JSON，其他写 Markdown
help-resume-pace = 模拟参会者发言的快慢；随会议保存 [默认：在终端里看结果时为 live，否则为 instant；继续会议时保持原样]
help-resume-role = 你的角色，几个字即可
help-resume-seat = 你自己也入席，使用这个名字：在本终端轮流接受询问，并参加表决
help-resume-token = 所回答的那次暂停的恢复令牌；会议若已因别的原因暂停则拒绝
help-resume-yes = 从不提问，也不读取终端输入；会议的问题取默认值
help-run-about = 就一个主题开会，在终端里实时进行
help-run-after =
    会议进行时，输入一行文字即可插话。/pause 暂停，/end 结束，/next 名字 请某人发言，/help 列出其余命令。Ctrl-C 在当前发言结束后暂停，并打印恢复命令；再按一次立即停止，什么都不会丢。

    会议会问什么，--yes 取什么默认值：轮次前的确认，什么都不改；缺少的信息，视为未知；成员安排，同意；主持人的话，请所有人就主题发言；没有新内容，结束会议；没有通过检查的文档，由规则生成；预算用尽，结束会议。没有 --yes 又不在终端里时，会议会在那里暂停（退出码 3），并说明怎样回答。

    没有密钥也没有可用的服务时，参会者由程序模拟。要使用真实模型：设置 OPENAI_API_KEY 这样的密钥（quorate providers list --presets 列出全部），或用 OPENAI_BASE_URL 指向任何兼容的服务，或启动 Ollama，或存放一个供应商：quorate providers add。
help-run-agenda = 一条议程，写作 标题 或 "标题：说明"；可写多次
help-run-agent = 请库里的智能体入席；写多次，按席位的顺序
help-run-agents_only = 人只旁听：只有智能体和主持人发言
help-run-announce = 一开始就要让所有人知道的事，最多 2000 字
help-run-artifact = 结束时要写并检查的文档，代替该形式自带的；可写多次 [默认：discussion 写 MINUTES；decision 写 ADR、TASKS 和 RISKS]
help-run-background = 回答问题需要知道的背景；@文件 表示从文件读取
help-run-budget_cost = 整场会议最多花多少钱，货币与价格表一致
help-run-budget_minutes = 整场会议最多用多少分钟
help-run-budget_tokens = 整场会议最多用多少令牌（读与写合计）
help-run-config = 会议文件：主题、参会者、规则、供应商（见 docs/meeting-file.md）
help-run-estimate = 只说明这场会议预计要用多少（调用、令牌、费用），不开会；与 --json 一起用则打印 JSON
help-run-fallback = 谁的模型没有作答，就由这个模型代答，写作 供应商/名称；智能体和会议文件里写的优先，none 表示不设
help-run-format = 会议形式 [默认：consensus]
help-run-host = 主持人模式：主持人发言后开始一轮，只有被 @ 的人发言。名字是担任主持人的参会者；不写则由你主持 [--yes 时点名所有人]
help-run-json = 改为在标准输出上逐行打印已落盘的事件（JSON）
help-run-lang = 会议语言 [默认：与主题相同]
help-run-length = 某人的发言长度，写作 名字=brief 简短、名字=moderate 适中、名字=detailed 详细；可写多次
help-run-model = 模型，写作 供应商/名称 或 process/进程名；写多次则轮流分给各参会者
help-run-moderator = 由谁主持会议、管理议程（写名字）[默认：你]
help-run-no_facilitator = 不设收敛器
help-run-off_record = 不在磁盘上留下任何内容：会议只在内存里进行，命令结束就不再存在
help-run-out = 把结果写入文件；.json 写 JSON，其他写 Markdown
help-run-pace = 模拟参会者发言的快慢；随会议保存 [默认：在终端里看结果时为 live，否则为 instant；继续会议时保持原样]
help-run-participants = 参会者人数（1-12），或用逗号分隔的名字 [默认：4；头脑风暴会自己组队]
help-run-password_stdin = 给会议加锁：密码是标准输入的第一行；不写此参数时取 QUORATE_PASSWORD（若已设置）
help-run-provider_wait = 连不上供应商时最多等多少分钟；0 表示不等 [默认：10]
help-run-role = 你的角色，几个字即可
help-run-rounds = 最多讨论几轮 [默认：consensus 8，discussion 3，decision 5，room 直到结束，brainstorm 4]
help-run-seat = 你自己也入席，使用这个名字：在本终端轮流接受询问，并参加表决
help-run-seed = 随机种子：决定随机顺序，也决定模拟参会者说什么
help-run-set = 按路径设定任一规则，例如 turns.timeout_ms=1000 或 roster.approve=false；盖过形式与文件，次于其他参数；可写多次（见 docs/meeting-file.md）
help-run-simulate = 即使有模型可用，也用模拟参会者
help-run-style = 所有人的发言风格：formal 正式，casual 轻松，debate 辩论 [默认：discussion 为正式，其他由各人自定]
help-run-team = 按主题组建一个这么多人的团队（1-16），不再点名参会者 [默认：brainstorm 为 4]
help-run-threshold = 平均分达到多少算通过，0-100 [默认：80]
help-run-topic = 要讨论的问题，最多 200 字
help-run-yes = 从不提问，也不读取终端输入；会议的问题取默认值
help-say-about = 对一场暂停的会议说话，或请它做一件事，而不继续会议
help-say-after =
    请求的事（纪要、交付物、新成员）会在命令结束前做完；会议本身仍然暂停。

    例如：quorate say last "数据有 40 GB" "/remove 林晚" "/minutes"
help-say-config = 会议开始时用的会议文件（供应商写在里面时需要）
help-say-id = 会议编号、编号的开头，或 last
help-say-json = 改为在标准输出上逐行打印已落盘的事件（JSON）
help-say-lines = 要对会议说的话，或会议里能输入的命令，例如 "/minutes"；/help 列出全部
help-search-about = 查找说过的话，在所有会议或某一场会议里
help-search-after =
    所有词都要出现；几个词要连在一起就自带引号：'"two writers"'。三个字母以上的词也能找到以它开头的词。模型的思考、评分和私有记忆不在查找范围内。有密码的会议只在 --meeting 点名时才查找。

    例如：quorate search 收敛 --participant Ada --since 2026-01-01
help-search-json = 每行一条，以 JSON 打印
help-search-kind = 只找这一类；写多次则为几类：message 发言，minutes 纪要，artifact 交付物，conclusion 结论，topic 主题
help-search-limit = 最多列出几条
help-search-meeting = 只在这场会议里找：会议编号、编号的开头，或 last
help-search-participant = 只找此人说的或写的
help-search-since = 只找这一天（2026-01-31）或这一刻（2026-01-31T09:30:00Z）以来的
help-search-until = 只找到这一天结束为止，或这一刻以前的
help-search-words = 要找的词，任何语言
help-serve-about = 通过 HTTP 提供会议：REST 接口、实时事件、接口文档
help-serve-after =
    没有账户时，服务只回应出示令牌的请求：打开它打印的地址，或设置 QUORATE_TOKEN（至少 16 个字符）并发送 authorization: Bearer 令牌。要让别处访问，先建账户（quorate accounts add 名字），再给 --host；docs/access.md 说明如何安全地开放。

    同一项设了多次时：命令行参数优先于环境变量，环境变量优先于配置文件的 [server]，最后才是默认值。
help-serve-allow_host = 无需登录时，请求还可以使用的本机名字；可写多次
help-serve-allow_origin = 可以在浏览器里使用本服务的页面来源；可写多次
help-serve-backup_every = 两次备份之间的时间，例如 24h、30m 或 1d [默认：24h]
help-serve-backup_folder = 服务器运行时，在这个文件夹里定时备份
help-serve-backup_keep = 保留最新的几份备份 [默认：7]
help-serve-host = 监听的地址 [默认：127.0.0.1]
help-serve-log = 记录哪些日志：debug、info、warning、error、critical，或分部件：quorate_runners=debug,warning [默认：info]
help-serve-log_format = 日志的写法：text 给人看，json 每行一个对象给程序看 [默认：text]
help-serve-no_token = 不要求令牌，回应本机的所有程序；供自己机器上的脚本使用
help-serve-open = 在浏览器中打开页面
help-serve-pace = 新建会议未指定时，模拟参会者发言的快慢；随会议保存 [默认：live]
help-serve-port = 端口；0 表示任选一个空闲的 [默认：7420]
help-serve-public_url = 人们访问本服务的地址，与监听地址不同时给出：https://meet.example.org
help-serve-telemetry_url = 接收 OpenTelemetry 跨度的收集器，例如 http://localhost:4318
help-serve-tls_cert = 证书及其上级证书的 PEM 文件；与 --tls-key 同用
help-serve-tls_key = 证书私钥的 PEM 文件
help-serve-trust_proxy = 可信的代理：地址或网段；可写多次
help-server = 询问这个地址的服务，令牌取自 QUORATE_TOKEN：用于 api、backup、doctor、import、join、mcp、prices、verify
help-show-about = 显示会议的进展或结果
help-show-health = 显示讨论是否扎实：一致的依据、保留意见、无人接过的内容
help-show-id = 会议编号、编号的开头，或 last
help-show-json = 以 JSON 打印报告
help-show-lang = 标题、标签和说明所用的语言[默认为会议的语言]；发言内容保持原样
help-show-marks = 显示参会者得到的评分（会议里看不到）
help-show-salvage = 会议损坏时，显示损坏之前的情况
help-sim-about = 在故障下模拟会议，用来检验众议本身
help-sim-count = 模拟几场，每场用下一个种子
help-sim-json = 以 JSON 打印结果
help-sim-seed = 第一个种子
help-tokens-about = 为使用服务的程序新建、列出和撤销令牌
help-tokens-add-about = 为程序新建令牌；只显示这一次
help-tokens-add-agent = 用它领取轮次的智能体，写席位上的名字 [默认：无]
help-tokens-add-by = 以谁的名义
help-tokens-add-days = 多少天后失效，1-3650 [默认：永不]
help-tokens-add-json = 以 JSON 打印令牌
help-tokens-add-meeting = 只限哪一场会议：会议编号、编号的开头，或 last [默认：全部]
help-tokens-add-name = 用途，1-100 个字
help-tokens-add-scope = 可以做什么：read 看，speak 发言，manage 管理会议，owner 一切
help-tokens-after = 程序在请求头里出示令牌：authorization: Bearer 令牌。服务运行时，请用它的接口：/api/v1/tokens。
help-tokens-list-about = 列出令牌，不含机密部分
help-tokens-list-json = 每行打印一个令牌（JSON）
help-tokens-remove-about = 撤销令牌，从此无效
help-tokens-remove-id = 令牌的编号，见列表
help-tokens-remove-json = 以 JSON 打印结果
help-url-about = 打印能打开运行中服务页面的地址（含令牌）
help-url-after = 服务运行时，会改动内容的命令由持有数据库的服务执行：run、resume、say、fork、delete、agents、providers、accounts、tokens。服务把地址和令牌写在数据库旁边一个只有你能读的文件里。
help-url-json = 以 JSON 打印进程、地址、页面和令牌
help-url-open = 在浏览器中打开
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
help-value-date = 日期
help-value-days = 天数
help-value-effort = 力度
help-value-factor = 倍数
help-value-file = 文件
help-value-filter = 筛选
help-value-folder = 目录
help-value-format = 形式
help-value-from = 来源
help-value-header = 头部
help-value-host = 主机名
help-value-json = 正文
help-value-key = 密钥
help-value-key-value = 键=值
help-value-kind = 类型
help-value-kind-seconds = 类型=秒数
help-value-lang = 语言
help-value-levels = 级别
help-value-line = 内容
help-value-log-format = 形式
help-value-method = 方法
help-value-minutes = 分钟
help-value-mode = 方式
help-value-n-names = 人数|名字
help-value-name = 名字
help-value-name-length = 名字=长度
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
help-value-seq = 事件号
help-value-share = 比例
help-value-style = 风格
help-value-text = 文字
help-value-time = 时间
help-value-title = 标题
help-value-to = 目标
help-value-token = 令牌
help-value-topic = 主题
help-value-variable = 变量名
help-value-who = 谁
help-value-words = 词
help-verify-about = 检查数据库或导出文件的内容是否与写入时一致
help-verify-after =
    FILE 是 json、jsonl 或 html 的导出文件，或 files 导出的文件夹。只凭文件本身核验：每个事件对照它的校验值，校验值对照签名。由此可知签名的密钥编号；--key 指定必须是哪一个。不写 FILE 则检查数据库。

    例：  quorate verify meeting.jsonl --key 3f0c2a4be1d95c7786aa01d2b43c9e5f
help-verify-file = 核验这个导出文件，而不是数据库
help-verify-json = 以 JSON 打印检查结果
help-verify-key = 与 FILE 一起用：必须由哪个密钥签名，写密钥编号或公钥
help-whatif-about = 按另一套规则从日志重新判定一场会议，不调用任何模型
help-whatif-after =
    不写任何改动时，说明哪些门槛、少了谁的票会改变结局。

    例如：quorate whatif last --threshold 70 --without 林晚
help-whatif-id = 会议编号、编号的开头，或 last
help-whatif-json = 以 JSON 打印判定
help-whatif-min_score = 假设任何一票都不得低于多少分，0-100
help-whatif-mode = 假设看什么：average 平均分，pass_ratio 赞成比例，both 两者，unanimous 全体投票且全部赞成
help-whatif-pass_ratio = 假设须有多大比例的票赞成，0.0-1.0
help-whatif-quorum = 假设须有多大比例的人投票，0.0-1.0
help-whatif-threshold = 假设平均分达到多少算通过，0-100
help-whatif-without = 不计谁的票（写名字）；可写多次
