### Labels of the values of the contract.

## labels

labels-needed = { $name } { $got } (needed ≥ { $needed })
labels-votes-cast = votes cast
labels-mean-score = mean score
labels-pass-ratio = pass ratio
labels-lowest-score = lowest score
labels-ballot = ballot { $ballot }
labels-none = none
labels-key-not-accepted = key not accepted
labels-rate-limited = rate limited
labels-out-quota = out of quota
labels-provider-overloaded = provider overloaded
labels-context-too-long = context too long
labels-content-refused = content refused
labels-unknown-model = unknown model
labels-request-not-accepted = request not accepted
labels-network-trouble = network trouble
labels-timed-out = timed out
labels-unreadable-answer = unreadable answer
labels-empty-answer = empty answer
labels-left = left
labels-out-budget = out of budget
labels-not-configured = not configured
labels-check-key-provider = check the key of this provider
labels-go-minute-lower-concurrency = go on in a minute, or lower the concurrency
labels-add-credit-choose-another-provider = add credit, or choose another provider
labels-go-later-choose-another-model = go on later, or choose another model
labels-choose-model-longer-context-let = choose a model with a longer context, or let the meeting hand on less of its history
labels-put-topic-other-words-choose = put the topic in other words, or choose another model
labels-choose-one-provider-lists = choose one that the provider lists
labels-check-address-provider-models-parameters = check the address of the provider and the model's parameters
labels-check-network-address-provider-whether = check the network and the address of the provider, and whether it is running
labels-give-more-time-choose-faster = give it more time, or choose a faster model
labels-try-again-choose-another-model = try again, or choose another model
labels-nothing-has-done = nothing has to be done
labels-raise-budget-end-meeting = raise the budget, or end the meeting
labels-set-provider-up-first = set this provider up first
