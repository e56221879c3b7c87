### What the HTTP interface says.

## access/admission

server-proxy-without-accounts = the request came through a proxy, and nobody has to sign in here
server-proxy-without-accounts-hint = ask the operator to create an owner account and to name the proxy with --trust-proxy
server-request-too-slow = the request took too long and was stopped
server-request-too-slow-hint = check whether it was done all the same, then try again

## access/identity

server-not-signed-in = nobody has signed in
server-not-signed-in-hint = sign in at /api/v1/sessions, or send the header authorization: Bearer TOKEN
server-not-signed-in-hint-tools = send the header authorization: Bearer TOKEN
server-token-unknown = the token is unknown or has expired
server-token-unknown-hint = renew it at /api/v1/sessions/refresh, sign in again, or ask for a new one
server-token-unknown-hint-tools = ask for a new token, and set it in the configuration of this client

## stopping

server-wait-retry-after = wait for the time in Retry-After, then try again
server-stopping = the server is stopping
server-stopping-hint = try again when it runs again

## access/local

server-local-token-needed = this server answers only those who show its token
server-local-token-needed-hint = open the address that the server printed when it started, or send the header authorization: Bearer TOKEN

## access/local_sign_in

server-has-accounts = people sign in here with name and password
server-has-accounts-hint = sign in at /api/v1/sessions
server-wrong-token = the token is not right

## access/origin

server-wrong-host = "{ $host }" is not a name of this server
server-wrong-host-hint = use 127.0.0.1 or localhost; allow another name of this machine with --allow-host NAME
server-wrong-origin = the request comes from a page of another site
server-wrong-origin-hint = use the pages of this server, or allow the other site with --allow-origin URL

## access/sessions

server-no-session = there is no session to renew
server-sign-in-first = sign in first
server-not-by-session-hint = revoke a token at /api/v1/tokens/{"{"}id{"}"}

## body

server-body-not-declared = the body is not declared as JSON
server-body-not-declared-hint = send the header content-type: application/json
server-body-too-large = the body is too large
server-body-too-large-files-hint = send less; upload files to /api/v1/meetings/{"{"}id{"}"}/uploads
server-body-too-large-files-hint-tools = send less
server-body-is-list = it is a list and has to be an object
server-see-docs-body = /api/v1/docs describes the body
server-see-docs-body-tools = call the tool again with arguments that fit its input schema
server-body-too-deep = the values are nested too deeply: { $inner }
server-body-not-json = the body is not JSON: { $inner }
server-body-goes-on = something follows the JSON: { $error }
server-see-docs-query = /api/v1/docs describes the query
server-see-docs-query-tools = call the tool again with arguments that fit its input schema
server-path-not-utf8 = the { $part } in the path is not UTF-8
server-path-part = the { $part } in the path cannot be “{ $value }”
server-path-part-because = the { $part } in the path cannot be “{ $value }”: { $why }
server-path-value = “{ $value }” in the path is not a value that can stand there
server-see-docs-path = /api/v1/docs describes the path
server-see-docs-path-tools = call the tool again with an id as another tool returned it

## body_limits

server-body-too-large-signed-out = the body is too large for a request without sign-in
server-body-too-large-signed-out-hint = sign in first, or send less
server-body-too-slow = the body took too long to arrive
server-body-too-slow-hint = send it again, without pauses
server-too-much-at-once = your requests together are too large
server-too-much-at-once-hint = wait until one of them is answered

## compute

server-compute-busy = other requests are being computed
server-compute-own =
    { $own ->
        [one] one of your requests is
       *[other] { $own } of your requests are
    } not done yet

## exports/pool

server-exports-busy = other exports are being made
server-exports-own =
    { $own ->
        [one] one of your exports is
       *[other] { $own } of your exports are
    } not done yet
server-exports-own-hint = export one at a time

## exports/renderer

server-pdf-not-started = the process that makes PDFs does not start
server-pdf-too-slow = the layout took longer than { $seconds } seconds
server-pdf-failed-hint = format=html gives the same as a page to print from a browser, format=markdown and format=json as text; the operator of the server can raise pdf_seconds and pdf_megabytes under [server.exports]
server-pdf-crashed = the layout needs more memory than a PDF may take ({ $megabytes } MiB), or its process failed ({ $status })
server-pdf-no-chinese-font = no font on the server has Chinese characters
server-pdf-no-chinese-font-hint = install one on the server (Debian, Ubuntu: fonts-noto-cjk; Fedora: google-noto-sans-cjk-fonts; Arch: noto-fonts-cjk; Alpine: font-noto-cjk), or name a file with QUORATE_FONT
server-pdf-not-laid-out = the pages cannot be laid out: { $problem }
server-pdf-font = the font that QUORATE_FONT names cannot be used: { $problem }
server-pdf-font-hint = check the path in QUORATE_FONT; it has to be a .ttf, .otf or .ttc file

