### Remarks of the rules, and of an import; events hold these.

## Marks and ideas

note-did-not-speak = did not speak in this round
note-points-raised = { $raised ->
    [one] raised one point
   *[other] raised { $raised } points
}, { $used } of which others used or answered
note-ideas-build-on-it = { $count ->
    [one] one idea of others builds on it
   *[other] { $count } ideas of others build on it
}
note-nobody-took-it-further = nobody took it further, so it may be underrated

## Import

note-password-not-imported = The room's password is not taken over.
note-file-empty = { $name } is not taken over: it is empty.
note-file-large = { $name } is not taken over: it has more than { $megabytes } MiB.
note-file-secret = { $name } is not taken over: it holds keys or passwords.
note-files-not-imported = Files that came with messages are not taken over.
note-runners-not-in-files = The files do not say what answers for some members; configure a process of their name before you continue.
note-keys-not-imported = Keys are not taken from files; store them with their providers.
note-time-display-not-imported = The time zone or format "{ $given }" is not known and was not imported.
note-rests-until-resumed = It was active, and is paused until it is resumed.
