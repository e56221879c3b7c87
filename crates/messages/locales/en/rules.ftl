### Formats and rules: what people read of them when they set up a meeting. A field of the rules has its texts under its
### path: `rules-label-turns-timeout-ms`.

## Formats: their names, when to choose them, what they yield

rules-format-consensus = Consensus
rules-when-consensus = A decision everyone can back
rules-yields-consensus = An accepted draft, or why there is none
rules-format-discussion = Discussion
rules-when-discussion = A topic with an agenda, led by a moderator
rules-yields-discussion = Minutes, every line traced to who said it
rules-format-decision = Decision
rules-when-decision = An architecture or a plan; asks what is missing first
rules-yields-decision = ADR, tasks and risks
rules-format-room = Room
rules-when-room = Participants talk by themselves, you join in
rules-yields-room = The record, and a conclusion when you end it
rules-format-brainstorm = Brainstorm
rules-when-brainstorm = Ideas that build on each other
rules-yields-brainstorm = The best ideas and a wildcard

## Groups of rules

rules-group-intake = Questions to you
rules-group-turns = Turns
rules-group-talk = Style
rules-group-context = What participants read
rules-group-decision = Decision
rules-group-roster = Team
rules-group-closing = Closing
rules-group-limits = Limits

## Questions to you

rules-label-intake-when = Ask you for what is missing
rules-help-intake-when = The meeting pauses with questions; without an answer it continues with defaults.
rules-choice-intake-when-never = Never
rules-choice-intake-when-start = Before the first round
rules-choice-intake-when-each-round = Before each round
rules-label-intake-max-questions = Maximum questions
rules-help-intake-max-questions = At one time.

## Turns

rules-label-turns-floor = Who gives the floor
rules-help-turns-floor = With a host, only those whom the host mentions speak.
rules-choice-turns-floor-rotation = In turn
rules-choice-turns-floor-host = The host calls
rules-label-turns-mode = One after the other, or at once
rules-help-turns-mode = Automatic: in turn when few, all at once when many.
rules-choice-turns-mode-auto = Automatic
rules-choice-turns-mode-serial-turn = One after the other
rules-choice-turns-mode-parallel-round = All at once
rules-label-turns-parallel-from = All at once from this many participants
rules-help-turns-parallel-from = Only when the mode is automatic.
rules-label-turns-order = Order of speaking
rules-help-turns-order = Rotating: each round begins with another participant.
rules-choice-turns-order-rotating = Rotating
rules-choice-turns-order-sequential = By seat
rules-choice-turns-order-random = Random
rules-label-turns-answer = Form of answers
rules-help-turns-answer = Structured: position, reasons and confidence apart.
rules-choice-turns-answer-prose = Prose
rules-choice-turns-answer-structured = Structured
rules-label-turns-blind-round = Everybody answers first without seeing others
rules-help-turns-blind-round = Keeps views independent.
rules-label-turns-cross-reply-targets = Claims of others that each must answer
rules-help-turns-cross-reply-targets = Each speaker is given them by name.
rules-label-turns-may-skip = A turn may be skipped
rules-help-turns-may-skip = Except by a participant who was mentioned.
rules-label-turns-show-skips = Show skipped turns
rules-help-turns-show-skips = The log holds them in any case.
rules-label-turns-extra-turns = Further turns by mentions in a round
rules-help-turns-extra-turns = For each participant, beyond its own.
rules-label-turns-mention-ends-round = The round ends when those mentioned have answered
rules-help-turns-mention-ends-round = The others wait for the next round.
rules-label-turns-people-may-speak = People may speak
rules-help-turns-people-may-speak = When off, people only follow the meeting.
rules-label-turns-ideas = Ask speakers for numbered ideas
rules-help-turns-ideas = Others can build on them by number.
rules-label-turns-pace = Pace of simulated participants
rules-help-turns-pace = Not set: as the server has it, usually at a reader’s pace. Models speak as fast as they answer.
rules-choice-turns-pace-live = At reading speed
rules-choice-turns-pace-brisk = Brisk
rules-choice-turns-pace-instant = At once
rules-label-turns-timeout-ms = Time limit of a turn or a vote
rules-help-turns-timeout-ms = After that it has failed, or is skipped.
rules-label-turns-timeout-skips = A timeout counts as skipped, not failed
rules-help-turns-timeout-skips = Nothing is said about the failure then.
rules-label-turns-max-message-chars = Longest message
rules-help-turns-max-message-chars = Longer ones are cut, and marked.