## live/listener

server-beyond-last-event = { $seen } lies beyond the last event, which is { $last }
server-beyond-last-event-hint = send the number of an event that you have seen, or 0
server-context-limit = { $limit } messages are more than are returned at once
server-context-limit-hint = ask for 0 to { $most }, and for the rest with the next request
server-context-after-hint = give the cursor of an earlier response, or leave `after` out
server-context-after-hint-tools = call get_context with the cursor of an earlier call, or without `after`
server-empty-filter-hint = give { $name } a value, or leave it out

## live/socket/call

server-bug = this is a fault of Quorate

## live/socket/client_message

server-message-is-object = a message is a JSON object
server-message-id = it is neither a text of at most 128 characters nor a number
server-message-id-hint = send another id, or none
server-message-key = idempotency_key has no valid key
server-idempotency-key-hint = send one key of 1 to 255 visible ASCII characters, such as a UUID
server-see-docs-socket = /api/v1/docs describes what can be sent over /api/v1/ws
server-message-not-json = the message is not JSON: { $error }

## live/socket/connection

server-message-is-text = a message is JSON in a text frame
server-no-parameters = unknown parameter `{ $name }`: this request takes none in its query
server-unknown-field = unknown field `{ $name }`
server-already-signed-in = this connection is signed in as somebody else
server-already-signed-in-hint = open another connection for this token
server-already-subscribed = this connection is already subscribed to { $meeting }
server-already-subscribed-hint = unsubscribe first, or open another connection
server-too-many-subscriptions = this connection is already subscribed to { $subscriptions_max } meetings
server-too-many-subscriptions-hint = unsubscribe from another meeting, or open another connection
server-socket-sign-in-hint = send {"{"}"type":"sign_in","token":…{"}"} first, or the header authorization: Bearer TOKEN

## live/socket

server-socket-only = this address speaks WebSocket (RFC 6455); GET /api/v1/meetings/{"{"}id{"}"}/events streams the same meeting

## live/socket/subscription

server-meeting-unloaded = the meeting { $meeting } was deleted or unloaded
server-meeting-unloaded-hint = subscribe again
server-connect-again = connect again in a moment

## live/sse

server-not-event-number = it is not the number of an event
server-not-event-number-hint = send the last id that you received
server-no-event-type = there are no events of type "{ $name }"
server-choose-from = choose from: { $known }

## ops/health

server-about-to-stop = the service is about to stop

## page

server-method-hint = the header Allow lists the methods; /api/v1/docs describes the whole interface
server-method-hint-tools = the header Allow lists the methods
server-see-docs = /api/v1/docs describes the whole interface
server-method = { $method } is not supported here
server-unknown-method = this method is not supported here

## problem

server-send-json = send JSON in UTF-8 with content-type: application/json
server-not-found-hint-tools = call list_meetings for the meetings that you may see, and get_context for what is in one; it may also be hidden from you
server-not-found-hint = check the list; it may also be hidden from you
server-bug-because = this is a fault of Quorate: { $what }
server-bug-hint = nothing that was acknowledged is lost; please report it with the log
server-agent-exists-hint = choose another name, or change the agent that has it
server-lease-not-renewed = this node has not reached the database server for some seconds, and appends nothing
server-node-unreachable = node { $node }, which runs this meeting, cannot be reached
server-node-unreachable-hint = repeat the request; when that node is gone, another one takes the meeting over within 12 seconds
server-no-route = no route of this server matches { $path }
server-not-found = there is no { $what } "{ $id }" that you can see
server-told-elsewhere = { $general } ({ $said })

## rate_limits

server-too-many-uploads = you are already uploading { $uploads_at_once } files
server-too-many-uploads-hint = wait until one of them has arrived
server-too-many-lines = you already have { $most } connections open
server-too-many-lines-hint = close one first; one WebSocket can follow many meetings

## rest/advance

server-wait-too-long-hint = wait at most 30 seconds, then listen to the events
server-wait-too-long = it is too long

## rest/agents

server-provider-is-owners = only the owner sets keys and addresses of providers
server-provider-is-owners-hint = leave out api_key and base_url, and ask the owner of this server to add the provider
server-agent-changed = the agent has changed since the version that If-Match names

## rest/artifacts

server-kinds-are = the kinds are { $known }
server-request-artifact = request it first: POST …/artifacts
server-request-artifact-tools = no tool writes artifacts; ask the host for it, or read quorate://meetings/{"{"}meeting{"}"} with resources/read for those that there are

## rest/ballots

server-no-ballot-yet = the table has not voted yet

## rest/call

server-body-too-large-hint = send less

## rest/claims

