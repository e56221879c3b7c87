### What use cases say.

## doctor

app-doctor-database = database
app-doctor-signing-key = signing key
app-doctor-signing-key-none = made with the first signed export
app-doctor-backups = backups
app-doctor-backups-none = not scheduled; [server.backup] in the configuration sets a folder
app-doctor-backups-failed = failed { $at }: { $detail }
app-doctor-backups-first = { $folder }: none yet
app-doctor-backups-newest = { $folder }: { $count ->
        [one] one backup
       *[other] { $count } backups
    }, the newest of { $at }
app-doctor-backups-old-hint = the newest is older than twice the interval; backups are made while the server runs, and its log says why one failed
app-doctor-configuration = configuration
app-doctor-there-no-none-needed = there is no { $config } (none is needed)
app-doctor-stored-credentials = stored credentials
app-doctor-provider = provider
app-doctor-stored-nothing-says-where-its = is stored, and nothing says where its API is
app-doctor-give-its-address-quorate-providers = give its address: quorate providers add { $name } --base-url URL
app-doctor-give-its-address-settings-providers = give its address in Settings › Providers
app-doctor-models = models
app-doctor-no-provider-configured-works-so = no provider that is configured works, so no meeting can begin with models
app-doctor-mend-one-those-above-hold = fix one of the problems above, or use simulated participants
app-doctor-no-model-can-used-meetings = no model can be used; meetings are held by simulated participants
app-doctor-set-openai-api-key-another = set OPENAI_API_KEY or another key (quorate providers list --presets lists them), or OPENAI_BASE_URL, or start Ollama
app-doctor-add-provider-its-key-settings = add a provider with its key in Settings › Providers, or start Ollama
app-doctor-does-not-exist-yet-first = { $path } does not exist yet; the first meeting makes it
app-doctor-use-by-another-process = , in use by another process
app-doctor-no-meeting-can-held-here = no meeting can be held here: { $error }
app-doctor-can-only-read = , can only be read
app-doctor-meeting = meeting
app-doctor-exporter = exporter
app-doctor-process = process
app-doctor-program-not-found = the program "{ $program }" was not found
app-doctor-install-change-command-processes = install it, or change command in [{ $table }.{ $name }]
app-doctor-there-no-folder = there is no folder { $folder }
app-doctor-change-cwd = change cwd
app-doctor-store-another-key-quorate-providers = store another key: quorate providers add { $name } --api-key-stdin
app-doctor-no-answer-within-10-s = no answer within 10 s
app-doctor-running-check-address = is it running? check the address
app-doctor-answered-ms = ; { $model } answered in { $latency_ms } ms
app-doctor-probe-had-no-answer-within = the probe had no answer within 120 s
app-doctor-try-smaller-model = try a smaller model
app-doctor-unset-variables = variables that it asks for are not set: { $unset }
app-doctor-count-models = { $count } models: { $some }

## trial

app-agent-unknown = there is no remote agent "{ $name }"
app-agent-add = add it in Settings › Providers with the format A2A and the address of the agent
app-agent-add-terminal = add it: quorate providers add { $name } --wire a2a --base-url URL
app-agent-known = choose from { $known }, or add { $name } as a provider with the format A2A
app-trial-listed = { $count ->
    [one] 1 model
   *[other] { $count } models
}
app-trial-listed-none-can-talk = { $count ->
    [one] 1 model, which cannot chat
   *[other] { $count } models, none of which can chat
}
app-trial-load-one-name-one = Load a model on the server, or enter the name of one
app-trial-no-answer-within-s = no answer within { $seconds } s
app-trial-try-again-choose-smaller-model = Try again, or choose a smaller model
app-trial-pieces = { $pieces ->
    [one] in 1 piece: { $said }
   *[other] in { $pieces } pieces: { $said }
}
app-trial-meetings-work-all-same-answers = Meetings work all the same; answers appear when they are complete
app-trial-not-shape-asked = Not the JSON that was asked for: { $said }
app-trial-choose-another-model-set-structured = Choose another model, or set “Structured output” of this provider (structured) to json_object or none

## choose

app-choose-named-by-variable = set by an environment variable
app-choose-its-vendors-usual-small-model = its vendor's usual small model
app-choose-first-listed-model-can-talk = the first listed model that can talk
app-choose-another-family-another-view = of another family, for another view
app-choose-strong-model-summaries-conclusion = a strong model, for summaries and the conclusion
app-choose-largest-listed-model-summaries-conclusion = the largest listed model, for summaries and the conclusion

## providers

app-providers-looked-machine = looked for on this machine
app-providers-stored = stored
app-providers-variable = variable { $name }
app-providers-configuration-file = configuration file
app-providers-meeting-file = meeting file
app-add-preset = add { $provider } with its key in Settings › Providers, or set { $variable }
app-add-preset-terminal = set { $variable }, or store its key: quorate providers add { $provider } --api-key-stdin
app-near-setting = did you mean { $near }?
app-provider-no-setting = { $setting } is not a setting of a provider
app-provider-bad-setting = { $setting } cannot have this value
app-provider-bad-setting-hint = docs/providers.md lists the settings with the values that they take; what is left out has its default
app-provider-known-settings = the settings are base_url, api_key, { $settings }
app-near-provider = did you mean { $near }? Settings › Providers lists all of them
app-near-provider-terminal = did you mean { $near }? `quorate providers list` lists all of them
app-otherwise = did you mean { $near }? Otherwise { $hint }
app-add-provider = add { $provider } with its address and key in Settings › Providers
app-add-provider-terminal = store its address and key: { $command }
app-vendors-unreadable-hint = correct its permissions, or move it away
app-vendor-without-name = entry { $place } of [[vendor]] has no name
app-vendors-hint = docs/providers-data.md says what may stand there
app-provider-no-vendor = provider { $provider }: there is no vendor "{ $vendor }"
app-provider-no-vendor-hint = choose one of the vendors { $names }, or give a base_url instead
app-provider-no-address = provider { $provider } has no base_url, and no vendor has that name
app-provider-no-address-hint = give its base_url, or the vendor whose API it is: { $names }

