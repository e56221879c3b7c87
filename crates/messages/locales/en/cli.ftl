### What the command line says.

## commands/access

cli-access-first-account-has-owners = the first account must be the owner's
cli-access-make-one-scope-owner-first = create one with --scope owner first
cli-access-account-made = account created:{" "}
cli-access-there-no-account-yet-server = there are no accounts; the server is available on this machine only, without signing in. To create one:{" "}
cli-access-has-another-password-sessions-ended = { $name } has a new password; { $ended ->
    [one] 1 session
   *[other] { $ended } sessions
} ended
cli-access-account-gone = account removed:{" "}
cli-access-name-has-have-1-100 = the name must have 1 to 100 characters
cli-access-say-what-token = say what the token is for
cli-access-token-shown-once-keep-well = this token is shown only once; store it safely:
cli-access-there-no-token-yet-make = there are no access tokens; to create one:{" "}
cli-access-all-meetings = all meetings
cli-access-there-no-token = there is no token "{ $id }"
cli-access-shows-those-there = {" "}lists them
cli-access-token-taken-back = access token revoked:{" "}
cli-access-nothing-noted = no entries
cli-access-there-more = more entries:{" "}
cli-access-there-already-account = there is already an account "{ $name }"
cli-access-choose-another-name-set-another = choose another name; to set another password:{" "}
cli-access-there-no-account = there is no account "{ $name }"
cli-access-token-for-whom = several accounts are owners: { $owners }
cli-access-token-for-whom-hint = say for which account the token acts: --by ACCOUNT
cli-labels-no-tags = the meeting has no tags
cli-labels-title-removed = the title was removed; the meeting is called by its topic again
cli-labels-renamed = meeting renamed:{" "}
cli-links-needs-server = The link works at the address of a server over this database: { $serve }
cli-links-shown-once = this link is shown only once; whoever has it reads the result:
cli-links-none = there is no link to this result; create one:{" "}
cli-links-until-revoked = until it is revoked
cli-links-until = until { $when }
cli-links-reads = { $reads ->
    [one] read once
   *[other] read { $reads } times
}
cli-links-revoked = link revoked:{" "}
cli-access-shows-those-there-2 = {" "}lists the accounts

## commands/agents

cli-agents-library = in the library:{" "}
cli-agents-changed = changed:{" "}
cli-agents-deleted = deleted:{" "}
cli-agents-credential-still-stored-forget = the credential of { $provider } is still stored; to forget it:{" "}
cli-agents-said = { $name } ({ $role }, { $label })
cli-agents-there-nobody-library-yet = the library is empty; to add an agent:{" "}
cli-agents-prompt = prompt:{" "}
cli-agents-model = model:{" "}
cli-agents-fallback = fallback:{" "}
cli-agents-parameters = parameters:{" "}
cli-agents-provider-key = provider: { $shown_url } (key: { $key_words })
cli-agents-provider-not-configured = provider: { $name } is not configured
cli-agents-simulated-can-always-speak = { $name } is simulated, and can always speak
cli-agents-answered-ms = { $name } ({ $label }) answered in { $ms } ms: { $said }
cli-agents-try = try it:{" "}
cli-agents-from-environment = from the environment
cli-agents-from-file = from a file
cli-agents-stored-sealed = stored encrypted
cli-agents-none = none
cli-agents-shared = the credential of { $provider } is also used by { $others }

## commands/api

cli-api-path-begins-slash = the path has to begin with /
cli-api-path-example = for example: quorate api GET /templates
cli-api-body-no-json = the body is no JSON: { $error }
cli-api-single-quotes = put the whole of it in single quotes, or give it in a file: --data @FILE
cli-api-cannot-be-used = "{ $given }" cannot be used
cli-api-name-value = write it as 'NAME: VALUE'
cli-api-name-readable-file = name a file that can be read
cli-api-answer-not-written = the answer cannot be written: { $error }
cli-api-make-room = make room, or choose another place

## commands/backup

cli-backup-copied-meetings-events-uploaded-files = copied to { $path }: { $meetings ->
    [one] 1 meeting
   *[other] { $meetings } meetings
}, { $events ->
    [one] 1 event
   *[other] { $events } events
}, { $files ->
    [one] 1 uploaded file
   *[other] { $files } uploaded files
}, all checked
cli-backup-key-file-lies-beside-copy = the key file is beside the copy: anyone who has both can use the provider keys
cli-backup-key-file-does-not-leave = the key file does not leave its machine over a network
cli-backup-leave-out-key-keep-copy = leave out --with-key, and keep a copy of the key file by itself, at the machine of the server
cli-backup-there-no-file = there is no file { $path }
cli-backup-name-file-quorate-backup-wrote = name the file that `quorate backup` wrote
cli-backup-there-would-replaced = { $path } is there, and would be replaced
cli-backup-add-force-if-meant-then = add --force if that is meant: it is then kept beside, under a name with the date
cli-backup-restored-meetings-events-uploaded-files = restored to { $path }: { $meetings ->
    [one] 1 meeting
   *[other] { $meetings } meetings
}, { $events ->
    [one] 1 event
   *[other] { $events } events
}, { $files ->
    [one] 1 uploaded file
   *[other] { $files } uploaded files
}, all checked
cli-backup-what-there-before = what was there before:
cli-backup-uploaded-files-not-there-damaged = { $count } uploaded files are not there or damaged: { $missing }
cli-backup-copying-pages = copying pages
cli-backup-copying-rows = copying rows
cli-nodes-none = the database is a file; it has one writer
cli-nodes-gone = gone
cli-nodes-draining = stopping
cli-nodes-alive = alive
cli-nodes-counts = { $meetings ->
    [one] 1 meeting
   *[other] { $meetings } meetings
}, { $takeovers } taken over
cli-nodes-no-changes = no meeting has gone over from one node to another within 30 days
cli-nodes-change = { $from } → { $to }, epoch { $epoch }
cli-serve-node = node { $node } of { $location }
cli-migrated = copied to { $to }: { $meetings ->
    [one] 1 meeting
   *[other] { $meetings } meetings
}, { $events ->
    [one] 1 event
   *[other] { $events } events
}, { $files ->
    [one] 1 uploaded file
   *[other] { $files } uploaded files
}; every checksum is the same on both sides
cli-migrated-key = the key file was copied to the data directory of this machine; other nodes need the same one
cli-backup-checking-meetings = checking meetings
cli-backup-copying-files = copying files
cli-backup-in-use = a restore replaces the whole database: stop the process that uses it, then repeat this command
cli-backup-in-use-by = a restore replaces the whole database: stop the process that uses it ({ $pid }), then repeat this command

