### clap 在帮助里使用的词，逐一替换。

clap-usage = 用法：
clap-commands = 命令：
clap-arguments = 参数：
clap-options = 选项：
clap-possible-values = 可选值：
clap-default = [默认：
clap-env = [环境变量：
clap-options-value = [选项]
clap-command-optional = [命令]
clap-command-value = <命令>
clap-print-this-message-or-the-help-of-the-given-subcommand-s = 显示本说明，或某个命令的说明
clap-print-help-see-more-with-help = 显示说明（--help 更详细）
clap-print-help-see-a-summary-with-h = 显示说明（-h 只列概要）
clap-print-help = 显示说明
clap-print-version = 显示版本
clap-as-fast-as-a-person-reads = 按人的阅读速度
clap-a-few-milliseconds-each = 每次几毫秒
clap-instantly = 立即
clap-text-for-people = 给人看的文本
clap-one-json-object-a-line-for-programs = 每行一个 JSON 对象，供程序读取
