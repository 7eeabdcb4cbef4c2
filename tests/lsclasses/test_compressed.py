"""Compressed files are written the same each time, and no damaged or huge one is believed."""

from __future__ import annotations

import gzip
import json

import pytest

from lsclasses import InvalidInput, Table
from lsclasses.certificates import load_certificate
from lsclasses.commands import certifying
from lsclasses.files import documents
from tests.lsclasses.commands.test_cli import run

CUBE = Table([[i >> x & 1 for x in range(3)] for i in range(8)])


def test_certificates_are_saved_compressed_and_read_again(tmp_path):
    proof = CUBE.ldim_certificate()
    for name in ("proof.json.gz", "PROOF.GZ"):
        path = tmp_path / name
        proof.save(path)
        first = path.read_bytes()
        proof.save(path)
        assert path.read_bytes() == first
        assert json.loads(gzip.decompress(first)) == proof.to_json()
        assert load_certificate(path) == proof
    proof.save(tmp_path / "proof.json")
    assert (tmp_path / "proof.json").read_bytes() == proof.to_bytes()
    other = tmp_path / "by another program.gz"
    other.write_bytes(gzip.compress(proof.to_bytes()))
    assert load_certificate(other) == proof


def test_what_is_huge_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "proof.json.gz"
    monkeypatch.setattr(documents, "EXPANDED_LIMIT", 10**5)
    path.write_bytes(gzip.compress(bytes(10**6)))
    with pytest.raises(InvalidInput, match="more than 100000 bytes"):
        load_certificate(path)


def test_large_certificates_of_the_command_line_are_compressed(tmp_path, monkeypatch):
    """They are written again, but in no place of somebody else's file."""
    monkeypatch.setattr(certifying, "COMPRESSED_FROM", 1)
    call = ("dims", "cube:n=3", "--only", "ldim,vcdim", "--certificate", tmp_path)
    for _ in range(2):
        run(*call)
    files = sorted(tmp_path.iterdir())
    assert [path.suffixes[-2:] for path in files] == [[".json", ".gz"]] * 2
    for path in files:
        assert "is proved by" in run("check", path, "cube:n=3").stdout
    strange = gzip.compress(b"{}")
    files[0].write_bytes(strange)
    assert "is not a proof of an Ldim" in run(*call, status=2).stderr
    assert files[0].read_bytes() == strange
    run(*call, "--force")
    assert "is proved by" in run("check", files[0], "cube:n=3").stdout
