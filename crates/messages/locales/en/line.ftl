### What the commands within a meeting do: `line-COMMAND`; what stands for their arguments: `line-place-…`.

line-pause = pause after the current speaker, or now
line-end = end with the best conclusion so far
line-next = ask a participant to speak
line-resume = resume; open questions take their defaults
line-quit = leave; the meeting pauses
line-add = add a participant, described or from the library
line-remove = remove a participant; what was said stays
line-away = set a participant offline; it keeps its seat
line-back = set a participant online again
line-topic = change the topic
line-agenda = show or change the agenda
line-announce = tell something to everybody
line-minutes = request minutes
line-artifact = request an artifact
line-style = the style in which all speak
line-length = the speaking length of a participant
line-rounds = the round limit
line-people = whether people may speak
line-set = change any rule
line-marks = show the marks, which the table never sees
line-ideas = show the ideas
line-answer = answer a question of the pause
line-password = set or remove the password (with `quorate say`)
line-help = list the commands
line-questions = show the questions of the pause again
line-table = show who is at the table
line-say = say something beside a turn
line-skip = skip your turn
line-turn = show your turn again
line-undo = take back the last line of your answer
line-send = send the words of a missed turn as a message
line-allow = permit what a coding agent asks for
line-refuse = refuse what a coding agent asks for
line-skiplist = show or change the skip list of a participant

line-place-key-value = KEY=VALUE
line-place-sentence-agent = SENTENCE|AGENT
line-place-title = TITLE
line-place-text = TEXT
line-place-name = NAME
line-place-note = NOTE
line-place-which = [N]
line-place-id = ID
line-place-number = {" "}N
line-place-phrase = PHRASE
