### What is written into exported pages and papers.

## html

print-html-quorate = Quorate

## pdf

print-pdf-quorate = Quorate
print-pdf-files = Attached files
print-pdf-record = Record
print-pdf-round = Round { $round }
print-pdf-name-role = { $name } ({ $role })
print-pdf-date = Date
print-pdf-participants = Participants
print-pdf-outcome = Outcome
print-pdf-characters-such-as-emoji-no = { $count } characters, such as emoji, are in no font of this machine and are printed as [U+number].
print-font-unreadable = the font file { $path } cannot be read: { $error }
print-font-unreadable-hint = look at the path that --font or QUORATE_FONT names
print-no-font = { $path } is not a font that can be printed with
print-no-font-hint = name a TrueType or OpenType file: .ttf, .otf or .ttc
print-no-chinese-font = no font on this machine has Chinese letters
print-no-chinese-font-hint = install one (Debian, Ubuntu: fonts-noto-cjk; Fedora: google-noto-sans-cjk-fonts; Arch: noto-fonts-cjk; Alpine: font-noto-cjk), or name a file with --font or QUORATE_FONT
print-not-set = the pages cannot be set: { $error }
print-not-set-hint = this is a bug in Quorate: please report it; --format html needs no pages

## transcript

print-transcript-record = Record
print-section-before = Before round 1
print-section-after-blind = After the blind answers
print-transcript-zone = {"\u000A"}Time zone: { $zone }{"\u000A"}

## times

print-times-before-noon = { $time } AM
print-times-after-noon = { $time } PM

## page: what the exported page says itself, in the language of the meeting

print-page-result = Result
print-page-record = Record
print-page-check = Check
print-page-skip = Skip to the record
print-page-verified = Verified: { $n } events fit the chain of checksums
print-page-verified-one = Verified: { $n } event fits the chain of checksums
print-page-withheld-too = ; { $n } more are withheld
print-page-withheld-too-one = ; { $n } more is withheld
print-page-broken-at = Event { $n } does not fit the chain of checksums: this page was changed or damaged after it was written
print-page-conclusion-differs = The result above is not the conclusion of the record: this page was changed after it was written
print-page-about-chain = The checksum of each event covers all events before it. This page computes them anew when it is opened, on this machine, without a network. That finds damage and careless edits. Somebody who means to could compute the whole chain again, but not forge a signature.
print-page-signature-checking = Verifying the signature…
print-page-signature-valid = ✓ The signature is valid: the record has not changed since it was signed
print-page-signature-invalid = ✗ The signature does not fit this page: the record was changed after it was signed, or was not signed with the key that is named
print-page-signature-unsupported = This browser cannot verify Ed25519 signatures. Verify the file with quorate verify, or open it in a newer browser.
print-page-about-signature = The signature proves that the Quorate installation with this key held this record at that time. Whose key it is, it does not say: compare the key id with the one that the installation shows (Settings › About, quorate doctor or /api/v1/signing-key). The report at the top is made from the record and is not signed. A page that checks itself can be made to lie; if you do not trust where it comes from, use quorate verify.
print-page-signed-at = Signed at
print-page-key-id = Key id
print-page-unsigned-damaged = Not signed: the record is damaged, and what follows the damage is missing.
print-page-unsigned-withheld = Not signed: parts of the record were hidden from the person who exported it.
print-page-unsigned-off-record = Not signed: the meeting was off the record.
print-page-unsigned-no-key = Not signed: the signing key could not be used.
print-page-about-withheld = Hidden marks, private memory and the thinking of models are left out unless they were asked for: such an event leaves only its checksum, and the chain still holds. A message that is shown without them is labelled “in part”.
print-page-events = Events
print-page-last = Last checksum
print-page-meeting = Meeting
print-page-blind-round = Blind answers
print-page-round = Round { $n }
print-page-person = Person
print-page-summary = Summary
print-page-draft = Draft · version { $n }
print-page-conclusion = Conclusion
print-page-reasons = Reasons from the facilitator. They were not part of the draft that was voted on.
print-page-minutes = Minutes · version { $n }
print-page-announcement = Announcement
print-page-artifact = Artifact { $kind } { $version } was written
print-page-passes = pass
print-page-fails = no pass
print-page-abstains = abstained
print-page-ballot = Ballot { $n }
print-page-vote-failed = { $name } failed to vote: { $why }
print-page-missing = Missing
print-page-ballot-passed = The ballot passed
print-page-ballot-failed = The ballot failed
print-page-interrupted = The ballot was interrupted by a steering message
print-page-joined = { $name } took a seat
print-page-arrived = { $name } joined
print-page-departed = { $name } left
print-page-hosts = { $name } now hosts the meeting
print-page-left = { $name } left
print-page-skipped = { $name } skipped the turn
print-page-not-asked = { $name } skipped: only { $phrases } was said
print-page-not-asked-list = { $name } skipped: by its skip list
print-page-timed-out = { $name } timed out and was skipped
print-page-failed = { $name } failed to answer: { $why }
print-page-paused = Meeting paused
print-page-resumed = Meeting resumed
print-page-recovered = Another process took over the meeting
print-page-idle = The clock was set forward or the machine slept; that time does not count
print-page-forked = Everything above is from meeting { $from }, up to event { $at }; forked here
print-page-facilitator = the facilitator
print-page-file-attached = File attached: { $name } ({ $id })
print-page-agent-asked = { $name } asks for permission: { $what }
print-page-agent-allowed = { $by } permits { $name }: { $what }
print-page-agent-refused = { $by } refuses { $name }: { $what }
print-page-agent-unanswered = nobody answered { $name } in time: { $what }
print-page-file-removed = File { $id } removed
print-page-topic = The topic is now: { $text }
print-page-called = The meeting is now called: { $text }
print-page-before-noon = { $time } AM
print-page-after-noon = { $time } PM
print-page-agenda-added = New on the agenda: { $text }
print-page-outage = { $names } cannot be reached; the meeting waits and tries again
print-page-reachable = The provider can be reached again; the meeting continues
print-page-budget = A budget was used up
print-page-error = Something went wrong, and the rules stepped in: { $why }
print-page-metric = Convergence { $score }
print-page-finished = The meeting has ended
print-page-position = Position
print-page-confidence = confidence { $n }
print-page-marks = Marks of round { $n }
print-page-memory = Private memory of { $name }
print-page-reasoning = Thinking
print-page-withheld-evaluation = marks withheld
print-page-withheld-memory = private memory withheld
print-page-withheld-other = withheld
print-page-partly = in part
print-page-play = Play
print-page-pause = Pause
print-page-again = Play again
print-page-back = Previous
print-page-next = Next
print-page-speed = Speed
print-page-place = Place
print-page-step = { $n } / { $all }
print-page-keys = Space plays or pauses · ← → one step · [ ] round · + − speed · Home End
print-page-comma = ,{" "}
print-page-colon = :{" "}
print-page-tool-called = { $id } { $name } calls { $tool }
print-page-tool-reviewed = { $id }: { $decision }
print-page-tool-returned = { $id } returned a result
print-page-tool-returned-cut = { $id } returned a result, of which the end is cut
print-page-tool-no-result = { $id } has no result: { $why }. { $detail }
print-page-tool-arguments = Arguments
print-page-tool-result = Result
print-page-file-text = Text
print-page-evidence = Evidence:
print-transcript-call = **{ $name }** called `{ $tool }` [{ $id }]
print-transcript-evidence = Evidence: { $cited }

## record: what happened, for formats that do not hold the log

print-record-focus = Questions for this round
print-record-quoted = “{ $phrase }”
print-record-paren = {" "}({ $text })
