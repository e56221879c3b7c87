### The result of a meeting as Markdown: what stands around the words of participants. The template names each message
### without `report-` (`crates/views/src/templates/result.md.jinja`).

## Signs

report-paren = {" "}({ $text })
report-colon = :{" "}
report-comma = ,{" "}
report-semicolon = ;{" "}
report-stop = .{" "}
report-dash = {" "}—{" "}
report-list = ,{" "}
report-quote = {" "}“{ $text }”

## Head

report-topic = **Topic:** { $topic }
report-simulated = > Simulated participants took part in this meeting. What they said shows how Quorate works and is not the opinion of any real model.
report-incomplete = > **Incomplete result:** { $why }
report-outcome = **Outcome:** { $headline } ({ $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
} of discussion, { $messages ->
    [one] { $messages } message
   *[other] { $messages } messages
}, { $ballots ->
    [one] { $ballots } ballot
   *[other] { $ballots } ballots
})

## Failed calls

report-failed-calls = Failed calls
report-never-spoke = never spoke
report-failed-turns = { $failed } of { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
} failed
report-failed-votes = { $votes ->
    [one] { $votes } vote
   *[other] { $votes } votes
} failed
report-what-helps = What helps

## Conclusion

report-conclusion = Conclusion
report-not-passed = > **Not a decision of the meeting:** no draft passed a ballot.
report-no-conclusion = There is no conclusion yet.
report-reasons-note = Reasons from the facilitator. They were not part of the draft that was voted on.
report-why-no-consensus = Why there is no consensus
report-agenda = Agenda
report-best-ideas = Best ideas
report-wildcard = Wildcard
report-disagreements = Disagreements
report-unsigned = (unsigned)
report-disagreements-above = The conclusion lists none; see above for who disagrees.
report-no-disagreement = No clear disagreement remains.
report-dissent = Dissent
report-points = { $score ->
    [one] { $score } point
   *[other] { $score } points
}
report-nobody-against = Nobody voted against.
report-nobody-voted = Nobody voted.
report-nobody-asked = There was no ballot, so nobody was asked whether they agree.
report-no-majority = There was no ballot, and no position has a majority.
report-left-open = What is left open stands under “Disagreements”.
report-no-dissent-yet = Nobody disagrees so far.
report-position = Position
report-reason = Reason
report-missing-is = Missing: { $what }
report-points-in-ballot = { $score ->
    [one] { $score } point in ballot { $ballot }
   *[other] { $score } points in ballot { $ballot }
}
report-reservations = Reservations
report-reservations-note = These participants support the result but do not agree with all of it.
report-actions = Actions
report-no-actions = No actions were agreed.
report-missing = What is missing
report-ballot = ballot { $ballot }

## Minutes and artifacts

report-minutes = Minutes
report-version = Version { $version }
report-by = by { $author }
report-up-to = up to { $covers }
report-decided = Decided
report-to-do = To do
report-risk = Risk
report-adr = Decision record (ADR)
report-adr-head = **{ $title }** ({ $status }; { $version }, by { $author })
report-status-accepted = accepted
report-status-proposed = proposed
report-decision = Decision
report-option = Option
report-pro = pro
report-con = con
report-consequence = Consequence
report-tasks = Tasks
report-priority = { $level }
report-level-high = high
report-level-medium = medium
report-level-low = low
report-done-when = done when: { $text }
report-risks = Risks
report-likelihood = likelihood { $level }
report-impact = impact { $level }
report-no-risks = No risks were discussed.
report-summary = Summary
report-open = Open

## Ideas, convergence, marks

report-ideas = All ideas
report-builds-on = {" "}(builds on { $ideas })
report-files = Files and citations
report-file-lines = { $lines ->
    [one] { $lines } line
   *[other] { $lines } lines
    }
report-convergence = Convergence
report-convergence-columns = | Round | Open questions | Disagreements | Convergence | Unchanged for |
report-rounds = { $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
}
report-marks = Hidden marks
report-marks-columns = | Round | Participant | Mark | Reason |

## Ballots and positions

report-ballots = Ballots
report-ballot-heading = Ballot { $ballot } (after round { $round }, draft version { $draft }): { $state }
report-state-passed = passed
report-state-failed = not passed
report-state-interrupted = interrupted
report-state-open = open
report-state-not-counted = not counted
report-votes-columns = | Participant | Score | Pass | Reason |
report-vote-failed = failed
report-vote-abstained = abstained
report-vote-yes = yes
report-vote-no = no
report-vote-contradicts = contradicts its score
report-no-ballot = There was no ballot.
report-positions = How positions changed
report-positions-columns = | Participant | First position | Last position | Confidence | Last score | Changed |
report-position-returned = (changed, then changed back)
report-position-same-words = (reported a change, in the same words)
report-position-unchanged = (unchanged)
report-not-moved = no
report-moved-by-argument = { $times }× for a stated reason
report-moved-without = { $times }× without one
report-no-position = No position was recorded.

## Cost

report-cost = Usage and cost
report-cost-columns = | Participant | Runner | Calls | Input | Output | Cached | Cost |
report-cost-unknown = cost unknown
report-fallbacks = { $calls ->
    [one] { $calls } of these calls was answered by a fallback model.
   *[other] { $calls } of these calls were answered by a fallback model.
}
report-retries = { $requests ->
    [one] { $requests } request within these calls got no answer and was sent again.
   *[other] { $requests } requests within these calls got no answer and were sent again.
}
report-lost-calls = { $calls ->
    [one] { $calls } call was lost when its process stopped; its usage is unknown.
   *[other] { $calls } calls were lost when their process stopped; their usage is unknown.
}
report-closing = Meeting `{ $meeting }`. Numbers in brackets refer to its record: m1 is a message, c1 a claim, t1 a call of a tool.
report-evidence = Evidence