## Style

rules-label-talk-style = Style
rules-help-talk-style = Left to each participant when not set.
rules-choice-talk-style-formal = Formal
rules-choice-talk-style-casual = Casual
rules-choice-talk-style-debate = Debate
rules-label-talk-lengths = Speaking length of each participant
rules-help-talk-lengths = By name; without one, a participant speaks as long as it likes.
rules-choice-talk-lengths-brief = Brief
rules-choice-talk-lengths-moderate = Moderate
rules-choice-talk-lengths-detailed = Detailed

## What participants read

rules-label-context-view = What is read before speaking
rules-help-context-view = Minutes stand for what they cover in each view.
rules-choice-context-view-record = The whole record
rules-choice-context-view-since-own-word = Since their own last message
rules-choice-context-view-round = This round
rules-choice-context-view-layered = Layered: summary and quotes
rules-label-context-quotes = Maximum quotes in the layered view
rules-help-context-quotes = Chosen by relevance.
rules-label-context-private-memory = Each participant keeps private notes
rules-help-context-private-memory = No other participant reads them.
rules-label-context-rolling-summary = Each round is summed up, and older messages give way
rules-help-context-rolling-summary = Keeps prompts short in long meetings.
rules-label-context-summary-max-chars = Longest summary
rules-help-context-summary-max-chars = A longer one is cut.
rules-label-context-recent-messages = Messages that stay word for word
rules-help-context-recent-messages = 0 keeps everything.

## Decision

rules-label-decision-ballots = Decide by ballot
rules-help-decision-ballots = Everybody scores the draft, 0–100. Without, the meeting ends at its last round.
rules-label-decision-mean-score = Mean score that it must reach
rules-help-decision-mean-score = Over all votes; an abstention has no score.
rules-label-decision-pass-ratio = Share of votes that must pass
rules-help-decision-pass-ratio = Of the votes that were cast.
rules-label-decision-min-score = No vote may be below
rules-help-decision-min-score = A floor that gives everybody a veto.
rules-label-decision-quorum = Share of participants who must have voted
rules-help-decision-quorum = An abstention is not a vote.
rules-label-decision-min-rounds = Rounds before the first ballot
rules-help-decision-min-rounds = The blind round does not count. Not more than the last round.
rules-label-decision-on-steering = Your message during a ballot
rules-help-decision-on-steering = An interrupted ballot is not counted.
rules-choice-decision-on-steering-interrupt = It interrupts the ballot
rules-choice-decision-on-steering-queue = It waits for the ballot
rules-label-decision-convergence = Also end when views converge
rules-help-decision-convergence = When few points are open, or nobody changes any more.
rules-label-decision-convergence-max-open-questions = Open questions at most
rules-help-decision-convergence-max-open-questions = Together with the disagreements.
rules-label-decision-convergence-max-disagreements = Disagreements at most
rules-help-decision-convergence-max-disagreements = Together with the open questions.
rules-label-decision-convergence-stable-rounds = Rounds in a row without a change
rules-help-decision-convergence-stable-rounds = Of anybody’s recommendation.

## Team

rules-label-roster-assemble = Assemble a team when nobody is named
rules-help-roster-assemble = The facilitator proposes one for the topic.
rules-label-roster-team-size = Size of the team
rules-help-roster-team-size = Of a team that is assembled.
rules-label-roster-approve = Ask you before the team changes
rules-help-roster-approve = When off, candidates join and leave without asking.
rules-label-roster-evaluate = Mark everybody after each round
rules-help-roster-evaluate = 0–10, hidden from participants.
rules-label-roster-leave-below = Below this mark, one may have to leave
rules-help-roster-leave-below = One participant in a round; 0 lets nobody go.
rules-label-roster-newcomers = Newcomers may be proposed between rounds
rules-help-roster-newcomers = Up to the size of the team.
rules-label-roster-min-team = Smallest team
rules-help-roster-min-team = Nobody has to leave a team of this size.