## commands/calls

cli-calls-cached = {" "}({ $cached } cached)
cli-calls-calls = { $calls ->
    [one] 1 call
   *[other] { $calls } calls
}
cli-calls-tokens = { $about }{ $input_tokens } tokens in{ $cached }
cli-calls-out = { $about }{ $output_tokens } out
cli-calls-cost = cost { $cost }
cli-calls-cost-unknown-no-price = cost unknown (no price)
cli-calls-sent-again = sent again
cli-calls-answered-by-fallback = answered by a fallback
cli-calls-asked-once-more = asked once more
cli-calls-shorter-context = with a shorter context
cli-calls-answers-mended = answers mended
cli-calls-calls-2 = Calls:{" "}

## commands/delete

cli-delete-nothing-deleted = nothing was deleted
cli-delete-deleted = deleted:{" "}
cli-delete-nobody-can-asked-here-before = nobody can be asked here before it is deleted
cli-delete-add-yes-delete-all-same = add --yes to delete it all the same
cli-delete-delete-meeting-all-said-at = { $what }{"\u000A"}Delete this meeting and all that was said at it? It cannot be brought back. [y/N]{" "}

## commands/doctor

cli-doctor-config-machine-only = --config is for this machine only
cli-doctor-leave-out-config-server = leave out --config or --server

## commands/estimate

cli-estimate-no-model-named-chosen = No model was named; chosen:
cli-estimate-seats = seats
cli-estimate-facilitator = facilitator
cli-estimate-left-out-which-gave-no = {"  "}left out: { $names }, which gave no list of models
cli-estimate-cost-unknown-model-has-no = cost unknown (a model has no price)
cli-estimate-about-calls-tokens = about { $calls } calls, { $tokens } tokens, { $cost }{ $day }
cli-estimate-prices = {" "}(prices of { $first })
cli-estimate-prices-2 = {" "}(prices of { $first } to { $last })
cli-estimate-what-meeting-may-take-nobody = what this meeting may take (nobody was asked, and nothing was written)
cli-estimate-price-unknown = price unknown
cli-estimate-calls-tokens-read-written = {"  "}{ $name } ({ $runner }): { $calls } calls, { $read } tokens read, { $written } written, { $cost }
cli-estimate-cost-unknown = cost unknown
cli-estimate-cost-unknown-search-has-no = cost unknown (a web search has no price)
cli-estimate-search-price-unknown = price of searches unknown
cli-estimate-searches = { $searches } searches, { $cost }
cli-estimate-all-calls-tokens = in all: { $calls } calls, { $tokens } tokens, { $cost }{ $days }
cli-estimate-most-likely-rounds-calls-tokens = most likely: { $rounds ->
    [one] 1 round
   *[other] { $rounds } rounds
}, { $some } calls, { $tokens } tokens (about { $cached } from a cache){ $cost }
cli-estimate-least-first-ballot-passes-most = least: the first ballot passes; most: every round is held, and each answer, thinking included, is as long as it may be (from { $answer } tokens). The least and the likely hold no thinking; retries and repairs are in none.
cli-estimate-token-counts-estimates-within-19 = token counts are estimates, within { $percent } % for 19 texts of 20; the sum includes that.
cli-estimate-meeting-has-no-end-its = the meeting has no end of its own: the simulation stopped after 400 calls.

## commands/export

cli-export-not-signed = The export is not signed:{" "}
cli-export-not-written = the export cannot be written: { $error }
cli-export-name-file = name a file with --out FILE
cli-export-pdf-terminal = a PDF cannot be read on a terminal
cli-export-without-pdf = this Quorate was built without PDF
cli-export-without-pdf-hint = export with --format html and print that page from a browser

## commands/folders

cli-folders-files-have-bytes-more-than = the files have { $bytes } bytes, more than a running server takes at once ({ $remote_max })
cli-folders-import-them-several-folders-stop = import them in several folders, or stop the server first
cli-folders-go = to continue:{" "}
cli-folders-folder-also-holds-agents-agents = the folder also holds { $agents_left ->
    [one] 1 agent
   *[other] { $agents_left } agents
}; --agents imports them into the library
cli-folders-library = in the library:{" "}
cli-folders-library-already-passed-over = { $name } is in the library already, and was passed over
cli-folders-not-taken-into-library = { $name } was not taken into the library: { $detail }
cli-folders-to-stdout = a folder of files cannot go to stdout
cli-folders-name-out = name it with --out DIR
cli-folders-no-folder = { $path } is not a folder that can be read
cli-folders-another-out = choose another folder with --out DIR
cli-folders-not-ours = { $path } holds { $name }, which is no part of an export
cli-folders-not-ours-hint = choose an empty folder, or one that holds only exports
cli-folders-too-much = { $path } holds more than { $files } files or { $bytes } bytes
cli-folders-too-much-hint = divide it among several folders, and import one after the other
cli-folders-name-one = name a folder or a file that is there
cli-folders-leave-out = let it be read, or leave it out
cli-folders-file-long = { $path } has more than { $bytes } bytes
cli-folders-is-log = { $path } is the log of a meeting, which can be checked and not imported
cli-folders-is-log-hint = export the meeting with --format files and import that folder; quorate verify checks the log
cli-folders-not-utf-8 = { $path } is not text in UTF-8
cli-folders-save-utf-8 = save it as UTF-8

## commands/look