server-no-claim = "{ $id }" is not a claim
server-cursor-hint = send `next_cursor` of the previous page unchanged
server-claims-hint = name claims as messages do: c1,c4

## rest/export

server-no-marks-for-you = you may not see marks and private memory
server-no-marks-for-you-hint = leave out with_marks
server-exporter-hint = the log of the server says what the program said; format=json gives what it was given
server-export-form = there is no export of this format
server-export-form-hint = choose one of { $all }
server-export-abandoned = nobody waits for this export any more
server-export-not-written = the archive could not be written: { $error }
server-export-not-written-hint = make room on the disk of the server's temporary files, then export again
server-no-pdf = this server makes no PDF
server-no-pdf-hint = export HTML and print it as PDF in a browser

## rest/idempotency

server-idempotency-header = the header idempotency-key has no valid key

## rest/lifecycle

server-modes-are = the modes are { $known }

## rest/log

server-no-type-of-event = "{ $kind }" is not a type of event
server-types-are = the types are { $known }
server-no-such-event-hint = give the number of an event that you have
server-no-such-event = there is no such event
server-event-unreadable = an event cannot be read: { $error }
server-event-unreadable-hint = ask the operator to verify the database

## rest/meeting_access

server-event-not-in-log = event { $at } is not in the log
server-event-not-in-log-hint = choose a number from 1 to { $last }
server-result-gone = the result cannot be found
server-result-gone-hint = the request was carried out; look at the meeting
server-there-are = there are: { $known }

## rest/meetings

server-no-state = "{ $name }" is not a state
server-states-are = the states are { $known }
server-query-value-length = it can have at most { $most } characters
server-query-length = it has to have 1 to 200 characters
server-query-length-hint = search for fewer words
server-tag-length = a tag has 1 to 40 characters
server-tag-length-hint = give one of the tags of the list
server-too-many-messages-hint = ask for at most 500, and for the others at /messages
server-too-many-messages = { $messages } messages are too many

## rest/messages

server-cursor = it is not a cursor of this list
server-messages-are = the messages are m1 to { $id }
server-no-message-yet = nothing has been said yet

## rest/minutes

server-request-minutes = request them first: POST …/minutes
server-request-minutes-tools = no tool writes minutes; ask the host for them, or read quorate://meetings/{"{"}meeting{"}"}/record or /report with resources/read
server-minutes-changed = the minutes have changed since the version that If-Match names

## rest/pagination

server-limit = { $limit } is out of range
server-limit-hint = ask for 1 to { $most }

## rest/mentions

server-seq-without-meeting = `seq` counts the events of one meeting
server-seq-without-meeting-hint = name that meeting in `meeting`, or leave out `seq`

## rest/participants

server-who-joins-hint = give an agent of the library, a description, or a name with its settings
server-agent-described = an agent of the library has its own description
server-stands-alone = it cannot be combined with other fields
server-nobody-named = nobody is named

## rest/rules

server-rules-hint = GET …/rules shows all of them
server-rules-hint-tools = the input schema of create_meeting describes the rules
server-display-hint = give time_zone, time_format (12h or 24h) and date_format, or null to leave one to the reader
server-meeting-changed = the meeting has changed since the version that If-Match names
server-rules-changed = the rules have changed since the version that If-Match names

## rest/search

server-hits = { $limit } is not within 1 to { $hits_max }
server-hits-hint = ask for the next page with `cursor`
server-no-kind = there is no kind "{ $word }"

## rest/tag

server-no-tag = the header { $name } has no valid tag
server-no-tag-hint = send the ETag as you received it, with its quotes, or *
server-changed-meanwhile-hint = look at it again, then send If-Match: "{ $now }"

## rest/templates

server-see-docs-meeting = /api/v1/docs describes a meeting

## rest/turns

server-wait-seconds = { $wait_seconds } is out of range
server-wait-seconds-hint = wait for 0 to 25 seconds, then ask again
server-answer-empty = the answer is empty
server-answer-empty-hint = give `text` or `fields`
server-answer-double = `text` and `fields` are both given
server-answer-double-hint = give one of them
server-turn-over = this turn is over
server-turn-over-wait = wait for the next one: GET /api/v1/turns?wait_seconds=25
server-turn-over-wait-tools = call wait_for_turn for your next turn
server-turn-over-meeting-ended = this turn is over: the meeting has ended
server-turn-over-meeting-ended-hint = nobody is asked there any more; its result: GET /api/v1/meetings/…/report
server-turn-over-meeting-ended-hint-tools = nobody is asked there any more; call get_result for what it came to
server-turn-no-ticket = this is not the ticket of a turn of this server
server-turn-no-ticket-hint = send the `ticket` of a turn as it is: GET /api/v1/turns
server-turn-no-ticket-hint-tools = give the `ticket` that wait_for_turn returned as it is, or leave `ticket` out
server-ticket-of-other-meeting = the ticket is of a turn at the meeting { $of }, and not at { $named }
server-ticket-of-other-meeting-hint = name the meeting of the ticket, or the ticket of a turn at this meeting; nothing was sent
server-turn-not-skippable = this turn asks for an answer and cannot be skipped
server-turn-not-skippable-hint = answer in a sentence or two
server-turn-over-open = answer an open one: { $open }

