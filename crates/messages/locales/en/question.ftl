### The questions that a meeting asks people when it pauses; events hold these.

question-go-on-or-end = Continue, or end?
question-nothing-new-said = { $rounds ->
    [one] for one round
   *[other] for { $rounds } rounds
} only agents have talked, and nothing new was said
question-all-skipped = all participants skipped their turns; the next message continues the meeting
question-no-person-spoke = { $rounds ->
    [one] no person has spoken for one round
   *[other] no person has spoken for { $rounds } rounds
}
question-rounds-held = { $rounds ->
    [one] 1 round has been held
   *[other] { $rounds } rounds have been held
}
question-speak-as-host = Speak as the host, and mention with @name who is to answer
question-only-mentioned-speak = in host mode only those who are mentioned speak
question-new-token-limit = The budget of { $limit } is used up. What is the new limit (in tokens)? 0 ends the meeting
question-new-cost-limit = The budget of { $limit } is used up. What is the new limit (in millionths of the currency)? 0 ends the meeting
question-new-time-limit = The budget of { $limit } is used up. What is the new limit (in milliseconds)? 0 ends the meeting
question-new-topic = New topic (leave empty to keep the current one)
question-anything-to-add = Is there anything the participants should know?
question-agree-with-team = Do you agree with who joins and who leaves?
question-leave-out = Which newcomers are to be left out (names, separated by commas)?
question-another-proposal = What should another proposal look like, if you want one?
question-gate = { $record } did not pass the gate. Try again, or let the rules write it from the record?
question-gate-of-several = { $record } did not pass the gate; still to be written: { $others }. Try again, let the rules write this one from the record, or all of them?
question-allow-tool = Allow { $name } to call { $tool }, this once or for the whole meeting? It can change something.
question-tool-arguments = Arguments: { $arguments }
