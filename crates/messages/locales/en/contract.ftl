### What is wrong with a value, and what would be right.

## names

contract-names-choose-another-name = choose another name

## rules/check

contract-check-participants = { $count } participants
contract-check-seat-1-3-8-work = seat 1 to { $participants_max }; 3 to 8 work best
contract-check-offer-models-team-set-facilitator = offer models for the team, set a facilitator, or seat somebody
contract-check-nothing-could-answer-team = nothing could answer for a team
contract-check-leave-out-quotation-marks-backticks = leave out quotation marks, @, < >, backticks, control characters, and outer or double spaces
contract-check-choose-number-from-0 = choose a number from 0 to { $max }
contract-check-choose-at-least-1-leave = choose at least 1, or leave it out
contract-check-choose-at-least-leave-out = choose at least { $min }, or leave it out
contract-check-name-providers-model-leave-out = name a provider's model, or leave it out
contract-check-no-model = { $label } is no model
contract-check-name-another-model-leave-out = name another model, or leave it out
contract-check-model-itself = { $label } is the model itself
contract-check-leave-out-fallback = leave out `{ $field }.fallback`
contract-check-fallback-has-none-its-own = a fallback has none of its own
contract-check-choose-number-from = choose a number from { $min } to { $max }
contract-check-choose-share-from-0-0 = choose a share from 0.0 to 1.0
contract-check-only-quorum = is off, and so are pass_ratio and min_score: votes against would count as much as votes for
contract-check-set-a-threshold = set decision.mean_score, decision.pass_ratio or decision.min_score, or switch decision.ballots off
contract-check-price-not-known-so-budget = the price of { $label } is not known, so a budget of money cannot be kept
contract-check-give-its-price-configuration-set = give its price in the configuration, or set a budget of tokens instead
contract-check-write-characters = write { $min } to { $max } characters
contract-check-empty = is empty
contract-check-shorten-characters = shorten it to { $max } characters
contract-check-has-characters = has { $chars } characters
contract-check-skip-list-has = has { $phrases } phrases
contract-check-shorten-skip-list = shorten it to { $skip_list_max } phrases
contract-check-name-moderator = name one of { $names }, or leave it out to moderate yourself
contract-check-not-at-table = "{ $name }" is not at the table
contract-check-cannot-be-mentioned = "{ $name }" cannot be called by @name

## details

contract-display-no-time-format = "{ $given }" is neither 12h nor 24h
contract-display-no-time-format-hint = write 12h or 24h, or leave it out
contract-display-no-time-zone = no time zone is called "{ $given }"
contract-display-no-time-zone-hint = write its IANA name, such as Asia/Shanghai, Europe/Berlin or UTC, or leave it out
contract-display-no-date-format = "{ $given }" is no date format
contract-display-no-date-format-hint = write year (yyyy or yy), month (MM or M) and day (dd or d) once each, separated by - / . , blanks or 年月日, in at most 20 characters: yyyy-MM-dd
contract-names-hidden-mark = has a mark that nobody sees (U+{ $code })
contract-names-id-of-guest = is the id of a guest
contract-names-no-letters = has no letters
contract-names-too-many-marks = has too many marks on a letter
contract-names-mixed-scripts = mixes scripts whose letters look alike in "{ $word }"
contract-names-reserved = is reserved: "{ $name }" could be taken for "{ $word }"
