"""Data frames of tables, of the atlas, of surveys and of games."""

from __future__ import annotations

import pytest

import catalog
from catalog import atlas
from catalog.refuting.statement import Statement
from catalog.refuting.surveying import survey
from learners.coins import SeededCoins
from learners.playing.play import play
from lsclasses import SOA, InvalidInput, Table, frames


def test_who_has_no_pandas_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "find_spec", lambda name: None)
    with pytest.raises(InvalidInput, match=r"need pandas: pip install 'lsclasses\[pandas\]'"):
        Table(["01"]).to_pandas()


def test_a_table_is_read_back_from_its_frame() -> None:
    pytest.importorskip("pandas")
    for C in (
        Table(["001", "011"], domain="abc", concepts=["f", "g"]),
        Table(["001", "011"]),
        catalog.build("affine:q=2,n=2,k=1").to_table(),
    ):
        read = Table(C.to_pandas())
        assert (read, read.points, read.concept_names) == (C, C.points, C.concept_names)


def test_the_atlas_and_a_survey_have_a_row_a_class() -> None:
    pytest.importorskip("pandas")
    frame = atlas.table(3).to_pandas(["mask", "ldim", "randomized_ldim", "growth_function"])
    assert list(frame.iloc[3]) == list(atlas.table(3).values(3, frame.columns).values())
    assert atlas.table(2).to_pandas().shape == (len(atlas.table(2)), len(atlas.table(2).names))
    found = list(survey(Statement("vcdim >= ldim")))[3]
    counted = found.to_pandas().groupby("outcome").size()
    assert counted["fails"] == found.count("fails") and counted.sum() == len(found.values)
    failing = found.to_pandas().query("outcome == 'fails'")
    assert (failing["left"] < failing["right"]).all() and (failing["ldim"] > failing["vcdim"]).all()


def test_a_game_has_a_row_a_round() -> None:
    pytest.importorskip("pandas")
    C = catalog.build("thresholds:n=7")
    game = play(SOA(C), [(3, 1), (1, 1), (0, 0)], 3, SeededCoins(1))
    frame = game.to_pandas()
    assert ",".join(frame.columns) == game.to_csv().splitlines()[0]
    assert list(zip(frame["point"], frame["label"], strict=True)) == list(game.examples)
    assert frame["mistakes"].tolist() == game.curve("mistakes").tolist()
