### 协议中各个值的名称。

## labels

labels-needed = { $name } { $got }（需要 ≥ { $needed }）
labels-votes-cast = 有效票数
labels-mean-score = 平均分
labels-pass-ratio = 赞成比例
labels-lowest-score = 最低分
labels-ballot = 第 { $ballot } 次表决
labels-none = 无
labels-key-not-accepted = 密钥不被接受
labels-rate-limited = 请求过于频繁
labels-out-quota = 额度用尽
labels-provider-overloaded = 供应商过载
labels-context-too-long = 上下文过长
labels-content-refused = 内容被拒
labels-unknown-model = 没有这个模型
labels-request-not-accepted = 请求不被接受
labels-network-trouble = 网络错误
labels-timed-out = 超时
labels-unreadable-answer = 回答无法读取
labels-empty-answer = 空回答
labels-left = 已离开
labels-out-budget = 预算用尽
labels-not-configured = 未配置
labels-check-key-provider = 检查这个供应商的密钥
labels-go-minute-lower-concurrency = 过一分钟再继续，或降低并发
labels-add-credit-choose-another-provider = 给这个供应商充值，或换一个供应商
labels-go-later-choose-another-model = 稍后继续，或换一个模型
labels-choose-model-longer-context-let = 换上下文更长的模型，或让会议少带一些历史
labels-put-topic-other-words-choose = 换个说法描述主题，或换一个模型
labels-choose-one-provider-lists = 从供应商的模型列表里另选一个
labels-check-address-provider-models-parameters = 检查供应商的接口地址和模型参数
labels-check-network-address-provider-whether = 检查网络和供应商的接口地址，确认对方在运行
labels-give-more-time-choose-faster = 放宽时限，或换一个更快的模型
labels-try-again-choose-another-model = 再试一次，或换一个模型
labels-nothing-has-done = 不需要做什么
labels-raise-budget-end-meeting = 提高预算，或结束会议
labels-set-provider-up-first = 先配置这个供应商
