### Why a call failed, and what would help.

## model/attempt

runners-attempt-raise-provider-choose-faster-model = raise { $setting } of the provider { $name }, or choose a faster model
runners-attempt-give-turns-more-time-meetings = give turns more time in the meeting's limits, or choose a faster model
runners-attempt-raise-total-ms-provider-choose = raise total_ms of the provider { $name }, or choose a faster model
runners-attempt-connect-ms-provider-sets-limit = connect_ms of the provider sets the limit
runners-attempt-give-address-public-network-leave = give an address of the public network, or leave public_only out
runners-attempt-check-address-machines-certificates = check the address and this machine's certificates

## model

runners-model-ollama-pull-gets = `ollama pull { $model }` gets it

## modelels

runners-modelels-has-no-models-load-pull = { $provider } has no models; load or pull one first

## model/persist

runners-persist-asks-wait-s-longer-than = it asks to wait { $seconds } s, longer than this call may take
runners-persist-go-after-choose-another-provider = go on after that, or choose another provider

## model/refusal

runners-refusal-model-speaks-another-format-set = this model speaks another format: set the provider { $name } to the format `responses`
runners-refusal-check-user-password-proxy-provider = check user and password of the proxy of the provider { $name }
runners-refusal-base-url-set-providers-final = base_url is { $shown_url }; set it to the provider's final address

## model/response

runners-response-choose-another-model-one-does = choose another model: this one does not come to an end

## model/trouble

runners-trouble-set-key = set { $variable } to a key of { $name }
runners-trouble-check-key-give-another-one = check the key in { $variable }, or give { $name } another one
runners-trouble-check-key-give-another-one-2 = check the key in { $file }, or give { $name } another one
runners-trouble-store-another-key-provider = store another key for the provider { $name }
runners-trouble-give-provider-key = give the provider { $name } a key
runners-trouble-lower-concurrency-provider-go-minute = lower the concurrency of the provider { $name }, or go on in a minute
runners-trouble-add-credit-at-choose-another = add credit at { $name }, or choose another provider
runners-trouble-choose-one-models-lists = choose one of the models that { $name } lists
runners-trouble-check-base-url-models-parameters = check base_url ({ $shown_url }) and the model's parameters
runners-trouble-proxy-running-base-url = are it and the proxy { $proxy } running? base_url is { $shown_url }
runners-trouble-running-base-url = is it running? base_url is { $shown_url }
runners-trouble-raise-timeouts-provider = raise the timeouts of the provider { $name }
runners-trouble-does-speak-format = does { $url } speak the { $title } format?
runners-trouble-add-provider-its-address = add the provider { $name } with its address
runners-trouble-go-later-choose-another-model = go on later, or choose another model
runners-trouble-choose-model-longer-context-let = choose a model with a longer context, or let the meeting hand on less of its history
runners-trouble-put-topic-other-words-choose = put the topic in other words, or choose another model
runners-trouble-choose-another-model-allow-more = choose another model, or allow it more tokens
runners-trouble-nothing-has-done = nothing has to be done
runners-trouble-base-url-most-servers-want = base_url is { $url }; most servers want /v1 at its end
runners-trouble-base-url-does-speak-format = base_url is { $url }; does it speak the { $title } format?

## process/response

runners-response-its-own-log-may-say = its own log may say more
runners-response-docs-runner-protocol-md-shows = docs/runner-protocol.md shows what an answer looks like
runners-response-put-words-into-payload-message = put the words into payload.message.content, or write them as tokens before it
runners-response-let-come-end-sooner = let it come to an end sooner

## process/trouble

runners-trouble-install-change-command-processes = install { $program }, or change command in [processes.{ $name }]
runners-trouble-check-cwd-processes = check cwd in [processes.{ $name }]
runners-trouble-write-each-event-as-one = write each event as one line of JSON; docs/runner-protocol.md shows how
runners-trouble-run-command-processes-by-hand = run the command of [processes.{ $name }] by hand to see why it ends
runners-trouble-end-each-call-agent-message = end each call with an agent_message or an error; docs/runner-protocol.md shows how

## simulated/disturb

runners-disturb-participant-simulated-as-flaky-next = this participant is simulated as flaky; the next attempt may succeed