## rest/uploads

server-off-record = nothing of this meeting is written to the disk
server-off-record-hint = say it in a message instead
server-meeting-files-full = the meeting already has { $files } files with { $bytes } bytes in all
server-meeting-files-full-hint = delete some first
server-file-empty = the file is empty
server-file-empty-hint = send its bytes as the body
server-uploads-busy = too many files are being uploaded at the moment
server-uploads-busy-hint = send it again in a moment
server-file-broken-off = the file did not arrive whole: { $error }
server-send-again = send it again

## settings

server-settings-hint = GET /api/v1/settings shows all settings
server-setting-range = { $given } is not within { $least } to { $most }
server-setting-too-small = so little would lock you out, too; give at least { $least }, or null for the default
server-setting-too-large = give at most { $most }, or null for the default

## state

server-log-levels = choose debug, info, warning, error or critical, or name parts: quorate_runners=debug,warning

## live/ring

server-database-recovered = the database can be written again

## webhooks

server-webhook-signature = the signature does not fit
server-webhook-signature-hint = sign "ID.TIMESTAMP.BODY" with the secret of this webhook, and send webhook-id, webhook-timestamp and webhook-signature
server-webhook-time = the time of the message is more than five minutes off
server-webhook-time-hint = set the clock of the sender, and sign the message anew
server-webhook-replayed = a message with this webhook-id came before
server-webhook-replayed-hint = nothing is needed if it was answered; otherwise send it under another id
server-webhook-disabled = the webhook is disabled
server-webhook-disabled-hint = enable it in Settings › Webhooks
server-webhook-no-answer = the body holds no answer
server-webhook-no-answer-hint = send ticket, and one of text, fields and skip; or meeting and text, for a message outside of a turn

## start

server-start-no-owner = { $what }, and there is no account that could sign in
server-start-no-owner-hint = create one: quorate accounts add owner (in a container: set QUORATE_OWNER_PASSWORD); or listen on 127.0.0.1
server-start-reached = the address can be reached from other machines
server-start-behind-proxy = a proxy stands in front (--trust-proxy)
server-start-public-url = people reach it from other machines (--public-url)
server-start-option = { $option }: { $problem }
server-start-token = the token needs 16 to 256 characters, and only letters, digits and - . _ ~
server-start-token-hint = make one with `openssl rand -hex 16`, or leave the variable out to have one made
server-start-no-network = "{ $text }" is neither an address nor a network
server-start-no-network-hint = it looks like 10.0.0.7, or 10.0.0.0/8
server-start-not-root = the public address names more than a host: a path, a query, or a user
server-start-not-root-hint = Quorate needs a host of its own, as in { $origin }; give it a name such as quorate.example.org in the proxy
server-start-no-page = "{ $text }" is not the address of a page
server-start-no-page-hint = it looks like https://meet.example.org
server-start-no-certificate = there is no certificate in it
server-start-no-key = there is no private key in it that can be read
server-start-tls-hint = name the certificate with those above it (--tls-cert) and its private key (--tls-key), both in PEM
server-start-tls-unusable = the certificate and the key cannot be used: { $error }
server-start-tls-unusable-hint = take certificate and key from the same place; they belong together
server-log-no-level = "{ $word }" is not a level
server-log-fixed = the log of this server cannot be changed
server-log-no-filter = "{ $levels }" is not a filter: { $error }
server-start-address = cannot listen on { $address }: { $source }
server-start-address-in-use-hint = another program listens there, perhaps another Quorate; choose another port (--port 0 takes a free one)
server-start-address-hint = choose another address (--host) or port (--port)
server-start-nats = the NATS server cannot be used: { $error }
server-start-nats-hint = give its address as nats://HOST:4222 or tls://HOST:4222 (--nats), and the file with the credentials where it needs some (--nats-credentials)
server-start-broken = the server stopped listening: { $source }
server-start-broken-hint = start it again; nothing that was acknowledged is lost
server-close-too-big = a message is larger than 64 KiB
server-close-not-utf8 = a text message is not UTF-8
server-close-protocol = a frame breaks the protocol
server-close-stopping = the server is stopping
server-close-not-signed-in = nobody has signed in
server-close-signed-out = signed out
server-close-silent = nothing was heard for too long