cli-look-damaged = {" "}(damaged)
cli-look-stopped = stopped
cli-look-waits-next-try = waits for { $names }, next try { $at }
cli-look-simulated = {" "}(simulated)
cli-look-there-no-meetings-yet-begin = there are no meetings yet. Begin one: quorate run "TOPIC"
cli-look-draft = draft
cli-look-preparation = preparation
cli-look-discussion = discussion
cli-look-ballot = ballot
cli-look-closing = closing
cli-look-paused = paused
cli-look-ended = ended
cli-look-accepted = accepted
cli-look-converged = converged
cli-look-completed = completed
cli-look-warning = warning:{" "}
cli-look-not-one-event-meeting-whole = not one event of meeting { $id } is whole: { $detail }
cli-look-restore-backup-quorate-restore = restore a backup with quorate restore
cli-look-go = to continue:{" "}
cli-look-cost = cost{" "}
cli-look-cost-unknown-no-price = cost unknown (no price)
cli-look-s = { $seconds } s
cli-look-taken-over-up-event-tokens = { $title }{"\u000A"}taken over up to event { $at }: { $tokens } tokens, { $cost }, { $calls ->
    [one] 1 call
   *[other] { $calls } calls
} and { $time } count towards its budget
cli-look-calls-were-under-way-made = { $n ->
    [one] 1 call in progress is repeated when the meeting continues, and is not charged yet
   *[other] { $n } calls in progress are repeated when the meeting continues, and are not charged yet
}
cli-look-no-agreement = no agreement

## commands/meet

cli-meet-meeting-off-record-takes-no = a meeting off the record takes no password
cli-meet-leave-out-one-them-gone = leave out one of them: it is gone with the command
cli-meet-meeting-over-there-nothing-resume = the meeting is over; there is nothing to resume. Its result: { $next }
cli-meet-meeting-waits-answer-nothing-changed = the meeting waits for an answer; nothing was changed{"\u000A"}{ $text }
cli-meet-let-defaults-hold-yes = { $command }; or let defaults hold with --yes
cli-meet-result = the result is in
cli-meet-meeting-did-not-come-its = the meeting did not come to its end, and was off the record: it is gone
cli-meet-go = to continue:{" "}
cli-meet-no-model-found-so-simulated = no model was found, so simulated participants hold this meeting. To use models: set a key such as OPENAI_API_KEY, or OPENAI_BASE_URL, or start Ollama, or store a provider: quorate providers add.
cli-meet-provider-missing = the meeting uses the provider { $provider }, which is not configured here
cli-meet-process-missing = the meeting uses the process { $name }, which is not configured here
cli-meet-process-missing-hint = give the file it was started with (--config), or add [processes.{ $name }]
cli-meet-acp-missing = the meeting uses the coding agent { $name }, which is not configured here
cli-meet-acp-missing-hint = give the file it was started with (--config), or add [acp.{ $name }] with its command and folders
cli-meet-started-with = set the variables it was started with (such as OPENAI_BASE_URL), or give its file with --config; or { $or }

## commands/minutes

cli-minutes-meeting-has-no-minutes-yet = the meeting has no minutes yet
cli-minutes-there-no-such-version-minutes = there is no such version of the minutes
cli-minutes-nothing-changed = nothing was changed
cli-minutes-what-you-wrote-still = what you wrote is still in
cli-minutes-there-no-editor-edit-them = there is no editor to edit them in
cli-minutes-set-editor-terminal-give-edit = set EDITOR in a terminal, or give --edit FILE, or --edit - for stdin
cli-minutes-versions = these versions exist: { $known }
cli-minutes-stdin-unreadable = the standard input cannot be read: { $error }
cli-minutes-give-file = give --edit FILE, or --edit - for stdin
cli-minutes-unreadable = the minutes cannot be read: { $problem }
cli-minutes-unreadable-hint = see `quorate minutes ID --json`
cli-minutes-form-hint = keep the headings and the form of the items as `quorate minutes ID` shows them
cli-minutes-not-edited = { $path } cannot be edited: { $error }
cli-minutes-edit-file = give --edit FILE
cli-minutes-editor-ended = { $editor } ended with { $status }

## commands/pause_and_end

cli-pause-and-end-meeting-paused-already-go = the meeting is already paused; to continue:{" "}
cli-pause-and-end-pauses-after-current-speaker-go = it pauses after the current speaker; to continue:{" "}
cli-pause-and-end-meeting-paused-go = the meeting is paused; to continue:{" "}
cli-pause-and-end-meeting-ends-its-result = the meeting ends; its result:{" "}
cli-pause-and-end-gate = If a deliverable does not pass the gate, the meeting pauses. Then let the rules write all that is missing: { $again }

## commands/prices

cli-prices-your-own = {" "}(your own)
cli-prices-your-own-price-holds-instead = {"    "}your own price for { $pattern } holds instead
cli-prices-prompts-up-tokens = {"    "}for prompts of up to { $tokens } tokens
cli-prices-no-price-known-unknown-not = no price is known: unknown is not zero
cli-prices-us-dollars-per-million-tokens = US dollars per million tokens: read / written
cli-prices-us-dollars-per-thousand-searches = US dollars per thousand web searches
cli-prices-search = {"    "}a thousand web searches { $search }
cli-prices-cached = {"  "}cached { $cached }
cli-prices-into-cache = {"  "}into the cache { $write }

## commands/providers/add

cli-add-stored-sealed = { $name } was stored; keys are encrypted
cli-add-nothing-about-has-changed = { $name } is unchanged
cli-add-note-wins-over-what-stored = note: { $from } wins over what is stored
cli-add-has-no-key-yet = it has no key yet:{" "}
cli-add-try = try it:{" "}
cli-add-use = use it:{" "}
cli-add-stored-unreadable = what was stored cannot be read
cli-add-stored-unreadable-hint = `quorate providers list` shows the providers
cli-add-changed = { $name } was changed: { $changed }
cli-add-no-header = a header has a name, a colon and a value
cli-add-no-header-hint = write --header "X-Team: platform"
cli-add-no-timeout = there is no timeout "{ $kind }"
cli-add-no-seconds = "{ $seconds }" is not a number of seconds
cli-add-seconds-range = { $seconds } is not from 0.001 to 86400 seconds (a day)
cli-add-timeout-hint = write --timeout idle=60; there are connect, first-byte, idle and total

## commands/providers/key

cli-key-key = key of { $provider }:{" "}
cli-key-not-set = { $variable } is not set
cli-key-not-set-hint = set it, or use --api-key-stdin
cli-key-unreadable = the key cannot be read from standard input: { $error }
cli-key-unreadable-hint = give it as text: quorate providers add … --api-key-stdin < FILE
cli-key-empty = the key is empty

