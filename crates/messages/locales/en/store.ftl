### What a database says.

## accounts

store-accounts-no-name = is no name
store-accounts-write-1-50-characters-one = write 1 to 50 characters on one line, without : / @ " < and >

## uploads

store-uploads-file-has-no-name = the file has no name
store-uploads-give-one-1-characters = give it one of 1-{ $name_chars } characters

## credentials

store-is-empty = is empty
store-credentials-key-hint = give the key that the provider issued
store-credentials-address-hint = write an address such as https://api.example.com/v1
store-credentials-missing = is missing
store-credentials-missing-hint = give a key, a base_url, or both
store-credentials-provider-name = "{ $name }" is not a provider's name
store-credentials-provider-name-hint = write 1 to 50 letters, digits, dots, dashes or underscores, such as openai

## salvage

store-salvage-damaged = The record of this meeting is damaged at event { $event } ({ $detail }). What follows is missing: { $missing } of { $last } events. Only the { $whole } events before it, which are whole, are shown.

## search/tokenize

store-search-fewer = name fewer words
store-search-nothing = there is no word to look for
store-search-nothing-hint = name at least one letter or character
store-search-characters = they have more than { $most } characters
store-search-words = there are more than { $most } words

## templates

store-template-name = it has { $length } characters
store-template-name-hint = write 1 to { $name_chars } characters on one line
store-template-body = it has { $bytes } bytes
store-template-body-hint = send at most { $body_bytes } bytes

## verification

store-verify-meeting = meeting { $meeting }: { $detail }
store-verify-event = meeting { $meeting }, event { $seq }: { $detail }
store-verify-database = database: { $detail }
store-verify-log-unreadable = the write-ahead log cannot be read: { $error }
store-verify-ends-differ = a log of the copy ends otherwise than that of the original
store-verify-log-header = the header of the write-ahead log is damaged, and nothing in the log can be read
store-verify-log-damaged = the write-ahead log is damaged at frame { $frame }: what was written from there on, at least { $commits ->
        [one] 1 commit
       *[other] { $commits } commits
    }, cannot be read
store-verify-log-kept = a write-ahead log was damaged when the database was opened, and what it held is missing; it was kept as { $name }
store-verify-orphans = { $events ->
    [one] 1 event belongs to no meeting of the catalogue
   *[other] { $events } events belong to no meeting of the catalogue
}
store-verify-number = it has an event with the number { $seq }, where there can be none
store-verify-missing = it is missing
store-verify-missing-up-to = it and all up to { $last } are missing
store-verify-checksum = its checksum does not match
store-verify-undecodable = it cannot be decoded: { $error }
store-verify-other-event = it says it is event { $seq } of meeting { $meeting }
store-verify-beside = its time or kind is not that of its line
store-verify-no-log = it is in the catalogue, and its log is missing
store-verify-nothing-readable = it has no event that can be read
store-verify-column = the catalogue has another { $column } than the log
store-verify-audit-missing-one = entry { $entry } of the audit log is missing
store-verify-audit-missing = entries { $first } to { $last } of the audit log are missing
store-verify-audit-changed = entry { $entry } of the audit log is not as it was written
store-verify-audit-unchained = entry { $entry } of the audit log has no checksum
store-verify-audit-count = the count of entries of the audit log is not as it was written
store-verify-number-missing = meeting number { $last } is missing, with its number in the register
store-verify-numbers-missing = meetings number { $first } to { $last } are missing, with their numbers in the register
store-verify-meeting-missing = it is missing: neither its row in the catalogue nor its log is there, and it was not deleted
store-verify-row-missing = its row in the catalogue is missing; its log has { $events ->
    [one] 1 event
   *[other] { $events } events
}, from which the row is made anew when the database is next opened for writing
store-verify-other-id = the register knows it as { $id }
store-verify-deleted = the register says that it was deleted
store-verify-unregistered = the register does not know it

## what is wrong

store-log-line-no-text = its line is not text
store-log-before-missing = the event before it is missing
store-log-wrong-end = the log does not end where the catalogue says
store-log-is-event = it is event { $seq } of meeting { $meeting }
store-checksum-or-number = its checksum or number does not match
store-cannot-be-decoded = it cannot be decoded
store-row-damaged = its row in the catalogue is damaged: { $error }
store-no-sqlite = it is not an SQLite database
store-other-program = another program keeps its data in it
store-too-long-to-seal = the credential is too long to be sealed
store-key-bytes = a key file has { $bytes } bytes
store-other-file = another file lies at { $path }
store-file-removed = { $path } was removed or moved away
store-log-removed = its write-ahead log was removed: { $error }
store-only-read = the database was opened only to be read
store-upload-length = it has { $found } bytes, and had { $was }
store-upload-piece = an earlier piece of this upload could not be written
store-lease-not-renewed = this node has not reached the server for some seconds
store-postgres-url = { $error }
store-postgres-password-option = the password is given before the host, not as an option
store-postgres-no-host = the host is missing
store-postgres-certificates = the certificates in { $path } cannot be read: { $error }
store-postgres-other-scheme = only SQLite files and postgres:// are supported
