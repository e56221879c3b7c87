### What is wrong with what is configured: programs, exporters, sources of tools.
runners-process = process { $name }: { $problem }
runners-exporter = exporter { $name }: { $problem }
runners-tool-source = source of tools { $name }: { $problem }
runners-name-length = its name must have 1 to 50 characters
runners-name-length-hint = give it a short name
runners-no-command = command is empty
runners-no-command-hint = name a program: command = ["python3", "agent.py"]
runners-no-variable = env has something that is no variable's name
runners-no-variable-hint = env lists names alone, such as ["OPENAI_API_KEY"]; the values stay in the environment
runners-zero-byte = command holds a zero byte
runners-zero-byte-hint = write it as plain text
runners-bounds = { $setting } must be { $least } to { $most }
runners-bounds-hint = change { $setting }, or leave it out
runners-exporter-name = its name must have 1 to 50 of a-z, 0-9, - and _
runners-exporter-name-taken = there is a format of this name already
runners-exporter-name-hint = give it another name
runners-exporter-extension = extension must be 1 to 10 letters and digits
runners-exporter-extension-hint = write it without a dot, such as "csv"
runners-exporter-media-type = media_type is no media type
runners-exporter-media-type-hint = write it like "text/csv; charset=utf-8"
runners-exporter-title = title must have 1 to 100 characters on one line
runners-exporter-title-hint = shorten it, or leave it out
runners-tools-web-search = this name stands for the web search of the providers
runners-tools-files = this name stands for the files that are attached to a meeting
runners-tools-web-search-hint = give these tools another name
runners-tools-name = this is no name of a source of tools
runners-tools-name-hint = use lower-case letters, digits and hyphens, at most 30
runners-tools-folder-alone = a folder has no allow and no without_effects
runners-tools-folder-alone-hint = leave them out
runners-tools-folder-unreadable = { $folder } cannot be read: { $error }
runners-tools-folder-unreadable-hint = name a folder that is there and may be read
runners-tools-address = the address does not begin with http:// or https://
runners-tools-address-hint = give an address that begins with http:// or https://
runners-tools-what = it has none of folder, command and url, or several
runners-tools-what-hint = give one of folder, command and url
