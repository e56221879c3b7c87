### What reports, health and what-if say.

## whatif/change

views-change-give-whole-number-from-0 = give a whole number from 0 to { $max }, such as 70
views-change-give-share = give a share from 0.0 to 1.0, such as 0.75
views-change-no-ballot-counted = no ballot of this meeting was counted, so there is nothing to judge again
views-change-out-of-range = { $field }: { $value } is not from 0 to { $max }
views-change-no-such-participant = there is no participant "{ $name }" at the table
views-change-rules-hold-no-ballots = its rules hold no ballots; a format with ballots is consensus
views-change-go-on-to-first-ballot = let it run to its first ballot
views-change-result-says-how-ended = its result says how it ended
views-change-at-the-table = at the table: { $seats }

## whatif/text

views-text-simulated = {" "}(simulated)
views-text-as = As it was: { $was }
views-text-what-another-outcome-would-take = What another outcome would take
views-text-what-if = What if: { $changes }
views-text-ballots = Ballots
views-text-ballot-clause-as-as-would = | Ballot | Clause | As it was | As it would have been |
views-text-ballot-clause-as = | Ballot | Clause | As it was |
views-text-after-round = { $name } after round { $round }
views-text-interrupted = interrupted
views-text-not-counted = not counted
views-text-passed = passed
views-text-failed = failed
views-text-not-held = {" "}(not held)
views-text-verdict = verdict
views-text-needed = { $sign } { $got } (needed ≥ { $needed })
views-text-mean-score-needed = Mean score needed
views-text-outcome-stays-all-other-clauses = The outcome stays with { $from } to { $to }, all other clauses being as they are.
views-text-needed-passes-first = | Needed | Passes first | |
views-text-after-round-2 = { $ballot } after round { $round }
views-text-none = none
views-text-as-2 = as it was
views-text-whose-votes-decide = Whose votes decide
views-text-left-out-outcome = | Left out | Outcome |
views-text-stays = stays
views-text-pivotal-after-round-would-have = **pivotal**: { $ballot } after round { $round } would have passed
views-text-pivotal-would-have-passed = **pivotal**: { $ballot } would have passed
views-text-pivotal-would-not-have-passed = **pivotal**: { $ballot } would not have passed; no consensus
views-text-pivotal-would-not-have-passed-2 = **pivotal**: { $ballot } would not have passed; what would have followed is not known

## whatif/judgement_text

views-words-mean-score = a mean score of { $needed }
views-words-pass-ratio = a pass ratio of { $share }
views-words-lowest-score = a lowest score of { $needed }
views-words-quorum = a quorum of { $share }
views-words-mode = the mode { $mode }
views-words-leaving-out = leaving out { $name }
views-words-would-have-ended-as-did = It would have ended as it did: { $ended }.
views-words-nothing-would-have-been-different = Nothing would have been different so far.
views-words-so-far = {" "}so far
views-words-would-have-ended-earlier-after = It would have ended earlier: { $name } after round { $round } would have passed, which saves { $saved }{ $so_far }.
views-words-would-have-ended-at-same = It would have ended at the same point, but otherwise: { $name } after round { $round } would have passed (as it was: { $ended }).
views-words-would-have-ended-at-same-2 = It would have ended at the same point, but otherwise: { $name } would not have passed, and round { $round } is the last one, so there would have been no consensus.
views-words-would-not-have-ended-there = It would not have ended there: { $name } after round { $round } would not have passed, and the table would have gone on, for { $rounds_left ->
    [one] 1 round
   *[other] { $rounds_left } rounds
} at the most. The record ends there; what would have followed is not known.
views-words-saved = { $rounds ->
    [one] 1 round
   *[other] { $rounds } rounds
}, { $calls ->
    [one] 1 call
   *[other] { $calls } calls
} and { $tokens }
views-words-saved-at-cost = { $saved }, at a cost of { $amount }
views-words-tokens = { $tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
}
views-words-about-tokens = about { $tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
}
views-words-ballot-would-have-passed = Ballot { $ballot } would have passed: { $why }.
views-words-ballot-would-not-have-passed = Ballot { $ballot } would not have passed: { $why }.
views-words-ballot-passed-as-did = Ballot { $ballot } would still have passed.
views-words-ballot-failed-as-did = Ballot { $ballot } would still have failed: { $why }.
views-words-ballot-interrupted = Ballot { $ballot } was interrupted by a message; its votes do not count, under any rules.
views-words-ballot-not-counted = Ballot { $ballot } was not counted: not everybody has voted.
views-words-but-meeting-would-have-been = {" "}But the meeting would have been over, and this ballot not held.
views-words-not-asked = the { $name } is not asked for
views-words-nobody-left-vote = nobody is left to vote
views-words-no-change-alone-enough-takes = {" "}No change alone is enough; it takes them together.
views-words-alone-enough = { $change } alone is enough
views-words-alone-not = { $change } alone is not
views-words-of-the-changes = {" "}Of the changes, { $changes }.
views-words-meeting-not-finished = The meeting is not finished; all of this holds for its log so far.
views-words-rules-changed = The rules were changed during the meeting; each ballot is judged by those that held when it was counted.
views-words-change-without-effect = With the mode { $mode }, { $change } has no effect: it is not asked for.
views-words-votes-left-out = Only votes are left out; what was said has been heard by the others.

