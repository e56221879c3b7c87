### What helps after a failure; events hold these.

## Models behind providers

remedy-raise-setting = raise { $setting } of the provider { $name }, or choose a faster model
remedy-give-turns-more-time = give turns more time in the meeting's limits, or choose a faster model
remedy-raise-total-time = raise total_ms of the provider { $name }, or choose a faster model
remedy-connect-time = connect_ms of the provider sets the limit
remedy-public-address = give an address of the public network, or leave public_only out
remedy-check-certificates = check the address and this machine's certificates
remedy-ollama-pull = `ollama pull { $model }` gets it
remedy-load-model = { $provider } has no models; load or pull one first
remedy-wait-too-long = it asks to wait { $seconds } s, longer than this call may take
remedy-go-on-after-wait = continue after that, or choose another provider
remedy-use-responses-format = this model speaks another format: set the provider { $name } to the format `responses`
remedy-check-proxy-password = check user and password of the proxy of the provider { $name }
remedy-set-final-address = base_url is { $shown_url }; set it to the provider's final address
remedy-model-without-end = choose another model: this one does not come to an end
remedy-set-key-variable = set { $variable } to a key of { $name }
remedy-check-key-variable = check the key in { $variable }, or give { $name } another one
remedy-check-key-file = check the key in { $file }, or give { $name } another one
remedy-store-another-key = store another key for the provider { $name }
remedy-give-key = give the provider { $name } a key
remedy-lower-concurrency = lower the concurrency of the provider { $name }, or continue in a minute
remedy-add-credit = add credit at { $name }, or choose another provider
remedy-choose-listed-model = choose one of the models that { $name } lists
remedy-check-address-and-parameters = check base_url ({ $shown_url }) and the model's parameters
remedy-is-it-running-behind-proxy = are it and the proxy { $proxy } running? base_url is { $shown_url }
remedy-is-it-running = is it running? base_url is { $shown_url }
remedy-raise-timeouts = raise the timeouts of the provider { $name }
remedy-check-format = does { $url } speak the { $title } format?
remedy-add-provider = add the provider { $name } with its address
remedy-later-or-another-model = continue later, or choose another model
remedy-longer-context = choose a model with a longer context, or let the meeting hand on less of its history
remedy-other-words = put the topic in other words, or choose another model
remedy-allow-more-tokens = choose another model, or allow it more tokens
remedy-nothing-to-do = nothing has to be done
remedy-address-with-v1 = base_url is { $url }; most servers want /v1 at its end
remedy-check-address-and-format = base_url is { $url }; does it speak the { $title } format?

## Processes

remedy-see-its-log = its own log may say more
remedy-see-protocol = docs/runner-protocol.md shows what an answer looks like
remedy-put-words-into-message = put the words into payload.message.content, or write them as tokens before it
remedy-end-sooner = let it come to an end sooner
remedy-install-program = install { $program }, or change command in [processes.{ $name }]
remedy-check-cwd = check cwd in [processes.{ $name }]
remedy-one-line-per-event = write each event as one line of JSON; docs/runner-protocol.md shows how
remedy-run-by-hand = run the command of [processes.{ $name }] by hand to see why it ends
remedy-end-with-message = end each call with an agent_message or an error; docs/runner-protocol.md shows how

## Simulated participants

remedy-simulated-as-flaky = this participant is simulated as flaky; the next attempt may succeed

## Several

remedy-both = { $first }; { $then }

## Providers

remedy-raise-rate-limits = raise requests_per_minute and tokens_per_minute of the provider { $name }, or give turns more time
remedy-models-there-are = { $provider } has { $models }
remedy-models-and-others = { $provider } has { $models } and { $count ->
    [one] one other
   *[other] { $count } others
}
remedy-no-provider-configured = no provider is configured; add the provider { $name } with its address
remedy-use-other-provider = choose from { $known }, or add the provider { $name } with its address
remedy-no-process-configured = no process is configured; add [processes.{ $name }] with its command
remedy-use-other-process = choose from { $known }, or add [processes.{ $name }] with its command
remedy-simulate-or-configure = give this participant a simulated runner, or configure its provider

## Processes

remedy-raise-process-time = raise timeout_ms in [processes.{ $name }]; does it read one line only, and flush what it writes?
remedy-raise-turn-time-for-process = raise `turns.timeout_ms`; does it read one line only, and flush what it writes?

## Coding agents