## Closing

rules-label-closing-artifacts = Artifacts to be written
rules-help-closing-artifacts = Each must pass a gate before the meeting is finished.
rules-choice-closing-artifacts-adr = Decision record (ADR)
rules-choice-closing-artifacts-tasks = Tasks
rules-choice-closing-artifacts-risks = Risks
rules-choice-closing-artifacts-minutes = Minutes
rules-choice-closing-artifacts-summary = Summary
rules-label-closing-best-ideas = Best ideas in the conclusion
rules-help-closing-best-ideas = With a wildcard; 0 names none.

## Limits

rules-label-limits-max-rounds = Maximum rounds
rules-help-limits-max-rounds = The blind round does not count.
rules-label-limits-tokens = Token budget
rules-help-limits-tokens = Read and written, in the whole meeting.
rules-label-limits-cost-micros = Cost budget
rules-help-limits-cost-micros = Needs a known price of every model.
rules-label-limits-wall-ms = Time budget
rules-help-limits-wall-ms = Since the start, pauses left out. The last fifth, at most 90 s, is kept for the conclusion.
rules-label-limits-when-reached = When a budget is reached
rules-help-limits-when-reached = The best available conclusion is written when it ends.
rules-choice-limits-when-reached-end = End with a conclusion
rules-choice-limits-when-reached-pause = Pause, so that it can be raised
rules-label-limits-answer-tokens = Maximum tokens per answer
rules-help-limits-answer-tokens = A model with a limit of its own keeps to that.
rules-label-limits-rounds-alone = Pause after rounds without a message of a person
rules-help-limits-rounds-alone = 0 sets no limit.
rules-label-limits-rounds-stale = Pause after rounds with nothing new
rules-help-limits-rounds-stale = Also after a round that all skip. 0 sets no limit.
rules-label-limits-provider-wait-ms = Wait for unreachable providers
rules-help-limits-provider-wait-ms = When none can be reached; then the meeting pauses. 0 does not wait.
rules-label-limits-tool-calls = Maximum tool calls
rules-help-limits-tool-calls = In the whole meeting. Then participants answer with what they know; 0 allows none.
rules-label-limits-tool-calls-per-turn = Maximum tool calls per turn
rules-help-limits-tool-calls-per-turn = Then the participant is asked for its answer; 0 allows none.
rules-label-limits-tool-timeout-ms = Time for one call of a tool
rules-help-limits-tool-timeout-ms = Then the participant reads that no result came in time.

## Modes of decision

rules-mode-average = Average
rules-mode-help-average = Asks for the mean score alone
rules-mode-pass-ratio = Pass ratio
rules-mode-help-pass-ratio = Asks for the share in favour alone
rules-mode-both = Both
rules-mode-help-both = Asks for mean score and share in favour
rules-mode-unanimous = Unanimous
rules-mode-help-unanimous = Everybody votes, and everybody is in favour

## Units, without their number

rules-unit-points = { $count ->
    [one] point
   *[other] points
}
rules-unit-rounds = { $count ->
    [one] round
   *[other] rounds
}
rules-unit-turns = { $count ->
    [one] turn
   *[other] turns
}
rules-unit-participants = { $count ->
    [one] participant
   *[other] participants
}
rules-unit-seconds = { $count ->
    [one] second
   *[other] seconds
}
rules-unit-minutes = { $count ->
    [one] minute
   *[other] minutes
}
rules-unit-characters = { $count ->
    [one] character
   *[other] characters
}
rules-unit-tokens = { $count ->
    [one] token
   *[other] tokens
}
rules-unit-money = { $count ->
    [one] US dollar
   *[other] US dollars
}
rules-unit-questions = { $count ->
    [one] question
   *[other] questions
}
rules-unit-messages = { $count ->
    [one] message
   *[other] messages
}
rules-unit-quotes = { $count ->
    [one] quote
   *[other] quotes
}
rules-unit-ideas = { $count ->
    [one] idea
   *[other] ideas
}
rules-unit-claims = { $count ->
    [one] claim
   *[other] claims
}
rules-unit-disagreements = { $count ->
    [one] disagreement
   *[other] disagreements
}
rules-unit-calls = { $count ->
    [one] call
   *[other] calls
}
