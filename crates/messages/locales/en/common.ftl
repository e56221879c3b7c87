### Signs between parts of a text.

common-colon = :{" "}
common-comma = ,{" "}
common-list-separator = ,{" "}
common-rounds = { $rounds ->
    [one] 1 round
   *[other] { $rounds } rounds
}
common-semicolon = ;{" "}

## What is wrong with a value that was sent

common-decode-array = an array
common-decode-boolean = true or false
common-decode-choice = unknown variant `{ $value }`, expected one of { $known }
common-decode-given-boolean = boolean { $value }
common-decode-given-null = null
common-decode-given-number = number { $value }
common-decode-given-text = string { $value }
common-decode-integer = a whole number
common-decode-length = it has { $count } entries, expected { $wanted }
common-decode-missing = missing field `{ $field }`
common-decode-no-fields = unknown field `{ $field }`, there are no fields
common-decode-no-form = it has none of the forms that are taken here
common-decode-number = a number
common-decode-object = an object
common-decode-other = { $told }
common-decode-range = { $number } is out of range: { $min } to { $max }
common-decode-text = a string
common-decode-time = a time like 2026-03-01T08:30:00Z (RFC 3339)
common-decode-too-large = the number is too large
common-decode-too-small = the number is too small
common-decode-twice = duplicate field `{ $field }`
common-decode-type = invalid type: { $given }, expected { $wanted }
common-decode-unknown = unknown field `{ $field }`, expected one of { $known }
common-decode-value = invalid value, expected { $wanted }
common-decode-date-pattern = expected a pattern of dates, such as yyyy-MM-dd or d.M.yyyy
common-decode-interval = expected a time from 1 minute to 366 days, such as 24h, 30m or 1d
common-decode-id = "{ $value }" is not { $kind }; it should look like { $example }
common-kind-participant = a participant
common-kind-message = a message
common-kind-claim = a claim
common-kind-agenda-item = an agenda item
common-kind-version = a version
common-kind-ballot = a ballot
common-kind-file = a file
common-kind-turn = a turn
common-kind-artifact = an artifact
common-kind-task = a task
common-kind-mode = a mode of decision
common-kind-format = a format
common-decode-time-zone = expected the IANA name of a time zone, such as Asia/Shanghai

## Files

common-unreadable = { $path } cannot be read: { $error }
common-not-written = { $path } cannot be written: { $error }
common-not-created = { $path } cannot be created: { $error }
common-io-denied = permission denied
common-io-exists = it exists already
common-io-full = no space is left on the disk
common-io-is-folder = it is a folder
common-io-no-folder = a part of its path is not a folder
common-io-not-found = no such file or folder
common-io-not-text = it is not text in UTF-8
common-io-read-only = the file system is read-only
common-file = { $path }: { $problem }
common-at-line = line { $line }: { $problem }
common-said = { $text }