remedy-no-acp-configured = no coding agent is configured; add [acp.{ $name }] with its command and folders
remedy-use-other-acp = choose from { $known }, or add [acp.{ $name }] with its command and folders
remedy-acp-name = give it a short name
remedy-acp-command = name a program: command = ["claude-agent-acp"]
remedy-acp-env = env lists names alone, such as ["ANTHROPIC_API_KEY"]; the values stay in the environment
remedy-acp-folders = name the folders in [acp.{ $name }.folders]: project = "/path/to/project"
remedy-acp-bounds = timeout_ms is 1 to 86400000, permission_ms 1 to 3600000, concurrency 1 to 64
remedy-acp-name-folder = name the folder at the seat: acp/{ $name }/{ $folder }
remedy-acp-add-folder = choose from { $known }, or add the folder to [acp.{ $name }.folders]
remedy-acp-folder-gone = check the paths in [acp.{ $name }.folders], and what the seat names within them
remedy-acp-install-program = install { $program }, or change command in [acp.{ $name }]
remedy-acp-run-by-hand = run the command of [acp.{ $name }] by hand to see what it says
remedy-acp-is-it-an-agent = does the command of [acp.{ $name }] start an agent for editors? Many programs need a flag for that
remedy-acp-mode = set mode of [acp.{ $name }] to one that the agent offers, or leave it out
remedy-acp-version = use a release of the agent that speaks version 1, and name it in [acp.{ $name }]
remedy-acp-sign-in = run "{ $command }" in a terminal and sign in, pass the variable of its key in env of [acp.{ $name }], or name the way to sign in as auth
remedy-acp-raise-time = raise timeout_ms in [acp.{ $name }]
remedy-acp-raise-turn-time = raise the rule “Time limit of a turn or a vote”: an agent that reads files first needs minutes
remedy-acp-too-many-questions = let it do less in one turn, or give [acp.{ $name }] a mode in which it only reads
remedy-acp-model = choose a model that the agent's account has: in the agent's own settings, or by a variable in env of [acp.{ $name }]
remedy-acp-quota = add credit at the provider of the agent, or choose another agent
remedy-acp-flag-env = --acp-env takes the name of a variable, such as ANTHROPIC_API_KEY; its value stays in the environment
remedy-acp-flag-folder-gone = check the path of --folder
remedy-acp-flag-install-program = install { $program }, or name another program with --acp
remedy-acp-flag-run-by-hand = run "{ $command }" by hand to see what it says
remedy-acp-flag-is-it-an-agent = does the command of --acp start an agent for editors? Many programs need a flag for that
remedy-acp-flag-version = use a release of the agent that speaks version 1
remedy-acp-flag-sign-in = run "{ $command }" in a terminal and sign in, or pass the variable of its key with --acp-env
remedy-acp-flag-raise-time = configure the agent as [acp.{ $name }] with a longer timeout_ms (docs/guides/acp.md)
remedy-acp-flag-too-many-questions = let it do less in one turn
remedy-acp-flag-model = choose a model that the agent's account has: in the agent's own settings, or by a variable that --acp-env passes

## Meetings

remedy-raise-turn-time = raise the rule “Time limit of a turn or a vote”, or add a faster model
remedy-raise-turn-time-for-person = raise the rule “Time limit of a turn or a vote”, or remind the person that it is their turn
remedy-raise-turn-time-for-agent = see whether the agent is connected and waits for its turn, or raise the rule “Time limit of a turn or a vote”
remedy-raise-turn-time-for-webhook = see the deliveries of the webhook, or raise the rule “Time limit of a turn or a vote”
remedy-fault-of-ours = this is a fault of Quorate; the log says more
remedy-follow-format = choose a model that follows formats more closely, or raise the rule “Maximum tokens per answer”
remedy-word-differently = word the topic differently, or choose another model
remedy-another-model-or-later = try another model, or again later
remedy-try-again = try again, or choose another model
remedy-raise-budget = raise the budget, then try again
remedy-fork-with-larger-budget = fork the meeting with a larger budget
remedy-more-time = give the next meeting more time
remedy-free-a-seat = remove a participant, then invite again
remedy-is-server-running = is the server running? Check its base URL

## Remote agents (A2A)

remedy-agent-address = set base_url ({ $url }) to the address below which the agent serves /.well-known/agent-card.json, or to the card itself
remedy-agent-version = use an agent that speaks A2A 1.0 or 0.3 over JSON-RPC or HTTP+JSON, or update it
remedy-agent-elsewhere = if you trust { $place }, set it as the base_url; the key goes only to the address that it was given for
remedy-agent-asks = put what it asks for into the topic, the background or the role, or remove the participant
remedy-agent-sign-in = give the provider { $agent } the key or header that the agent asks for
remedy-agent-log = look into the log of the agent { $agent }, and test the provider again
remedy-setting-base-url = it looks like https://api.example.com/v1 or http://localhost:11434/v1
remedy-setting-key = copy the key once more, without quotes and as a single line
remedy-setting-key-file = put the key alone into { $file }, or name an environment variable in key_env
remedy-setting-proxy = it looks like http://proxy.example.com:3128, or "none" to use none; % in a password is %25
remedy-setting-not-public = give an address of the public network, or leave public_only out
remedy-setting-header = use a plain header name and an ASCII value; the key belongs into key_env
remedy-setting-range = change { $setting }, or remove it to get the default
remedy-setting-client = check that the system's root certificates are installed (ca-certificates)
remedy-repair-receiver = repair the receiver and enable the webhook, or let the agent fetch its turns
remedy-enable-webhook = enable the webhook, or let the agent fetch its turns
remedy-add-webhook = add a webhook for the agent, or let it fetch its turns
