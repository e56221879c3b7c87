### What a database says.

## accounts

store-accounts-no-name = is no name
store-accounts-write-1-50-characters-one = write 1 to 50 characters on one line, without : / @ " < and >

## uploads

store-uploads-file-has-no-name = the file has no name
store-uploads-give-one-1-characters = give it one of 1-{ $name_chars } characters
