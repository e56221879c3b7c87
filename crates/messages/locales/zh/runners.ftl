### 配置中的错误：程序、导出程序、工具来源。

runners-process = 进程 { $name }：{ $problem }
runners-exporter = 导出程序 { $name }：{ $problem }
runners-tool-source = 工具来源 { $name }：{ $problem }
runners-name-length = 名称应为 1 到 50 个字符
runners-name-length-hint = 换一个较短的名称
runners-no-command = command 为空
runners-no-command-hint = 写明程序：command = ["python3", "agent.py"]
runners-no-variable = env 中有不是变量名的内容
runners-no-variable-hint = env 只列变量名，例如 ["OPENAI_API_KEY"]；变量的值留在环境中
runners-zero-byte = command 中有零字节
runners-zero-byte-hint = 写成普通文本
runners-bounds = { $setting } 应在 { $least } 到 { $most } 之间
runners-bounds-hint = 修改 { $setting }，或去掉它
runners-exporter-name = 名称应为 1 到 50 个 a-z、0-9、- 或 _
runners-exporter-name-taken = 已有同名的格式
runners-exporter-name-hint = 换一个名称
runners-exporter-extension = extension 应为 1 到 10 个字母或数字
runners-exporter-extension-hint = 不带点，例如 "csv"
runners-exporter-media-type = media_type 不是媒体类型
runners-exporter-media-type-hint = 形如 "text/csv; charset=utf-8"
runners-exporter-title = title 应为一行、1 到 100 个字符
runners-exporter-title-hint = 缩短它，或去掉它
runners-tools-web-search = 此名称保留给供应商自带的网页搜索
runners-tools-files = 此名称保留给会议自己的文件
runners-tools-web-search-hint = 请为这组工具换一个名称
runners-tools-name = 这不能作为工具来源的名称
runners-tools-name-hint = 用小写字母、数字和连字符，最多 30 个
runners-tools-folder-alone = 文件夹没有 allow 和 without_effects
runners-tools-folder-alone-hint = 去掉它们
runners-tools-folder-unreadable = 无法读取 { $folder }：{ $error }
runners-tools-folder-unreadable-hint = 写一个存在且可以读取的文件夹
runners-tools-address = 网址不以 http:// 或 https:// 开头
runners-tools-address-hint = 写一个以 http:// 或 https:// 开头的网址
runners-tools-what = folder、command 和 url 一个也没有写，或写了不止一个
runners-tools-what-hint = 在 folder、command 和 url 中写一个
