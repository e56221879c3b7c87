### 文字之间的标点。

common-colon = ：
common-comma = ，
common-list-separator = 、
common-semicolon = ；
