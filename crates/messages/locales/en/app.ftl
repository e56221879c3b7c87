### What use cases say.

## doctor

app-doctor-database = database
app-doctor-configuration = configuration
app-doctor-there-no-none-needed = there is no { $config } (none is needed)
app-doctor-stored-credentials = stored credentials
app-doctor-provider = provider
app-doctor-stored-nothing-says-where-its = is stored, and nothing says where its API is
app-doctor-give-its-address-quorate-providers = give its address: quorate providers add { $name } --base-url URL
app-doctor-give-its-address-settings-providers = give its address in Settings › Providers
app-doctor-models = models
app-doctor-no-provider-configured-works-so = no provider that is configured works, so no meeting can begin with models
app-doctor-mend-one-those-above-hold = mend one of those above, or hold the meeting with simulated participants
app-doctor-no-model-can-used-meetings = no model can be used; meetings are held by simulated participants
app-doctor-set-openai-api-key-another = set OPENAI_API_KEY or another key (quorate providers list --presets lists them), or OPENAI_BASE_URL, or start Ollama
app-doctor-add-provider-its-key-settings = add a provider with its key in Settings › Providers, or start Ollama
app-doctor-does-not-exist-yet-first = { $path } does not exist yet; the first meeting makes it
app-doctor-use-by-another-process = , in use by another process
app-doctor-no-meeting-can-held-here = no meeting can be held here: { $error }
app-doctor-can-only-read = , can only be read
app-doctor-meeting = meeting
app-doctor-process = process
app-doctor-program-not-found = the program { $program } was not found
app-doctor-install-change-command-processes = install it, or change command in [processes.{ $name }]
app-doctor-there-no-folder = there is no folder { $folder }
app-doctor-change-cwd = change cwd
app-doctor-store-another-key-quorate-providers = store another key: quorate providers add { $name } --api-key-stdin
app-doctor-no-answer-within-10-s = no answer within 10 s
app-doctor-running-check-address = is it running? check the address
app-doctor-answered-ms = ; { $model } answered in { $latency_ms } ms
app-doctor-probe-had-no-answer-within = the probe had no answer within 120 s
app-doctor-try-smaller-model = try a smaller model

## trial

app-trial-listed = { $count } are listed
app-trial-listed-none-can-talk = { $count } are listed, and none that can talk
app-trial-load-one-name-one = load one, or name one
app-trial-no-answer-within-s = no answer within { $seconds } s
app-trial-try-again-choose-smaller-model = try again, or choose a smaller model
app-trial-pieces = in { $pieces } pieces: { $said }
app-trial-meetings-work-all-same-answers = meetings work all the same; answers show when they are whole
app-trial-not-shape-asked = not in the shape that was asked for: { $said }
app-trial-choose-another-model-set-structured = choose another model, or set structured answers (structured) of this provider to json_object or none

## choose

app-choose-named-by-variable = named by a variable
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
