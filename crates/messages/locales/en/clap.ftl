### The words of clap in a help text, each replaced where it stands.

clap-usage = Usage:
clap-commands = Commands:
clap-arguments = Arguments:
clap-options = Options:
clap-possible-values = Possible values:
clap-default = [default:
clap-env = [env:
clap-options-value = [OPTIONS]
clap-command-optional = [COMMAND]
clap-command-value = <COMMAND>
clap-print-this-message-or-the-help-of-the-given-subcommand-s = Print this message or the help of the given subcommand(s)
clap-print-help-see-more-with-help = Print help (see more with '--help')
clap-print-help-see-a-summary-with-h = Print help (see a summary with '-h')
clap-print-help = Print help
clap-print-version = Print version
clap-as-fast-as-a-person-reads = As fast as a person reads
clap-a-few-milliseconds-each = A few milliseconds each
clap-instantly = Instantly
clap-text-for-people = Text for people
clap-one-json-object-a-line-for-programs = One JSON object a line, for programs
