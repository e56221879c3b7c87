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
