### What is found about the agreement of a meeting; the page reads these, too.

## The verdict

health-standing-open = There is no agreement.
health-standing-converging = There is no agreement, but opinions have come closer.
health-standing-ideas = { $ideas ->
    [0] This meeting collects ideas, and nobody has to agree. There is no idea yet.
    [one] This meeting collects ideas, and nobody has to agree. There is 1 idea so far.
   *[other] This meeting collects ideas, and nobody has to agree. There are { $ideas } ideas so far.
}
health-standing-ideas-over = { $ideas ->
    [0] This meeting collected ideas, and nobody had to agree. It has none.
    [one] This meeting collected ideas, and nobody had to agree. It has 1.
   *[other] This meeting collected ideas, and nobody had to agree. It has { $ideas }.
}
health-standing-robust = The participants agree on evidence, and nobody objects.
health-standing-robust-most = Most participants agree on evidence, and nobody objects.
health-standing-thin = The participants agree, but the agreement rests on little.
health-standing-thin-most = Most participants agree, but the agreement rests on little.
health-standing-majority = The ballot has passed, but not everybody agrees.
health-standing-contested = Somebody objects, or the participants are split.
health-standing-suspicious = The agreement is suspicious: nothing new led to it. Weigh what stands against it before you rely on it.

## Its reasons

health-agreement-ballot = In ballot { $ballot }, { $share } of those who were asked voted to pass the draft.
health-agreement-position = { $share } of those who hold a position hold the one that the meeting comes to.
health-agreement-leading = { $share } of those who hold a position hold the leading one.
health-ballot-missed = The ballot did not pass: it missed another clause of the rules.
health-no-round = No round of discussion is complete yet.
health-voices = { $voices ->
    [0] No participant has stated a position.
    [one] Only 1 participant has stated a position.
   *[other] Only { $voices } participants have stated a position.
}
health-new-evidence = { $count ->
    [one] 1 piece of new evidence since the first answers.
   *[other] { $count } pieces of new evidence since the first answers.
}
health-no-evidence = Nothing new was said since the first answers.
health-blind-support = Before the others had spoken, { $share } held the leading position.
health-blind-leader = Another position led at first: “{ $position }”.
health-family = { $share } of the support comes from models of one family ({ $family }).
health-family-simulated = { $share } of the support comes from one simulation.
health-unevidenced-share = { $share } changed their mind without naming a reason.
health-outvoted = { $silent ->
    [0] Of { $asked } who were asked, { $supports } voted to pass, { $dissents } against.
   *[other] Of { $asked } who were asked, { $supports } voted to pass, { $dissents } against, and { $silent } did not vote.
}
health-objections = { $count ->
    [one] 1 objection is unresolved.
   *[other] { $count } objections are unresolved.
}
health-against = { $against ->
    [one] 1 of { $votes } votes is against.
   *[other] { $against } of { $votes } votes are against.
}
health-split = { $share } hold the leading position, and { $others ->
    [one] 1 participant holds another.
   *[other] { $others } participants hold another.
}
health-judges = { $seats ->
    [one] 1 seat counts as about { $effective } independent judges.
   *[other] { $seats } seats count as about { $effective } independent judges.
}
health-judges-simulated = { $seats ->
    [one] 1 seat, which is simulated, counts as about { $effective } independent judges.
   *[other] { $seats } seats, some of them simulated, count as about { $effective } independent judges.
}
health-judges-all-simulated = { $seats ->
    [one] 1 seat, which is simulated, counts as about { $effective } independent judges.
   *[other] { $seats } seats, all of them simulated, count as about { $effective } independent judges.
}

## Alarms

health-jump = In round { $round } the leading position gained { $share }, with nothing new said.
health-collapse = { $rounds ->
    [one] In 1 round all disagreements vanished, with nothing new said.
   *[other] In { $rounds } rounds all disagreements vanished, with nothing new said.
}
health-unevidenced = { $seats ->
    [one] 1 participant changed position without naming a reason.
   *[other] { $seats } participants changed position without naming a reason.
}
health-blind-gap = The leading position gained { $share } since the first answers, with nothing new said.
health-novelty = The last two rounds brought hardly any new claims.
health-unshared = { $facts ->
    [one] 1 fact had been mentioned only by its owner when the vote was held.
   *[other] { $facts } facts had been mentioned only by their owners when the vote was held.
}
health-coverage = { $answered ->
    [one] 1 of { $raised } claims was answered.
   *[other] { $answered } of { $raised } claims were answered.
}
health-gini = A few participants raised most of the claims.
health-value = The last round moved the mean score by only { $points } points.

## One more round

health-round-none-left = No round is left.
health-round-over = The meeting is over.
health-round-unshared = { $facts ->
    [one] 1 fact has been mentioned only by its owner. Use another round to discuss it first.
   *[other] { $facts } facts have been mentioned only by their owners. Use another round to discuss them first.
}
health-round-unanswered = { $claims ->
    [one] 1 claim is unanswered. Another round is well spent on answering it.
   *[other] { $claims } claims are unanswered. Another round is well spent on answering them.
}
health-round-talked-out = The last two rounds brought hardly any new claims. Another one will probably change nothing, so you can vote.
health-round-little = The mean score moved by { $points } points between the last two ballots. Another round may do little.
health-round-further = The mean score moved by { $points } points between the last two ballots. Another round may move it further.
health-round-covered = { $share } of the claims are answered. How much a round changes is not known before a second ballot.
health-round-ideas = { $ideas ->
    [0] The last round brought no new ideas.
    [one] The last round brought 1 new idea.
   *[other] The last round brought { $ideas } new ideas.
}
health-round-nothing-raised = Nobody has raised a claim yet. How much a round changes is not known before a second ballot.
