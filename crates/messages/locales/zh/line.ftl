### 会议中的命令：line-命令；参数的名称：line-place-…。

line-pause = 暂停；now 不等当前发言
line-end = 结束，取目前最好的结论
line-next = 请参会者发言
line-resume = 继续（未答的问题取默认值）
line-quit = 离开，会议暂停
line-add = 用一句话请来新成员，或请库里的智能体
line-remove = 请参会者离席，发言保留
line-away = 把参会者设为离线，不再询问
line-back = 把参会者设为在线
line-topic = 修改主题
line-agenda = 查看或修改议程
line-announce = 发布公告
line-minutes = 请求撰写纪要
line-artifact = 请求撰写交付物
line-style = 发言风格
line-length = 某人的发言长度
line-rounds = 最多几轮
line-people = 人是否可以发言
line-set = 修改任一规则
line-marks = 查看评分
line-ideas = 查看想法
line-answer = 回答暂停时的问题
line-password = 设置或取消密码（用 `quorate say`）
line-help = 列出命令
line-questions = 再看一遍问题
line-table = 查看谁在场
line-say = 在轮次之外发言
line-skip = 跳过你的这次发言
line-turn = 再次显示你的发言机会
line-undo = 撤回回答的最后一行
line-send = 把已结束的发言内容作为普通发言发出
line-allow = 许可编程智能体的请求
line-refuse = 拒绝编程智能体的请求
line-skiplist = 查看或修改某人的跳过列表

line-place-key-value = 键=值
line-place-sentence-agent = 一句话|智能体
line-place-title = 标题
line-place-text = 内容
line-place-name = 名称
line-place-note = 说明
line-place-which = [序号]
line-place-id = 编号
line-place-number = {" "}轮数
line-place-phrase = 短语