## health/text

views-health-simulated = Some participants are simulated: these measures say nothing about real opinions.
views-health-none = None.
views-health-dissent = Open objections
views-health-objection = { $who }: { $text } (#{ $seq })
views-health-objection-answered = { $who }: { $text } (#{ $seq }, answered by { $by })
views-health-lowest-score-passes = The lowest score in ballot { $ballot } is { $score } ({ $who }), and lets the draft pass
views-health-low-score-passes = A low score in ballot { $ballot }: { $who } gave { $score } and lets the draft pass
views-health-low-score-fails = A low score in ballot { $ballot }: { $who } gave { $score } and does not let the draft pass
views-health-positions = Positions, now and at first
views-health-no-position = Nobody has stated a position.
views-health-position = { $text }: { $now } now ({ $holders }), { $first } at first{ $seqs }
views-health-flips = Changes of mind
views-health-no-flip = Nobody changed their mind.
views-health-flip-by = Round { $round }, { $who }: { $from } → { $to }, by what { $owner } said: “{ $said }” (#{ $seq })
views-health-flip-by-nothing = Round { $round }, { $who }: { $from } → { $to }, without naming a reason (#{ $seq })
views-health-loose = What nobody has taken up
views-health-no-claim = Nobody has raised a claim yet.
views-health-claims = { $raised ->
    [one] 1 claim
   *[other] { $raised } claims
}, { $answered } answered ({ $coverage })
views-health-cited = { $cited } of { $raised } claims cite a file.
views-health-unshared-fact = Fact, mentioned only by { $who }: { $text } (#{ $seq })
views-health-participation = Participation and independence
views-health-seat = { $who }: { $turns ->
    [one] 1 turn
   *[other] { $turns } turns
}, { $skips } skipped, { $failures } failed, { $claims ->
    [one] 1 claim
   *[other] { $claims } claims
}, { $votes ->
    [one] 1 vote
   *[other] { $votes } votes
}, { $abstentions ->
    [one] 1 abstention
   *[other] { $abstentions } abstentions
}
views-health-judges = { $seats ->
    [one] 1 seat counts
   *[other] { $seats } seats count
} as about { $effective } independent judges (assuming a correlation of { $rho })
views-health-value = One more round
views-health-rounds-left = { $rounds ->
    [one] 1 round left
   *[other] { $rounds } rounds left
}; { $calls ->
    [one] 1 call
   *[other] { $calls } calls
} and { $tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
} so far
views-health-alarms = Alarms

## report/headline

views-headline-outcome-counts = { $outcome }: { $counts }
views-headline-voted-to-pass = { $supports } of { $all } voted to pass
views-headline-no-majority = no position has a majority
views-headline-hold-this-conclusion = { $supports ->
    [one] 1 of { $all } holds this conclusion
   *[other] { $supports } of { $all } hold this conclusion
}
views-headline-with-reservations = { $reserved } of them with reservations
views-headline-against = { $dissents } against
views-headline-hold-another-position = { $dissents ->
    [one] 1 holds another position
   *[other] { $dissents } hold another position
}
views-headline-abstained = { $abstained } abstained
views-headline-failed = { $failed } failed
views-headline-left = { $left } left
views-headline-took-no-position = { $undecided } took no position

## report

views-report-total = Total
views-report-no-ballot-counted = no ballot was counted

## report/seats

views-seats-call-failed = the call failed
views-seats-seats-failed-result-without-them = { $failed } of { $seats } seats failed, and this result is without them. Mend what made them fail, then hold the meeting again.
views-seats-votes-failed-result-without-them = The votes of { $failed } of { $seats } seats failed: this result has what they said, and not what they would have voted. Mend what made them fail, then hold the meeting again.

## report/tables

views-tables-facilitator = Facilitator

## phase

views-phase-draft = draft
views-phase-paused = paused
views-phase-preparing = preparing
views-phase-discussion = discussion
views-phase-summing-up = summing up
views-phase-ballot = ballot
views-phase-facilitation = facilitation
views-phase-closing = closing
views-phase-ended = ended
views-phase-cost = cost { $cost }
views-phase-cost-unknown = cost unknown
views-phase-forked-from-meeting-after-event = Forked from meeting { $meeting } after event { $seq }; taken over: { $calls ->
    [one] 1 call
   *[other] { $calls } calls
}, { $tokens } tokens, { $cost }, { $seconds } s.

## layout/export_room

views-export-room-user = User

## layout/import_meeting


## layout/import_room

views-import-room-member = Member
views-import-room-no-introduction = No introduction.

## layout/errors

views-layout-twice = "{ $name }" is there twice
views-layout-ids-hint = give each an id of its own
views-layout-names-hint = give each a name of its own
views-layout-other-room = "{ $room }" is another room
views-layout-other-room-hint = put the message into the file of its own room
views-layout-hidden = is false for somebody who has no turns
views-layout-hidden-hint = only a participant's turn can be skipped; leave the message out
views-layout-not-before = "{ $id }" was not said before
views-layout-not-before-hint = a message can only answer an earlier one; correct the order, or write null
views-layout-no-message = there is no message "{ $id }"
views-layout-no-message-hint = write null, or add it
views-layout-no-temperament = "{ $name }" is not a temperament
views-layout-no-temperament-hint = write balanced, stubborn, agreeable or the like
views-layout-number-is = it is { $value }
views-layout-number = choose a number from { $min } to { $max }
views-layout-number-or-null = choose a number from { $min } to { $max }, or null for no limit
views-layout-round-order = round { $round } after round { $before }
views-layout-round-order-hint = list the messages in the order in which they were said
views-layout-not-last-minutes = is not the last version of minutes_history
views-layout-not-last-minutes-hint = repeat the last version there, or leave it out
views-layout-version-order = version { $version } after version { $before }
views-layout-version-order-hint = count the versions up from 1
views-layout-room-twice = room_id: "{ $room }" is there twice
views-layout-too-many = has { $count } entries
views-layout-keep-to = keep it to { $max }
views-layout-divide = divide it among several folders
views-layout-missing = { $file } is missing
views-layout-missing-hint = add the file, or leave the id out
views-layout-message-hint = correct the message; docs/layout.md shows how each looks
views-layout-file-hint = correct the file; docs/layout.md shows how each looks
views-layout-file-long = has { $bytes } bytes, more than { $most }
views-layout-shorten = shorten or divide it
views-layout-no-id = "{ $text }" is not an id
views-layout-no-id-hint = use 1 to 100 letters, digits, - _ and dots, with no dot in front
views-layout-no-time = "{ $text }" is not a time
views-layout-no-time-hint = write ISO 8601 in UTC, such as 2026-03-01T08:30:00Z
views-layout-participants = { $count } participants
views-layout-participants-hint = keep 1 to { $max }
views-layout-similar = "{ $name }" looks like "{ $other }"
views-layout-not-seated = "{ $name }" is not at the table
views-layout-not-seated-hint = name one of { $known }, or add it to the participants
views-layout-no-meeting = there is no meeting in it
views-layout-no-meeting-hint = name a folder with meetings/*.json or rooms.json, or such a file (see docs/layout.md)

## What participants did beside speaking

views-work-no-result = no result yet
views-work-facilitator = Facilitator
views-work-asked = { $told } · waits for permission
views-work-allowed = { $told } · allowed by { $by }
views-work-refused = { $told } · refused by { $by }
views-work-unanswered = { $told } · not permitted
views-work-failed = { $told } · failed

## people, for those who are not to know who they are

views-people-somebody = a person
views-people-numbered = Person { $number }
