### Why a call, a turn or a task failed; events hold these.

## Models behind providers

failure-answered = { $provider } answered { $status }
failure-answered-said = { $provider } answered { $status }: { $said }
failure-asks-to-wait = { $failure }; it asks to wait { $seconds } s
failure-asked-times = { $failure } (asked { $times } times)
failure-reported = { $provider } reported an error instead of an answer
failure-reported-said = { $provider } reported an error instead of an answer: { $said }
failure-moved = { $provider } answered { $status }: it wants to be asked at { $place }, and redirections are not followed
failure-moved-elsewhere = { $provider } answered { $status }: it wants to be asked at another address, and redirections are not followed
failure-fell-silent = { $provider } fell silent for { $duration } in the midst of an answer
failure-sent-nothing = { $provider } sent nothing for { $duration }
failure-out-of-time = { $provider } had not answered when the time was over (total)
failure-cut-before-answer = the connection to { $provider } broke before any answer
failure-cut-within-answer = the connection to { $provider } broke in the midst of the answer
failure-cut-before-end = the connection to { $provider } broke before the answer was complete
failure-no-connection = no connection to { $provider } within { $duration } (connect)
failure-not-public = { $provider } is not asked: { $why }
failure-untrusted-certificate = the certificate of { $provider } is not trusted: { $why }
failure-unreachable = { $provider } could not be reached: { $why }
failure-no-request = no request to { $provider } could be made
failure-answer-too-large = { $provider } sent an answer of more than 4 MiB
failure-line-too-large = { $provider } sent a line of more than 1 MiB
failure-web-page = { $provider } answered with a web page
failure-no-model-list = { $provider } sent no list of models
failure-no-model-list-within = no list of models within { $seconds } s
failure-answer-incomplete = { $provider } sent an answer that is not complete
failure-not-json = { $provider } sent something that is not an answer in JSON (column { $column })
failure-broke-off = { $provider } broke the answer off: { $why }
failure-model-refused = the model refused: { $said }
failure-provider-withheld = { $provider } withheld the answer
failure-wanted-tool = the model asked for a tool, which nobody had offered
failure-empty = an empty answer came
failure-only-thought = the model thought, but did not answer
failure-closed = { $provider } has asked not to be asked for another { $seconds } s
failure-rate-limits = the limits for { $provider } let no request through in time
failure-resting = { $provider } has failed { $failures } times in a row; it is not asked for another { $seconds } s
failure-resting-tried = { $provider } has failed { $failures } times in a row; another call is trying it
failure-no-key = there is no key for { $provider }: { $variable } is not set
failure-models-only = { $provider } answers for models only
failure-misconfigured = { $problem }

## Causes

failure-cause-no-address = its name leads to no address
failure-cause-refused = connection refused
failure-cause-reset = connection reset
failure-cause-host-unreachable = host unreachable
failure-cause-network-unreachable = network unreachable
failure-cause-no-host = an address begins with http:// or https:// and a host
failure-cause-local-name = { $name } is a name of this machine or its network
failure-cause-local-address = { $address } is an address of this machine, of its network, or of nobody
failure-cause-leads-inside = { $name } leads into this machine or its network

## Processes

failure-process = { $process }: { $failure }
failure-process-stderr = { $process }: { $failure }; its stderr: { $stderr }
failure-no-program = the program "{ $program }" was not found
failure-no-folder = the folder it is to run in, or the interpreter of its program, was not found
failure-not-started = "{ $program }" cannot be started: { $error }
failure-line-too-long = it wrote a line of more than 1 MB
failure-ended-within-answer = { $how } in the middle of its answer
failure-ended-without-answer = { $how } without an answer
failure-garbage = { $failure }; { $count ->
    [one] one line on its stdout was no event
   *[other] { $count } lines on its stdout were no events
}
failure-exit-code = it ended with exit code { $code }
failure-signal = it was ended by signal { $signal }
failure-ended = it ended
failure-stdout-closed = it closed its stdout
failure-message-without-content = it wrote an agent_message without payload.message
failure-message-of-other-role = it wrote an agent_message whose role is not assistant
failure-reports-error = it reports an error
failure-wrote-too-much = it wrote more than 4 MB
failure-no-provider = there is no provider named { $name }
failure-no-process = there is no process named { $name }

## Coding agents

failure-no-acp = there is no coding agent named { $name }
failure-acp-name = its name must have 1 to 50 characters, and no slash
failure-acp-no-command = command is empty, or is no plain text
failure-acp-env = env has something that is no variable's name
failure-acp-no-folders = no folder is configured in which it may work, or more than 100 are
failure-acp-folder-name = "{ $folder }" is no name for a folder
failure-acp-bounds = timeout_ms, permission_ms or concurrency is out of bounds
failure-acp-folder-unnamed = it may work in several folders, and the seat names none: { $known }
failure-acp-no-folder = there is no folder "{ $folder }" in its configuration
failure-acp-folder-gone = the folder of its seat is not there
failure-acp-ended-at-start = { $how } before it was ready
failure-acp-ended-within-turn = { $how } in the middle of a turn
failure-acp-no-protocol = it does not speak the Agent Client Protocol; { $count ->
    [one] one line on its stdout was no message
   *[other] { $count } lines on its stdout were no messages
}
failure-acp-mode = the agent does not take the mode "{ $mode }": { $said }
failure-acp-version = it speaks version { $version } of the Agent Client Protocol, and Quorate speaks version 1
failure-acp-sign-in = it wants a sign-in
failure-acp-sign-in-by = it wants a sign-in: { $methods }
failure-acp-not-ready = it did not get ready within { $seconds } s
failure-acp-reported = it reports: { $said }
failure-acp-refused = it refuses to answer
failure-acp-cancelled = it cancelled its turn
failure-acp-unreadable = it sent an answer that cannot be read
failure-acp-flood = it wrote more than is taken in one turn
failure-acp-too-many-actions = it did more than 500 things in one turn
failure-acp-too-many-questions = it asked for permission again and again