## agents

app-agent-model-or-temperament = an agent cannot have both a model and a temperament
app-agent-model-or-temperament-hint = give a model, or a temperament for a simulated agent
app-agent-without-model = nothing answers for this agent
app-agent-without-model-hint = give it a model (PROVIDER/NAME), or a temperament for a simulated one
app-agent-without-model-hint-terminal = give --model PROVIDER/NAME, or --temperament KIND for a simulated one
app-agent-simulated-hint = leave them out, or give it a model (PROVIDER/NAME)
app-agent-simulated-hint-terminal = leave them out, or give it a model: --model PROVIDER/NAME
app-agent-simulated-key = a simulated agent needs no key and no address
app-agent-model-unclear = "{ $text }" does not say whose model it is
app-agent-model-unclear-hint = write PROVIDER/NAME, such as openai/gpt-5-mini or ollama/qwen3:8b
app-acp-misconfigured = the coding agent { $agent }: { $problem }
app-permit-person = only a person can permit what a coding agent asks for
app-permit-person-hint = sign in, or use a token that was not made for an agent
app-remote-acp = coding agents are configured by the operator
app-remote-acp-hint = name one that is configured as the model of a participant: acp/NAME
app-doctor-coding-agent = coding agent
app-doctor-change-folders = change it in [acp.{ $name }.folders]
app-agent-simulated-parameters = a simulated agent has no temperature, top-p, max-tokens, effort or fallback
app-agent-no-answer = { $name } did not answer within { $seconds } s
app-agent-no-answer-hint = try again, or choose a smaller model

## app/backup

app-backup-not-whole = the backup did not arrive whole: { $error }
app-backup-not-whole-hint = try again; check that there is enough space
app-backup-busy = another backup is being made or downloaded
app-backup-busy-hint = try again when it has finished
app-backup-not-written = { $folder } cannot be written: { $error }
app-backup-not-written-hint = free space beside the database; a backup needs as much as the database and its files take

## backups

app-backups-folder = the folder for backups { $folder } cannot be used: { $error }
app-backups-folder-hint = check that the folder above it exists, that its disk is mounted, and that it can be written
app-backups-full-hint = free space on its disk, keep fewer backups ([server.backup] keep), or choose another folder

## app/library

app-no-provider = there is no provider "{ $name }"

## app/lock

app-meeting-password-needed = this meeting has a password
app-meeting-password-needed-hint = send its password with the request
app-meeting-password-wrong = the password is wrong
app-try-again = try again

## background

app-broken-off-hint = try again; if it stays, this is a bug in Quorate: please report it
app-broken-off = the operation was interrupted ({ $stopped })

## command_line

app-bug-hint = please report it with the log
app-bug = this is a fault of Quorate

## credential

app-credential-unchanged = there is nothing to change
app-credential-unchanged-hint = give what is to change, such as api_key or base_url
app-credential-unchanged-hint-terminal = give what is to change; a key with --api-key-stdin or --api-key-env VARIABLE
app-provider-unknown = nothing is known about the provider "{ $name }"
app-provider-needs-nothing = { $of } is set, so { $name } can be used as it is; there is nothing to store
app-provider-needs-nothing-hint = test it in Settings › Providers
app-provider-needs-nothing-hint-terminal = test it: quorate providers test { $name }
app-provider-without-key = there is no key for { $name }
app-provider-without-address = the address of { $name } is not known
app-no-vendor = there is no vendor "{ $word }"
app-give-address = give its address (base_url), or the vendor whose API it is
app-give-address-terminal = give --base-url, or --vendor with one of `quorate providers list --presets`, or add [providers.{ $name }] to { $config } first
app-no-vendor-hint = choose one of the listed vendors, or give its address (base_url) instead
app-no-vendor-hint-terminal = choose one that `quorate providers list --presets` lists, or give --base-url instead
app-cannot-be = { $written } cannot be "{ $word }"
app-write-one-of = choose from { $list }
app-operator-alone-hint = only the operator can do that: addresses of this machine and its network, and proxies
app-public-only-stays = public_only: cannot be turned off
app-proxy-from-afar = proxy: cannot be set from another machine
app-base-url-like = it looks like https://api.example.com/v1 or http://localhost:8080/v1
app-value-is = { $name } is "{ $text }": { $error }

## denial

app-not-signed-in = nobody has signed in
app-sign-in-first = sign in first
app-meeting-list-hint = look at the list of meetings
app-forbidden = you may not do this
app-forbidden-hint = ask the owner of this server for a token with a wider scope
app-of-person = this is what a person does; the token of an agent takes part in the agent's name alone
app-of-person-hint = let a person do it, or use a token with the scope manage
app-locked = this meeting has a password
app-locked-hint = enter it at /api/v1/meetings/{"{"}id{"}"}/enter
app-locked-hint-tools = ask the host to remove the password of the meeting; no tool enters one
app-blind-round = the answers of a blind round are shown when it is over
app-blind-round-hint = give your own answer first; the others' are shown when the round is over. An agent reads what it may see in GET /api/v1/meetings/{"{"}id{"}"}/context
app-blind-round-hint-tools = give your own answer first; the others' are shown when the round is over. get_context returns what you may see
app-open-ballot = the votes of an open ballot are shown when it closes
app-open-ballot-hint = you have a seat at this meeting, or had one when the ballot opened; try again when it is closed
app-too-many-calls = there were too many requests
app-too-many-attempts = there were too many attempts to sign in
app-too-many-meetings =
    { $running ->
        [one] one meeting is
       *[other] { $running } meetings are
    } already running
app-too-many-meetings-hint = wait until one of them ends, or pause one
app-too-many-of-account =
    { $running ->
        [one] one meeting of { $account } is
       *[other] { $running } meetings of { $account } are
    } already running, as many as an account may have at once
