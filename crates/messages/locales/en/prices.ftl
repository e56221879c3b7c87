### The remarks of the table of prices, each as it stands there.

prices-note-longer-2-1-5 = a longer prompt costs 2 times as much, its answer 1.5 times
prices-note-longer-2-2 = a longer prompt costs 2 times as much, its answer 2 times
prices-note-longer-5-5 = a longer prompt costs 5 times as much, its answer 5 times
prices-note-ends = the vendor ends it on{" "}
prices-note-introductory = introductory, until 2026-12-31; then twice as much
prices-note-local = free of charge on this machine; electricity is not counted
prices-note-peak = at peak hours (workdays 01-04 and 06-10 UTC); half as much at others
prices-note-cache-write = what goes into the cache was not found; taken at 1.25 times the input, as with GPT-6
prices-note-promotion = the list price; on 2026-11-12 a promotion at 4/20 still held, announced until 2026-11-21 at least
prices-note-cache-read = read from the cache: 0.2 by the page of the model, 0.1 by the table
prices-note-one-search = one search for each answer; its pages are not counted as tokens
prices-note-each-query = for each query; some a month are free, which is not counted
prices-note-each-answer = for each answer with a search; some a day are free, which is not counted
