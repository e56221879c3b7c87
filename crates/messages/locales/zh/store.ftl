### 数据库的提示。

## accounts

store-accounts-no-name = 不能作名字
store-accounts-write-1-50-characters-one = 写在一行内，1 到 50 个字，不含 : / @ " < >

## uploads

store-uploads-file-has-no-name = 文件没有名字
store-uploads-give-one-1-characters = 给它一个 1 到 { $name_chars } 个字的名字

## credentials

store-is-empty = 不能为空
store-credentials-key-hint = 填写供应商发放的密钥
store-credentials-address-hint = 填写地址，形如 https://api.example.com/v1
store-credentials-missing = 没有给出
store-credentials-missing-hint = 给出密钥、base_url，或两者
store-credentials-provider-name = “{ $name }”不能作供应商的名字
store-credentials-provider-name-hint = 用 1 到 50 个字母、数字、点、横线或下划线，如 openai

## salvage

store-salvage-damaged = 这场会议的记录在第 { $event } 个事件处损坏（{ $detail }），其后的内容缺失（共 { $last } 个事件，缺 { $missing } 个）。这里只有损坏之前完好的 { $whole } 个事件。

## search/tokenize

store-search-fewer = 少写几个词
store-search-nothing = 没有可以查找的词
store-search-nothing-hint = 至少写一个字母或汉字
store-search-characters = 超过了 { $most } 个字
store-search-words = 超过了 { $most } 个词

## templates

store-template-name = 有 { $length } 个字
store-template-name-hint = 写在一行内，1 到 { $name_chars } 个字
store-template-body = 有 { $bytes } 字节
store-template-body-hint = 最多 { $body_bytes } 字节
