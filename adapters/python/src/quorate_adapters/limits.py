"""Bounds of the protocol, in bytes unless the name says otherwise."""

#: The version of the protocol that is spoken here.
PROTOCOL = 1
#: The longest line that Quorate takes, without its end.
MAX_LINE = 1 << 20
#: The longest answer that Quorate takes, reasoning included.
MAX_ANSWER = 4 << 20
#: The longest line that is taken from Quorate. A longer one is discarded and answered with an error.
MAX_CALL_LINE = 64 << 20
#: The longest piece that is sent in one line; longer ones are split. JSON needs at most six times as much.
MAX_PIECE = 64 << 10
#: Calls that may be in progress at the same time.
MAX_OPEN_CALLS = 64
#: The longest `id` of a call, in characters.
MAX_ID = 200
#: The longest `detail` or `hint` of an error, in characters.
MAX_DETAIL = 600
#: The longest label of a piece, such as the name of a speaker, in characters.
MAX_LABEL = 200
