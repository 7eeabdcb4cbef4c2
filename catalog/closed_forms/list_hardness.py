"""Proofs that the version spaces of 1-decision lists are hard to count and to predict from.

The lists have any length and any number of alternations. Let d(m) be the number of functions of
these lists on m variables. The lists "x: 0, then g" and "x: 1, then g" show d(m + 1) >= 2 d(m).

**The sample of a graph.** Let H be a graph. The variables are its vertices and two others, w and u.
The sample of H has the label 0 at the zero vector and at e_i for every vertex i. For every edge ij,
it has the label 0 at e_w + e_i + e_j and at e_u + e_i + e_j. It has the label 1 at e_w and e_u. Let
f be a consistent list. Its first rule with a negative literal, or else its default, is reached by
the zero vector, so the label is 0. This rule excludes at most one of e_w and e_u. So w or u occurs
before this rule, with the label 1. All earlier rules test vertices and have the label 0, because
every e_i has the label 0. Let P be the set of these vertices and R the set of all others. Every
edge meets P, so R is independent. A vertex i is in R if and only if f(e_w + e_u + e_i) = 1.

**Numbers of consistent lists.** (a) If R has r >= 2 elements, at least d(r - 2) consistent lists
have this R. The lists begin with "i: 0" for all i outside R, "w: 1" and "u: 1". Then "not a: 0",
"not b: 0" and any list on R without a and b follow. (b) For every set J of m vertices, at most
2 d(m + 2) consistent lists have R inside J. *Proof.* Let z be the first of w and u in the list, and
let g be the part after the rule of z, on R and the other of w and u. Then z, R and g determine f.
Map R and g to the list "i: 0" for all i in J outside R, "v: 1" for a new variable v, and g. This
list determines R and g, because i is in R if and only if its label at e_v + e_i is 1. QED

**Halving.** The label that Halving predicts is NP-hard to compute. *Proof.* Let G be a graph on n
vertices and s >= 0, and let alpha be the largest size of an independent set of G. Take two disjoint
copies of G and a set K of 2s + 1 further vertices. Join every vertex of K to every vertex of the
copies of G. Replace each vertex by B independent copies, where B is 2n + 6. Let H be this graph.
Let k be a copy of a vertex of K, and let x = e_w + e_u + e_k. Then f labels x by 1 if and only if k
is in R. Each R consists of copies of vertices of K or of copies of an independent set of the two
graphs G.

If alpha <= s, then more consistent lists have the label 1 at x. The lists with the label 0 are of
two types. In the first type, R contains only copies of K. Replace x_k by 0 in f. The result is a
consistent list that ignores k and has the label 1 at x. This map is one-to-one, because k is in P,
so f is 0 wherever x_k = 1. In the second type, R contains a copy of a vertex of G. By (b), at most
2^(2n + 1) d(2sB + 2) lists have this type. By (a) with a = k, at least D - 1 further lists have the
label 1 and depend on k, where D = d((2s + 1)B - 2) >= 2^(B - 4) d(2sB + 2) = 2^(2n + 2)
d(2sB + 2). If alpha > s, then more consistent lists have the label 0. By (b), at most
2 d((2s + 1)B + 2) lists have the label 1. By (a), at least
d((2s + 2)B - 2) >= 2^(B - 4) d((2s + 1)B + 2) lists have the label 0. So the majority at x decides
whether alpha <= s. QED The number of consistent lists is hard to compute, too, because the numbers
for both labels of x determine the majority.

**Littlestone dimension.** The Littlestone dimension of a version space is NP-hard to compute.
*Proof.* For a graph G on n vertices, it is NP-hard to distinguish alpha <= s from alpha >= 4s
[ALMSS98]. Let H be G with each vertex replaced by B independent copies, and let M = Bs be at least
n + 256. If alpha <= s, then (b) bounds the number of consistent lists by
2^(n + 1) d(M + 2). An order of the variables, a sign and a label for each and a default determine a
list, so d(m) <= 2 m! 4^m. The binary logarithm of the number of consistent lists bounds the
dimension by n + 2 + (M + 2)(2 + log2(M + 2)). If alpha >= 4s, then the dimension is at least the
dimension of all lists on 4M - 2 variables, by (a). Take the rules "z: 0" for M - 1 variables in a
fixed order. Insert a rule "y: 1" for each of the other 3M - 1 variables at any of M places. The
label of e_y + e_z shows whether y is before z. So the adversary forces floor(log2(M)) mistakes for
each y by binary search, in all (3M - 1)(log2(M) - 1). This number is larger than the bound
for alpha <= s. QED The proof does not show that the label of the SOA is hard, because the label
depends only on the larger of two dimensions.

**Randomized Littlestone dimension.** It is at least half of the Littlestone dimension, and at most
the Littlestone dimension (Filmus, Hanneke, Mehalel and Moran 2023). For M >= n + 4096, half of
(3M - 1)(log2(M) - 1) is larger than n + 2 + (M + 2)(2 + log2(M + 2)). So the randomized Littlestone
dimension of a version space is NP-hard to compute, too.

**Numbers of version spaces.** Let a class contain the list "i: 1, else 0" for every variable i. For
a set A of variables, let x_A be the point with the ones A. The list of i labels x_A by 0 if and
only if i is not in A. So the 2^n samples that consist of one example (x_A, 0) leave 2^n different
version spaces. A search that computes the dimension of every version space does not end for large
n. This holds for lists of bounded length, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.closed_forms.list_counts import ListBounds

PAGE = "docs/decision-lists.md"
"""Page that states the results of this module."""


def hardness_of_counts(bounds: ListBounds) -> str:
    """Return the reason why version spaces of decision lists are hard to count, as a string.

    The string is empty if no proof covers the given class.

    References
    ----------
    The proof is in `catalog.closed_forms.list_hardness`.

    Examples
    --------
    >>> print(hardness_of_counts(ListBounds(200)))
    The majority of these lists at a point is NP-hard to compute, by a reduction from independent \
