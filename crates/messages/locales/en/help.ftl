### The help of the command line: `help-COMMAND-ARGUMENT`; a test writes this file from the arguments.

help-about = Let AI models deliberate: several participants, written rules, a decision that can be traced
help-accounts-about = Create, list and delete accounts of the server
help-accounts-add-about = Create an account; its password is typed twice
help-accounts-add-json = Print the account as JSON
help-accounts-add-name = The name, 1-50 characters
help-accounts-add-password_stdin = Read the password from the first line of stdin
help-accounts-add-scope = The permissions [default: owner for the first account, speak for others]
help-accounts-after = Without accounts, the server answers only requests from this machine with the local token. The first account is the owner's; from then on, everybody signs in.
help-accounts-list-about = List the accounts
help-accounts-list-json = Print one account per line as JSON
help-accounts-password-about = Change the password of an account; all its sessions end
help-accounts-password-json = Print the result as JSON
help-accounts-password-name = The account
help-accounts-password-password_stdin = Read the password from the first line of stdin
help-accounts-remove-about = Delete an account, with its sessions and access tokens
help-accounts-remove-json = Print the result as JSON
help-accounts-remove-name = The account
help-after =
    To start:  quorate run "Should our service use SQLite or PostgreSQL?"

    Exit codes: 0 the meeting ended (or the command did its work), 1 it failed, 2 the command line is wrong, 3 the meeting is paused, 4 the meeting ended but most of its participants failed, 130 stopped at once.
help-agents-about = Manage the library of agents that take part in meetings
help-agents-after =
    Add them to a meeting with:  quorate run "TOPIC" --agent Ada --agent Ben

    A meeting copies the agent's settings at that time; later changes of the agent do not affect it.
help-agents-create-about = Add an agent to the library
help-agents-create-api_key_env = Read the provider's key from this environment variable and store it encrypted
help-agents-create-api_key_stdin = Read the provider's key from standard input and store it encrypted
help-agents-create-base_url = The base URL of the provider's API, such as https://api.example.com/v1
help-agents-create-description = The description of the role, 1-2000 characters; @FILE reads it from a file
help-agents-create-effort = The thinking effort: none, low, medium or high, or `default`
help-agents-create-fallback = The fallback model, as provider/name, or `none`
help-agents-create-json = Print the agent as JSON
help-agents-create-max_tokens = The token limit of one answer, or `default`
help-agents-create-model = The model, as provider/name, or what answers in its place: process/name, acp/name
help-agents-create-name = The name, 1-50 characters
help-agents-create-prompt = An additional instruction, at most 2000 characters; @FILE reads it from a file
help-agents-create-role = The name of the role, 1-50 characters
help-agents-create-temperament = Simulate the agent, with this temperament
help-agents-create-temperature = The temperature, 0-2, or `default`
help-agents-create-top_p = The nucleus sampling threshold (top-p), 0-1, or `default`
help-agents-delete-about = Delete an agent from the library; meetings do not change
help-agents-delete-json = Print the agent as JSON
help-agents-delete-name = The agent's name
help-agents-list-about = List the agents
help-agents-list-json = Print one agent per line as JSON
help-agents-show-about = Show an agent and its runner
help-agents-show-json = Print the agent as JSON
help-agents-show-name = The agent's name
help-agents-test-about = Test an agent by asking its model for one word, which may cost a few tokens
help-agents-test-config = A meeting file whose providers are used, too
help-agents-test-json = Print the result as JSON
help-agents-test-name = The agent's name
help-agents-update-about = Change an agent; settings that are not given do not change
help-agents-update-agent = The current name of the agent
help-agents-update-api_key_env = Read the provider's key from this environment variable and store it encrypted
help-agents-update-api_key_stdin = Read the provider's key from standard input and store it encrypted
help-agents-update-base_url = The base URL of the provider's API, such as https://api.example.com/v1
help-agents-update-description = The description of the role, 1-2000 characters; @FILE reads it from a file
help-agents-update-effort = The thinking effort: none, low, medium or high, or `default`
help-agents-update-fallback = The fallback model, as provider/name, or `none`
help-agents-update-json = Print the agent as JSON
help-agents-update-max_tokens = The token limit of one answer, or `default`
help-agents-update-model = The model, as provider/name, or what answers in its place: process/name, acp/name
help-agents-update-name = The new name, 1-50 characters
help-agents-update-prompt = An additional instruction, at most 2000 characters; @FILE reads it from a file
help-agents-update-role = The name of the role, 1-50 characters
help-agents-update-temperament = Simulate the agent, with this temperament
help-agents-update-temperature = The temperature, 0-2, or `default`
help-agents-update-top_p = The nucleus sampling threshold (top-p), 0-1, or `default`
help-api-about = Send a request to the server, for everything without a command of its own
help-api-after =
    Use this for everything without a command of its own: templates, sessions, settings, the agenda and participants of a meeting. The request goes to the server that holds the database, or to the one of --server. docs/openapi.json, and /api/v1/docs of a running server, describe every path.

    Examples:
      quorate api GET /templates
      quorate api POST /meetings/ID/agenda --data '{"{"}"title": "Costs"{"}"}'
      quorate api POST '/meetings/ID/files?name=costs.csv' --file costs.csv
