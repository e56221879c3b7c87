### 规则和导入写下的说明；事件里存有这些代码。

## 评分与想法

note-did-not-speak = 本轮没有发言
note-points-raised = 提出 { $raised } 点，其中 { $used } 点被别人采用或回应
note-ideas-build-on-it = 有 { $count } 个别人的想法以它为基础
note-nobody-took-it-further = 没有人接着想过，可能被低估了

## 导入

note-password-not-imported = 聊天室的密码没有读入。
note-file-empty = 没有读入 { $name }：文件是空的。
note-file-large = 没有读入 { $name }：超过 { $megabytes } MiB。
note-file-secret = 没有读入 { $name }：其中有密钥或密码。
note-files-not-imported = 消息所带的文件没有读入，留在原处。
note-runners-not-in-files = 文件没有写明成员由哪个模型回答；继续之前，请在配置里设置同名的进程。
note-keys-not-imported = 文件里的密钥没有读入，请为供应商另行保存密钥。
note-time-display-not-imported = 时区或时间、日期格式“{ $given }”无法识别，没有读入。
note-rests-until-resumed = 会议原为进行中，导入后暂停。
