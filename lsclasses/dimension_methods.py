"""The dimensions of a class as its methods.

`documented` completes the docstring of each method. The search of a dimension is in
`lsclasses.dimensions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsclasses.class_summary import Summary, SummaryRow  # noqa: F401, for earlier pickles
from lsclasses.limits import Limit, Progress

if TYPE_CHECKING:
    from lsclasses.dimensions.base import Witness


EXAMPLE = ("000", "001", "010", "100")
"""The class in the examples of the methods, the empty set and three singletons."""

Method = TypeVar("Method", bound=Callable[..., Any])


def documented(reference: str, value: str) -> Callable[[Method], Method]:
    """Return a decorator that completes the docstring of a method for a dimension.

    The decorator adds the parameters, the result, the errors, an example and the reference.

    Parameters
    ----------
    reference : str
        Reference of the definition, as in `lsclasses.dimensions.DIMENSIONS`.
    value : str
        Value for the class `EXAMPLE`, as Python prints it.

    Examples
    --------
    >>> print(DimensionMethods.star_number.__doc__.splitlines()[0])
    Return the star number, -1 for the empty class.
    """

    def complete(method: Method) -> Method:
        rows = ", ".join(f'"{row}"' for row in EXAMPLE)
        method.__doc__ = f"""{(method.__doc__ or "").rstrip()}

        If the class has a formula for the value, the method uses it. Otherwise, it searches the
        table of the class.

        Parameters
        ----------
        limit : Limit, optional
            Time and memory that a search may use, unlimited when omitted.

        Returns
        -------
        {method.__annotations__["return"]}
            The exact value. `lsclasses.dimensions.DIMENSIONS` states the value of the empty class.

        Raises
        ------
        TooLarge
            If the limit is reached, or if the class has no formula and cannot be enumerated. In the
            first case, the attributes `lower` and `upper` of the error are the known bounds.
        InfiniteDimension
            If the value is infinite.

        References
        ----------
        {reference}

        Examples
        --------
        >>> from lsclasses import Table
        >>> Table([{rows}]).{method.__name__}()
        {value}
        """
        return method

    return complete


class DimensionMethods:
    """Mixin of `ConceptClass`: every dimension of the registry as a method."""

    def _dimension(
        self, name: str, limit: Limit | None = None, progress: Progress | None = None
    ) -> Any:
        from lsclasses.dimensions.base import DIMENSIONS

        return DIMENSIONS[name](cast("Any", self), limit=limit, progress=progress)

    def summary(self, names: Iterable[str] | None = None, *, limit: Limit | None = None) -> Summary:
        """Return the values of all dimensions of this class, or of some dimensions.

        The returned summary prints as a table with a row for each dimension: its name, its value
        and the source of the value, such as a closed form or a search.

        Parameters
        ----------
        names : iterable of str, optional
            Names of dimensions, such as ``ldim``, or other common names, such as ``VC dimension``.
            The default is all dimensions.
        limit : Limit, optional
            Time and memory for all searches together. The default is ten seconds. If the limit is
            reached, the summary contains bounds instead of the missing values.

        Raises
        ------
        InvalidInput
            If a name is unknown, or no name is given.

        Examples
        --------
        >>> import catalog
        >>> print(catalog.build("thresholds:n=5").summary(["ldim", "vcdim", "star_number"]))
        <Thresholds on 5 points: start 0 to 5>
          ldim         2  closed form
          vcdim        1  closed form
          star_number  2  closed form
        """
        # The module is imported by its name, as dimensions are, because it is above tables.
        made = import_module("lsclasses.dimensions.derived")
        found: Summary = made.summarize(self, names, limit or Limit(seconds=10))
        return found

    def ldim(self, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
        """Return the Littlestone dimension, -1 for the empty class.

        The Littlestone dimension is the largest depth of a complete binary tree of points such
        that, for every branch, some concept agrees with all labels on the branch.

        Parameters
        ----------
        limit : Limit, optional
            Time and memory that a search may use, unlimited when omitted.
        progress : callable, optional
            Function ``progress(lower, upper)``, called with the known bounds whenever a bound
            improves.

        Returns
        -------
        int
            Exact value.

        Raises
        ------
        TooLarge
            If the limit is reached. The attributes `lower` and `upper` of the error are the known
            bounds.
        InfiniteDimension
            If the dimension is infinite.

        References
        ----------
        Littlestone 1988; [LWY25, Definition 2.2]

        Examples
        --------
        >>> from lsclasses import Table
        >>> Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]).ldim()
        2
        """
        return int(self._dimension("ldim", limit, progress))

    def irreducible(self, m: int, *, limit: Limit | None = None) -> bool:
        """Return whether this class is m-irreducible.

        Let s_x be the label that the Standard Optimal Algorithm of a nonempty class V predicts at a
        point x. The class V is m-irreducible if, for all points x_1, ..., x_m, the concepts of V
        with the labels s_x at these points have the Littlestone dimension of V. Points may repeat,
        so an m-irreducible class is also j-irreducible for every j < m. The empty class is not
        m-irreducible.

        Parameters
        ----------
        m : int
            Number of points, at least 0.
        limit : Limit, optional
            Time and memory of the search, unlimited when omitted.

        Raises
        ------
        InvalidInput
            If m is negative or not an integer.
        TooLarge
            If the limit is reached, or the class cannot be enumerated.

        References
        ----------
        [GhaziGKM21]

        Examples
        --------
        The class of all sets of at most two of four points is 2-irreducible. It is not
        3-irreducible, because three labels 0 leave a class of Littlestone dimension 1 instead of 2:

        >>> import catalog
        >>> C = catalog.build("at-most:n=4,k=2")
        >>> C.irreducible(2), C.irreducible(3)
        (True, False)
        """
        made = import_module("lsclasses.dimensions.decompositions")
        return bool(made.is_irreducible(self, m, limit=limit))

    def leaf_depth(self, dimension: int, *, limit: Limit | None = None) -> int | float:
        """Return the least depth of a tree whose leaves are subclasses of a small dimension.

        An inner node of the tree is a point, and its two edges are the labels 0 and 1. A leaf is
        the subclass of the concepts that agree with all labels on the path from the root to the
        leaf. The Littlestone dimension of every leaf must be at most t, the value of the parameter
        `dimension`. So the result is 0 if the dimension of the whole class is at most t. For t < 0,
        the result is `math.inf` if the class is not empty.

        Parameters
        ----------
        dimension : int
            Largest Littlestone dimension t of a leaf.
        limit : Limit, optional
            Time and memory of the search, unlimited when omitted.

        Raises
        ------
        InvalidInput
            If the dimension is not an integer.
        TooLarge
            If the limit is reached, or the class cannot be enumerated.

        References
        ----------
        [GhaziGKM21]

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("at-most:n=4,k=2")
        >>> [C.leaf_depth(t) for t in (2, 1, 0)]
        [0, 3, 4]
        """
        made = import_module("lsclasses.dimensions.decompositions")
        found: int | float = made.leaf_depth(self, dimension, limit=limit)
        return found

    def decomposition(self, dimension: int, *, limit: Limit | None = None) -> Any:
        """Return a tree of points whose leaves are subclasses of a small Littlestone dimension.

        An inner node of the tree is a point, and its two edges are the labels 0 and 1. A leaf is
        the subclass of the concepts that agree with all labels on the path from the root to the
        leaf. Every leaf has at most the given Littlestone dimension, and the tree has the least
        possible depth (see `leaf_depth`). If several points allow the least depth at a node, the
        node is the first of them in the order of the domain.

        Parameters
        ----------
        dimension : int
            Largest Littlestone dimension t of a leaf, at least 0.
        limit : Limit, optional
            Time and memory of the search, unlimited when omitted.

        Returns
        -------
        Decomposition
            The tree, its leaves, and the prediction rules of the Standard Optimal Algorithm for the
            leaves whose dimension is exactly t. Equal rules are listed once.

        Raises
        ------
        InvalidInput
            If the dimension is negative or not an integer.
        TooLarge
            If the limit is reached, or the class cannot be enumerated.

        Examples
        --------
        >>> import catalog
        >>> found = catalog.build("at-most:n=4,k=2").decomposition(1)
        >>> found.depth, len(found.leaves), [h.support for h in found.soas]
        (3, 4, [(), (2,), (1,), (0,)])
        """
        made = import_module("lsclasses.dimensions.decompositions")
        return made.decomposition(self, dimension, limit=limit)

    @documented("Vapnik and Chervonenkis 1971", "1")
    def vcdim(self, *, limit: Limit | None = None) -> int:
        """Return the Vapnik-Chervonenkis dimension.

        The dimension is the size of the largest set of points on which the class induces every
        labelling.
        """
        return int(self._dimension("vcdim", limit))

    @documented("[LWY25, section 2.3]; Shelah 1978", "1")
    def dual_ldim(self, *, limit: Limit | None = None) -> int:
        """Return the Littlestone dimension of the dual class.

        The points of the dual class are the concepts of this class. Each point x of this class is a
        concept of the dual class, which gives the point c the label c(x).
        """
        return int(self._dimension("dual_ldim", limit))

    @documented("Assouad 1983", "1")
    def dual_vcdim(self, *, limit: Limit | None = None) -> int:
        """Return the VC dimension of the dual class.

        The points of the dual class are the concepts of this class. Each point x of this class is a
        concept of the dual class, which gives the point c the label c(x).
        """
        return int(self._dimension("dual_vcdim", limit))

    @documented("Shelah 1978; Hodges 1997; Alon, Livni, Malliaris and Moran 2019", "1")
    def threshold_dim(self, *, limit: Limit | None = None) -> int:
        """Return the threshold dimension.

        The dimension is the largest k for which points x_1, ..., x_k and concepts h_1, ..., h_k
        exist such that h_i(x_j) = 1 if and only if i <= j.
        """
        return int(self._dimension("threshold_dim", limit))

    @documented("Filmus, Hanneke, Mehalel and Moran 2023", "Fraction(7, 8)")
    def randomized_ldim(self, *, limit: Limit | None = None) -> Fraction:
        """Return the randomized Littlestone dimension.

        The dimension is the least number M such that some randomized learner makes at most M
        mistakes in expectation on every realizable stream.
        """
        return Fraction(self._dimension("randomized_ldim", limit))

    @documented("Hanneke and Yang 2015", "3")
    def star_number(self, *, limit: Limit | None = None) -> int:
        """Return the star number, -1 for the empty class.

        The star number is the largest s for which points x_1, ..., x_s and concepts h_0, ..., h_s
        exist with the following property. For each i >= 1, x_i is the only one of these points at
        which h_i differs from h_0. The concept h_0 is called the centre of the star.
        """
        return int(self._dimension("star_number", limit))

    @documented("Bousquet, Hanneke, Moran and Zhivotovskiy 2020", "2")
    def hollow_star_number(self, *, limit: Limit | None = None) -> int:
        """Return the hollow star number, also called the dual Helly number.

        A sample is a set of points with one label each. The number is the size of the largest
        sample with two properties. No concept agrees with the sample. But if any single label is
        changed, some concept agrees with the changed sample. The number is 0 if no such sample
        exists.
        """
        return int(self._dimension("hollow_star_number", limit))

    @documented("Goldman and Kearns 1995; Shinohara and Miyano 1991", "3")
    def teaching_dim(self, *, limit: Limit | None = None) -> int:
        """Return the teaching dimension.

        The dimension is the least k such that every concept has a set of at most k points whose
        labels distinguish the concept from all other concepts.
        """
        return int(self._dimension("teaching_dim", limit))

    @documented("Zilles, Lange, Holte and Zinkevich 2011; Doliwa, Fan, Simon and Zilles 2014", "1")
    def recursive_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """Return the recursive teaching dimension.

        The dimension is the least k for which the concepts can be removed one by one in an order
        with the following property. When a concept is removed, its labels at some k or fewer points
        distinguish the concept from all concepts that remain.
        """
        return int(self._dimension("recursive_teaching_dim", limit))

    @documented("Vapnik and Chervonenkis 1971", "(1, 2, 3, 4)")
    def growth_function(self, *, limit: Limit | None = None) -> tuple[int, ...]:
        """Return the growth function as a tuple, with an entry for each number of points from 0 on.

        Entry n is the largest number of labellings that the class induces on a set of n points. The
        last entry is for the set of all points.
        """
        return tuple(self._dimension("growth_function", limit))

    @documented("Angluin 1988", "3")
    def membership_queries(self, *, limit: Limit | None = None) -> int:
        """Return the least number of membership queries that identify every concept.

        A learner looks for an unknown concept. Each query chooses a point, and the answer is the
        label of this point. The number is the least depth of a decision tree that distinguishes all
        concepts.
        """
        return int(self._dimension("membership_queries", limit))

    @documented("Angluin 1988; Littlestone 1988", "1")
    def equivalence_queries(self, *, limit: Limit | None = None) -> int:
        """Return the least number of equivalence queries that identify every concept.

        A learner looks for an unknown concept. Each query proposes a labelling of all points, which
        need not be in the class. The answer is a point where the proposed labelling is wrong. A
        query that only confirms the last remaining concept is not counted. The least number equals
        the Littlestone dimension.
        """
        return int(self._dimension("equivalence_queries", limit))

    @documented("Angluin 1988", "1")
    def proper_equivalence_queries(self, *, limit: Limit | None = None) -> int:
        """Return the least number of proper equivalence queries that identify every concept.

        A learner looks for an unknown concept. Each query proposes a concept of the class. The
        answer is a point where the proposed concept is wrong. A query that only confirms the last
        remaining concept is not counted.
        """
        return int(self._dimension("proper_equivalence_queries", limit))

    @documented("Maass and Turán 1992", "1")
    def partial_equivalence_queries(self, *, limit: Limit | None = None) -> int:
        """Return the least number of partial equivalence queries that identify every concept.

        A learner looks for an unknown concept. Each query proposes labels of some points. The
        answer is a point where the proposed label is wrong, or the statement that all proposed
        labels are right.
        """
        return int(self._dimension("partial_equivalence_queries", limit))

    @documented("Goldman and Sloan 1994; Ben-David, Kushilevitz and Mansour 1997", "1")
    def self_directed_mistakes(self, *, limit: Limit | None = None) -> int:
        """Return the optimal mistake bound of a learner that chooses the order of the points.

        In every round, the learner chooses the next point, predicts its label and then observes the
        label, until all points are labelled. Some fixed concept determines the labels. The value is
        the least number of mistakes that a learner guarantees for every concept.
        """
        return int(self._dimension("self_directed_mistakes", limit))

    @documented("Ben-David, Kushilevitz and Mansour 1997", "1")
    def best_order_mistakes(self, *, limit: Limit | None = None) -> int:
        """Return the optimal mistake bound of a learner if the points come in the best order.

        The learner knows the order of all points in advance. It predicts the label of each point
        and then observes the label, which some fixed concept determines. For each order, the
        optimal mistake bound is the least number of mistakes that a learner guarantees for every
        concept. The value is the minimum of this bound over all orders.
        """
        return int(self._dimension("best_order_mistakes", limit))

    @documented("Ben-David, Kushilevitz and Mansour 1997", "1")
    def worst_order_mistakes(self, *, limit: Limit | None = None) -> int:
        """Return the optimal mistake bound of a learner if the points come in the worst order.

        The learner knows the order of all points in advance. It predicts the label of each point
        and then observes the label, which some fixed concept determines. For each order, the
        optimal mistake bound is the least number of mistakes that a learner guarantees for every
        concept. The value is the maximum of this bound over all orders.
        """
        return int(self._dimension("worst_order_mistakes", limit))

    @documented("Haussler, Littlestone and Warmuth 1994", "1")
    def min_degree(self, *, limit: Limit | None = None) -> int:
        """Return the minimum degree of the one-inclusion graph.

        The vertices of this graph are the concepts. Two concepts are adjacent if they differ at
        exactly one point.
        """
        return int(self._dimension("min_degree", limit))

    @documented("Haussler, Littlestone and Warmuth 1994", "3")
    def max_degree(self, *, limit: Limit | None = None) -> int:
        """Return the maximum degree of the one-inclusion graph.

        The vertices of this graph are the concepts. Two concepts are adjacent if they differ at
        exactly one point.
        """
        return int(self._dimension("max_degree", limit))

    @documented("Haussler, Littlestone and Warmuth 1994", "Fraction(3, 2)")
    def average_degree(self, *, limit: Limit | None = None) -> Fraction:
        """Return the average degree of the one-inclusion graph.

        The vertices of this graph are the concepts. Two concepts are adjacent if they differ at
        exactly one point.
        """
        return Fraction(self._dimension("average_degree", limit))

    @documented("Haussler, Littlestone and Warmuth 1994", "1")
    def degeneracy(self, *, limit: Limit | None = None) -> int:
        """Return the degeneracy of the one-inclusion graph.

        The vertices of this graph are the concepts. Two concepts are adjacent if they differ at
        exactly one point. The degeneracy is the maximum, over all subgraphs, of the minimum degree
        of the subgraph.
        """
        return int(self._dimension("degeneracy", limit))

    @documented("Haussler, Littlestone and Warmuth 1994", "Fraction(3, 4)")
    def density(self, *, limit: Limit | None = None) -> Fraction:
        """Return the density of the one-inclusion graph.

        The vertices of this graph are the concepts. Two concepts are adjacent if they differ at
        exactly one point. The density is the maximum, over all subgraphs, of the number of edges
        divided by the number of vertices.
        """
        return Fraction(self._dimension("density", limit))

    @documented("[RV13]; Li, Kamath, Foster and Srebro 2022", "3")
    def eluder_dim(self, *, limit: Limit | None = None) -> int:
        """Return the eluder dimension.

        The eluder dimension is the largest m for which a concept h, points x_1, ..., x_m and
        concepts h_1, ..., h_m exist with the following property. For each i, the concept h_i agrees
        with h at x_1, ..., x_{i-1} and differs from h at x_i.
        """
        return int(self._dimension("eluder_dim", limit))

    @documented("Alon, Moran and Yehudayoff 2016", "3")
    def antipodal_shattering_dim(self, *, limit: Limit | None = None) -> int:
        """Return the antipodal shattering dimension.

        The dimension is the size of the largest set of points with the following property. For
        every labelling of the set, the class induces the labelling or its complement, in which all
        labels are flipped.
        """
        return int(self._dimension("antipodal_shattering_dim", limit))

    @documented("Hanneke 2024", "1")
    def min_star_number(self, *, limit: Limit | None = None) -> int:
        """Return the minimum star number.

        Let h be a labelling of all points. A set S of points is a star with the centre h if some
        concept agrees with h on S and, for each point x of S, some concept differs from h at x and
        agrees with h at all other points of S. The minimum star number is the minimum, over all
        labellings h, of the size of the largest star with the centre h.
        """
        return int(self._dimension("min_star_number", limit))

    @documented("Hegedűs 1995", "3")
    def extended_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """Return the extended teaching dimension.

        The dimension is the least k with the following property. For every labelling of all points,
        there are at most k points such that at most one concept agrees with the labelling at all of
        these points.
        """
        return int(self._dimension("extended_teaching_dim", limit))

    @documented("Kirkpatrick, Simon and Zilles 2019", "1")
    def no_clash_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """Return the no-clash teaching dimension.

        A teaching set of a concept is a set of points with the labels of this concept. Two concepts
        clash if each concept agrees with the teaching set of the other concept. The dimension is
        the least k for which every concept can get a teaching set of at most k points such that no
        two concepts clash.
        """
        return int(self._dimension("no_clash_teaching_dim", limit))

    @documented("Kirkpatrick, Simon and Zilles 2019", "1")
    def positive_no_clash_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """Return the no-clash teaching dimension for teaching sets with label 1 only.

        The dimension is the least k for which every concept c can get a set T(c) of at most k
        points with two properties. The concept c has label 1 at all points of T(c). For any two
        distinct concepts c and d, c has label 0 at some point of T(d), or d has label 0 at some
        point of T(c).
        """
        return int(self._dimension("positive_no_clash_teaching_dim", limit))

    def witness(self, dimension: str, *, limit: Limit | None = None) -> Witness:
        """Return a witness that proves a lower bound on a dimension.

        A witness consists of points and concepts, such as a shattered set for the VC dimension. Its
        method ``verify(C)`` checks the proof for a class C.

        Parameters
        ----------
        dimension : str
            Name of a dimension, such as "vcdim", or another common name, such as "VC dimension" or
            "littlestone".
        limit : Limit, optional
            Time and memory that a search may use, unlimited when omitted.

        Raises
        ------
        InvalidInput
            If the name is unknown, the dimension has no witnesses, or the class is empty.
        TooLarge
            If the limit is reached, or the class has too many concepts for a table.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], domain="abc")
        >>> print(C.witness("star_number"))
        star_number >= 3: points a, b, c; centre 0; concepts 1, 2, 3
        >>> print(C.witness("vcdim"))
        vcdim >= 1: points a
        """
        from lsclasses.dimensions.base import DIMENSIONS

        return DIMENSIONS[dimension].witness(cast("Any", self), limit=limit)
