### What is wrong with an answer; events hold these, and the model that is asked again reads them.

## Any answer

answer-empty = the answer was empty
answer-used-up-by-reasoning = the answer was used up by reasoning; answer at once and briefly
answer-no-json = there is no complete JSON object in the answer
answer-whole = the answer
answer-missing = `{ $field }` is missing
answer-notes-shown = the JSON is incomplete, so that the private memory is part of the message; write complete JSON

## Turns and votes

answer-cannot-skip = you were asked to speak and cannot skip; answer in a sentence or two
answer-no-words = there are no words beside the JSON
answer-score-not-whole = `score` must be a whole number from 0 to 100
answer-pass-not-boolean = `pass` must be true or false
answer-contradictory-vote = `score` and `pass` contradict each other: { $from } points and more mean that the draft may pass (true), fewer than { $below } that it may not (false), and between them either is right; make the two agree

## Summaries and people

answer-positions-left-out = `positions` leaves out what these hold: { $names }
answer-marks-left-out = `marks` leaves out: { $names }
answer-candidate-refused = { $problem }; { $hint }

## Records

answer-field-empty = `{ $field }` is empty
answer-not-one-of = `{ $field }` is not one of { $choices }
answer-too-few-entries = `{ $field }` has { $count } entries; at least { $min } is needed
answer-too-many-entries = `{ $field }` has { $count } entries; at most { $max }
answer-not-object = `{ $field }` is not a JSON object
answer-unknown-field = `{ $field }` is no field; there are { $names }
answer-not-text = `{ $field }` must be a text
answer-no-message-id = `{ $field }` holds "{ $part }", which is no message; write m3
answer-no-sources = `{ $field }` names no message that it rests on (sources)
answer-unknown-message = `{ $field }` names { $message }, and there is no such message
answer-unknown-quote = `{ $field }` quotes words that are in none of its messages: { $quote }
