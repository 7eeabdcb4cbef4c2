"""Random classes with structure on six to ten points, for the search for counterexamples.

Two conjectures that hold on all small classes and on the whole catalog were refuted by classes of
this size. One of these classes is the complement of a code. The other class has one concept for
each leaf of a complete shattered tree. This module draws such classes and similar ones.

A class on n points is an array of 2**n truth values. Entry w states whether the class contains
the concept w, and bit i of w is the label of point i.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lsclasses.table import Table

Members = np.ndarray
"""A class as an array: one truth value for each of the 2**n concepts on n points."""

CODES: dict[str, tuple[int, tuple[int, ...]]] = {
    "repetition": (3, (0b111,)),
    "even weight": (4, (0b0011, 0b0110, 0b1100)),
    "simplex": (7, (0b1010101, 0b1100110, 0b1111000)),
    "Hamming": (7, (0b0000111, 0b0011001, 0b0101010, 0b1001011)),
    "extended Hamming": (8, (0b11110000, 0b11001100, 0b10101010, 0b11111111)),
}
"""Known linear codes by name: the length of the words, and words that generate the code."""
REGULAR_STEPS = 400
"""Largest number of steps of the local search for a regular graph."""


def table_of_members(members: Members) -> Table:
    """Return the class as a table.

    Parameters
    ----------
    members : numpy.ndarray
        Truth value of each of the 2**n concepts.

    Examples
    --------
    >>> table_of_members(np.array([True, False, True, True])).labels.tolist()
    [[0, 0], [0, 1], [1, 1]]
    """
    points = len(members).bit_length() - 1
    words = np.flatnonzero(members)[:, None]
    return Table((words >> np.arange(points) & 1).astype(np.uint8))


def members_of_table(table: Table) -> Members:
    """Return the truth value of each concept on the points of the table.

    Examples
    --------
    >>> members_of_table(Table([[0, 0], [0, 1], [1, 1]])).tolist()
    [True, False, True, True]
    """
    points = len(table.points)
    members = np.zeros(1 << points, dtype=bool)
    members[table.labels.astype(np.int64) @ (1 << np.arange(points))] = True
    return members


def degrees(members: Members) -> np.ndarray:
    """Return, for every word (labelling), how many of its neighbours are concepts of a class.

    A neighbour of a word differs from the word in one bit. The word itself need not be a concept.

    Examples
    --------
    >>> degrees(np.array([True, False, True, True])).tolist()
    [1, 2, 2, 1]
    """
    words = np.arange(len(members))
    points = len(members).bit_length() - 1
    found: np.ndarray = sum(members[words ^ (1 << i)].astype(np.int64) for i in range(points))
    return found


def span(generators: Sequence[int]) -> np.ndarray:
    """Return all words of the linear code that some words generate.

    Examples
    --------
    >>> span([0b011, 0b110]).tolist()
    [0, 3, 5, 6]
    """
    code = {0}
    for word in generators:
        code |= {each ^ int(word) for each in code}
    return np.array(sorted(code))


def draw_coset_union(rng: np.random.Generator, points: int) -> Members:
    """Draw a union of cosets of a random linear code.

    Examples
    --------
    >>> members = draw_coset_union(np.random.default_rng(0), 6)
    >>> words = np.flatnonzero(members)
    >>> any((members[words ^ code] == 1).all() for code in range(1, 64))
    True
    """
    code = span(rng.integers(1, 1 << points, int(rng.integers(1, points - 1))).tolist())
    share = rng.random()
    members = np.zeros(1 << points, dtype=bool)
    for word in rng.permutation(1 << points)[: max(1, int(share * (1 << points) / len(code)))]:
        members[code ^ word] = True
    return members


def draw_code_union(rng: np.random.Generator, points: int) -> Members:
    """Draw a union of one to four translates of known codes, or the complement of such a union.

    The coordinates of each code are permuted. If a code has fewer coordinates than the class has
    points, the remaining points are free, or they repeat some coordinates.

    Examples
    --------
    >>> members = draw_code_union(np.random.default_rng(3), 8)
    >>> len(members), 0 < int(members.sum()) < 256
    (256, True)
    """
    members = np.zeros(1 << points, dtype=bool)
    names = [name for name, (length, _) in CODES.items() if length <= points]
    # Translates of one code meet regularly, while codes of several types rarely do.
    name = names[rng.integers(len(names))]
    for _ in range(int(rng.integers(1, 5))):
        if rng.random() < 0.2:
            name = names[rng.integers(len(names))]
        length, generators = CODES[name]
        places = rng.permutation(points)
        free = [1 << int(place) for place in places[length:]]
        words = [
            sum(1 << int(places[i]) for i in range(length) if word >> i & 1) for word in generators
        ]
        members[span([*words, *free]) ^ int(rng.integers(1 << points))] = True
    complemented = rng.random() < 0.6 and not members.all()
    return members ^ complemented


def draw_greedy_code(rng: np.random.Generator, points: int) -> Members:
    """Draw a maximal code, or the complement of a maximal code.

    The function tries all words in random order. The words of the code have a distance of at least
    d from each other, or their sets of neighbours are disjoint.

    Examples
    --------
    >>> members = draw_greedy_code(np.random.default_rng(0), 5)
    >>> 0 < int(members.sum()) < 32
    True
    """
    words = np.arange(1 << points)
    weights = np.bitwise_count(words)
    distance = int(rng.integers(2, 5))
    conflict = weights == 2 if rng.random() < 0.3 else weights < distance
    code, possible = np.zeros(1 << points, dtype=bool), np.ones(1 << points, dtype=bool)
    for word in rng.permutation(words):
        if possible[word]:
            code[word] = True
            possible &= ~conflict[words ^ word]
    return code ^ (rng.random() < 0.75)


def draw_regular(rng: np.random.Generator, points: int) -> Members:
    """Draw a union of cosets whose one-inclusion graph is regular, or nearly regular.

    A local search changes one coset at a time. The cosets belong to a random linear code with at
    most 2**6 cosets.

    Examples
    --------
    >>> members = draw_regular(np.random.default_rng(1), 7)
    >>> found = degrees(members)[members]
    >>> int(found.min()), int(found.max())
    (2, 2)
    """
    checks = int(rng.integers(3, 7))
    size = 1 << checks
    syndromes = rng.integers(1, size, points)
    chosen = rng.random(size) < rng.random()
    degree = int(rng.integers(2, points))
    cosets = np.arange(size)
    for _ in range(REGULAR_STEPS):
        found = chosen[cosets[:, None] ^ syndromes].sum(axis=1)
        wrong = np.flatnonzero(chosen & (found != degree))
        if not len(wrong):
            break
        coset = int(rng.choice(wrong))
        if found[coset] > degree or rng.random() < 0.3:
            chosen[coset] = False
        else:
            neighbours = coset ^ syndromes
            missing = neighbours[~chosen[neighbours]]
            chosen[rng.choice(missing if len(missing) else neighbours)] = True
    if not chosen.any():
        chosen[0] = True
    words = np.arange(1 << points)
    syndrome = np.zeros(1 << points, dtype=np.int64)
    for i, each in enumerate(syndromes.tolist()):
        syndrome ^= np.where(words >> i & 1, each, 0)
    members: Members = chosen[syndrome]
    # The syndromes of all words can be fewer than the cosets.
    return members if members.any() else syndrome == 0


def draw_tree_leaves(rng: np.random.Generator, points: int) -> Members:
    """Draw a class with one concept for each leaf of a random complete shattered tree.

    The class has 2**d concepts and Littlestone dimension d. The labels that a branch does not fix
    are random.

    Examples
    --------
    >>> members = draw_tree_leaves(np.random.default_rng(0), 5)
    >>> C = table_of_members(members)
    >>> len(C) == 2 ** C.ldim()
    True
    """
    depth = int(rng.integers(max(2, points - 3), points))
    members = np.zeros(1 << points, dtype=bool)
    branches = [(tuple(rng.permutation(points).tolist()), 0)]
    for level in range(depth):
        longer = []
        for order, word in branches:
            for label in (0, 1):
                rest = rng.permutation(order[level + 1 :]).tolist()
                longer.append(((*order[: level + 1], *rest), word | label << order[level]))
        branches = longer
    for order, word in branches:
        free = sum(int(rng.integers(2)) << x for x in order[depth:])
        members[word | free] = True
    return members


KINDS: dict[str, Callable[[np.random.Generator, int], Members]] = {
    "union of cosets": draw_coset_union,
    "union of codes, or its complement": draw_code_union,
    "greedy code, or its complement": draw_greedy_code,
    "regular one-inclusion graph": draw_regular,
    "leaves of a shattered tree": draw_tree_leaves,
}
"""The functions that draw random classes, by the type of the class."""


def move(members: Members, rng: np.random.Generator) -> Members:
    """Return a class in which one or two concepts are replaced by neighbours outside of the class.

    Examples
    --------
    >>> members = np.arange(64) % 3 == 0
    >>> moved = move(members, np.random.default_rng(0))
    >>> int(moved.sum()) == int(members.sum()), 0 < int((moved != members).sum()) <= 4
    (True, True)
    """
    moved = members.copy()
    points = len(members).bit_length() - 1
    for _ in range(1 if rng.random() < 0.7 else 2):
        inside = np.flatnonzero(moved)
        for _ in range(points):
            word = int(inside[rng.integers(len(inside))])
            other = word ^ 1 << int(rng.integers(points))
            if not moved[other]:
                moved[word], moved[other] = False, True
                break
    return moved


def change(members: Members, rng: np.random.Generator) -> Members:
    """Return a class in which a few concepts are added, removed or moved.

    With probability 1/2, each change of a concept also changes its complement.

    Examples
    --------
    >>> members = np.arange(64) % 3 == 0
    >>> 0 < int((change(members, np.random.default_rng(0)) != members).sum()) <= 8
    True
    """
    size = len(members)
    points = size.bit_length() - 1
    changed = members.copy()
    both = rng.random() < 0.5
    for _ in range(int(rng.integers(1, 3))):
        word = int(rng.integers(size))
        words = [word]
        if rng.random() < 0.6:
            inside = np.flatnonzero(changed)
            word = int(inside[rng.integers(len(inside))])
            other = word ^ 1 << int(rng.integers(points))
            words = [word] if changed[other] else [word, other]
        for each in {*words, *((size - 1 - word for word in words) if both else ())}:
            changed[each] ^= True
        if not changed.any():
            changed[word] = True
    return changed
