### 导出的网页与 PDF 的文字。

## html

print-html-quorate = 众议

## pdf

print-pdf-quorate = 众议
print-pdf-record = 会议记录
print-pdf-round = 第 { $round } 轮
print-pdf-name-role = { $name }（{ $role }）
print-pdf-date = 日期
print-pdf-participants = 参会者
print-pdf-outcome = 结局
print-pdf-characters-such-as-emoji-no = 文中有 { $count } 种字符（如表情符号）在本机字体里没有，以 [U+编码] 的形式印出。

## transcript

print-transcript-record = 会议记录
print-transcript-round = {"\u000A"}### 第 { $round } 轮{"\u000A"}
print-transcript-zone = {"\u000A"}时区：{ $zone }{"\u000A"}

## times

print-times-before-noon = 上午{ $time }
print-times-after-noon = 下午{ $time }
