### Signs between parts of a text.

common-colon = :{" "}
common-comma = ,{" "}
common-list-separator = ,{" "}
common-semicolon = ;{" "}