app-too-many-of-account-hint = wait until one of them ends, or pause one; an owner can raise running_meetings_per_account in Settings › Server
app-key-reused = the idempotency key was used for another request
app-key-reused-hint = use a new key for each request
app-still-running = the first request with this key has not been answered yet
app-still-running-hint = ask again with the same key
app-wait = wait { $seconds } s, then try again
app-look-meeting = GET { $here } shows its state
app-look-meetings = GET /api/v1/meetings shows the newest meetings first
app-look-turns = GET /api/v1/turns lists your open turns
app-look-part = GET { $here }/{ $name } shows it
app-look-list = GET /api/v1/{ $name } lists them
app-look-log = GET { $here }/log shows `{ $kind }` among its last events
app-perhaps-called-up = the participant may have been given the floor
app-perhaps-joined = somebody may have joined
app-perhaps-on-agenda = the item may be on the agenda
app-perhaps-minutes = the minutes may have been requested
app-perhaps-artifact = the artifact may have been requested
app-perhaps-agent = the agent may have been created
app-perhaps-template = the template may have been created
app-perhaps-forked = there may be a fork
app-perhaps-imported = some of the meetings may have been imported
app-perhaps-started = the meeting may have started
app-perhaps-paused = the meeting may be paused
app-perhaps-resumed = the meeting may have resumed
app-perhaps-ending = the meeting may be ending
app-perhaps-advanced = the meeting may have advanced
app-perhaps-permitted = the agent may already have been answered
app-perhaps-answered = the turn may have been answered
app-perhaps-skipped = the turn may have been skipped
app-perhaps-arrived = the person may be at the table
app-perhaps-left = the person may have left the table
app-perhaps-handed-over = the host may have changed
app-perhaps-said = it may have been said
app-perhaps-created = the meeting may have been created
app-no-meeting-for-you = there is no meeting "{ $id }" that you can see
app-interrupted = the server stopped during the first request with this key: { $what }, or nothing happened
app-interrupted-hint = { $look }; if it was not done, send the request once more, with the same key or another

## discover

app-no-model-can-talk = { $url } has no model that can talk
app-no-model-chosen = no model could be chosen at { $place }: { $detail }
app-name-model = name the model as { $provider }/NAME, or set { $variable }
app-name-model-terminal = name the model: { $variable }=…, or --model { $provider }/NAME

## given_rules

app-rules-listed-tools = use a rule that is named here, or leave `rules` out for those of the format
app-rules-listed = docs/meeting-file.md lists every rule

## library

app-library-own = participants[{ $at }]: the agent "{ $name }" has its own name, role and model
app-library-own-hint = leave out everything but `agent`, or change the agent itself
app-library-own-hint-terminal = leave out everything but `agent`, or change the agent: quorate agents update
app-provider-not-configured = { $agent } uses the provider { $provider }, which is not configured
app-provider-settings = a stored setting of { $provider } cannot be used
app-provider-settings-hint = remove { $provider } in Settings › Providers, then add it again
app-provider-settings-hint-terminal = remove it, then add it again: quorate providers remove { $provider }

## local/changes

app-no-token = there is no token "{ $id }"
app-no-token-hint = `quorate tokens list` shows the tokens
app-token-beyond-account = is more than that account may do
app-token-beyond-account-hint = its scope is { $scope }

## log_file

app-log-unreadable = event { $event } cannot be read
app-log-changed = event { $event } was changed: its line is not the one that its checksum is of
app-log-missing-one = event { $event } is missing
app-log-missing = events { $from } to { $to } are missing
app-log-out-of-place = event { $event } is out of place: it stands after a later one, or twice
app-log-added = event { $event } was added: the log that was signed ends before it
app-log-other-meeting = event { $event } is of another meeting: { $meeting }
app-log-shown-otherwise = event { $event } is shown with another content than its line has
app-log-no-checksum = event { $event } has no checksum
app-log-checksums = the checksums are not those that were signed: the log was changed after it was signed
app-log-signature = the signature is not valid: it, or what it says of the log, was changed
app-log-cut-off = the file is cut off: its last line, with the checksums and the signature, is missing
app-log-other-key = the log is not signed with the key that was named
app-log-too-large = { $file } is larger than { $megabytes } MiB
app-log-too-large-hint = export the meeting as jsonl: a file of any size is verified line by line
app-log-unreadable-file = { $file } cannot be read: { $error }
app-log-unreadable-file-hint = check its permissions
app-log-no-file-hint = name an export as json, jsonl or html, or the folder of an export as files
app-log-not-whole = { $file } is not whole: { $detail }
app-log-not-whole-hint = the file was cut off or damaged; export the meeting again at its source
app-log-database = { $file } is a database, and no export
app-log-database-hint = verify the database, with all of its meetings
app-log-database-hint-terminal = verify all of its meetings: quorate verify --db { $file }
app-log-none = { $file } has no log that could be verified
app-log-none-hint = export the meeting as json, jsonl, html or files; Markdown and PDF cannot be verified

## models

app-model-unknown = the model "{ $text }" belongs to no configured provider
app-model-add-provider = write PROVIDER/NAME, and add the provider in Settings › Providers
app-model-add-provider-terminal = write PROVIDER/NAME, and add the provider: quorate providers add --help
app-model-known = write PROVIDER/NAME with one of { $known }, or add another in Settings › Providers
app-model-known-terminal = write PROVIDER/NAME with one of { $known }, or add another: quorate providers add --help
app-model-not-fallback = "{ $text }" is not a model, and only a model can answer in place of another
app-model-not-fallback-hint = name a model, as PROVIDER/NAME, or `none`

## new_meeting