sets (docs/decision-lists.md).
    >>> hardness_of_counts(ListBounds(200, k=2))
    ''
    """
    return (
        "The majority of these lists at a point is NP-hard to compute, by a reduction from "
        f"independent sets ({PAGE})."
    ) * _is_proved(bounds)


def hardness_of_dimensions(bounds: ListBounds) -> str:
    """Return the proved reason why Littlestone dimensions are hard to compute.

    For 1-decision lists of any length, the reason is a reduction. For other lists, the reason is
    that one example can leave exponentially many version spaces. The reason is '' for a class of
    constants.

    References
    ----------
    The proof is in `catalog.closed_forms.list_hardness`.

    Examples
    --------
    >>> print(hardness_of_dimensions(ListBounds(200)))
    After examples, the Littlestone dimension and its randomized variant are NP-hard to compute, \
by a reduction from independent sets (docs/decision-lists.md).
    >>> print(hardness_of_dimensions(ListBounds(200, monotone=True)))
    One example can leave 2^200 different version spaces, so a search through version spaces is \
too large (docs/decision-lists.md).
    """
    if _is_proved(bounds):
        return (
            "After examples, the Littlestone dimension and its randomized variant are NP-hard to "
            f"compute, by a reduction from independent sets ({PAGE})."
        )
    if not (bounds.rules and bounds.changes):
        return ""
    return (
        f"One example can leave 2^{bounds.n} different version spaces, so a search through version "
        f"spaces is too large ({PAGE})."
    )


def _is_proved(bounds: ListBounds) -> bool:
    return bounds.k == 1 and not (bounds.length or bounds.alternations or bounds.monotone)


def sample_of_graph(vertices: int, edges: Iterable[tuple[int, int]]) -> dict[tuple[int, ...], int]:
    """Return the sample that the hardness proofs of this module construct from a graph.

    Parameters
    ----------
    vertices : int
        Number of vertices. The vertices are the first variables, followed by w and u.
    edges : iterable of pairs of int
        Edges, as pairs of vertices.

    References
    ----------
    The proof is in `catalog.closed_forms.list_hardness`.

    Examples
    --------
    >>> sample_of_graph(1, [])
    {(0, 0, 0): 0, (1, 0, 0): 0, (0, 1, 0): 1, (0, 0, 1): 1}
    """
    w, u = vertices, vertices + 1
    zeros = [(), *((i,) for i in range(vertices)), *((t, *edge) for edge in edges for t in (w, u))]

    def vector(ones: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(int(i in ones) for i in range(vertices + 2))

    return {vector(ones): 0 for ones in zeros} | {vector((t,)): 1 for t in (w, u)}