## commands/providers/list

cli-list-key = with a key
cli-list-wants-no-key = wants no key
cli-list-none-models-fits = { $name }: { $count ->
    [one] its only model does not match
   *[other] none of its { $count } models matches
}
cli-list-per-million-tokens-out = { $label }  per million tokens: { $input } in, { $output } out
cli-list-lacks-its-key = lacks its key ({ $name })
cli-list-without-key = without a key
cli-list-at-once = at once
cli-list-requests-minute = requests a minute
cli-list-tokens-minute = tokens a minute
cli-list-no-proxy = no proxy
cli-list-through-proxy = through a proxy
cli-list-public-addresses-only = public addresses only

## commands/providers

cli-providers-forgotten = forgotten:{" "}
cli-providers-can-still-used = it can still be used: { $from }
cli-providers-no-keys-stored-there-nothing = no keys are stored; there is nothing to encrypt again
cli-providers-resealed = encrypted with a new key file: { $resealed }; backups of the old key file no longer open them

## commands/providers/test

cli-test-models = models
cli-test-answer = answer
cli-test-answer-pieces = answer in pieces
cli-test-answer-shape = structured output
cli-test-ms = { $latency_ms } ms
cli-test-tried = { $mark } { $what }: { $detail } ({ $numbers })
cli-test-tokens-out = { $about }{ $read } tokens in, { $about }{ $written } out

## commands/search

cli-search-nothing-found-try-another-word = nothing was found. Try another word, or fewer conditions
cli-search-minutes = {" "}(minutes)
cli-search-artifact = {" "}(artifact)
cli-search-conclusion = {" "}(conclusion)
cli-search-topic = {" "}(topic)
cli-search-by-facilitator = facilitator
cli-search-by-participant = participant
cli-search-by-rules = rules
cli-search-by-user = user
cli-search-events-not-indexed-yet-process = { $behind ->
    [one] 1 event is not indexed yet; the process that uses the database is indexing it
   *[other] { $behind } events are not indexed yet; the process that uses the database is indexing them
}
cli-search-indexing-events-left = indexing, events left:{" "}
cli-search-no-date = --{ $field }: "{ $text }" is no date
cli-search-write-as-2026-01-31 = write it as 2026-01-31 or 2026-01-31T09:30:00Z

## commands/serve

cli-serve-quorate-ready-browser = quorate is ready in the browser:{" "}
cli-serve-quorate-ready-without-its-page = quorate is ready, without its page:{" "}
cli-serve-programs = (for programs: { $url })
cli-serve-browser-could-not-opened = the browser could not be opened:{" "}
cli-serve-stopped = stopped
cli-serve-stopped-calls-were-cut-off = stopped; { $left ->
    [one] 1 call was interrupted and is made again at the next start
   *[other] { $left } calls were interrupted and are made again at the next start
}
cli-serve-stopping-once-more-stops-at = stopping; once more stops at once, and nothing acknowledged is lost
cli-serve-table-hint = docs/server.md lists what may stand there
cli-serve-limit = [server.access.limits] { $name }: { $given } is not within { $least } to { $most }
cli-serve-limit-hint = leave it out for the default; docs/access.md says what each is for
cli-serve-no-telemetry = leave out --telemetry-url
cli-serve-telemetry-scheme = "{ $url }" does not begin with http:// or https://
cli-serve-telemetry-url = "{ $url }" is not the address of a collector: { $why }
cli-serve-telemetry-exporter = spans cannot be exported: { $error }
cli-serve-telemetry-hint = give the address of a collector that takes OTLP over HTTP, such as http://localhost:4318

## commands/shell