app-seats-twice = seats: the participants are both counted and named
app-seats-twice-hint = give either `seats` or `participants`
app-remote-providers-hint = store the provider first, then name its models as PROVIDER/NAME
app-remote-providers = a meeting cannot bring its own provider
app-remote-processes-hint = the operator configures programs in config.toml; name one in `models` as process/NAME
app-remote-processes = a meeting cannot bring its own program
app-remote-prices-hint = the operator sets prices in config.toml
app-remote-prices = a meeting cannot bring its own prices
app-remote-seat-hint = give it a model or a temperament, or seat an agent
app-remote-seat = a program can only be seated in a meeting file
app-in-field = { $field }: { $problem }

## password

app-password-unreadable = the stored password cannot be read
app-password-unreadable-hint = restore a backup of the database

## plan

app-no-topic = there is no topic
app-no-topic-hint = ask a question, such as "Should our service use SQLite or PostgreSQL?"
app-no-topic-hint-terminal = ask a question: quorate run "Should our service use SQLite or PostgreSQL?"

## registration

app-agent-name-in-use = the library has another agent named "{ $name }"
app-agent-name-in-use-hint = ask for a token with another agent name
app-agent-unregistered = the agent is not registered
app-agent-unregistered-hint = register it first: register_agent, or PUT /api/v1/agents/self
app-agent-unregistered-hint-tools = call register_agent first
app-token-without-agent = the token belongs to no agent
app-token-without-agent-hint = create one with `agent`: POST /api/v1/tokens, or Settings › Access tokens
app-token-without-agent-hint-tools = ask for a token that names an agent; one is created in Settings › Access tokens
app-registration-capabilities = the capabilities are too many or too long
app-registration-capabilities-hint = give at most 20 capabilities of 1 to 50 characters each
app-registration-language = the language is not a language tag
app-registration-language-hint = give a BCP 47 tag, such as zh-CN or en; leave the field out when there is none
app-person-role = Person
app-person-role-description = A person who answers in their own words.
app-mentions-of-people = only people have a list of mentions
app-mentions-of-people-hint = an agent reads what mentions it in the context of a meeting: GET /api/v1/meetings/ID/context
app-mentions-of-people-hint-tools = an agent reads what mentions it with get_context
app-seat-by-invitation = a guest gets a seat by an invitation to one
app-seat-by-invitation-hint = ask the host for an invitation with a seat
app-last-owner = this is the only owner
app-last-owner-hint = create another owner first, or remove the other accounts first
app-no-seat = you have no seat at this meeting
app-fork-of-one-meeting = this access is for one meeting, and a fork is another one
app-fork-of-one-meeting-hint = fork it with an account, or with an access token that is for all meetings
app-fork-of-one-meeting-hint-tools = ask whoever manages the meetings
app-no-seat-hint = GET /api/v1/meetings/{"{"}id{"}"}/participants shows who has one
app-no-seat-hint-tools = call join_meeting to take one; get_context shows who has one

## resume_permission

app-may-not-change-topic = you may speak, but not change the topic
app-may-not-change-topic-hint = leave the topic as it is and send your other answers again; none has been applied yet
app-may-not-set-budget = you may speak, but not set the budget
app-may-not-decide-team = you may speak, but not decide who joins and leaves
app-may-not-end = you may speak, but not end the meeting
app-may-not-end-hint = answer continue, or ask the host to end it
app-paused-by-host = the host has paused the meeting
app-paused-by-host-hint = ask the host to resume it
app-host-answers = ask the host to answer this

## seats

app-process-and-field = "{ $name }" has both a process and { $field }
app-process-and-field-hint = leave out one of them: a process takes no { $field }
app-seats-count = { $count } participants cannot be seated
app-seats-count-hint = choose a number from 1 to 12, or name up to 16 in a meeting file

## speech/terminal

app-no-database-terminal = the first meeting makes it; or name another database with --db
app-unreachable-terminal = check that the folder exists and can be written, or name another database with --db
app-not-ours-terminal = the file was not changed; name another file with --db
app-newer-terminal = a newer Quorate wrote this database; upgrade, or use --db for another
app-before-contract-terminal = the file was not changed; export its meetings with the version that wrote it (quorate export), and name another database with --db
app-newer-contract-terminal = the file was not changed; upgrade, or use --db for another database
app-older-terminal = any command that writes, such as `quorate run`, brings it up to date; make a copy first if an older Quorate is still to use it
app-in-use-terminal = commands that only read still work; this one needs the database to itself: wait until the other is done, or stop it, or use --db for another database. If the other is a server, `quorate url` tells its address
app-would-replace-terminal = --force replaces it and keeps it under another name; a backup cannot take its own place
app-damaged-copy-terminal = nothing was replaced; check the original with `quorate verify`, or take another backup
app-list-meetings-terminal = `quorate list` shows the meetings
app-no-meetings-terminal = `quorate run` holds the first one
app-damaged-catalogue-terminal = the log itself may be whole, and the catalogue can be rebuilt from it: `quorate verify` checks it
app-no-agent-terminal = `quorate agents list` shows the agents
app-agent-exists-terminal = choose another name, or change it: quorate agents update "{ $name }"
app-damaged-agent-terminal = restore the database from a backup, or `quorate agents delete "{ $name }"`
app-no-credential-terminal = `quorate providers list` shows what is stored
app-other-address-terminal = give the key for the new address, too (--api-key-stdin or --api-key-env), or choose another name for the provider
app-vault-missing-terminal = put the key file back from your backup; or give up what it sealed with `quorate providers remove PROVIDER`, and store the keys again
app-vault-unusable-terminal = put the right key file back from your backup; or remove it, give up what it sealed with `quorate providers remove PROVIDER`, and store the keys again
app-vault-missing-signing-terminal = put the key file back from your backup; or give up what it sealed with `quorate providers remove PROVIDER`, and store the keys again; `signing/key` is the key that signs logs: `quorate api POST /signing-key` replaces it
app-sealed-otherwise-terminal = put back the key file with which it was sealed; or `quorate providers remove { $provider }`, and store the key again
app-signing-key-sealed-otherwise-terminal = put the key file back with which it was sealed; or replace the key that signs logs: `quorate api POST /signing-key`
app-damaged-event-terminal = `quorate export { $meeting } --salvage` gives what comes before it, `quorate verify` shows the extent; or restore the database from a backup
app-gone-terminal = put the same file back where it was, and meetings continue; or stop Quorate, restore a backup with `quorate restore`, and start it again
app-disk-terminal = check the disk and its limits, and run `quorate verify`; what was acknowledged was on the disk
app-corrupt-terminal = `quorate verify` shows the extent; restore the database from a backup
app-refused-terminal = run `quorate verify`; if it finds nothing, this is a bug in Quorate: please report it
app-damaged-terminal = `quorate verify` shows the extent, `quorate export ID --salvage` gives what is whole; restore a backup, then resume the meeting
app-invariant-terminal = what is stored is intact; send `quorate show ID --diagnostics`, which holds none of the content, with a bug report; end the meeting, or fork it before its last messages
app-meeting-refused-terminal = run `quorate verify`, restart the server, then resume the meeting

