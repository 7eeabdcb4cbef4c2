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
            If the limit is reached, or if the class has no formula and cannot be enumerated. At the
            limit, the attributes `lower` and `upper` of the error are the known bounds.
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
        """Return a summary of all dimensions of this class, which prints as a table.

        Parameters
        ----------
        names : iterable of str, optional
            Names, titles or aliases of dimensions. The default is all dimensions.
        limit : Limit, optional
            Time and memory for all searches together. The default is ten seconds. If the limit is
            reached, the summary contains bounds.

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
            Function that is called with the known bounds whenever they improve.

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

        A nonempty class V is m-irreducible if, for all points x_1, ..., x_m, the restriction of V
        to the labels of its SOA at these points has the Littlestone dimension of V. Points may
        repeat, so an m-irreducible class is also j-irreducible for every j < m. The empty class is
        not m-irreducible.

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
        The sets of at most two of four points are 2-irreducible, but three labels 0 leave a class
        of Littlestone dimension 1:

        >>> import catalog
        >>> C = catalog.build("at-most:n=4,k=2")
        >>> C.irreducible(2), C.irreducible(3)
        (True, False)
        """
        made = import_module("lsclasses.dimensions.decompositions")
        return bool(made.is_irreducible(self, m, limit=limit))

    def leaf_depth(self, dimension: int, *, limit: Limit | None = None) -> int | float:
        """Return the least depth of a tree whose leaves have at most a given dimension.

        A tree over the class has points at its inner nodes. Its leaves are the subclasses that
        reach them. The depth is 0 if the Littlestone dimension of the class is at most the given
        dimension. It is `math.inf` for a negative dimension and a nonempty class.

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
        """Return the canonical tree whose leaves have at most a given dimension.

        The tree has the least possible depth, which `leaf_depth` returns. The point of every node
        is the first point of the domain that allows this depth.

        Parameters
        ----------
        dimension : int
            Largest Littlestone dimension t of a leaf, at least 0.
        limit : Limit, optional
            Time and memory of the search, unlimited when omitted.

        Returns
        -------
        Decomposition
            The tree, its leaves, and the different SOAs of the leaves of dimension exactly t.

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

        It is the size of the largest set of points on which the class induces every
        labelling.
        """
        return int(self._dimension("vcdim", limit))

    @documented("[LWY25, section 2.3]; Shelah 1978", "1")
    def dual_ldim(self, *, limit: Limit | None = None) -> int:
        """Return the Littlestone dimension of the dual class.

        The points of the dual class are the concepts of this class, and its concepts are the
        points.
        """
        return int(self._dimension("dual_ldim", limit))

    @documented("Assouad 1983", "1")
    def dual_vcdim(self, *, limit: Limit | None = None) -> int:
        """Return the VC dimension of the dual class.

        The points of the dual class are the concepts of this class, and its concepts are the
        points.
        """
        return int(self._dimension("dual_vcdim", limit))

    @documented("Shelah 1978; Hodges 1997; Alon, Livni, Malliaris and Moran 2019", "1")
    def threshold_dim(self, *, limit: Limit | None = None) -> int:
        """Return the threshold dimension.

        It is the largest k such that points x_1, ..., x_k and concepts h_1, ..., h_k exist
        with h_i(x_j) = 1 if and only if i <= j.
        """
        return int(self._dimension("threshold_dim", limit))

    @documented("Filmus, Hanneke, Mehalel and Moran 2023", "Fraction(7, 8)")
    def randomized_ldim(self, *, limit: Limit | None = None) -> Fraction:
        """Return the randomized Littlestone dimension.

        It is the least expected number of mistakes that a randomized learner guarantees on
        realizable streams.
        """
        return Fraction(self._dimension("randomized_ldim", limit))

    @documented("Hanneke and Yang 2015", "3")
    def star_number(self, *, limit: Limit | None = None) -> int:
        """Return the star number, -1 for the empty class.

        The star number is the largest s for which points x_1, ..., x_s and concepts h_0, ..., h_s
        exist such that, among these points, h_i differs from h_0 exactly at x_i. The concept h_0 is
        the centre of this star.
        """
        return int(self._dimension("star_number", limit))

    @documented("Bousquet, Hanneke, Moran and Zhivotovskiy 2020", "2")
    def hollow_star_number(self, *, limit: Limit | None = None) -> int:
        """Return the hollow star number, also called the dual Helly number.

        The number is the size of the largest sample of distinct points that is not realizable and
        becomes realizable after a change of any one label. It is 0 if no such sample exists.
        """
        return int(self._dimension("hollow_star_number", limit))

    @documented("Goldman and Kearns 1995; Shinohara and Miyano 1991", "3")
    def teaching_dim(self, *, limit: Limit | None = None) -> int:
        """Return the teaching dimension.

        The teaching dimension is the least k such that, for every concept, the labels of at most k
        points distinguish it from all other concepts.
        """
        return int(self._dimension("teaching_dim", limit))

    @documented("Zilles, Lange, Holte and Zinkevich 2011; Doliwa, Fan, Simon and Zilles 2014", "1")
    def recursive_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """Return the recursive teaching dimension.

        The dimension is the least k for which the concepts can be removed one by one, such that the
        labels of at most k points distinguish each removed concept from all concepts that remain.
        """
        return int(self._dimension("recursive_teaching_dim", limit))

    @documented("Vapnik and Chervonenkis 1971", "(1, 2, 3, 4)")
    def growth_function(self, *, limit: Limit | None = None) -> tuple[int, ...]:
        """Return the growth function, with an entry for each number of points n = 0, 1, 2, ...

        Entry n is the largest number of labellings that the class induces on n points.
        """
        return tuple(self._dimension("growth_function", limit))

    @documented("Angluin 1988", "3")
    def membership_queries(self, *, limit: Limit | None = None) -> int:
        """Return the least number of membership queries that identify every concept.

        A membership query asks for the label of a point. The number is the depth of the
        best decision tree over points.
        """
        return int(self._dimension("membership_queries", limit))

    @documented("Angluin 1988; Littlestone 1988", "1")
    def equivalence_queries(self, *, limit: Limit | None = None) -> int:
        """Return the least number of equivalence queries that identify every concept.

        A query proposes a labelling, in the class or not. The answer is a point where the proposed
        labelling is wrong. The least number equals the Littlestone dimension.
        """
        return int(self._dimension("equivalence_queries", limit))

    @documented("Angluin 1988", "1")
    def proper_equivalence_queries(self, *, limit: Limit | None = None) -> int:
        """Return the least number of equivalence queries that propose concepts of the class.

        The queries must identify every concept. The answer to a query is a point where the proposed
        concept is wrong. The last remaining concept needs no query.
        """
        return int(self._dimension("proper_equivalence_queries", limit))

    @documented("Maass and Turán 1992", "1")
    def partial_equivalence_queries(self, *, limit: Limit | None = None) -> int:
        """Return the least number of partial equivalence queries that identify every concept.

        A query proposes labels of some points. The answer is a point where the proposed label is
        wrong, or the statement that all proposed labels are right.
        """
        return int(self._dimension("partial_equivalence_queries", limit))

    @documented("Goldman and Sloan 1994; Ben-David, Kushilevitz and Mansour 1997", "1")
    def self_directed_mistakes(self, *, limit: Limit | None = None) -> int:
        """Return the least number of mistakes of a learner that itself chooses the order of points.

        The learner chooses the next point in every round, after it has observed the earlier
        labels.
        """
        return int(self._dimension("self_directed_mistakes", limit))

    @documented("Ben-David, Kushilevitz and Mansour 1997", "1")
    def best_order_mistakes(self, *, limit: Limit | None = None) -> int:
        """Return the least number of mistakes of a learner for the best fixed order of the points.

        The learner knows the order of all points in advance and observes each label after
        its prediction.
        """
        return int(self._dimension("best_order_mistakes", limit))

    @documented("Ben-David, Kushilevitz and Mansour 1997", "1")
    def worst_order_mistakes(self, *, limit: Limit | None = None) -> int:
        """Return the least number of mistakes of a learner for the worst fixed order of the points.

        The learner knows the order of all points in advance and observes each label after
        its prediction.
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

        The degeneracy is the largest minimum degree of a subgraph. The vertices of the graph are
        the concepts. Two concepts are adjacent if they differ at exactly one point.
        """
        return int(self._dimension("degeneracy", limit))

    @documented("Haussler, Littlestone and Warmuth 1994", "Fraction(3, 4)")
    def density(self, *, limit: Limit | None = None) -> Fraction:
        """Return the density of the one-inclusion graph.

        The density is the largest ratio of edges to vertices of a subgraph. The vertices of the
        graph are the concepts. Two concepts are adjacent if they differ at exactly one point.
        """
        return Fraction(self._dimension("density", limit))

    @documented("[RV13]; Li, Kamath, Foster and Srebro 2022", "3")
    def eluder_dim(self, *, limit: Limit | None = None) -> int:
        """Return the eluder dimension.

        The eluder dimension is the largest m for which a target h, points x_1, ..., x_m and
        concepts h_1, ..., h_m exist such that each h_i agrees with h at x_1, ..., x_{i-1} and
        differs from h at x_i.
        """
        return int(self._dimension("eluder_dim", limit))

    @documented("Alon, Moran and Yehudayoff 2016", "3")
    def antipodal_shattering_dim(self, *, limit: Limit | None = None) -> int:
        """Return the antipodal shattering dimension.

        The dimension is the size of the largest set of points such that, for every labelling of the
        set, the class induces the labelling or its complement.
        """
        return int(self._dimension("antipodal_shattering_dim", limit))

    @documented("Hanneke 2024", "1")
    def min_star_number(self, *, limit: Limit | None = None) -> int:
        """Return the minimum star number.

        A set of points is a star with a labelling h as its centre if it has the following property.
        For each point of the set, some concept differs from h at this point and agrees with h at
        all other points of the set. The minimum star number is the least, over all labellings h of
        the domain, of the size of the largest star with the centre h.
        """
        return int(self._dimension("min_star_number", limit))

    @documented("Hegedűs 1995", "3")
    def extended_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """Return the extended teaching dimension.

        The dimension is the least k such that, for every labelling of all points, there are at most
        k points on which at most one concept agrees with the labelling.
        """
        return int(self._dimension("extended_teaching_dim", limit))

    @documented("Kirkpatrick, Simon and Zilles 2019", "1")
    def no_clash_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """Return the no-clash teaching dimension.

        A teaching set of a concept is a set of points with the labels of this concept. Two concepts
        clash if each agrees with the teaching set of the other. The dimension is the least k for
        which each concept can have a teaching set of at most k points so that no two concepts
        clash.
        """
        return int(self._dimension("no_clash_teaching_dim", limit))

    @documented("Kirkpatrick, Simon and Zilles 2019", "1")
    def positive_no_clash_teaching_dim(self, *, limit: Limit | None = None) -> int:
        """Return the no-clash teaching dimension for teaching sets with label 1 only.

        It is the least k for which each concept can have a set of at most k points with two
        properties. Each concept has label 1 at all points of its set. For any two distinct
        concepts, at least one has label 0 at some point of the other concept's set.
        """
        return int(self._dimension("positive_no_clash_teaching_dim", limit))

    def witness(self, dimension: str, *, limit: Limit | None = None) -> Witness:
        """Return a witness that proves a lower bound on a dimension, with a method to verify it.

        A witness consists of points and concepts, such as a shattered set.

        Parameters
        ----------
        dimension : str
            Name, title or alias of a dimension, such as "vcdim", "VC dimension" or "littlestone".
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
