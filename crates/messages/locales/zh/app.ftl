### 各项功能的提示。

## doctor

app-doctor-database = 数据库
app-doctor-configuration = 配置
app-doctor-there-no-none-needed = 没有 { $config }（不是必需）
app-doctor-stored-credentials = 存放的凭证
app-doctor-provider = 供应商
app-doctor-stored-nothing-says-where-its = 已存放，但没有接口地址
app-doctor-give-its-address-quorate-providers = 给出地址：quorate providers add { $name } --base-url URL
app-doctor-give-its-address-settings-providers = 在“设置 › 供应商”中给出地址
app-doctor-models = 模型
app-doctor-no-provider-configured-works-so = 已配置的供应商都不可用，会议无法用真实模型开始
app-doctor-mend-one-those-above-hold = 修好上面的任一个；也可以由模拟参会者进行会议
app-doctor-no-model-can-used-meetings = 没有可用的模型，会议将由模拟参会者进行
app-doctor-set-openai-api-key-another = 设置 OPENAI_API_KEY 等密钥（quorate providers list --presets 列出全部），或 OPENAI_BASE_URL，或启动 Ollama
app-doctor-add-provider-its-key-settings = 在“设置 › 供应商”中添加一个供应商及其密钥，或启动 Ollama
app-doctor-does-not-exist-yet-first = { $path } 尚不存在，第一场会议会创建它
app-doctor-use-by-another-process = ，另一个进程正在使用
app-doctor-no-meeting-can-held-here = 这里不能开会：{ $error }
app-doctor-can-only-read = ，只能读取
app-doctor-meeting = 会议
app-doctor-process = 进程
app-doctor-program-not-found = 找不到程序 { $program }
app-doctor-install-change-command-processes = 安装它，或修改 [processes.{ $name }] 的 command
app-doctor-there-no-folder = 没有文件夹 { $folder }
app-doctor-change-cwd = 修改 cwd
app-doctor-store-another-key-quorate-providers = 重新存放密钥：quorate providers add { $name } --api-key-stdin
app-doctor-no-answer-within-10-s = 10 秒内没有响应
app-doctor-running-check-address = 服务在运行吗？检查地址
app-doctor-answered-ms = ；{ $model } 用 { $latency_ms } 毫秒作答
app-doctor-probe-had-no-answer-within = 试问超过 120 秒没有回答
app-doctor-try-smaller-model = 换一个更小的模型

## trial

app-trial-listed = { $count } 个
app-trial-listed-none-can-talk = 列出 { $count } 个，没有能对话的
app-trial-load-one-name-one = 加载一个模型，或写明模型名
app-trial-no-answer-within-s = { $seconds } 秒内没有回答
app-trial-try-again-choose-smaller-model = 再试一次，或换一个更小的模型
app-trial-pieces = { $pieces } 段：{ $said }
app-trial-meetings-work-all-same-answers = 会议照常进行，只是回答一次显示完
app-trial-not-shape-asked = 不是所要的形状：{ $said }
app-trial-choose-another-model-set-structured = 换一个模型，或把这个供应商的结构化输出（structured）设为 json_object 或 none

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