## speech/storage

app-no-database = there is no database at { $path }
app-no-database-hint = the first meeting creates it; or use another database
app-unreachable = { $path } cannot be used: { $source }
app-unreachable-hint = check that the folder exists and can be written, or use another database
app-not-ours = { $path } is not a Quorate database: { $detail }
app-not-ours-hint = the file was not changed; name another file
app-newer = { $path } has version { $found }, and this Quorate knows versions up to { $known }
app-newer-hint = a newer Quorate wrote this database; upgrade, or use another one
app-older = { $path } has the older version { $found }; version { $known } is needed to read it
app-older-hint = the next write brings it up to date; make a copy first if an older Quorate is still to use it
app-before-contract = { $path } has events that are older than the first version of their contract
app-before-contract-hint = the file was not changed; export its meetings with the version that wrote it, and use another database
app-newer-contract = { $path } has events in version { $found } of their contract, and this Quorate knows versions up to { $known }
app-newer-contract-hint = the file was not changed; upgrade, or use another database
app-log-without-database = there is no database at { $path }, and { $log } has events that were not yet moved into it
app-log-without-database-hint = put the database back beside it; to start again without those events, move { $log } away
app-in-use = { $path } is in use by { $by }
app-in-use-hint = wait until it has finished, or stop it, or use another database
app-exists = { $path } already exists
app-exists-hint = name a file that does not exist yet
app-would-replace = { $path } already has a database, which would be replaced
app-would-replace-hint = confirm that it may be replaced; it is then kept under another name. A backup cannot take its own place
app-damaged-copy = the copy is damaged in { $found } places: { $first }
app-damaged-copy-hint = nothing was replaced; verify the original, or take another backup
app-no-match = no meeting's id begins with "{ $prefix }"
app-no-match-hint = look at the list of meetings
app-no-meetings = there are no meetings yet
app-no-meetings-hint = hold the first one
app-damaged-catalogue = the catalogue of meetings is damaged: { $detail }
app-damaged-catalogue-hint = the log itself may be whole, and the catalogue can be rebuilt from it; verify the database
app-bad-cursor = this is not a cursor of this list
app-bad-cursor-hint = send the cursor of the previous page unchanged, or begin again without one
app-bad-key = an idempotency key has 1 to 255 bytes; this one has { $bytes }
app-bad-key-hint = use a new key for each request, such as a UUID
app-no-upload = there is no file "{ $id }"
app-no-upload-hint = look at the files of the meeting; this one may have been deleted
app-upload-exists = there is already a file "{ $id }"
app-upload-exists-hint = choose another id
app-upload-too-large = the file has more than { $most } bytes
app-upload-too-large-hint = upload a smaller file, or only the part that matters
app-uploads-full = all meetings together have { $files } files with { $bytes } bytes, and one more would exceed the limit
app-uploads-full-hint = delete files that nobody needs, or meetings with their files; the owner can raise the limit
app-damaged-upload = the file "{ $id }" cannot be read: { $detail }
app-damaged-upload-hint = upload the file again, or restore a backup
app-no-template = there is no template "{ $name }"
app-no-template-hint = look at the list of templates
app-template-exists = there is already a template "{ $name }"
app-template-exists-hint = choose another name, or change that template
app-template-changed = the template "{ $name }" was changed in the meantime and has version { $found } now
app-template-changed-hint = read it again, then change what it is now
app-damaged-setting = the setting "{ $name }" cannot be read: { $detail }
app-damaged-setting-hint = set it again, or restore the database from a backup
app-no-agent = there is no agent "{ $name }"
app-no-agent-hint = look at the list of agents
app-agent-exists = there is already an agent "{ $name }"
app-agent-exists-hint = choose another name, or change the agent "{ $name }"
app-damaged-agent = the agent "{ $name }" cannot be read: { $detail }
app-damaged-agent-hint = restore the database from a backup, or delete the agent "{ $name }"
app-no-credential = no credential is stored for "{ $provider }"
app-no-credential-hint = look at the list of providers
app-other-address = the stored key of { $provider } belongs to another address
app-other-address-hint = give the key for the new address, too, or choose another name for the provider
app-vault-missing = the key file { $path } is missing; the credentials of { $providers } are sealed with it
app-vault-missing-hint = put the key file back from your backup; or remove these providers, which gives up what it sealed, and store the keys again
app-vault-missing-signing-hint = put the key file back from your backup; or remove these providers, which gives up what it sealed, and store the keys again; `signing/key` is the key that signs logs: replace it with POST /api/v1/signing-key
app-vault-missing-signing-hint-tools = ask the operator to put the key file back from the backup
app-vault-exposed = others can read the key file { $path } (its mode is { $mode })
app-vault-exposed-hint = chmod 600 { $path }; change your keys if somebody may have read it
app-vault-unusable = { $path } is not a key file: { $detail }
app-vault-unusable-hint = put the right key file back from your backup; or move it away, remove the providers that it sealed, and store their keys again
app-sealed-otherwise = the credential of { $provider } cannot be opened with { $path }
app-sealed-otherwise-hint = put back the key file with which it was sealed; or remove the provider { $provider } and store its key again
app-signing-key-sealed-otherwise-hint = put the key file back with which it was sealed; or replace the key that signs logs with POST /api/v1/signing-key
app-signing-key-sealed-otherwise-hint-tools = ask the operator to put the key file back with which it was sealed
app-conflict = meeting { $meeting } has { $found } events where { $expected } were expected
app-conflict-hint = another process is working on this meeting; read it again and repeat
app-no-meeting = there is no meeting { $meeting }
app-no-meeting-hint = look at the list of meetings
app-damaged-event = event { $seq } of meeting { $meeting } cannot be read: { $detail }
app-damaged-event-hint = the events before it can still be exported; restore the database from a backup, or ask the operator to verify it
app-disk-full = the disk of the database is full
app-disk-full-hint = free some space on the disk of the database; meetings then continue by themselves, and nothing that was acknowledged is lost
app-read-only = the database is read-only
app-read-only-hint = check the permissions of the database and its folder, and that the disk is not mounted read-only; meetings then continue by themselves
app-gone = the database file is gone
app-gone-hint = put the same file back where it was, and meetings continue; or stop Quorate, restore a backup, and start it again
app-inaccessible = the database cannot be opened
app-inaccessible-hint = check that the file exists and that its folder can be written
app-busy = another program is using the database
app-busy-hint = close the program that has the database open, then try again
app-elsewhere = meeting { $meeting } runs at node { $node }
app-elsewhere-hint = use that node, or a server of the same database, which forwards requests to it; if the node is gone, another one takes the meeting over within 12 seconds
app-storage-unreachable = the server of the database cannot be reached
app-storage-unreachable-hint = check that the database server is running and can be reached from here; meetings then continue by themselves, and nothing that was acknowledged is lost
app-server-unreachable = the database { $url } cannot be reached: { $detail }
app-server-unreachable-hint = check that the server is running, that the address, user and password are right, and that this machine may connect to it
app-bad-database-url = { $url } is not the address of a database: { $detail }
app-bad-database-url-hint = name a file, or an address such as postgres://USER:PASSWORD@HOST/DATABASE
app-not-a-server = { $path } is not a database on a server
app-not-empty = the database on the server is not empty: table { $table } has rows
app-not-empty-hint = create an empty database for it; nothing was changed in this one
app-not-a-file = { $url } is a database on a server, and this works on a database file
app-not-a-file-hint = use the tools of the server for it, such as pg_dump and pg_restore
app-disk = the disk of the database reports an error
app-disk-hint = check the disk and its limits, then verify the database; what was acknowledged was on the disk
app-corrupt = the database is damaged
app-corrupt-hint = verify the database to see the extent, and restore it from a backup
app-out-of-memory = there is not enough memory
app-out-of-memory-hint = close other programs, then try again
app-stopped = the writer of the database has stopped
app-stopped-hint = start Quorate again and resume the meeting; this is a bug, please report it
app-refused = the database refused the operation
app-refused-hint = verify the database; if nothing is found, this is a bug in Quorate: please report it
app-meeting-gone = the meeting no longer runs here
app-meeting-gone-hint = open the meeting again; nothing that was acknowledged is lost
app-panicked = a computation of this meeting failed
app-panicked-hint = resume the meeting to try again, or end it; if it stops again, fork it before its last messages or export what is there, and please report this bug with the server's log
app-panicked-hint-tools = ask the host to resume the meeting, or call end_meeting; please report this bug with the server's log
app-invariant = the next step of this meeting would have been wrong and was not stored
app-invariant-hint = what is stored is intact. Send the diagnostic report of the meeting, which holds none of its content, with a bug report; end the meeting, or fork it before its last messages
app-invariant-hint-tools = ask the host to send the meeting's diagnostic report with a bug report, or call end_meeting
app-too-long = a computation of this meeting took too long
app-too-long-hint = resume the meeting to try again, end it, or fork it before the message that is too much; please report it with the server's log
app-too-long-hint-tools = ask the host to resume the meeting, or call end_meeting; please report it with the server's log
app-damaged = the stored log of this meeting is damaged
app-damaged-hint = what is whole can still be exported; restore the database from a backup, then resume the meeting
app-contended = another process keeps writing to this meeting
app-contended-hint = close the other program that uses this database, then resume the meeting
app-meeting-refused = the database refused this meeting
app-meeting-refused-hint = verify the database, restart the server, then resume the meeting
app-password-length = the password has { $bytes } bytes
app-password-length-hint = choose one of 1 to { $most } bytes
app-password-short = the password has only { $chars } characters
app-password-short-hint = choose one of at least { $least } characters; several words are good
app-password-obvious = the password is too easy to guess
app-password-obvious-hint = choose one that nobody guesses; several words are good
app-password-not-hashed = the password cannot be hashed: { $detail }
app-password-not-hashed-hint = try again; this machine gives no random numbers
app-process-pid = process { $pid }
app-another-process = another process
app-ambiguous = { $count } meetings begin with "{ $prefix }": { $known }
app-ambiguous-more = more than { $count } meetings begin with "{ $prefix }": { $known }
app-ambiguous-hint = type a few more characters of the id
app-situation = { $situation } ({ $detail })
app-meeting-stopped = the meeting was stopped: { $situation }