## Simulated participants

failure-simulated-network = simulated: the connection broke in the middle
failure-simulated-overloaded = simulated: too many requests at the moment
failure-simulated-timed-out = simulated: nothing came in time
failure-simulated-empty = simulated: the answer was empty
failure-not-simulated = the simulation was asked to answer for { $label }

## Meetings

failure-no-answer-within = no answer within { $seconds } s
failure-webhook-status = no answer within { $seconds } s: its receiver responded with HTTP { $status }
failure-webhook-unreachable = no answer within { $seconds } s: its receiver could not be reached
failure-webhook-slow = no answer within { $seconds } s: its receiver did not respond in time
failure-webhook-no-answer = no answer within { $seconds } s: the response of its receiver held no answer
failure-runner-broke-down = the runner broke down
failure-withheld = the provider withheld the answer
failure-budget-too-small = the budget does not allow this call
failure-budget-used-up = the budget is used up
failure-out-of-time-to-conclude = the time is used up before the conclusion is written
failure-table-full = the table is full, so nobody can join
failure-left = the participant is not at the table
failure-nothing-to-record = the answer held nothing to write down
failure-tool-arguments-long = The arguments have more than { $max } characters.
failure-tool-arguments-no-object = The arguments must be a JSON object.
failure-tool-arguments-no-json = The arguments are not JSON: { $problem }
failure-tool-arguments = The arguments do not fit: { $problem }
failure-tool-path-outside = { $path } leads out of the folder. Use a path as it is listed.
failure-tool-no-file = There is no file { $path } that may be read. List the files first.
failure-tool-no-attached-file = The meeting has no file { $file }. Its files: { $known }
failure-tool-secret = { $path } holds keys or passwords and is not shown.
failure-tool-unreadable = { $path } cannot be read.
failure-tool-too-large = { $path } is larger than { $max } MB.
failure-tool-no-text = { $path } is no text.
failure-tool-no-such-lines = { $path } has { $lines } lines; ask for some of them.
failure-tool-nothing-found = Nothing was found.
failure-tool-text-or-regex = Give either a text or a regular expression.
failure-tool-regex = The pattern is empty, too long, or no regular expression.
failure-tool-glob = { $glob } is no pattern of paths.
failure-tool-server-unreachable = The server behind { $name } cannot be reached.

## Remote agents (A2A)

failure-agent-no-card = { $agent } has no agent card at its address
failure-agent-not-spoken = { $agent } offers no interface that is spoken here: { $offered }
failure-agent-elsewhere = the card of { $agent } names an interface at another address, { $place }, which is not asked
failure-agent-extension = { $agent } requires an extension of the protocol that is not supported: { $extension }
failure-agent-reports = { $agent } reports error { $code }: { $said }
failure-agent-unreadable = { $agent } sent something that is not an answer of the Agent2Agent protocol
failure-agent-other-task = { $agent } answered about another task than the one it was given
failure-agent-asks = { $agent } asks for input instead of answering: { $said }
failure-agent-wants-sign-in = { $agent } asks for authorization: { $said }
failure-agent-rejected = { $agent } rejected the turn: { $said }
failure-agent-failed = { $agent } failed: { $said }
failure-agent-canceled = { $agent } canceled the turn: { $said }
failure-agent-one-model = { $agent } is a remote agent: its only model is `agent`
failure-setting-base-url = provider { $provider }: base_url { $problem }
failure-setting-key = provider { $provider }: the key has blanks, line breaks or characters outside ASCII
failure-setting-key-file = provider { $provider }: the key file { $file } cannot be read: { $error }
failure-setting-proxy = provider { $provider }: proxy { $problem }
failure-setting-not-public = provider { $provider }: base_url cannot be used with public_only: { $reason }
failure-setting-header = provider { $provider }: the extra header "{ $header }" cannot be sent
failure-setting-range = provider { $provider }: { $setting } must be { $range }
failure-setting-client = provider { $provider }: no HTTP client could be made: { $error }
failure-setting-url-scheme = must begin with http:// or https://
failure-setting-url-user = holds a user or password, which belong into key_env
failure-setting-url-fragment = has a part after #, which is never sent
failure-setting-url-unreadable = is not an address
failure-setting-url-after-port = has something after its port
failure-setting-between = { $least } to { $most }
failure-setting-least = { $least } or more

## Webhooks

failure-webhook-gone = its webhook is disabled: the receiver responded with HTTP 410
failure-webhook-failing = its webhook is disabled: no delivery succeeded
failure-webhook-disabled = its webhook is disabled
failure-webhook-deleted = its webhook was deleted

## Tools

failure-tools-not-configured = no source of this name is configured on the server that runs the meeting
failure-tools-not-started = the program cannot be started: { $error }
failure-tools-unreachable = the server cannot be used: { $error }
failure-tools-silent = the server does not answer within { $seconds } s
failure-tools-no-token = the variable { $variable } is not set
failure-tools-none = the server offers no tool that may be called
failure-tools-said = { $problem }. It said: { $said }
failure-tools-unusable = tools { $source }: { $reason }
