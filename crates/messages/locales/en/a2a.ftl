### The Agent2Agent protocol: cards, tasks and errors.

a2a-own-message = Your own earlier message:

## Cards

a2a-agent = Quorate: { $format }
a2a-description = AI models, agents and people deliberate on your question over several rounds, by written rules. A task is a meeting: what is said streams, questions come back as input-required, and the result is a conclusion with dissent and votes, and its deliverables.
a2a-skill = { $when }. Yields: { $yields }.
a2a-token = An access token with the scope `manage`, to begin meetings, or `speak`, to answer their questions
a2a-extension = Settings of the meeting in the metadata of a message, under the key `quorate`: the fields of POST /api/v1/meetings, such as `lang`, `participants`, `models`, `simulate`, `rules`
a2a-example = Should our service use SQLite or PostgreSQL?

## Tasks

a2a-started = The meeting has started.
a2a-preparation = The meeting is being prepared.
a2a-blind-round = Blind round: everybody answers without seeing the others.
a2a-round = Round { $round }.
a2a-ballot-opened = The ballot is open.
a2a-ballot-passed = The ballot is closed: the draft passed.
a2a-ballot-failed = The ballot is closed: the draft did not pass.
a2a-resumed = The meeting continues.
a2a-closing = The meeting is closing; its conclusion is being written.
a2a-turn-failed = { $name } did not answer: { $why }. { $help }
a2a-error = A step of the meeting failed: { $why }. { $help }
a2a-fault = The meeting failed repeatedly and was stopped. The operator finds the reason in Quorate and can resume it.
a2a-paused = The meeting is paused ({ $reason }). Send a message to this task to continue it.
a2a-questions = The meeting is paused. Answer { $count ->
    [one] one question
   *[other] { $count } questions
} to continue:
a2a-default = (default: { $value })
a2a-how-to-answer = Reply to this task with lines `key: answer`, or with a data part {"{"}"answers": {"{"}"key": …{"}"}{"}"}. Questions without an answer take their default.
a2a-conclusion = Conclusion
a2a-dissent = Dissent
a2a-votes = Votes
a2a-actions = Actions
a2a-vote-for = for, { $score } of 100
a2a-vote-against = against, { $score } of 100
a2a-no-vote = no vote
a2a-simulated = Participants of this meeting were simulated; their messages are generated text.
a2a-reference =
    Earlier: { $topic }
    Its conclusion: { $conclusion }
a2a-reference-not-passed =
    Earlier: { $topic }
    No draft passed a ballot. The best conclusion so far: { $conclusion }
a2a-canceled-note = Canceled over A2A

## Errors

a2a-no-agent = There is no such agent. The agents are at /a2a/ followed by one of { $formats }.
a2a-post = This address takes POST. Send one JSON-RPC 2.0 request, or read the card below /.well-known/agent-card.json.
a2a-not-json = The body is not JSON: { $problem }. Send one JSON object.
a2a-no-batch = Send one JSON-RPC request as an object; batches are not supported.
a2a-jsonrpc = `jsonrpc` is not "2.0". Send a request of JSON-RPC 2.0.
a2a-rpc-id = `id` is neither a string nor a whole number. Give each request its own.
a2a-rpc-method = `method` is missing. Name one, such as SendMessage or message/send.
a2a-no-method = There is no such method. The methods are { $known }.
a2a-params = The parameters are not an object. Send an object with the fields of the method.
a2a-version = This version of the protocol is not supported. Set A2A-Version to 1.0 or 0.3.
a2a-too-large = The body is longer than { $most } bytes. Send less, or attach files over the HTTP API.
a2a-no-parts = `message.parts` is missing or empty. Send at least one part with a text.
a2a-role = `message.role` is not that of a user. Set it to ROLE_USER (1.0) or user (0.3).
a2a-too-many-parts = The message has more than { $most } parts. Send fewer.
a2a-id = `message.{ $field }` is not an id of 1 to { $most } bytes. Set it.
a2a-content-type = Only parts with text or data are supported. Put the content into the text, or attach the file over the HTTP API.
a2a-data = A data part is not an object. Send an object.
a2a-settings = `metadata.quorate` is not an object. Send the fields of POST /api/v1/meetings.
a2a-no-push = Push notifications are not supported. Follow the task with a stream, or create a webhook over the HTTP API.
a2a-no-extended-card = There is no extended card. The public card says everything.
a2a-no-task = There is no such task, or you may not see it. List the tasks, or send a message without a task id to begin one.
a2a-task-over = The task is over. Send the message without a task id, with the same context id, to begin another.
a2a-nothing-to-follow = The task is over, and nothing more comes. Get the task for its result.
a2a-not-cancelable = The task is over and cannot be canceled. Get the task for its result.
a2a-other-context = The task belongs to another context. Send the context id of the task, or none.
a2a-other-format = This agent holds meetings of the format { $format }. Leave the format out, or ask the agent of the other format.
a2a-no-text = The message has no text. Send the question as a text part.
a2a-text-too-long = The message is longer than { $most } characters. Shorten it, or attach files over the HTTP API.
a2a-answers-do-not-fit = The message does not answer the questions. Send lines `key: answer`, or data with answers, for { $keys }.
a2a-too-many-streams = Too many streams are open. Close one, or try again later.
a2a-response-too-long = The result is longer than an answer can be. Read the meeting over the HTTP API.
a2a-page-size = `pageSize` is not a number from 1 to { $most }. Set one, or leave it out.
a2a-page-token = `pageToken` is not one of this list. Begin again without it.