## webhooks

app-no-webhook = there is no webhook { $id }
app-no-webhook-hint = look at the list of webhooks
app-no-webhook-message = the webhook keeps no message { $id }
app-no-webhook-message-hint = look at its delivery log; test messages are not delivered again
app-too-many-webhooks = there are { $count } webhooks already
app-too-many-webhooks-hint = delete one that is not needed any more
app-webhook-grace = the old secret can stay good for at most { $most } hours
app-webhook-grace-hint = write 0 to end it at once; { $usual } is usual
app-webhook-agent = the name of the agent is too short or too long
app-webhook-agent-hint = write 1-50 characters, as in the seat agent/NAME
app-webhook-without-agent = turns are those of an agent, and none is named
app-webhook-without-agent-hint = name the agent, or leave turns out
app-webhook-about-nothing = the webhook has neither an agent nor a kind of event
app-webhook-about-nothing-hint = choose the agent whose turns it gets, or at least one kind of event; * is all kinds
app-webhook-off-record = the meeting is off the record, and of such a meeting no events are sent
app-webhook-off-record-hint = name an agent whose turns it gets, or another meeting
app-webhook-event = there is no kind of event "{ $kind }"
app-webhook-event-hint = the kinds are * for all, { $all }
app-webhook-url = this is not an address
app-webhook-url-hint = it looks like https://agent.example.com/quorate
app-webhook-url-long = the address is longer than { $most } characters
app-webhook-not-https = the address does not begin with https://
app-webhook-decorated = the address has a user, a password or a fragment
app-webhook-private = the address leads into this machine or its network
app-webhook-private-hint = use a public address, or have the operator set allow_local_addresses
app-webhook-no-secret = no secret can be made
app-delivery-turn-over = the turn is over
app-delivery-event-gone = the event is gone
app-delivery-redirect = HTTP { $status }: redirects are not followed
app-delivery-no-answer = the response holds no answer: text, fields or skip
app-delivery-asked-again = asked once more: { $problem }
app-delivery-too-late = the answer came too late: the turn is over
app-delivery-cannot-skip = this turn cannot be skipped
app-delivery-paused = the address has failed { $failures } times in a row
app-delivery-long = the response is longer than { $bytes } bytes

