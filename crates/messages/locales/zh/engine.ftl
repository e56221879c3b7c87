### 会议被停止的原因，在故障种类之外。

engine-too-long = 超过 { $seconds } 秒
engine-damaged-event = 无法读取第 { $seq } 条事件：{ $detail }
engine-conflict = 有 { $found } 条事件，应为 { $expected } 条
engine-invariant = 事件 { $seq }（{ $event }）会破坏不变量 { $invariant }
