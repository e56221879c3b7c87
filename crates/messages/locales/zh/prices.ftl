### 价格表中的备注，英文与表中一致。

prices-note-longer-2-1-5 = 更长的提示按 2 倍计价，其回答按 1.5 倍
prices-note-longer-2-2 = 更长的提示和它的回答都按 2 倍计价
prices-note-longer-5-5 = 更长的提示和它的回答都按 5 倍计价
prices-note-ends = 供应商停止提供的日期：
prices-note-introductory = 优惠价，截至 2026-12-31，之后加倍
prices-note-local = 在本机运行不收费，电费不计
prices-note-peak = 高峰时段的价格（工作日 UTC 01–04 时和 06–10 时），其他时段减半
prices-note-cache-write = 没有查到写入缓存的价格，按输入的 1.25 倍计算，与 GPT-6 相同
prices-note-promotion = 标价；2026-11-12 时仍有 4/20 的优惠，公告至少持续到 2026-11-21
prices-note-cache-read = 读取缓存的价格：模型页面写 0.2，价格表写 0.1
prices-note-one-search = 每个回答一次搜索，搜到的网页不计入 token
prices-note-each-query = 按查询次数计；每月的免费额度不计在内
prices-note-each-answer = 按有搜索的回答次数计；每天的免费额度不计在内