## exporters

app-exporter-config = the exporter { $name } is not set up right: { $problem }
app-exporter-not-started = the exporter { $name } cannot be started: { $error }
app-exporter-slow = the exporter { $name } took longer than { $seconds } seconds
app-exporter-long = the exporter { $name } wrote more than { $megabytes } MiB
app-exporter-status = the exporter { $name } ended with { $status }
app-exporter-status-said = the exporter { $name } ended with { $status }: { $said }
app-exporter-empty = the exporter { $name } wrote nothing
app-exporter-hint = export the meeting as json, give that to its command by hand, and look at [exporters.{ $name }] in the configuration file
app-no-such-format = there is no such format of export
app-no-such-format-hint = choose one of { $all }; [exporters.NAME] in the configuration file adds another
app-http-client = the HTTP client cannot be set up: { $error }
app-settings-not-kept = settings are kept on the server for people with an account and for the person at this machine only
app-settings-not-kept-hint = sign in with an account; a guest's settings stay in the browser

## rules

app-rules-no-such = there is no rule "{ $key }"
app-rules-near = near it are: { $near }
app-rules-cannot-be = { $key } cannot be "{ $value }"
app-rules-takes-switch = set it to true or false
app-rules-takes-choice = choose one of: { $names }
app-rules-takes-choice-or-none = choose one of: { $names }; none: not set
app-rules-takes-number = choose a whole number from { $min } to { $max }
app-rules-takes-number-or-none = choose a whole number from { $min } to { $max }, or none
app-rules-takes-share = choose a share from 0.0 to 1.0
app-rules-takes-share-or-none = choose a share from 0.0 to 1.0, or none
app-rules-takes-list = choose some of: { $names }; none: none of them

## app/files

app-file-secret-name = a file called { $name } usually holds keys or passwords
app-file-secret-line = { $name } holds a key in line { $line }
app-file-secret-hint = participants and their providers would read it; remove the secret and attach the file again
app-file-content-absent = the content of { $name } is not stored here
app-file-content-absent-hint = the log was imported without it; attach the file again
app-file-without-text = { $name } has no text that can be read ({ $media_type })
app-file-without-text-hint = download the file instead, or attach its text as a file of its own
app-file-no-such-lines = { $name } has { $lines } lines
app-file-no-such-lines-hint = ask for lines within the file, the first one not after the last
app-file-no-text-now = the text of { $name } cannot be read at the moment
app-file-unreadable = the content cannot be read: { $error }
app-file-unreadable-hint = check the folder beside the database
app-image-broken = { $name } is no image that can be read
app-image-broken-hint = the file may be damaged; save it again as PNG or JPEG
app-image-too-large = { $name } has { $width } × { $height } pixels
app-image-too-large-hint = at most { $millions } million pixels are read, and { $side } on one side; scale the image down
app-file-no-image = { $name } is no image that is shown ({ $media_type })
app-file-no-image-hint = PNG, JPEG, WebP and GIF are; download the file instead
app-may-not-allow-tool = only the host may allow or refuse a call of a tool
app-tools-unknown = no tools are configured under the name { $name }
app-no-tools-hint = add [tools.{ $name }] with a folder to config.toml
app-unknown-tools-hint = choose from { $known }, or add [tools.{ $name }] to config.toml
app-tools-of-owner = only the owner of the server may allow tools
app-tools-of-owner-hint = use a token with the scope owner, or leave out tools
app-tools-own = { $name } ({ $label }) calls no tools of a meeting
app-tools-own-hint = leave { $name } out of the permission: agents and processes have tools of their own, and read attached files
app-web-search-none = { $name } ({ $label }) has no web search
app-web-search-nobody = no participant has a provider with a web search
app-web-search-none-hint = leave the permission out, or choose a model with a web search: Anthropic, Gemini, OpenAI in the format responses, an OpenAI search model, GLM. For DeepSeek, Ollama and others, configure a search of an MCP server as [tools.NAME]
app-web-search-excluded = { $name } ({ $label }) would have the tools { $tools } and web search, of which its provider takes only one at a time
app-web-search-excluded-hint = allow web search to others only (--tools web-search=NAME), or { $tools } to others than { $name } (--tools { $tools }=NAME)
app-web-search-unpriced = the price of a web search of { $label } is not known, so that a budget of money cannot be kept
app-web-search-unpriced-hint = set search, the price of a thousand searches, under [prices."{ $model }"] in config.toml, or limit tokens instead of money
app-budget-first-call-tokens = the budget of { $limit } tokens has no room for the first answer, for which { $needed } are reserved
app-budget-first-call-cost = the budget of { $limit } has no room for the first answer, for which { $needed } is reserved
app-budget-first-call-hint = raise the budget to at least { $needed }
app-budget-first-call-search-hint = raise the budget to at least { $needed }, or leave web search out: before each turn, 3 searches with 10,000 tokens of pages each are reserved
app-import-contents-large = the files in uploads/ have { $bytes } bytes, more than { $most }
app-import-contents-large-hint = leave large files out, or import fewer meetings at once
app-import-content-changed = { $path } is not what its checksum in SHA256SUMS says
app-import-content-changed-hint = export the meeting again, or remove the file from the folder
app-import-not-base64 = { $path } is no base64
app-import-not-base64-hint = send the content of each file in uploads as base64
app-doctor-tool-source = Tools

