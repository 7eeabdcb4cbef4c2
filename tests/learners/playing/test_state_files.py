"""Games in segments: the law is that of the uncut game, and no state is played from twice."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

import pytest

import catalog
from learners.budget import Budget
from learners.coins import SecureCoins, SeededCoins
from learners.exact import exact_distribution
from learners.experts.hedge import DPHedge
from learners.playing import state_files
from learners.playing.doubling import Doubling
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.expert_sources import LossVectors, experts_of
from learners.playing.features import Literals
from learners.playing.game import PausedGame
from learners.playing.learner import as_learner
from learners.playing.play import play
from learners.playing.state_files import StateFile, coins_of_segment
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from learners.winnow.algorithm import DPWinnow
from lsclasses import FiniteClass, Table
from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.files.documents import checksum
from lsclasses.randomized_soa import RandomizedSOA
from lsclasses.soa import SOA, ConservativeSOA, version_space_from_json, version_space_to_json

REFUSING = {"constructed-experts", "sanitized"}
"""Learners that do not say what is to be kept."""
STREAM = [(2, 1), (0, 0), (1, 0), (2, 1), (1, 1), (0, 0), (1, 0), (2, 0)]


def kept(learner, paused):
    """The game as a file has it."""
    state = learner.state_from_json(json.loads(json.dumps(learner.state_to_json(paused.state))))
    tally, experts = paused.tally, learner.comparators
    if tally is not None:
        tally = experts.tally_from_json(json.loads(json.dumps(experts.tally_to_json(tally))))
        assert tally == paused.tally
    return PausedGame(state, tally, paused.counts)


def in_segments(learner, stream, cuts, coins):
    """The transcripts of a game that is cut at the given rounds, with one source of coins."""
    games, at = [], None
    for start, stop in pairwise((0, *cuts, len(stream))):
        last = []
        rounds = stop - start
        games.append(play(learner, stream[start:stop], rounds, coins, resume=at, pause=last.append))
        if not last:
            break
        at = kept(learner, last[0])
        assert at.state == last[0].state
    return games


def shown(games):
    return b"".join(game.predictions for game in games)


CLASSES = {"voting": "points:n=3", "optimal-predictor": "points:n=2"}
"""Classes of learners that refuse thresholds, or refuse them for so many points."""
REALIZABLE = {
    "randomized-soa": [(x, int(x >= 2)) for x, _ in STREAM],
    "optimal-predictor": [(0, 0), (1, 1), (0, 0)],
}
"""Streams of learners that refuse other streams, or so many rounds."""


@pytest.mark.parametrize("name", sorted(set(ONLINE_LEARNERS) - REFUSING))
def test_segments_of_a_game_are_those_of_the_uncut_game(name):
    spec = CLASSES.get(name, "thresholds:n=3")
    fits = REALIZABLE.get(name, STREAM)
    T = len(fits)
    learner = as_learner(ONLINE_LEARNERS[name].learner(catalog.build(spec), T))
    whole = play(learner, fits, T, SeededCoins(3))
    for cuts in [(k,) for k in range(T + 1)] + [(1, 2, min(5, T))]:
        games = in_segments(learner, fits, cuts, SeededCoins(3))
        assert shown(games) == whole.predictions
        assert games[-1].counts == whole.counts
        if games[-1].played:
            assert games[-1].regret == whole.regret
            assert [games[-1].observed(each) for each in whole.bounds] == [
                whole.observed(each) for each in whole.bounds
            ]


@pytest.mark.parametrize("name", sorted(REFUSING))
def test_who_does_not_say_what_is_kept_is_refused_before_a_round_is_played(name, tmp_path):
    learner = ONLINE_LEARNERS[name].learner(catalog.build("decision-lists:n=2"), 9)
    with pytest.raises(InvalidInput, match="cannot be paused"):
        StateFile(tmp_path / "game.json").claim(learner, simulated=True)
    assert not list(tmp_path.iterdir())


def test_a_doubling_learner_goes_on_in_the_middle_of_a_bucket():
    C = catalog.build("thresholds:n=3")

    def made(rounds):
        return DPHedge.within(Budget(1, Fraction(1, 10**6)), experts_of(C), rounds)

    learner = Doubling(made, 4)
    whole = play(learner, STREAM, 8, SeededCoins(1))
    for k in range(9):
        assert shown(in_segments(learner, STREAM, (k,), SeededCoins(1))) == whole.predictions


def test_winnow_goes_on_in_the_middle_of_a_phase():
    learner = DPWinnow(Literals(2), Fraction(1), 3, 5, 2, Fraction(1), 2)
    stream = [((x >> 1, x & 1), int(x == 2)) for x in (2, 0, 2, 1, 3, 2, 0, 2, 2, 3)]
    whole = play(learner, stream, len(stream), SeededCoins(1))
    assert whole.switches == 2
    for k in range(len(stream) + 1):
        assert shown(in_segments(learner, stream, (k,), SeededCoins(1))) == whole.predictions


C1 = catalog.build("thresholds:n=1")
TINY = {
    "hedge": DPHedge(experts_of(C1), 3, Fraction(1)),
    "randomized": as_learner(RandomizedSOA(catalog.build("thresholds:n=3").to_table())),
    "POP": POP(SOA(C1), POPParameters(4, 1, 3, Fraction(9), 0, 0, 0, 0, "never", raise_delta=True)),
}


@pytest.mark.parametrize("name", TINY)
def test_the_law_of_a_cut_game_is_that_of_the_uncut_one(name):
    learner, T = TINY[name], 2 if name == "POP" else 3
    stream = [(0, 1)] * T
    whole = exact_distribution(lambda coins: play(learner, stream, T, coins).predictions)
    assert len(whole) > 1
    for k in range(T + 1):
        cut = exact_distribution(
            lambda coins, k=k: shown(in_segments(learner, stream, (k,), coins))
        )
        assert {each: str(cut[each]) for each in cut} == {x: str(whole[x]) for x in whole}


def test_vectors_of_losses_are_played_in_segments_too():
    learner, losses = DPHedge(LossVectors(3), 6, Fraction(1)), [(1, 0, 1), (0, 1, 1)] * 3
    whole = play(learner, losses, 6, SeededCoins(1))
    last = []
    first = play(learner, losses[:2], 2, coins := SeededCoins(1), pause=last.append)
    rest = play(learner, losses[2:], 4, coins, resume=kept(learner, last[0]))
    assert first.losses + rest.losses == whole.losses
    assert (rest.regret, rest.curve("regret")[-1]) == (whole.regret, whole.regret)


@pytest.mark.parametrize(
    "spec",
    ["points:n=2^64", "intervals:n=2^40", "thresholds:n=inf", "subsets:n=9,k=2", "parities:n=3"],
)
def test_a_version_space_is_left_by_the_examples_that_are_kept(spec):
    C = catalog.build(spec)
    left = C
    for x, y in C.sample_stream(12, rng=1):
        left = left.restrict(x, y)
        examples = version_space_to_json(C, left)
        assert version_space_from_json(C, json.loads(json.dumps(examples))) == left
        assert len(examples) <= 12


def test_the_last_example_is_not_in_the_clear_unless_it_cuts_the_version_space():
    C = Table([[0, 0, 1], [0, 1, 1], [1, 1, 0]], domain=["Ann", "Bob", "Cyd"])
    learner = as_learner(ONLINE_LEARNERS["halving"].learner(C, 9))
    last = []
    play(learner, [("Ann", 0), ("Cyd", 1)], 2, SeededCoins(1), pause=last.append)
    text = json.dumps(learner.state_to_json(last[0].state))
    assert "Ann" in text
    assert "Cyd" not in text


# ---- the file


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.json"


@pytest.fixture
def learner():
    return DPHedge.within(Budget(1), experts_of(catalog.build("thresholds:n=3")), 8)


def segment(path, learner, stream, coins=None, simulated=True):
    claimed = StateFile(path).claim(learner, simulated=simulated)
    game = claimed.play(stream, len(stream), coins or coins_of_segment(1, claimed.number))
    claimed.keep()
    return game


def test_a_game_goes_on_from_its_file_and_ends(path, learner):
    assert segment(path, learner, STREAM[:3]).counts.played == 3
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text())["ledger"]["epsilon"] == "1"
    assert segment(path, learner, STREAM[3:5]).counts.played == 5
    assert segment(path, learner, STREAM[5:]).counts.played == 8
    content = path.read_text()
    assert '"state"' not in content, "nothing is kept of a game that has ended"
    with pytest.raises(InvalidInput, match="game has ended"):
        segment(path, learner, STREAM)


def test_the_bounds_of_a_resumed_game_do_not_take_its_segments_for_one_realizable_stream(path):
    C = catalog.build("points:n=5")
    segment(path, SOA(C), [(1, 1)])
    game = segment(path, SOA(C), [(2, 1), (1, 0), (2, 1)])
    assert game.counts.mistakes > 1
    assert not game.realizable
    assert not game.violations


def test_a_state_is_played_from_once(path, learner):
    segment(path, learner, STREAM[:3])
    copy = path.read_bytes()
    segment(path, learner, STREAM[3:5])
    path.write_bytes(copy)
    with pytest.raises(InvalidInput, match="a segment has begun from this state before"):
        segment(path, learner, STREAM[3:5])


@pytest.mark.parametrize("rounds", [2, 3])
def test_a_piece_without_a_round_left_is_refused_and_the_file_left(path, rounds):
    learner = as_learner(SOA(catalog.build("thresholds:n=3")))
    segment(path, learner, STREAM[:3])
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match=f"3 rounds of it were played, and there are {rounds}"):
        StateFile(path).claim(learner, simulated=True, rounds=rounds)
    assert path.read_bytes() == before
    assert StateFile(path).claim(learner, simulated=True, rounds=4).number == 1


def test_a_copy_with_another_name_and_a_link_are_no_second_state(path, learner, tmp_path):
    segment(path, learner, STREAM[:3])
    copy, link = path.with_name("copy.json"), tmp_path / "elsewhere" / "link.json"
    copy.write_bytes(path.read_bytes())
    with pytest.raises(InvalidInput, match=r"it was written as 'game\.json', and copies are not"):
        segment(copy, learner, STREAM[3:5])
    link.parent.mkdir()
    link.symlink_to(path)
    assert segment(link, learner, STREAM[3:5]).counts.played == 5
    assert StateFile(link).journal == StateFile(path).journal
    path.write_bytes(copy.read_bytes())
    with pytest.raises(InvalidInput, match="a segment has begun from this state before"):
        segment(link, learner, STREAM[3:5])


def test_a_file_that_cannot_be_written_is_not_left_behind(path, learner, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(InvalidInput, match="no space left"):
        patch.setattr("learners.playing.state_files.atomic_write", full)
        StateFile(path).claim(learner, simulated=True)
    assert not path.exists()
    segment(path, learner, STREAM[:3])
    before = path.read_bytes()
    with monkeypatch.context() as patch, pytest.raises(InvalidInput, match="no space left"):
        patch.setattr("learners.playing.state_files.atomic_write", full)
        StateFile(path).claim(learner, simulated=True)
    assert path.read_bytes() == before


def test_functions_of_equal_names_are_told_apart(path):
    first, second = (
        FiniteClass({"is": lambda x, k=k: int(x == k), "never": lambda x: 0}, domain=range(3))
        for k in (1, 2)
    )
    segment(path, SOA(first), [(0, 0)])
    with pytest.raises(InvalidInput, match="version_space's labels was"):
        segment(path, SOA(second), [(0, 0)])


def test_a_piece_that_is_broken_off_is_not_played_again(path, learner):
    StateFile(path).claim(learner, simulated=True)
    with pytest.raises(InvalidInput, match="in play, or its last segment was broken off"):
        StateFile(path).claim(learner, simulated=True)


def test_the_file_is_claimed_before_any_coin_is_drawn(path, learner):
    segment(path, learner, STREAM[:3])
    before = json.loads(path.read_text())

    class Watched(SeededCoins):
        def pick_from(self, *arguments):
            assert json.loads(path.read_text())["status"] == "in play"
            assert before["checksum"] in StateFile(path).journal.read_text()
            return super().pick_from(*arguments)

    assert segment(path, learner, STREAM[3:5], Watched(1)).played == 2


def test_of_several_segments_at_once_one_is_played(path, learner):
    segment(path, learner, STREAM[:3])

    def claimed(_):
        with suppress(InvalidInput):
            return StateFile(path).claim(learner, simulated=True)

    with ThreadPoolExecutor(8) as pool:
        assert sum(each is not None for each in pool.map(claimed, range(8))) == 1


def edited(path, **changed):
    data = json.loads(path.read_text()) | changed
    path.write_text(json.dumps(data | {"checksum": checksum(data)}))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-9]), "not valid JSON, or not complete"),
        (lambda path: path.write_text(path.read_text().replace("3", "4", 1)), "its checksum"),
        (lambda path: path.write_text("{}"), 'Its "format" is not'),
        (lambda path: edited(path, version=1), "and this is"),
        (lambda path: edited(path, program="0.0.1"), r"lsclasses 0\.0\.1 wrote it, and this is"),
        (lambda path: edited(path, state={}), "the entry 'tally' is missing"),
        (lambda path: edited(path, counts={"played": -1}), "complete state of a game"),
        (lambda path: path.with_name("twin").hardlink_to(path), "Remove its hard links"),
    ],
)
def test_a_file_that_is_no_paused_game_is_refused_and_left(path, learner, spoil, message):
    segment(path, learner, STREAM[:3])
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match=message):
        segment(path, learner, STREAM[3:5])
    assert path.read_bytes() == before
    assert not StateFile(path).journal.exists()


def test_a_state_is_for_the_learner_that_began_the_game(path, learner):
    segment(path, learner, STREAM[:3])
    experts = learner.experts
    for other, message in [
        (DPHedge.within(Budget(2), experts, 8), "learner.rate was .* and is now"),
        (DPHedge.within(Budget(1), experts, 9), "learner.rounds was 8 and is now 9"),
        (DPHedge(experts_of(catalog.build("thresholds:n=4")), 8, learner.rate), "experts.table"),
        (SOA(catalog.build("thresholds:n=3")), "learner was DPHedge and is now Deterministic"),
    ]:
        with pytest.raises(InvalidInput, match=message):
            StateFile(path).claim(other, simulated=True)
    with pytest.raises(InvalidInput, match="begun as a simulation and would go on with --secure"):
        segment(path, learner, STREAM[3:5], SecureCoins(), simulated=False)
    assert segment(path, learner, STREAM[3:5]).counts.played == 5


def test_an_interruption_keeps_the_whole_rounds(path):
    learner = as_learner(ConservativeSOA(catalog.build("thresholds:n=3")))
    claimed = StateFile(path).claim(learner, simulated=True)

    def stop(played):
        if played.number == 2:
            raise KeyboardInterrupt

    game = claimed.play(STREAM, len(STREAM), SeededCoins(1), watch=stop)
    claimed.keep()
    assert game.interrupted
    assert claimed.paused
    assert segment(path, learner, STREAM[2:]).counts.played == len(STREAM)


def test_later_segments_have_words_of_their_own():
    drawn = [coins_of_segment(7, number).below(1 << 62) for number in range(6)]
    assert len(set(drawn)) == 6
    assert drawn[0] == SeededCoins(7).below(1 << 62)
    assert isinstance(coins_of_segment(None, 3), SecureCoins)


@pytest.mark.parametrize("name", ["soa", "randomized-soa", "pop"])
def test_who_could_not_write_a_version_space_is_refused_before_a_round_is_played(name, path):
    C = catalog.build("parities:n=40")
    with pytest.raises(LsclassesError, match="enumerated"):
        version_space_to_json(C, C.restrict((1,) + (0,) * 39, 1))
    options = {"base": "soa"} if name == "pop" else {}
    learner = ONLINE_LEARNERS[name].learner(C, 9, **options)
    with pytest.raises(LsclassesError, match="enumerated"):
        StateFile(path).claim(learner, simulated=True)
    assert not path.exists()


def test_a_failed_write_leaves_the_paused_game(path, learner, monkeypatch):
    """No coin was drawn, so a full disk must not end the game."""
    segment(path, learner, STREAM[:3])
    before = path.read_bytes()

    def full(*arguments):
        raise InvalidInput("no space left on device")

    with monkeypatch.context() as patched:
        real = state_files.atomic_write
        patched.setattr(
            state_files,
            "atomic_write",
            lambda file, text: real(file, text) if file.suffix == ".used" else full(),
        )
        with pytest.raises(InvalidInput, match="no space"):
            StateFile(path).claim(learner, simulated=True)
    assert path.read_bytes() == before
    later = StateFile(path).claim(learner, simulated=True)
    with pytest.raises(InvalidInput, match="contains the game"):
        later.withdraw()
