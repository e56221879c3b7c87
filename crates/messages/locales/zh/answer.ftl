### 回答有什么问题；事件里存有这些代码，重新作答的模型会读到它们。

## 任何回答

answer-empty = 回答是空的
answer-used-up-by-reasoning = token 都用在思考上了；请直接、简短地回答
answer-no-json = 回答里没有完整的 JSON 对象
answer-whole = 回答
answer-missing = 缺少 `{ $field }`
answer-notes-shown = JSON 不完整，私有记忆混进了发言；请写一个完整的 JSON

## 发言与投票

answer-cannot-skip = 这次点名请你发言，不能跳过；请用一两句话回答
answer-no-words = JSON 之外没有发言正文
answer-score-not-whole = `score` 必须是 0 到 100 的整数
answer-pass-not-boolean = `pass` 必须是 true 或 false
answer-contradictory-vote = 分数（`score`）与是否接受草案（`pass`）自相矛盾：{ $from } 分及以上表示接受（true），低于 { $below } 分表示不接受（false），两者之间都可以；请让两者一致

## 小结与人员

answer-positions-left-out = `positions` 里没有列出这些参会者的立场：{ $names }
answer-marks-left-out = `marks` 里缺少：{ $names }
answer-candidate-refused = { $problem }；{ $hint }

## 交付物

answer-field-empty = `{ $field }` 是空的
answer-not-one-of = `{ $field }` 只能是 { $choices }
answer-too-few-entries = `{ $field }` 有 { $count } 条，至少要有 { $min } 条
answer-too-many-entries = `{ $field }` 有 { $count } 条，最多 { $max } 条
answer-not-object = `{ $field }` 应当是一个 JSON 对象
answer-unknown-field = `{ $field }` 不是规定的字段；字段有 { $names }
answer-not-text = `{ $field }` 应当是文字
answer-no-message-id = `{ $field }` 里的“{ $part }”不是消息编号，写法如 m3
answer-no-sources = `{ $field }` 没有写出依据的消息编号（sources）
answer-unknown-message = `{ $field }` 引用了不存在的消息 { $message }
answer-unknown-quote = `{ $field }` 的引文不在所列消息里：{ $quote }