## meeting_file

app-file-path-hint = give the path of a meeting file
app-file-fields-hint-tools = use the arguments that the input schema of create_meeting describes
app-file-fields-hint = docs/meeting-file.md lists every field
app-file-no-number = a rule has a number that cannot be counted with
app-file-no-number-hint = give a finite number
app-config-unreadable-hint = correct its permissions, or name another file in QUORATE_CONFIG
app-one-object-hint = send one object, and nothing after it

## language/runners

## access

app-first-account-is-owner = the first account has to be an owner
app-first-account-is-owner-hint = create one with the scope owner first
app-account-exists = there is already an account "{ $name }"
app-account-exists-hint = choose another name, or set a new password for that account
app-account-last-owner = { $name } is the only owner
app-account-last-owner-hint = create another owner first; the last one can only be removed on the server's machine
app-not-current-password = this is not the current password
app-not-current-password-hint = enter the password that you sign in with
app-beyond-guest = is more than a guest may do
app-beyond-guest-hint = choose read or speak
app-invitation-uses = is not within 1 to 1000
app-invitation-uses-hint = leave it out for any number of guests
app-invitation-hours = is not within 1 to 8760
app-invitation-hours-hint = leave it out for a week
app-seat-needs-speak = needs a guest who may speak
app-seat-needs-speak-hint = give the scope `speak`, or leave the seat out
app-seat-role-too-long = has more than { $most } characters
app-seat-role-too-long-hint = say it in a few words
app-invitation-over = it has expired or was revoked; ask for another one
app-guest-name-hint = enter the name that you want to have at the table
app-guest-name-missing = is missing
app-no-meeting-with-password = no meeting here has this password
app-no-meeting-with-password-hint = ask the host of the meeting for the password or for an invitation
app-guest-name-taken = This name is taken or too similar to another.
app-choose-another-name = choose another name
app-no-random-numbers-hint = this machine gives no random numbers; try again
app-passwords-busy = more passwords are being checked than this machine can take
app-stored-password-unreadable = the stored password cannot be read
app-stored-password-unreadable-hint = set another password in the terminal, or restore a backup of the database
app-guest-already-here = { $name } is already at this meeting
app-too-many-guests = this meeting already has { $guests } guests
app-too-many-guests-hint = ask the host to remove a guest first
app-session-over = the session is over
app-sign-in-again = sign in again
app-wrong-sign-in = no account has this name and password
app-wrong-sign-in-hint = check the name and the password; an owner, or somebody at the server's machine, can set a new one
app-not-by-session = you are not signed in with a session
app-token-makes-none = a token cannot create other tokens
app-token-makes-none-hint = sign in with a password to create one
app-token-beyond-you = is more than you may do yourself
app-token-beyond-you-hint = your scope is { $own }
app-token-name-length = has to have 1 to 100 characters
app-token-name-length-hint = say what the token is for
app-token-days = is not within 1 to 3650
app-token-days-hint = leave it out for a token that does not expire
app-token-agent-length = has to have 1 to 50 characters
app-token-agent-length-hint = give the name of an agent as it is seated
app-too-many-tokens = { $by } already has { $own } tokens
app-too-many-tokens-hint = revoke tokens that nobody uses first
app-token-for-others = only an owner creates tokens for other accounts
app-token-for-others-hint = leave it out
app-no-account = there is no account "{ $id }"
app-no-account-hint = `quorate accounts list` shows the accounts
app-token-for-whom = several accounts are owners: { $owners }
app-token-for-whom-hint = say for which account the token acts, by its name
app-nothing-of-this-id = there is nothing with the id "{ $id }"
app-no-such-invitation = there is no such invitation
app-tag-length = is empty or has more than { $most } characters
app-tag-length-hint = say it in a word or two
app-too-many-tags = there are more than { $most }
app-too-many-tags-hint = leave out tags that nobody looks for
app-no-tags-off-record = a meeting off the record has no tags
app-no-tags-off-record-hint = it is lost when the server stops, and need not be found again
app-result-link-days-hint = leave it out for a link that holds until it is revoked
app-no-such-result-link = there is no result at this address
app-result-link-over = the link is not complete, has expired or was revoked; ask whoever sent it for another one
app-no-result-link-off-record = a meeting off the record has no link to its result
app-no-result-link-off-record-hint = export the result instead
app-no-result-link-yet = the meeting has not ended
app-no-result-link-yet-hint = create the link when there is a result; invite guests to the meeting itself
app-too-many-result-links = there are already { $most } links to this result
app-too-many-result-links-hint = revoke links that nobody uses first