cli-shell-there-no-command = there is no command { $word }
cli-shell-quorate-help-lists-all-commands = quorate --help lists all commands
cli-man-name = NAME
cli-man-synopsis = SYNOPSIS
cli-man-description = DESCRIPTION
cli-man-options = OPTIONS
cli-man-subcommands = SUBCOMMANDS
cli-man-extra = EXTRA
cli-man-version = VERSION
cli-man-print-help = Print help
cli-man-print-version = Print version
cli-man-subcommands-value = subcommands
cli-man-possible-values = Possible values:
cli-man-default = [default:{" "}
cli-shell-page = the page cannot be written: { $error }

## commands/url

cli-url-no-server-uses-database = no server uses the database { $db }
cli-url-start-one = start one:{" "}
cli-url-browser-could-not-opened = the browser could not be opened:{" "}

## commands/verify

cli-verify-meetings = meetings of
cli-verify-sound-meetings-ended-events = sound: { $meetings ->
    [one] 1 meeting
   *[other] { $meetings } meetings
} ({ $ended } ended), { $events ->
    [one] 1 event
   *[other] { $events } events
}
cli-verify-more = and { $more } more
cli-verify-database-damaged-places = the database is damaged in { $found } places
cli-verify-copy-file-first-then-restore = copy the file first, then restore a backup; meetings that are not listed can still be exported
cli-verify-export = { $file }: meeting { $meeting }, { $events ->
    [one] 1 event
   *[other] { $events } events
}
cli-verify-export-fits = events that fit the chain of checksums: { $checked }
cli-verify-export-fits-withheld = events that fit the chain of checksums: { $checked }; there by their checksum alone: { $withheld }
cli-verify-export-signed = signed { $at } with the key { $key }
cli-verify-export-key-named = this is the key that you named
cli-verify-export-key-known = this is a key of this installation
cli-verify-export-key-unknown = whose key that is, only its id tells: compare it with the one that the installation shows (Settings › About, `quorate doctor`), or name it with --key
cli-verify-unsigned = not signed: the checksums find damage and careless edits, and no more
cli-verify-unsigned-damaged = not signed: the log was damaged, and what follows the damage is missing
cli-verify-unsigned-withheld = not signed: parts of the log were hidden from the person who exported it
cli-verify-unsigned-off-record = not signed: the meeting was off the record
cli-verify-unsigned-no-key = not signed: the signing key could not be used
cli-verify-export-differs = the export is not what was written and signed
cli-verify-export-differs-hint = export the meeting again at its source; what is listed here was changed, lost or added since

## commands/whatif

cli-whatif-threshold-out-range = --threshold { $value } is out of range
cli-whatif-out-range = --{ $flag } { $value } is out of range
cli-whatif-go-on-first = continue it to its first ballot with `quorate resume`
cli-whatif-how-it-ended = `quorate show` says how it ended

## control

cli-control-another-meeting-held-there = another meeting is held there: { $meeting }
cli-control-try-again-when-over-paused = try again when it is over or paused
cli-control-command-holds-meeting-did-not = the command that holds the meeting did not answer
cli-control-may-just-have-ended-try = it may just have ended; try again

## error

cli-error-error = error:{" "}
cli-error-hint = {" "}hint:{" "}
cli-error-see-help = see --help

## live/asking

cli-asking-has-answered = this has to be answered
cli-asking-write-number-such-as-1200 = write a number, such as 1200
cli-asking-write-yes-no = write yes or no
cli-asking-choose-one = choose one of { $list }
cli-asking-why = why: { $why }
cli-asking-choices = choices: { $list }
cli-asking-choice = { $words } ({ $choice })
cli-choice-accept = accept
cli-choice-again = propose again
cli-choice-all-by-rules = let the rules write all of them
cli-choice-by-rules = let the rules write it
cli-choice-continue = continue
cli-choice-end = end
cli-choice-reject = reject
cli-choice-retry = try again
cli-asking-yes-no = yes or no
cli-asking-number = a number
cli-asking-default = default: { $default }
cli-asking-answer-needed = an answer is needed
cli-asking-may-left-empty = may be left empty
cli-asking-answer = 'ANSWER'

## live/line

cli-line-choose-adr-tasks-risks-minutes = choose ADR, TASKS, RISKS, MINUTES or SUMMARY
cli-line-commands-pause-end-next-name = commands: /pause, /end, /next NAME; anything else is said to the table
cli-acp-no-folder = there is no folder { $folder }
cli-acp-no-folder-hint = name the folder in which the coding agent is to read: --folder PATH
cli-acp-command = "{ $command }" is no command
cli-acp-command-hint = write the program and its arguments as one text: --acp "npx -y some-agent"
cli-line-no-agent-asks = no coding agent asks for anything
cli-line-no-agent-asks-hint = agents ask while they have their turn; the answer has to come before its time is up
cli-line-there-no-command = there is no command { $word }
cli-line-help-lists-all-commands = /help lists all commands
cli-line-near-help-lists-all-commands = near it: { $near }; /help lists all commands
cli-line-lacks-something = { $word } lacks something, or cannot take what follows it
cli-line-write = write { $usage }

## live/lists

cli-lists-agenda-empty = the agenda is empty
cli-lists-there-no-ideas-yet = there are no ideas yet
cli-lists-nobody-has-been-marked-yet = nobody has been marked yet
cli-lists-round = Round { $round }
cli-lists-leaves = {"  "}{ $name } leaves: { $reason }
cli-lists-away = {" "}(away)
cli-lists-nobody-at-table-yet = nobody is at the table yet
cli-lists-nothing-asked-now = nothing is asked now
cli-lists-joins = joins
cli-lists-role = role
cli-lists-focus = focus
cli-lists-model = model
cli-lists-reason = reason
cli-lists-no-skip-list = { $name } has no skip list

## live/session

cli-session-meeting-paused-speak-add-sentence = Meeting paused: speak, or /add SENTENCE, /remove NAME, /minutes; /resume continues, /quit leaves, /help lists all commands
cli-session-enter-takes-default = Enter takes the default
cli-session-pausing-after-current-speaker-press = pausing after the current speaker; press Ctrl-C again to stop at once, nothing is lost
cli-session-password-not-typed-into-meeting = a password is not typed into a meeting, where everyone can see it; while the meeting is paused:{" "}
cli-session-from-another-command = from another command:{" "}
cli-session-terminal-meeting = { $text } is for the terminal of the meeting
cli-session-try-again-while-meeting-paused = try again while the meeting is paused
cli-session-others-let-it-go-on = the meeting is waiting for its host; a message may resume it, and /quit leaves

## live/view/ballot

cli-ballot-pass = pass
cli-ballot-fail = fail
cli-ballot-contradicts-its-score = (contradicts its score){" "}
cli-ballot-abstained = abstained
cli-ballot-failed = failed
cli-ballot-ballot-has-passed = The ballot has passed
cli-ballot-ballot-has-not-passed = The ballot has not passed

## live/view/calls

cli-calls-asks-again-at-once = asks again at once
cli-calls-asks-again-s = asks again in { $seconds } s
cli-calls-does-not-answer-answers-instead = ⇄ { $who }: { $own } does not answer; { $fallback } answers instead
cli-calls-answers-instead = ⇄ { $who }: { $fallback } answers instead
cli-calls-asked-once-more-nobody-knows = asked once more: it is not known whether the last request was carried out
cli-calls-asked-once-more-shorter-context = asked once more, with a shorter context
cli-calls-agent-asks = { $who } asks for permission: { $what } — /allow { $number } or /refuse { $number }
cli-calls-agent-allowed = { $by } permits { $who }: { $what }
cli-calls-agent-refused = { $by } refuses { $who }: { $what }
cli-calls-agent-unanswered = nobody answered { $who }: { $what }
cli-calls-fails = ↻ { $who }: { $what }; { $when } ({ $next })

## live/view/changes

cli-changes-somebody-invited = somebody is invited
cli-changes-person-joined = joins
cli-changes-person-left = leaves
cli-changes-hosts = hosts from now on
cli-changes-back = is back
cli-changes-away = is away
cli-changes-topic-now = the topic is now: { $bold }{ $topic }{ $bold2 } { $dim }(it was: { $was }){ $dim2 }
cli-changes-details = the meeting is called: { $bold }{ $title }{ $bold2 }
cli-changes-rules-change = the rules change
cli-changes-file-attached = { $by } attached { $name } ({ $id })
cli-changes-file-removed = { $by } removed the file { $id }
cli-changes-announcement = Announcement
cli-changes-password-needed-open-meeting = a password is needed to open the meeting
cli-changes-no-password-needed-any-more = no password is needed any more
cli-changes-nothing-missing = nothing is missing
cli-changes-who-comes-goes = Who comes and goes
cli-changes-convergence-100-open-questions-disagreements = convergence { $score }/100 · open questions { $open } · disagreements { $divided }
cli-changes-facilitator = the facilitator
cli-changes-asked-minutes = { $who } is asked for minutes
cli-changes-document-asked = a document is asked for
cli-changes-has-passed-gate = { $artifact_type } { $version }{ $by } has passed the gate{ $title }
cli-changes-agenda = agenda +
cli-changes-agenda-2 = agenda ✓
cli-changes-agenda-3 = agenda ↺
cli-changes-agenda-4 = agenda −
cli-changes-minutes-version = Minutes, version { $version }{ $by }
cli-changes-decisions-actions-risks = decisions { $decisions } · actions { $actions } · risks { $risks }
cli-changes-written-by-rules = {" "}(written by the rules)
cli-changes-by-other = {" "}({ $who })
cli-changes-count = {" "}({ $count })
cli-changes-by = {" "}(by { $name })
cli-changes-edited-by-person = {" "}(edited by a person)
cli-changes-skip-list = need not be asked about: { $list }
cli-changes-no-skip-list = no message is skipped

## live/view

cli-view-round-messages-so-far = { $bold }{ $title }{ $bold2 }{"\u000A"}{ $dim }round { $round_number } · { $phase_text } · { $said ->
    [one] 1 message
   *[other] { $said } messages
} so far{ $dim2 }
cli-view-passes = passes
cli-view-took-too-long-passed-over = took too long and is passed over
cli-view-skipped-only-said = skipped: only { $phrases } was said
cli-view-asked-again = is asked again
cli-view-summary = Summary
cli-view-chosen-by-rules-from-positions = {" "}(chosen by the rules from the positions)
cli-view-draft-version = Draft, version { $version }{ $by }
cli-view-ballot-draft-version = Ballot { $ballot } · draft version { $draft_version }
cli-view-abstains = abstains
cli-view-abstains-because = {" "}({ $why })
cli-view-failed-vote = failed to vote
cli-view-ballot-interrupted = the ballot was interrupted
cli-view-joins = joins · { $role } · { $label }
cli-view-leaves = leaves
cli-view-meeting-goes = the meeting continues
cli-view-what-above-from-meeting-up = what is above is from meeting { $from }, up to event { $at }; forked here
cli-view-clock-set-forward-machine-slept = the clock was set forward or the machine slept; that time does not count
cli-view-calls-were-under-way-when = calls that were under way when the process ended are made again
cli-view-budget-has-no-room-next = the budget has no room for the next step: { $spent } of { $limit } used; with the conclusion it may need { $needed }
cli-view-budget-time-used-up = the budget of time is used up: { $spent } of { $limit }
cli-view-ctrl-c-pauses = ◷ { $wait } (Ctrl-C pauses)
cli-view-provider-answers-again-meeting-goes = the provider answers again; the meeting continues
cli-view-failed = { $name } failed: { $why }
cli-view-marks = Marks
cli-view-round-0-everybody-answers-alone = Round 0 · everybody answers alone
cli-view-round-at-most-turn = Round { $number } of at most { $last } · in turn
cli-view-round-at-most-all-at = Round { $number } of at most { $last } · all at once
cli-view-focus = focus
cli-view-facilitator = facilitator
cli-view-round = Round { $number }
cli-view-answered-blind = has answered; the answer is shown when all have answered

## live/view/speech

cli-speech-goes = continues
cli-speech-begins-again = begins again

## live/view/status

cli-status-paused-type-speak-resume-goes = paused · type to speak · /resume continues · /quit leaves · /help
cli-status-type-speak-attends = type to speak · /help · Ctrl-C leaves, and the meeting continues
cli-status-type-speak-pause-help-ctrl = type to speak · /pause · /help · Ctrl-C pauses and leaves
cli-status-pausing-after-ctrl-c-again = pausing after { $names } · Ctrl-C again leaves at once  { $seconds }s
cli-status-speaking = speaking
cli-status-thinking = thinking
cli-status-summing-up = summing up
cli-status-looking-what-divides-table = looking for what divides the table
cli-status-writing-conclusion = writing the conclusion
cli-status-looking-what-missing = looking for what is missing
cli-status-putting-team-together = putting the team together
cli-status-evaluating = evaluating
cli-status-writing-minutes = writing the minutes
cli-status-writing-artifact = writing an artifact
cli-status-characters-thought = {" "}({ $chars ->
    [one] 1 character
   *[other] { $chars } characters
} of thought)
cli-status-s = s
cli-status-none = none
cli-status-meeting = meeting
cli-status-format = format
cli-status-seed = seed
cli-status-facilitator = facilitator
cli-status-free-simulated = free (simulated)
cli-status-cost-unknown-no-price = cost unknown (no price)
cli-status-cached = {" "}({ $cached } cached)
cli-status-sent-again = {" "}· { $retries } sent again
cli-status-calls-tokens-out = { $calls ->
    [one] 1 call
   *[other] { $calls } calls
} · { $about }{ $read } tokens in{ $cached } · { $about }{ $written } out · { $cost }{ $retries }
cli-status-voting = voting: { $cast } cast, waiting for { $waiting }  { $seconds }s

## live/waiting

cli-waiting-meeting-paused = the meeting is paused
cli-waiting-meeting-paused-something-missing = the meeting is paused: something is missing
cli-waiting-meeting-paused-check-before-round = the meeting is paused: a check before the round
cli-waiting-meeting-paused-approval-needed = the meeting is paused: approval is needed
cli-waiting-meeting-waits-host = the meeting waits for the host
cli-waiting-meeting-paused-nothing-new-said = the meeting is paused: nothing new is said
cli-waiting-meeting-paused-artifact-did-not = the meeting is paused: an artifact did not pass the gate
cli-waiting-meeting-paused-budget-used-up = the meeting is paused: a budget is used up
cli-waiting-meeting-paused-nobody-could-answer = the meeting is paused: no participant gave an answer or a vote that can be used
cli-waiting-waiting-next-try-at = waiting for { $names }, next try at { $at }
cli-waiting-tokens = { $amount } tokens
cli-waiting-s = { $seconds } s

## main

cli-place-no-home = this user has no home directory
cli-place-no-home-hint = name the database with --db PATH
cli-main-not-utf-8 = { $word } is not UTF-8
cli-main-not-utf-8-hint = write it in UTF-8, or give it in a file
cli-main-not-started = the program cannot start: { $error }
cli-result-not-written = the result cannot be written: { $error }
cli-choose-folder = choose another folder
cli-choose-place = choose another place
cli-out-is-database = { $path } is a database, or belongs to one
cli-out-is-database-hint = choose another place; meetings would be lost
cli-see-help = see --help

## password

cli-password-password-meeting = password of the meeting:{" "}
cli-password-password-needed-open-meeting = a password is needed to open this meeting
cli-password-type-terminal-set = type it in a terminal, or set { $variable }
cli-password-password-wrong = the password is wrong
cli-password-try-again-password-taken-before = try again; a password in { $variable } is taken before you are asked
cli-password-new-password-empty-takes-away = new password (empty takes it away):{" "}
cli-password-once-more = once more:{" "}
cli-password-two-not-same = the two are not the same
cli-password-nothing-changed-try-again = nothing was changed; try again
cli-password-there-no-terminal-here-type = there is no terminal here to type a password in
cli-password-add-password-stdin-read-from = add --password-stdin to read it from stdin
cli-password-password-at-least-8-characters = password (at least 8 characters):{" "}
cli-password-unreadable = the password cannot be read: { $error }
cli-write-utf-8 = write it in UTF-8

## remote

cli-remote-example-quorate-token-quorate-doctor = for example: QUORATE_TOKEN=… quorate doctor --server https://quorate.example; `quorate tokens add` makes a token
cli-remote-no-address-server = "{ $address }" is no address of a server
cli-remote-there-no-token-quorate-token = there is no token in QUORATE_TOKEN
cli-remote-event-hint = the server may be a newer Quorate: use the same version here
cli-remote-not-asked = a running server does not take "{ $command }" from here
cli-remote-not-asked-hint = stop the server first; nothing was changed
cli-remote-not-connected = the connection cannot be opened: { $error }

## remote/request

cli-request-server-at-holds-database-does = the server at { $url } that holds the database does not answer: { $why }
cli-request-see-whether-still-runs-once = see whether it still runs; once it is stopped, commands use the database themselves
cli-request-unreadable = the answer of the server at { $url } cannot be read: { $error }
cli-request-unreadable-hint = it may be another version of Quorate: stop it, and start this one
cli-request-status = the server answered { $status }

## commands/mcp

cli-mcp-no-server = no server runs on this database
cli-mcp-no-server-hint = start one with `quorate serve`, or name one with --server URL and QUORATE_TOKEN
cli-mcp-server-gone-hint = ask the person who runs the server to start it; then call the tool again
cli-mcp-from-client = start it from a client of the Model Context Protocol; docs/guides/mcp.md shows how

## commands/replay

cli-replay-event-unreadable = event { $seq } cannot be read: { $error }
cli-replay-event-unreadable-hint = `quorate verify` shows the extent
cli-replay-newer-hint = a newer Quorate may have written it; `quorate verify` says more
cli-replay-speed-hint = give a number above 0, such as 4

## commands/minutes/form

cli-form-record = # Record
cli-form-summary = # Summary
cli-form-decisions = # Decisions
cli-form-actions = # Actions
cli-form-risks = # Risks
cli-form-who = who
cli-form-from = from
cli-form-quote = quote
cli-form-begins = the minutes begin with { $head }
cli-form-item = an item begins with `- `
cli-form-no-field = "{ $text }" is neither who, from nor quote
cli-form-no-id = "{ $text }" is not the id of a message; it should look like m3

## speech/usage

cli-usage-possible = [possible values:{" "}
cli-usage-error = error:{" "}
cli-usage-tip = tip:{" "}
cli-usage-near = similar: { $near }
cli-usage-more = For more information, try --help.
cli-usage-choices = {" "}(choose from { $all })
cli-usage-needs-value = { $argument } needs a value{ $choices }
cli-usage-cannot-be = { $argument } cannot be "{ $value }"{ $choices }
cli-usage-no-argument = there is no argument { $argument }
cli-usage-no-command = there is no command { $command }
cli-usage-no-equals = the value of { $argument } has to follow an equals sign
cli-usage-not-valid = { $argument } cannot be "{ $value }": { $reason }
cli-usage-too-many = { $argument } takes no further value: "{ $value }"
cli-usage-too-few = { $argument } needs at least { $least } values; { $given } were given
cli-usage-wrong-number = { $argument } needs { $wanted } values; { $given } were given
cli-usage-only-once = { $argument } can only be given once
cli-usage-conflict = { $argument } cannot be used with { $others }
cli-usage-missing = { $argument } is missing
cli-usage-command-missing = a command is missing{ $choices }
cli-usage-not-utf-8 = the command line has text that is not UTF-8
cli-usage-range = write a number in the range { $from }-{ $to }
cli-usage-whole-number = write a whole number
cli-usage-too-large = the number is too large
cli-usage-too-small = the number is too small
cli-usage-number = write a number
cli-usage-effort = choose none, low, medium, high or default

## live/seat

cli-seat-your-turn = It is your turn
cli-seat-your-vote = It is your turn to vote
cli-seat-as-role = { $name }, { $role }
cli-seat-time-up = time is up
cli-seat-seconds-left = { $seconds ->
    [one] 1 second left
   *[other] { $seconds } seconds left
}
cli-seat-minutes-left = { $minutes } minutes left
cli-seat-soon = only { $left } to answer
cli-seat-not-read = your last answer could not be read: { $problem }
cli-seat-focus = This round is about:
cli-seat-targets = Please answer these claims:
cli-seat-draft = The draft to vote on:
cli-seat-how = Enter sends; \ at the end of a line continues it in the next; /turn shows the question again.
cli-seat-may-skip = /skip skips this turn.
cli-seat-may-not-skip = This turn cannot be skipped.
cli-seat-your-words = your message (Markdown; all participants read it):
cli-seat-answer = Answer
cli-seat-question = { $label } ({ $hints })
cli-seat-at-most-characters = at most { $most } characters
cli-seat-number = a number
cli-seat-yes-no = yes or no
cli-seat-json = as JSON
cli-seat-may-be-empty = may stay empty
cli-seat-empty-ends = an empty line ends the list
cli-seat-yes = yes
cli-seat-no = no
cli-seat-enter-sends = Enter sends this answer; /undo takes back the last line
cli-seat-enter-sends-again = your answer is kept: Enter sends it again, /undo takes back the last line
cli-seat-ready = the answer is complete: Enter sends it, /undo takes back the last line
cli-seat-taken = your answer is recorded
cli-seat-taken-blind = your answer is recorded; the others see it when all have answered
cli-seat-taken-vote = your vote is recorded; it is counted when the ballot closes
cli-seat-skipped = you skipped this turn
cli-seat-over = your turn is over: the time is up, or it was answered elsewhere.
cli-seat-over-send = /send sends your words as a message
cli-seat-nothing-to-send = there are no words to send; they are kept when a turn is over before its answer was sent
cli-seat-no-turn = no turn of yours is open; what you type is a message
cli-seat-none = you hold no seat here; `quorate run --seat NAME` and `quorate join` take one
cli-seat-elsewhere = a turn is answered in the terminal that holds the seat
cli-seat-elsewhere-hint = type it there, or take the seat in this terminal with quorate join
cli-seat-lost = the server cannot be reached; your turns return when the connection does
cli-seat-closed = you are not asked here any more: your access to the meeting has ended
cli-seat-fault-missing = an answer is needed
cli-seat-fault-long = at most { $most } characters; this has { $length }
cli-seat-fault-few = { $least ->
    [one] at least 1 entry is needed
   *[other] at least { $least } entries are needed
}
cli-seat-fault-number = enter a number
cli-seat-fault-whole = enter a whole number
cli-seat-fault-least = enter { $least } or more
cli-seat-fault-most = enter { $most } or less
cli-seat-fault-json = this is not valid JSON: { $problem }
cli-seat-fault-lines = the answer has too many lines; /undo takes some back
cli-seat-program-how = write {"{"}"ticket":"…","text":"…"{"}"}, {"{"}"ticket":"…","fields":{"{"}…{"}"}{"}"}, {"{"}"ticket":"…","skip":true{"}"} or {"{"}"say":"…"{"}"}; without a ticket, the open turn is answered
cli-seat-program-no-answer = the line is no answer
cli-seat-program-not-one = the line holds no answer, or several
cli-seat-program-no-turn = no turn is open

## commands/join

cli-join-seated = you have a seat as { $name } and are asked when it is your turn
cli-join-gave-up = you gave up your seat; what you said stays
cli-join-left = the meeting continues, and you keep your seat. To return:{" "}
cli-join-left-draft = the meeting has not started, and you keep your seat. To return:{" "}
cli-join-left-paused = the meeting is paused, and you keep your seat. To return:{" "}
cli-join-no-server = no server runs on this database
cli-join-no-server-hint = start one with quorate serve, name one with --server URL, or hold the meeting here: quorate resume last --seat NAME
cli-join-no-meeting = this server has no meeting that you may see
cli-join-no-meeting-hint = ask for an invitation, or for a token of an account
cli-join-several = { $count } meetings begin with { $prefix }
cli-join-several-hint = write more of the id

## commands/attach

cli-attach-unreadable-hint = name a file or a folder that is there
cli-attach-left-out-secret = left out: { $name } usually holds keys or passwords
cli-attach-left-out-size = left out: { $name } has { $bytes } bytes
cli-attach-size-hint = attach files of at most { $most } MiB that are not empty
cli-attach-left-out-unreadable = left out: { $name } cannot be read: { $error }
cli-attach-left-out = left out: { $name }: { $why }
cli-attach-too-many = there are more than { $most } files
cli-attach-too-many-hint = name single files, or a folder with fewer; .gitignore and .ignore leave files out
cli-attach-progress = { $done } of { $all } files attached
cli-attach-off-record = a meeting off the record keeps no files
cli-changes-no-tools-allowed = No tools are allowed
cli-changes-tools-allowed = Tools allowed: { $names }
cli-changes-tool-called = ⚒ { $id } { $who } calls { $tool } { $arguments }
cli-changes-tool-reviewed = ⚒ { $id } { $decision } ({ $by })
cli-changes-tool-returned = ⚒ { $id } returned { $lines ->
    [one] 1 line
   *[other] { $lines } lines
}: { $first }
cli-changes-tool-returned-cut = ⚒ { $id } returned { $lines ->
    [one] 1 line
   *[other] { $lines } lines
}, and more that was cut: { $first }
cli-changes-tool-failed = ⚒ { $id } has no result: { $why }
cli-waiting-meeting-paused-tool = Meeting paused: a tool that can change something waits for your decision
cli-folder-at-server = --folder works only where no server runs on this database
cli-folder-at-server-hint = add the folder as [tools.NAME] to config.toml and use --tools NAME, or stop the server

## setup

cli-setup-no-style = there is no style "{ $name }"
cli-setup-styles = choose formal, casual or debate
cli-setup-no-length = there is no length "{ $name }"
cli-setup-lengths = choose brief, moderate or detailed
cli-setup-no-pair = "{ $text }" is not KEY=VALUE
cli-setup-write-pair = write { $flag } KEY=VALUE
cli-setup-no-artifact = there is no artifact "{ $name }"
cli-setup-no-format = there is no format "{ $name }"
cli-setup-no-temperament = there is no temperament "{ $name }"
cli-setup-not-positive = { $name } is { $value }
cli-setup-positive = give a number above 0
cli-give-file = give { $option } @FILE

## commands/run

cli-run-no-folder = { $path } cannot be written: there is no folder { $folder }
cli-run-is-folder = { $path } cannot be written: it is a folder
cli-run-no-folder-hint = make the folder, or name a file at another place
cli-run-answer-file = write --answer KEY=@FILE

## progress

cli-waiting = { $what } { $seconds } s
cli-waiting-providers = Asking the providers …
cli-waiting-provider = Asking { $name } …
