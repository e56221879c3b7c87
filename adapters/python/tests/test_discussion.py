"""How the messages of a workflow become one text. Needs no framework."""

import pytest

from quorate_adapters.agent_framework.discussion import Discussion, LiveText, Said, TooManyMessages, label, prose, structured

BLOCK = '```json\n{"position": "SQLite", "confidence": 70}\n```'


class Table:
    """A discussion, and what a reader sees of it while it is held."""

    def __init__(self, *, labelled=True, closing_block=True):
        self.seen = []
        live = LiveText(lambda text, entry: self.seen.append(text), labelled=labelled, closing_block=closing_block)
        self.discussion = Discussion(live.changed)

    def says(self, speaker, *pieces, id="m", output=False):
        for piece in pieces:
            self.discussion.piece(speaker, Said(speaker, piece, id), output=output)

    def ends(self, speaker, *texts, shown=True):
        self.discussion.completed(speaker, [Said(speaker, text, "m") for text in texts], shown=shown)

    def outputs(self, *said, source="end"):
        self.discussion.align(source, [Said(*one) for one in said], output=True)

    def text(self, which="all", *, can_skip=False):
        self.discussion.finish()
        return prose(self.discussion.chosen(which), can_skip=can_skip, closing_block=True)

    @property
    def live(self):
        return "".join(self.seen)


def test_what_is_shown_live_is_what_is_said_in_the_end():
    table = Table()
    table.says("Ann", "SQLite", " will do.")
    table.ends("Ann", "SQLite will do.")
    table.says("Bob", "Why?")
    table.ends("Bob", "Why?")
    assert table.text() == table.live == "**Ann:** SQLite will do.\n\n**Bob:** Why?"


def test_the_output_adds_what_is_missing_in_its_place_and_repeats_nothing():
    table = Table()
    table.says("Ann", "One.")
    table.ends("Ann", "One.")
    table.says("Cid", "Three.")
    table.ends("Cid", "Three.")
    table.outputs(("Ann", "One."), ("Bob", "Two."), ("Cid", "Three."), ("Ann", "Four."))
    table.outputs(("Ann", "Four."))
    assert table.text() == "**Ann:** One.\n\n**Bob:** Two.\n\n**Cid:** Three.\n\n**Ann:** Four."


def test_the_same_words_said_twice_are_two_messages():
    table = Table()
    for _ in range(2):
        table.says("Ann", "Agreed.")
        table.ends("Ann", "Agreed.")
    table.outputs(("Ann", "Agreed."), ("Ann", "Agreed."))
    assert table.text() == "Agreed.\n\nAgreed."


def test_words_that_the_history_has_once_more_are_added():
    table = Table()
    table.ends("Ann", "Agreed.")
    table.outputs(("Ann", "Agreed."), ("Bob", "Why?"), ("Ann", "Agreed."))
    assert table.text() == "**Ann:** Agreed.\n\n**Bob:** Why?\n\n**Ann:** Agreed."


def test_a_message_that_a_speaker_takes_back_is_not_said():
    table = Table()
    table.says("Ann", "A draft.", id="a")
    table.says("Ann", "Another.", id="b")
    table.ends("Ann", "The answer.")
    assert table.text() == "The answer."


def test_a_complete_message_corrects_its_pieces():
    table = Table()
    table.says("Ann", "SQLi")
    table.ends("Ann", "SQLite.")
    assert table.text() == "SQLite." and table.live == "**Ann:** SQLite."


def test_an_output_by_id_corrects_a_message_that_had_only_pieces():
    table = Table()
    table.says("Ann", "half", id="a")
    table.outputs(("Ann", "half and half", "a"))
    assert table.text() == "half and half"


def test_pieces_of_two_speakers_do_not_mix():
    table = Table()
    table.says("Ann", "One")
    table.says("Bob", "Two")
    table.says("Ann", " and a half.")
    table.says("Bob", ", too.")
    table.ends("Bob", "Two, too.")
    assert table.live == "**Ann:** One and a half."
    table.ends("Ann", "One and a half.")
    assert table.live == table.text() == "**Ann:** One and a half.\n\n**Bob:** Two, too."


def test_what_the_workflow_hides_is_said_only_where_it_shows_nothing():
    table = Table()
    table.ends("Ann", "Hidden.", shown=False)
    assert table.text() == "Hidden." and table.live == ""
    table.outputs(("Ann", "Shown."))
    assert table.text() == "Shown."


def test_which_messages_are_chosen():
    table = Table()
    table.says("Ann", "Progress.")
    table.ends("Ann", "Progress.")
    table.outputs(("Bob", "First."), ("Bob", "Last."))
    assert table.text("all") == "**Ann:** Progress.\n\n**Bob:** First.\n\n**Bob:** Last."
    assert table.text("output") == "First.\n\nLast."
    assert table.text("last") == "Last."


def test_only_the_last_block_for_the_record_is_kept_and_none_is_shown_live():
    table = Table()
    first, last = f"One.\n{BLOCK}", f"Two.\n{BLOCK.replace('70', '80')}"
    for start in range(0, len(first), 3):
        table.says("Ann", first[start : start + 3])
    table.ends("Ann", first)
    table.says("Bob", last)
    table.ends("Bob", last)
    assert table.live == "**Ann:** One.\n\n**Bob:** Two."
    assert table.text() == f"{table.live}\n\n{BLOCK.replace('70', '80')}"


def test_code_is_no_block_for_the_record():
    table = Table()
    table.ends("Ann", 'See:\n```json\n{"a": 1}\n```')
    table.ends("Bob", "Yes.")
    assert table.text() == '**Ann:** See:\n```json\n{"a": 1}\n```\n\n**Bob:** Yes.'


def test_skipping():
    table = Table()
    table.ends("Ann", "[SKIP]")
    table.ends("Bob", "[SKIP]")
    assert table.text(can_skip=True) == "[SKIP]"
    table.ends("Cid", "A word.")
    assert table.text(can_skip=True) == "A word."


@pytest.mark.parametrize(
    ("speaker", "text", "begins"),
    [
        ("Ann", "Words", "**Ann:** "),
        ("安", "众议", "**安:** "),
        ("Ann", "- a list", "**Ann:**\n\n"),
        ("Ann", "```py", "**Ann:**\n\n"),
        ("A*n\nn @Bob <b>", "x", "**A n n Bob b:** "),
        ("***", "x", "**?:** "),
        ("n" * 500, "x", f"**{'n' * 80}:** "),
    ],
)
def test_labels(speaker, text, begins):
    assert label(speaker, text) == begins


def test_json_is_the_last_message_that_has_what_is_required():
    table = Table()
    table.ends("Ann", '{"score": 5, "pass": true}')
    table.ends("Bob", '```json\n{"score": 7, "pass": true}\n```')
    table.ends("Cid", '{"other": 1}')
    table.ends("Dan", "I am done.")
    said = table.discussion.chosen("all")
    assert "7" in structured(said, {"required": ["score", "pass"]})
    assert structured(said, {"required": ["nothing has this"]}) == "I am done."
    assert structured([], {}) == ""


def test_a_discussion_is_bounded():
    table = Table()
    with pytest.raises(TooManyMessages):
        for number in range(3000):
            table.ends("Ann", str(number))
