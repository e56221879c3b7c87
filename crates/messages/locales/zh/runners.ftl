### 调用为何失败，以及怎么办。

## model/attempt

runners-attempt-raise-provider-choose-faster-model = 调大供应商 { $name } 的 { $setting }，或换一个更快的模型
runners-attempt-give-turns-more-time-meetings = 在会议的限额里放宽每次发言的时限，或换一个更快的模型
runners-attempt-raise-total-ms-provider-choose = 调大供应商 { $name } 的 total_ms，或换一个更快的模型
runners-attempt-connect-ms-provider-sets-limit = 时限由供应商的 connect_ms 决定
runners-attempt-give-address-public-network-leave = 给出公网地址，或去掉 public_only
runners-attempt-check-address-machines-certificates = 检查接口地址和本机的证书

## model

runners-model-ollama-pull-gets = 可以用 `ollama pull { $model }` 拉取

## modelels

runners-modelels-has-no-models-load-pull = { $provider } 没有模型；先加载或拉取一个

## model/persist

runners-persist-asks-wait-s-longer-than = 它要求等待 { $seconds } 秒，超过了这次调用的时限
runners-persist-go-after-choose-another-provider = 过后再继续，或换一个供应商

## model/refusal

runners-refusal-model-speaks-another-format-set = 这个模型使用另一种格式：把供应商 { $name } 的格式设为 `responses`
runners-refusal-check-user-password-proxy-provider = 检查供应商 { $name } 的代理用户名和密码
runners-refusal-base-url-set-providers-final = 接口地址是 { $shown_url }；把它改为供应商的最终地址

## model/response

runners-response-choose-another-model-one-does = 换一个模型：这个模型的回答停不下来

## model/trouble

runners-trouble-set-key = 把 { $variable } 设为 { $name } 的密钥
runners-trouble-check-key-give-another-one = 检查 { $variable } 里的密钥，或为 { $name } 换一个密钥
runners-trouble-check-key-give-another-one-2 = 检查 { $file } 里的密钥，或为 { $name } 换一个密钥
runners-trouble-store-another-key-provider = 为供应商 { $name } 保存另一个密钥
runners-trouble-give-provider-key = 为供应商 { $name } 提供密钥
runners-trouble-lower-concurrency-provider-go-minute = 降低供应商 { $name } 的并发数，或过一分钟再继续
runners-trouble-add-credit-at-choose-another = 给 { $name } 充值，或换一个供应商
runners-trouble-choose-one-models-lists = 从 { $name } 列出的模型里选一个
runners-trouble-check-base-url-models-parameters = 检查接口地址（{ $shown_url }）和模型参数
runners-trouble-proxy-running-base-url = 确认它和代理 { $proxy } 正在运行；接口地址是 { $shown_url }
runners-trouble-running-base-url = 确认它正在运行；接口地址是 { $shown_url }
runners-trouble-raise-timeouts-provider = 放宽供应商 { $name } 的时限
runners-trouble-does-speak-format = 确认 { $url } 使用 { $title } 格式
runners-trouble-add-provider-its-address = 添加供应商 { $name }，并给出它的接口地址
runners-trouble-go-later-choose-another-model = 稍后继续，或换一个模型
runners-trouble-choose-model-longer-context-let = 换上下文更长的模型，或让会议少带一些历史
runners-trouble-put-topic-other-words-choose = 换个说法描述主题，或换一个模型
runners-trouble-choose-another-model-allow-more = 换一个模型，或允许它输出更多 token
runners-trouble-nothing-has-done = 不需要做什么
runners-trouble-base-url-most-servers-want = 接口地址是 { $url }；多数服务要求以 /v1 结尾
runners-trouble-base-url-does-speak-format = 接口地址是 { $url }；确认它使用 { $title } 格式

## process/response

runners-response-its-own-log-may-say = 它自己的日志里可能有详情
runners-response-docs-runner-protocol-md-shows = 回答的格式见 docs/runner-protocol.md
runners-response-put-words-into-payload-message = 把内容放进 payload.message.content，或在它之前作为 token 写出
runners-response-let-come-end-sooner = 让它早些结束回答

## process/trouble

runners-trouble-install-change-command-processes = 安装 { $program }，或修改 [processes.{ $name }] 的 command
runners-trouble-check-cwd-processes = 检查 [processes.{ $name }] 的 cwd
runners-trouble-write-each-event-as-one = 每个事件写成一行 JSON；格式见 docs/runner-protocol.md
runners-trouble-run-command-processes-by-hand = 手动运行 [processes.{ $name }] 的命令，看它为什么退出
runners-trouble-end-each-call-agent-message = 每次调用以 agent_message 或 error 结束；格式见 docs/runner-protocol.md

## simulated/disturb

runners-disturb-participant-simulated-as-flaky-next = 这位参会者按不稳定模拟，再试一次可能成功
