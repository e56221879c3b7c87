### What is written into exported pages and papers.

## html

print-html-quorate = Quorate

## pdf

print-pdf-quorate = Quorate
print-pdf-record = Record
print-pdf-round = Round { $round }
print-pdf-name-role = { $name } ({ $role })
print-pdf-date = Date
print-pdf-participants = Participants
print-pdf-outcome = Outcome
print-pdf-characters-such-as-emoji-no = { $count } characters, such as emoji, are in no font of this machine and are printed as [U+number].

## transcript

print-transcript-record = Record
print-transcript-round = {"\u000A"}### Round { $round }{"\u000A"}
print-transcript-zone = {"\u000A"}Time zone: { $zone }{"\u000A"}

## times

print-times-before-noon = { $time } AM
print-times-after-noon = { $time } PM
