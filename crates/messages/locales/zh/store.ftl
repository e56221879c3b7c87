### 数据库的提示。

## accounts

store-accounts-no-name = 不能作名字
store-accounts-write-1-50-characters-one = 写在一行内，1 到 50 个字，不含 : / @ " < >

## uploads

store-uploads-file-has-no-name = 文件没有名字
store-uploads-give-one-1-characters = 给它一个 1 到 { $name_chars } 个字的名字