help-api-data = The body as JSON; @FILE reads it from a file, @- from standard input
help-api-file = Send the content of this file as the body, for uploads
help-api-header = A header of the request, such as 'If-Match: "3"'; repeat it for several
help-api-method = HTTP method
help-api-out = Write the response to this file instead of standard output
help-api-path = The path after /api/v1, with its query: '/meetings?limit=5'
help-api-server = Use the server at this address, with the token in QUORATE_TOKEN
help-attach-about = Attach files or folders to a meeting, for its participants to read and cite
help-attach-after =
    Participants read the beginning of each text from the next turn on, agents that fetch their turns read the rest, and what they take from a file is cited, like [f1#12-20].

    Of a folder, files that .gitignore or .ignore name and hidden files are left out. Files that hold keys or passwords are never attached. At most 500 files at once, 20 MiB each.

    Example:  quorate attach last costs.csv docs/
help-attach-id = The meeting: its id, the beginning of it, or `last`
help-attach-json = Print each attached file as JSON
help-attach-paths = Files and folders
help-audit-about = Show the audit log: who did what at the server, when, and from where
help-audit-action = Only this action, such as meetings.delete; a prefix ends with a dot, such as sign_in. for all sign-ins
help-audit-by = Only entries of this principal, such as user:owner
help-audit-cursor = The cursor that was printed at the end of the previous page
help-audit-json = Print one entry per line as JSON
help-audit-limit = The largest number of entries
help-audit-meeting = Only entries about this meeting, by its complete id
help-backup-about = Back up the database with its uploaded files, also while meetings run
help-backup-after = Meetings keep running meanwhile. The copy gets its name once it is complete and verified; uploaded files are stored beside it in TO.files. Without --with-key, the provider keys in the copy can only be decrypted with the key file of this database: keep that file elsewhere, or use --with-key and protect the copy like the keys.
help-backup-json = Print the result as JSON
help-backup-server = Use the server at this address, with the token in QUORATE_TOKEN
help-backup-to = The path of the copy, which must not exist yet
help-backup-with_key = Also copy the key file, which decrypts the provider keys
help-completions-about = Print the script for shell completion
help-completions-after = Example:  quorate completions bash > ~/.local/share/bash-completion/completions/quorate
help-completions-shell = The shell
help-db = The database: a file, or postgres://USER:PASSWORD@HOST/NAME [default: a file in your data directory]
help-delete-about = Delete a meeting with all its contents
help-delete-id = The meeting: its id, the beginning of it, or `last`
help-delete-json = Print the result as JSON; needs --yes
help-delete-yes = Do not ask first
help-doctor-about = Check what is configured, reachable or wrong, and how to fix it
help-doctor-config = A meeting file whose providers are checked, too
help-doctor-json = Print the findings as JSON
help-doctor-probe = Also ask each model for one word, which may cost a few tokens
help-doctor-server = Use the server at this address, with the token in QUORATE_TOKEN
help-end-about = End a meeting with the best available conclusion
help-end-after =
    The facilitator writes the conclusion first, so the meeting ends a little later. If no process runs the meeting, this command ends it.

    Example:  quorate end last "the budget is decided elsewhere"
help-end-config = The file the meeting was started with, when its providers are configured there
help-end-id = The meeting: its id, the beginning of it, or `last`
help-end-note = The reason, for the record
help-export-about = Export a meeting to a file: Markdown, a web page, PDF, JSON or its log, or to a folder of JSON files
help-export-font = With `pdf`: the font file for Chinese characters; otherwise the best one of this machine
help-export-format = Markdown; `html`: one page that replays the meeting and checks itself, without a network; `pdf`; JSON with the report and all events for programs; `jsonl`: the log line by line, as it is stored; or `files`: a folder that other programs and `quorate import` read. All but Markdown and PDF are signed (see docs/export.md). Or the name of an exporter, `[exporters.NAME]` in the configuration file (see docs/plugins.md)
help-export-id = The meeting: its id, the beginning of it, or `last`
help-export-lang = The language of headings, labels and remarks [default: the meeting's]; messages are not translated
help-export-out = The output file; stdout when not given. With `files`, the folder
help-export-salvage = For a damaged meeting, export the part before the damage
help-export-time_zone = With `md`, `html` and `pdf`: the time zone in which times are told, such as Asia/Shanghai [default: the meeting's, or that of this machine]
help-export-with_marks = With `html`, `pdf` and `files`: also hidden marks, private memory and the reasoning of models
help-fork-about = Fork a meeting: start a new one from an earlier point of it
help-fork-at = The last event to copy [default: the last one from which the meeting can continue]
help-fork-budget_cost = The cost budget, including what the old meeting has used, in the currency of your prices
help-fork-budget_minutes = The time budget, including what the old meeting has used
help-fork-budget_tokens = The token budget, including what the old meeting has used
help-fork-id = The meeting: its id, the beginning of it, or `last`
help-fork-json = Print the new meeting's id as JSON
help-fork-rounds = The largest number of discussion rounds
help-fork-title = The title of the new meeting [default: the old title with an addition]
help-import-about = Import meetings from a folder of JSON files, or from one such file
help-import-after = Each import creates new meetings, even from files that were imported before. Unfinished meetings are imported as paused; resume them with quorate resume. Keys in files are not read.
help-import-agents = Also import the agents of agents/ into the library; taken names are skipped
help-import-json = Print one new meeting per line as JSON
help-import-path = A folder with agents/ and meetings/, or with rooms.json and room_messages/; or a meeting's file
help-import-server = Use the server at this address, with the token in QUORATE_TOKEN
help-join-about = Take a seat in a meeting that a server runs, and answer your turns in this terminal
help-join-after =
    When it is your turn, the terminal says so. What you type then is the answer: /turn shows the task again, /skip skips it where that is allowed, /undo takes back the last line, and a line that ends with \ continues in the next one. Ctrl-C leaves; the seat stays yours, and the meeting continues.

    With --json a turn is a line on stdout ({"{"}"type":"turn",…{"}"}), and an answer a line on stdin: {"{"}"ticket":"…","text":"…"{"}"}, {"{"}"ticket":"…","fields":{"{"}…{"}"}{"}"} or {"{"}"ticket":"…","skip":true{"}"}.

    Example:  QUORATE_TOKEN=… quorate join last --role Architect --server https://quorate.example
help-join-events_after = With --json, print the events after this number first, so that a script has no gap
help-join-id = The meeting: its id, the beginning of it, or `last`
help-join-json = Print each event and each turn as a line of JSON on stdout instead, and read answers as lines of JSON
help-join-leave = Give up the seat instead; what you said stays
help-join-name = Your name at the table [default: that of your account]
help-join-role = The role of your seat, in a few words
help-join-server = Use the server at this address, with the token in QUORATE_TOKEN
help-links-about = Create, list and revoke read-only links to the results of meetings
help-links-add-about = Create a read-only link to the result of a meeting that has ended; it is shown only once
help-links-add-days = The lifetime in days, 1-3650 [default: until it is revoked]
help-links-add-json = Print the link as JSON
help-links-add-meeting = The meeting: its id, the beginning of it, or `last`
help-links-after = Anybody who has the link reads the result without signing in: conclusion, dissent, votes with reasons, actions and artifacts, but no messages and not who the people are.
help-links-list-about = List the links to the result of a meeting, with how often each was read
help-links-list-json = Print one link per line as JSON
help-links-list-meeting = The meeting: its id, the beginning of it, or `last`
help-links-remove-about = Revoke a link to the result of a meeting
help-links-remove-id = The link's id, as shown by the list
help-links-remove-json = Print the result as JSON
help-links-remove-meeting = The meeting: its id, the beginning of it, or `last`
help-list-about = List the meetings
help-list-json = Print one meeting per line as JSON
help-list-limit = The largest number of meetings
help-list-tag = Only meetings with this tag
help-man-about = Print the manual, or write all its pages to a folder
help-man-after =
    Example:  quorate man | man -l -
              quorate man --out ~/.local/share/man/man1
help-man-command = The command whose page to print; without one, that of quorate
help-man-out = The folder to write all pages to
help-mcp-about = Let an editor or a coding agent take part, with the Model Context Protocol over standard input and output
help-mcp-server = Use the server at this address, with the token in QUORATE_TOKEN
help-migrate-about = Move a database to a PostgreSQL server, and compare both
help-migrate-after = The original stays as it is; stop the server that uses it first. The database on the server has to be empty. All checksums are verified on both sides, and nothing is in it unless both are the same. Afterwards name it with --db or QUORATE_DB. The key file is copied to this machine's data directory; other nodes need it too.
help-migrate-from = The database to move: a file, or the address of another one on a server
help-migrate-json = Print the result as JSON
help-migrate-to = The address of the empty database: postgres://USER:PASSWORD@HOST/NAME
help-minutes-about = Show, compare or edit the minutes of a meeting
help-minutes-diff = Show the changes from version A to version B
help-minutes-edit = Write a new version: from FILE, from stdin with -, or in $EDITOR when neither is given
help-minutes-id = The meeting: its id, the beginning of it, or `last`
help-minutes-json = Print the minutes as JSON
help-minutes-version = The version [default: the last one]
help-nodes-about = List the nodes: the processes that share a PostgreSQL database
help-nodes-changes = List which meetings have gone over from one node to another instead, the newest first
help-nodes-json = Print the list as JSON
help-nodes-server = Use the server at this address, with the token in QUORATE_TOKEN
help-pause-about = Pause a meeting that runs in another terminal or in the server
help-pause-after =
    The current speaker finishes. The terminal stays open; continue there with /resume, or with `quorate resume`.

    Example:  quorate pause last
help-pause-at_once = Pause at once instead of after the current turn
help-pause-id = The meeting: its id, the beginning of it, or `last`
help-prices-about = List prices of models, with the date and the source of each
help-prices-filter = Only models whose vendor or name contains this
help-prices-json = Print the prices as JSON
help-prices-server = Use the server at this address, with the token in QUORATE_TOKEN
help-providers-about = Add, list, test and remove providers of models and their keys
help-providers-add-about = Store a provider: key, base URL and settings; settings that are not given do not change
help-providers-add-api_key_env = Read the provider's key from this environment variable and store it encrypted
help-providers-add-api_key_stdin = Read the provider's key from standard input and store it encrypted
help-providers-add-base_url = The base URL of the provider's API, such as https://api.example.com/v1
help-providers-add-concurrency = The largest number of concurrent calls, 1-1024
help-providers-add-header = An additional header of each request, "Name: value"; `Name:` removes it; repeat it for several
help-providers-add-json = Print the stored settings, without the key, as JSON
help-providers-add-provider = The provider's name, as in PROVIDER/NAME; a vendor's name implies the vendor's address and format
help-providers-add-proxy = The proxy for requests, or `none` [default: that in HTTPS_PROXY]
help-providers-add-public_only = Refuse addresses of this machine and its network; `=false` resets it
help-providers-add-requests_per_minute = The limit of requests per minute
help-providers-add-retries = The number of retries of a request that certainly was not carried out, 0-10
help-providers-add-streaming = Whether answers are streamed: auto (until a model's streams fail), on or off
help-providers-add-structured = How answers are constrained to a schema: auto, json_schema, json_object or none
help-providers-add-timeout = A time limit: connect=, first-byte=, idle= or total= with seconds; repeat it for several
help-providers-add-tokens_per_minute = The limit of tokens per minute
help-providers-add-vendor = The vendor of the API, when the name does not say so: see `quorate providers list --presets`
help-providers-add-wire = The wire format of its API, such as openai, or a2a for a remote agent [default: the vendor's]
help-providers-after =
    Keys are encrypted in the database with a key file beside it, which does not belong in a backup of the database. An environment variable such as OPENAI_API_KEY takes precedence over a stored key.

    Examples:
      quorate providers add anthropic --api-key-stdin < key.txt
      quorate providers add lab --base-url http://localhost:8080/v1
      quorate providers test lab
help-providers-list-about = List the available providers and their sources; keys are never shown
help-providers-list-json = Print one provider per line as JSON
help-providers-list-presets = List the known vendors and the environment variables of their keys
help-providers-models-about = List the models of a provider
help-providers-models-filter = Only models whose name contains this
help-providers-models-json = Print one model per line as JSON
help-providers-models-provider = The provider's name, as in PROVIDER/NAME
help-providers-remove-about = Delete the stored settings and key of a provider
help-providers-remove-json = Print the result as JSON
help-providers-remove-provider = The provider's name, as in PROVIDER/NAME
help-providers-rotate-about = Encrypt all stored keys with a new key file
help-providers-rotate-json = Print the providers whose keys were encrypted as JSON
help-providers-test-about = Test a provider, which costs a few tokens
help-providers-test-json = Print the result as JSON
help-providers-test-model = The model to ask [default: the first that fits]
help-providers-test-provider = The provider's name, as in PROVIDER/NAME
help-read-pdf-about = Read the text of one PDF file, from standard input to standard output; `quorate` starts this by itself
help-read-pdf-megabytes = The limit of address space, in MiB
help-read-pdf-seconds = The time limit, in seconds
help-rename-about = Rename a meeting, also after its end
help-rename-id = The meeting: its id, the beginning of it, or `last`
help-rename-json = Print the result as JSON
help-rename-title = The title, at most 200 characters
help-render-pdf-about = Render the PDF of one meeting, from standard input to standard output; the server starts this by itself
help-render-pdf-megabytes = The limit of address space, in MiB
help-render-pdf-seconds = The time limit, in seconds
help-replay-about = Replay a meeting from its log; no model is called
help-replay-id = The meeting: its id, the beginning of it, or `last`
help-replay-json = Print the events exactly as they were printed while the meeting ran
help-replay-speed = Replay with the meeting's pauses, this many times faster [default: print at once]
help-restore-about = Restore the database from a backup
help-restore-after = The backup is copied and verified before anything is replaced. With --force, the existing database is kept beside it, under a name with the date; restore it with: quorate restore THAT --force
help-restore-force = Replace the existing database, and keep it under another name
help-restore-from = The backup, as `quorate backup` wrote it
help-restore-json = Print the result as JSON
help-resume-about = Resume a meeting that was paused or interrupted
help-resume-answer = An answer to a question of the pause; @FILE reads it from a file; repeat it for several
help-resume-config = The file the meeting was started with, when its providers are configured there
help-resume-events_after = With --json, first print the events after this sequence number, so that a script has no gap
help-resume-id = The meeting: its id, the beginning of it, or `last`
help-resume-json = Print each durable event as a line of JSON on stdout instead
help-resume-out = Write the result to a file; .json gives JSON, anything else Markdown
help-resume-pace = The speed of simulated participants; kept with the meeting [default: live where the result is read in a terminal, otherwise instant; on resume, as before]
help-resume-role = The role of your seat, in a few words
help-resume-seat = Take a seat yourself, under this name: you are asked in turn in this terminal, and vote
help-resume-token = The resume token of the pause that is answered; refused when the meeting is now paused for another reason
help-resume-yes = Never ask and never read from the terminal; questions take their defaults, and what coding agents ask for is refused
help-run-about = Run a meeting about a topic, live in the terminal
help-run-acp = The command of a coding agent that speaks the Agent Client Protocol, as one more model; it reads in --folder
help-run-acp_env = A variable that the coding agents of --acp may see, such as ANTHROPIC_API_KEY; repeat it for several
help-run-after =
    While the meeting runs, type a line to send a message. /pause pauses, /end ends it, /next NAME gives the floor to a participant, /help lists all commands. Ctrl-C pauses after the current speaker and prints how to resume; a second Ctrl-C stops at once, and nothing is lost.

    When a meeting asks a question, --yes takes the default:

      Question                          Default
      Check before a round              No change
      Missing information               Unknown
      A team, or a change of it         Accepted
      The host's message                Everybody is asked about the topic
      Nothing new was said              The meeting ends
      An artifact fails the gate        The rules write it
      A budget is used up               The meeting ends

    Without --yes and without a terminal, the meeting pauses there (exit code 3) and prints how to answer.

    Without a key or an endpoint, the participants are simulated. To use models, set a key such as OPENAI_API_KEY (`quorate providers list --presets` lists them all), or OPENAI_BASE_URL for any compatible server, or start Ollama, or store a provider: quorate providers add.
help-run-agenda = An item of the agenda, as TITLE or "TITLE: description"; repeat it for several
help-run-agent = Add an agent of the library; repeat it for several, in the order of the seats
help-run-agents_only = Only agents and a host send messages; people follow the meeting
help-run-announce = An announcement to all participants at the start, at most 2000 characters
help-run-artifact = An artifact to write and check at the end, instead of the format's own; repeat it for several [default: discussion MINUTES; decision ADR, TASKS and RISKS]
help-run-attach = Attach a file, or the files of a folder, for participants to read and cite; repeat it for several
help-run-background = Background that is needed to answer the question; @FILE reads it from a file
help-run-budget_cost = The cost budget of the whole meeting, in the currency of your prices
help-run-budget_minutes = The time budget of the whole meeting
help-run-budget_tokens = The token budget of the whole meeting, input and output
help-run-config = A meeting file: topic, participants, rules, providers (see docs/meeting-file.md)
help-run-description = What the meeting is for, in a line of at most 200 characters
help-run-estimate = Estimate the meeting (calls, tokens, cost) without running it; with --json, as JSON
help-run-fallback = The fallback for participants whose own model fails, as provider/name; the agents and the file take precedence, `none` for no fallback
help-run-folder = Let participants list, read and search the files of this folder; the coding agents of --acp work in it
help-run-format = The format of the meeting [default: consensus]
help-run-host = Host mode: each message of the host starts a round with only the participants that it mentions with @. NAME is the participant that hosts; without it, you host [with --yes: all participants are mentioned]
help-run-json = Print each durable event as a line of JSON on stdout instead
help-run-lang = The language of the meeting [default: the topic's]
help-run-length = The speaking length of a participant, as NAME=brief, NAME=moderate or NAME=detailed; repeat it for several
help-run-model = A model, as provider/name, process/name, acp/name or a2a/name; repeat it to assign several models in turn
help-run-moderator = The moderator, who keeps the agenda, by name [default: you]
help-run-no_facilitator = Run the meeting without a facilitator
help-run-off_record = Run the meeting off the record: in memory only, lost when the command ends
help-run-out = Write the result to a file; .json gives JSON, anything else Markdown
help-run-pace = The speed of simulated participants; kept with the meeting [default: live where the result is read in a terminal, otherwise instant; on resume, as before]
help-run-participants = The number of participants (1-12), or their names: Ada,Ben,Cid [default: 4; a brainstorm assembles a team]
help-run-password_stdin = Lock the meeting: its password is the first line of stdin; without this flag, the one in QUORATE_PASSWORD, if it is set
help-run-provider_wait = How long to wait when no provider is reachable; 0 does not wait [default: 10]
help-run-role = The role of your seat, in a few words
help-run-rounds = The largest number of discussion rounds [default: consensus 8, discussion 3, decision 5, room until it ends, brainstorm 4]
help-run-seat = Take a seat yourself, under this name: you are asked in turn in this terminal, and vote
help-run-seed = The seed of random orders and of simulated participants
help-run-set = Any rule by its path, such as turns.timeout_ms=1000 or roster.approve=false; takes precedence over the format and the file, but not over other flags; repeat it for several (see docs/meeting-file.md)
help-run-simulate = Use simulated participants even where models could be used
help-run-style = The style of the discussion [default: formal in a discussion, otherwise none]
help-run-team = Assemble a team of this size for the topic, 1-16, instead of naming participants [default: 4 in a brainstorm]
help-run-threshold = The mean score at which a ballot passes, 0-100 [default: 80]
help-run-time_zone = The time zone in which the page and exports show its times, such as Asia/Shanghai [default: the reader's]
help-run-title = What the meeting is called, at most 200 characters [default: the topic]
help-run-tools = Let participants call the tools that are configured under this name, or search the web with `web-search`; `NAME=Ada,Ben` for some of them. Repeat it for several
help-run-topic = The question, at most 200 characters
help-run-yes = Never ask and never read from the terminal; questions take their defaults, and what coding agents ask for is refused
help-say-about = Send a message or one command to a meeting, without resuming it
help-say-after =
    Requests (minutes, an artifact, a new participant) are completed before the command ends; the meeting itself stays paused.

    Example:  quorate say last "the data is 40 GB" "/remove Ben" "/minutes"
help-say-config = The file the meeting was started with, when its providers are configured there
help-say-id = The meeting: its id, the beginning of it, or `last`
help-say-json = Print each durable event as a line of JSON on stdout instead
help-say-lines = A message, or a command as it is typed in a meeting, such as "/minutes"; /help lists them
help-search-about = Search the messages and records of all meetings or of one
help-search-after =
    All words must occur. For a phrase, use quotes within quotes: '"two writers"'. A word of three letters or more also finds longer words that begin with it. Reasoning, marks and private memory are not searched. Meetings with a password are searched only when --meeting names one.

    Example:  quorate search 收敛 --participant Ada --since 2026-01-01
help-search-json = Print one hit per line as JSON
help-search-kind = Only hits of this kind; repeat it for several
help-search-limit = The largest number of hits
help-search-meeting = Only in this meeting: its id, the beginning of it, or `last`
help-search-participant = Only hits of this speaker or author
help-search-since = Only hits since this day (2026-01-31) or moment (2026-01-31T09:30:00Z)
help-search-until = Only hits up to the end of this day, or before this moment
help-search-words = The words to search for, in any language
help-serve-about = Serve meetings over HTTP: REST, live events, documentation
help-serve-after =
    Without accounts, the server answers only requests with its local token: open the URL that it prints, or set QUORATE_TOKEN (16 characters or more) and send `authorization: Bearer TOKEN`. To make it available to others, first create an account (`quorate accounts add NAME`), then set --host; see docs/access.md.

    A flag takes precedence over its environment variable, which takes precedence over [server] in the configuration file and the default.
help-serve-allow_host = An additional host name that requests may use while there are no accounts; repeat it for several
help-serve-allow_origin = The origin of a page that may use this server from a browser; repeat it for several
help-serve-backup_every = The time from one backup to the next, such as 24h, 30m or 1d [default: 24h]
help-serve-backup_folder = Make backups in this folder while the server runs
help-serve-backup_keep = The number of backups to keep, the newest ones [default: 7]
help-serve-host = The address to listen on [default: 127.0.0.1]
help-serve-log = The log filter: debug, info, warning, error, critical, or per part: quorate_runners=debug,warning [default: info]
help-serve-log_format = The format of log lines [default: text]
help-serve-nats = The NATS server over which nodes of one database hear of each other's meetings: nats://HOST:4222; without one they ask each other over HTTP
help-serve-nats_credentials = The credentials file for the NATS server
help-serve-no_token = Accept requests from every program of this machine without the token; for scripts on your own machine
help-serve-node_url = The URL at which the other nodes of the same database reach this one [default: where it listens]
help-serve-open = Open the page in the browser
help-serve-pace = The speed of simulated participants at new meetings that do not set one; kept with each meeting [default: live]
help-serve-port = The port; 0 takes a free one [default: 7420]
help-serve-public_url = The public URL of this server, when it differs from where it listens: https://meet.example.org
help-serve-telemetry_url = A collector of OpenTelemetry spans, such as http://localhost:4318
help-serve-tls_cert = The certificate chain file, in PEM; needs --tls-key
help-serve-tls_key = The private key file of the certificate, in PEM
help-serve-trust_proxy = A proxy whose forwarded addresses are trusted: an address or a network; repeat it for several
help-show-about = Show the state of a meeting, or its result
help-show-diagnostics = Print the diagnostic report as JSON: the shape of the log and the versions, without any content
help-show-health = Show deliberation health: evidence, open objections, changes of position, unanswered claims
help-show-id = The meeting: its id, the beginning of it, or `last`
help-show-json = Print the report as JSON
help-show-lang = The language of headings, labels and remarks [default: the meeting's]; messages are not translated
help-show-marks = Show the hidden marks of the participants
help-show-salvage = For a damaged meeting, show its state before the damage
help-tag-about = Show or set the tags of a meeting
help-tag-after = Without tags, those of the meeting are printed.
help-tag-clear = Remove all tags
help-tag-id = The meeting: its id, the beginning of it, or `last`
help-tag-json = Print the tags as JSON
help-tag-tags = The tags, in place of those that it has: at most 10 of at most 40 characters
help-tokens-about = Create, list and revoke access tokens for programs that use the server
help-tokens-add-about = Create an access token for a program; it is shown only once
help-tokens-add-agent = The agent that answers its turns with the token, by the name of its seat [default: none]
help-tokens-add-by = The account that the token acts for [default: the owner]
help-tokens-add-days = The lifetime in days, 1-3650 [default: unlimited]
help-tokens-add-json = Print the access token as JSON
help-tokens-add-meeting = Restrict the token to one meeting: its id, the beginning of it, or `last` [default: all]
help-tokens-add-name = The purpose, 1-100 characters
help-tokens-add-scope = The permissions
help-tokens-after = Programs send the token in the header authorization: Bearer TOKEN.
help-tokens-list-about = List the access tokens, without their secrets
help-tokens-list-json = Print one access token per line as JSON
help-tokens-remove-about = Revoke an access token
help-tokens-remove-id = The token's id, as shown by the list
help-tokens-remove-json = Print the result as JSON
help-url-about = Print the URL that opens the page of the running server, with its token
help-url-after = While the server runs, it carries out commands that change data: run, resume, say, fork, delete, agents, providers, accounts, tokens. It stores its address and token in a file beside the database that only you can read.
help-url-json = Print the process, the address, the URL and the token as JSON
help-url-open = Open the page in the browser
help-value-account = ACCOUNT
help-value-action = ACTION
help-value-address = ADDRESS
help-value-address-cidr = ADDRESS|CIDR
help-value-agent = AGENT
help-value-amount = AMOUNT
help-value-bool = BOOL
help-value-command = COMMAND
help-value-count = COUNT
help-value-cursor = CURSOR
help-value-database = DATABASE
help-value-date = DATE
help-value-days = DAYS
help-value-effort = EFFORT
help-value-factor = FACTOR
help-value-file = FILE
help-value-filter = FILTER
help-value-folder = FOLDER
help-value-format = FORMAT
help-value-from = FROM
help-value-header = HEADER
help-value-host = HOST
help-value-json = JSON
help-value-key = KEY
help-value-key-value = KEY=VALUE
help-value-kind = KIND
help-value-kind-seconds = KIND=SECONDS
help-value-lang = LANG
help-value-levels = LEVELS
help-value-line = LINE
help-value-log-format = LOG_FORMAT
help-value-meeting = MEETING
help-value-method = METHOD
help-value-minutes = MINUTES
help-value-mode = MODE
help-value-n-names = N|NAMES
help-value-name = NAME
help-value-name-length = NAME=LENGTH
help-value-name-value = NAME: VALUE
help-value-note = NOTE
help-value-pace = PACE
help-value-path = PATH
help-value-port = PORT
help-value-preset = PRESET
help-value-principal = PRINCIPAL
help-value-provider = PROVIDER
help-value-provider-name = PROVIDER/NAME
help-value-provider-name-none = PROVIDER/NAME|none
help-value-role = ROLE
help-value-scope = SCOPE
help-value-score = SCORE
help-value-seq = SEQ
help-value-share = SHARE
help-value-style = STYLE
help-value-tag = TAG
help-value-tags = TAGS
help-value-text = TEXT
help-value-time = TIME
help-value-title = TITLE
help-value-to = TO
help-value-token = TOKEN
help-value-topic = TOPIC
help-value-variable = VARIABLE
help-value-words = WORDS
help-value-zone = ZONE
help-verify-about = Verify that a database or an export was not changed
help-verify-after =
    FILE is an export as json, jsonl or html, or the folder of an export as files. Each event is checked against its checksum, and the checksums against the signature. The result names the installation that signed it by a key id; --key sets the expected one. Without FILE, the database is verified.

    Example:  quorate verify meeting.jsonl --key 3f0c2a4be1d95c7786aa01d2b43c9e5f
help-verify-file = Verify this export instead of the database
help-verify-json = Print the findings as JSON
help-verify-key = With FILE: the key that must have signed it, as a key id or public key
help-verify-server = Use the server at this address, with the token in QUORATE_TOKEN
help-whatif-about = Evaluate a meeting under other rules, from its log; no model is called
help-whatif-after =
    Without changes, it shows which thresholds and whose votes decided the outcome.

    Example:  quorate whatif last --threshold 70 --without Cid
help-whatif-id = The meeting: its id, the beginning of it, or `last`
help-whatif-json = Print the result as JSON
help-whatif-min_score = The lowest score that a vote could have had, 0-100
help-whatif-mode = The rule that would have applied: the mean score, the share of votes that pass, both, or every vote
help-whatif-pass_ratio = The share of votes that would have had to pass, 0.0-1.0
help-whatif-quorum = The share of participants that would have had to vote, 0.0-1.0
help-whatif-threshold = The mean score at which a ballot would have passed, 0-100
help-whatif-without = A participant whose votes are left out, by name; repeat it for several
