"""Base classes of named families: a definition, parameters, and facts that a search can check."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.options import Value
from lsclasses.specifications import Parameter, Specified

if TYPE_CHECKING:
    import sympy

    from lsclasses.concept_class import ConceptClass
    from lsclasses.hypothesis import Hypothesis
    from lsclasses.point_names import Label, Point
    from lsclasses.table import Table

Relation = Literal["==", "<=", ">="]

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Fact:
    """A fact about every member of a family of classes, as a formula in the family's parameters.

    Parameters
    ----------
    quantity : str
        ``size`` (number of concepts), ``points`` (number of points), or the name of a dimension,
        such as ``ldim``.
    expression : str
        Formula in the syntax of SymPy, with the family's parameters as symbols. Further functions
        are ``floor_log2(r)``, the Gaussian binomial coefficient ``gauss(n, j, q)``, and
        ``ordered_partitions(n, m)``, the number of ordered partitions of n elements into at most m
        non-empty blocks.
    when : str
        Condition on the parameters under which the formula holds, in the syntax of SymPy. Equality
        is written ``Eq(n, 1)``.
    relation : "==", "<=" or ">="
        Relation of the quantity to the expression: equality, an upper bound or a lower bound.
    source : str
        Reference, or a proof in one sentence.
    printed : str
        If the fact corrects an error in a paper, the incorrect formula that the paper prints. Empty
        otherwise.
    printed_in : str
        Place of this incorrect formula in the paper. Empty otherwise.
    searched : str
        Condition on the parameters under which a search confirms the fact within seconds, in the
        syntax of SymPy. If the parameters violate the condition, `lsclasses verify` skips the fact.
    statements : tuple of str
        Statements of papers that this fact checks, such as ``BLM20 Sec 1, affine subspaces``.
    """

    quantity: str
    expression: str
    when: str = "True"
    relation: Relation = "=="
    source: str = ""
    printed: str = ""
    printed_in: str = ""
    searched: str = "True"
    statements: tuple[str, ...] = ()


@dataclass(frozen=True)
class FactInstance:
    """A fact for given parameters of the family, as ``quantity relation value``.

    Parameters
    ----------
    fact : Fact
    value : Fraction
        Value of the fact's formula.
    printed : Fraction, optional
        Value of the printed formula, for an erratum.
    """

    fact: Fact
    value: Fraction
    printed: Fraction | None = None

    def holds(self, computed: int | Fraction) -> bool:
        """Return whether a computed value of the quantity agrees with the fact."""
        return self._agrees(computed, self.value)

    def corrects(self, computed: int | Fraction) -> bool:
        """Return whether a computed value of the quantity contradicts the printed value."""
        return self.printed is not None and not self._agrees(computed, self.printed)

    def refuted(self, computed: int | Fraction) -> Fraction | None:
        """Return a false variant of the fact that the computed value refutes.

        Examples
        --------
        >>> bound = FactInstance(Fact("star_number", "2*q - 2", relation=">="), Fraction(4))
        >>> [bound.refuted(value) for value in (4, 5, 8)]
        [Fraction(5, 1), Fraction(8, 1), None]
        """
        upper = self.fact.relation == "<="
        forms = [self.value + (-1 if upper else 1)]
        if self.fact.relation != "==":
            forms.append(self.value / 2 if upper else 2 * self.value)
        return next((form for form in forms if not self._agrees(computed, form)), None)

    def _agrees(self, computed: int | Fraction, value: Fraction) -> bool:
        if self.fact.relation == "==":
            return computed == value
        return computed <= value if self.fact.relation == "<=" else computed >= value

    def __str__(self) -> str:
        return f"{sign_of(self.fact.relation)}{self.value}"


def sign_of(relation: Relation) -> str:
    """Return the sign of a bound before its value in a statement, or "" for equality.

    Examples
    --------
    >>> f"{sign_of('<=')}4", f"{sign_of('==')}4"
    ('<= 4', '4')
    """
    return "" if relation == "==" else f"{relation} "


class Family(Specified, ABC):
    """A named family of concept classes.

    A *member* is the class for given values of the parameters, such as ``thresholds:n=7``. A *fact*
    states the size or a dimension of every member by a formula.

    A subclass describes the family in class attributes and builds the table of a member in
    `_table`. The method `_shape` predicts the size of this table. So a table that is too large
    raises `TooLarge` before it is built. Each `Parameter` rejects values outside its own range. A
    subclass overrides `_check` to reject invalid combinations of values.

    No table is computed from facts. So `lsclasses verify` can check each fact by a search in a
    table.
    """

    definition: ClassVar[str]
    """One or two sentences that define the points, the concepts and the parameters."""
    reference: ClassVar[str]
    parameters: tuple[Parameter, ...] = ()
    facts: ClassVar[tuple[Fact, ...]] = ()
    concept_parameters: ClassVar[tuple[Parameter, ...]] = ()
    """Parameters that identify a concept of a member, such as the start of a threshold."""
    packed: ClassVar[bool] = False
    """Whether tables are built with packed labels (`table_of`), never with one byte per label."""

    # ---- hooks

    @abstractmethod
    def _table(self, *args: Any, **values: Any) -> Table:
        """Return the member's table, for values that have been checked."""

    @abstractmethod
    def _shape(self, *args: Any, **values: Any) -> tuple[int, int]:
        """Return the number of concepts (or an upper bound) and of points of that table."""

    @abstractmethod
    def instances(self) -> Iterator[Mapping[str, Value]]:
        """Yield the parameters of classes of this family that are small enough for searches.

        `check_family` and `lsclasses verify` check the facts on these classes by searches. The
        classes should include the boundary cases of the formulas.
        """

    def examples_of(
        self, member: Mapping[str, Any], chosen: Mapping[str, Any]
    ) -> Iterable[tuple[Point, Label]]:
        """Return labelled points that identify a concept of a class of this family.

        The parameters `member` determine the class, and the parameters `chosen` determine the
        concept. No other concept of the class is consistent with the returned points. A family with
        `concept_parameters` must override this method. The caller ignores returned points outside
        the domain of the class.

        Parameters
        ----------
        member, chosen : mapping
            Validated parameters of the class and of the concept, such as n of ``thresholds:n=7``
            and the start of a threshold.
        """
        raise InvalidInput(f"The concepts of {self.name!r} have no parameters.")

    def chosen_concept(
        self, C: ConceptClass, member: Mapping[str, Any], chosen: Mapping[str, Any]
    ) -> Hypothesis | None:
        """Return the concept with the parameters `chosen`, or None if no such concept exists.

        The parameters `member` determine the class, and the parameters `chosen` determine the
        concept. By default, the labelled points that `examples_of` returns identify the concept. A
        family overrides this method if a few labelled points do not identify a concept.

        Parameters
        ----------
        C : ConceptClass
            Class of this family.
        member, chosen : mapping
            Validated parameters of the class and of the concept, such as n of ``thresholds:n=7``
            and the start of a threshold.
        """
        labelled = self.examples_of(member, chosen)
        left = C.given([(x, y) for x, y in labelled if x in C.domain])
        return None if left.is_empty or left.size != 1 else left.soa()

    def _concept_class(self, *args: Any, **values: Any) -> ConceptClass:
        """Return the member as a concept class. A family in closed form overrides this method."""
        return self.table(**values)

    # ---- public

    @classmethod
    def instantiate(cls) -> Self:
        """Return the instance of this subclass of `Family`, if the subclass is complete.

        Raises
        ------
        InvalidInput
            If the subclass lacks a method, or one of the attributes `name`, `title`, `definition`
            and `reference`.
        """
        missing = sorted(cls.__abstractmethods__)
        if missing:
            raise InvalidInput(f"The family {cls.__name__} must define {', '.join(missing)}.")
        found = cls()
        _check_texts(found)
        return found

    def table(self, **given: Value) -> Table:
        """Return the class with the given parameters as a `lsclasses.Table`.

        Raises
        ------
        InvalidInput
            If the parameters are wrong.
        TooLarge
            If the class is infinite, or its table would need more bytes than
            `lsclasses.packing.BYTE_LIMIT`. The error is raised before any concept is enumerated.
        """
        values = self.values(**given)
        if math.inf in values.values():
            raise TooLarge(
                f"{self.spec(**values)!r} is infinite and cannot be written out as a table."
            )
        from lsclasses.packing import require_memory

        concepts, points = self._shape(**values)
        require_memory(concepts, points, repr(self.spec(**values)), packed=self.packed)
        try:
            table = self._table(**values)
        except InvalidInput as error:
            raise InvalidInput(
                f"{self.spec(**values)!r} cannot be built as a table. {error} If these parameters "
                f"do not fit together, {type(self).__name__}._check must refuse them."
            ) from error
        if not hasattr(table, "packed"):
            raise InvalidInput(
                f"{type(self).__name__}._table must return a Table. Got {table!r:.200} for "
                f"{self.spec(**values)!r}."
            )
        return table

    def size(self, **given: Value) -> int | None:
        """Return the number of concepts for the given parameters, or None if it is infinite.

        The class is not built as a table.

        Raises
        ------
        InvalidInput
            If the parameters are wrong.
        TooLarge
            If the family has no formula for the number. The message states an upper bound on the
            number.

        Examples
        --------
        >>> from catalog import family
        >>> family("affine").size(q=2, n=64, k=8) > 10**80, family("thresholds").size(n="inf")
        (True, None)
        """
        values = self.values(**given)
        if math.inf in values.values():
            return self._concept_class(**values).size
        for statement in self.stated(**values):
            if statement.fact.quantity == "size" and statement.fact.relation == "==":
                return int(statement.value)
        most, _ = self._shape(**values)
        raise TooLarge(
            f"No formula gives the number of concepts of {self.spec(**values)!r}. It is at most "
            f"{most}, and table(...) counts them.",
            upper=most,
        )

    def concept_class(self, **given: Value) -> ConceptClass:
        """Return the class with the given parameters.

        If the family has formulas for this class, the class computes dimensions and version spaces
        by formulas. Otherwise, the class is a table.
        """
        return self._concept_class(**self.values(**given))

    def symbols(self) -> dict[str, sympy.Symbol]:
        """Return the SymPy symbol of each parameter that is a number, by the name of the parameter.

        A symbol has the assumptions that its parameter allows, such as ``positive``.
        """
        return dict(_symbols(self.parameters))

    def expression(self, text: str) -> sympy.Basic:
        """Return a formula or a condition, such as ``fact.when``, parsed to a SymPy object.

        Raises
        ------
        InvalidInput
            If the string is not a formula in the parameters of the family that are numbers.
        """
        return _expression(self.name, self.parameters, text)

    def stated(self, **given: Value) -> list[FactInstance]:
        """Return the facts about the class with the given parameters, each with its value.

        The list omits facts whose values have too many digits. For an infinite class, the list is
        empty.

        Raises
        ------
        InvalidInput
            If the parameters are wrong.

        Examples
        --------
        >>> from catalog.thresholds import Thresholds
        >>> {s.fact.quantity: str(s) for s in Thresholds().stated(n=16)}["ldim"]
        '4'
        """
        values = self.values(**given)
        if math.inf in values.values():
            # Formulas are about finite members, and a limit need not be the value at infinity.
            return []
        found: list[FactInstance] = []
        for fact in self.facts:
            try:
                if self.applies(fact, values):
                    value = self.evaluate(fact.expression, values)
                    printed = self.evaluate(fact.printed, values) if fact.printed else None
                    found.append(FactInstance(fact, value, printed))
            except TooLarge:
                continue
        return found

    def to_verify(self, **given: Value) -> list[FactInstance]:
        """Return the facts that a search can confirm within seconds, for one class of the family.

        The class has the given parameters. Each fact comes with its value for this class.

        Raises
        ------
        InvalidInput
            If the parameters are wrong.
        """
        values = self.values(**given)
        return [s for s in self.stated(**values) if self._holds(s.fact.searched, values)]

    def applies(self, fact: Fact, values: Mapping[str, Value]) -> bool:
        """Return whether the condition ``fact.when`` holds for given values of the parameters."""
        return self._holds(fact.when, values)

    def _holds(self, condition: str, values: Mapping[str, Value]) -> bool:
        import sympy

        if condition == "True":
            return True
        value = self._substituted(condition, values)
        if value not in (sympy.true, sympy.false):
            raise InvalidInput(
                f"The condition {condition!r} must be true or false of {self.spec(**values)!r}. "
                f"Got {value}."
            )
        return bool(value)

    def evaluate(self, text: str, values: Mapping[str, Value]) -> Fraction:
        """Return the exact value of a formula for the given values of the parameters.

        Raises
        ------
        InvalidInput
            If the string is not a formula in the parameters of the family that are numbers, or the
            value of the formula is not rational.
        TooLarge
            If the value or an intermediate number has too many digits.
        """
        from catalog.formulas import rational

        value = rational(
            self._substituted(text, values), f"The formula {text!r} of {self.spec(**values)!r}"
        )
        return Fraction(int(value.p), int(value.q))

    def _substituted(self, text: str, values: Mapping[str, Value]) -> sympy.Basic:
        symbols = self.symbols()
        numbers = tuple((name, value) for name, value in values.items() if name in symbols)
        return _value(self.name, self.parameters, text, numbers)

    def formula(self, quantity: str) -> sympy.Basic:
        """Return the exact formula of a quantity, such as ``ldim``, as a SymPy object.

        A formula with several cases is a ``Piecewise`` object.

        Raises
        ------
        InvalidInput
            If the family has no exact formula of the quantity. The attribute `facts` may still
            contain bounds on the quantity.
        """
        import sympy

        exact = [f for f in self.facts if f.quantity == quantity and f.relation == "=="]
        if not exact:
            known = sorted({f.quantity for f in self.facts if f.relation == "=="})
            raise InvalidInput(
                f"{self.name!r} has no closed form of {quantity!r}. "
                f"It has: {', '.join(known) or 'none'}."
            )
        pieces = [(self.expression(f.expression), self.expression(f.when)) for f in exact]
        if len(pieces) == 1 and pieces[0][1] == sympy.true:
            return pieces[0][0]
        return sympy.Piecewise(*pieces, evaluate=False)

    def latex(self, quantity: str) -> str:
        r"""Return the exact formula of a quantity, such as ``ldim``, in LaTeX.

        Raises
        ------
        InvalidInput
            If the family has no exact formula of the quantity.

        Examples
        --------
        >>> from catalog.thresholds import ThresholdConcepts
        >>> print(ThresholdConcepts().latex("ldim"))
        \left\lfloor \log_2 m \right\rfloor
        """
        return self._latex(self.formula(quantity))

    def _latex(self, expression: sympy.Basic) -> str:
        import sympy

        words = {
            symbol: rf"\mathrm{{{name}}}"
            for name, symbol in self.symbols().items()
            if len(name) > 1
        }
        return str(sympy.latex(expression, symbol_names=words))

    def _repr_latex_(self) -> str | None:
        """Return all closed forms, for notebooks."""
        quantities = dict.fromkeys(f.quantity for f in self.facts if f.relation == "==")
        if not quantities:
            return None
        lines = (rf"{_symbol(name)} &= {self.latex(name)}" for name in quantities)
        return r"$\displaystyle \begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}$"

    def _repr_html_(self) -> str:
        """Return the family and every fact with its condition and source, for notebooks."""
        from html import escape

        def formula(text: str) -> str:
            return f"${escape(self._latex(self.expression(text)))}$"

        signs = {"==": "=", "<=": r"\leq", ">=": r"\geq"}
        rows = "".join(
            f"<tr><td>${_symbol(fact.quantity)} {escape(signs[fact.relation])}$ "
            f"{formula(fact.expression)}</td>"
            f"<td>{'' if fact.when == 'True' else formula(fact.when)}</td>"
            f"<td>{escape(fact.source)}</td></tr>"
            for fact in self.facts
        )
        return (
            f"<p><b>{escape(self.title)}</b>, <code>{escape(self.usage())}</code></p>"
            f"<p>{escape(self.definition)} ({escape(self.reference)})</p>"
            f"<table><tr><th>fact</th><th>when</th><th>source</th></tr>{rows}</table>"
        )

    def __repr__(self) -> str:
        return f"<Family {self.usage()}>"


class ClosedForm(Family):
    """A family whose members are classes in closed form with known numbers of concepts."""

    @abstractmethod
    def _concept_class(self, *args: Any, **values: Any) -> ConceptClass:
        """Return the member, which answers by formula."""

    def _shape(self, *args: Any, **values: Any) -> tuple[int, int]:
        member = self._concept_class(**values)
        concepts, points = member.size, member.domain.size
        assert concepts is not None and points is not None  # `table` refuses infinite members
        return concepts, points


def _symbol(quantity: str) -> str:
    """Return the symbol of a quantity in formulas."""
    from lsclasses.dimensions import DIMENSIONS

    if quantity not in DIMENSIONS:
        return {"size": "|C|", "points": "|X|"}[quantity]
    return rf"\mathrm{{{DIMENSIONS[quantity].symbol}}}"


def _check_texts(family: Family) -> None:
    for attribute in ("name", "title", "definition", "reference"):
        text = getattr(family, attribute, None)
        if not isinstance(text, str) or not text.strip():
            raise InvalidInput(
                f"A family needs the class attribute {attribute!r}, a string. "
                f"Got {text!r} in {type(family).__name__}."
            )
    if not NAME.fullmatch(family.name):
        raise InvalidInput(
            "The name of a family must be made of lower-case words, digits and hyphens, as in "
            f"'projective-lines'. Got {family.name!r}."
        )


@cache
def _symbols(parameters: tuple[Parameter, ...]) -> dict[str, sympy.Symbol]:
    import sympy

    return {
        p.name: sympy.Symbol(
            p.name,
            integer=not p.rational or None,
            rational=True,
            positive=True if p.minimum is not None and p.minimum > 0 else None,
            nonnegative=True if p.minimum is not None and p.minimum >= 0 else None,
        )
        for p in parameters
        if not p.choices
    }


@lru_cache(maxsize=1 << 12)
def _value(
    family: str, parameters: tuple[Parameter, ...], text: str, given: tuple[tuple[str, Value], ...]
) -> sympy.Basic:
    """Return the value of a formula, cached because several facts share a condition."""
    import sympy

    from catalog.formulas import substitute

    symbols = _symbols(parameters)
    numbers = {symbols[name]: sympy.Rational(value) for name, value in given}
    return substitute(_expression(family, parameters, text), numbers)


@cache
def _expression(family: str, parameters: tuple[Parameter, ...], text: str) -> sympy.Basic:
    import sympy

    from catalog.formulas import FORMULA_FUNCTIONS

    if text == "True":
        return sympy.true
    symbols = _symbols(parameters)
    try:
        parsed = sympy.sympify(text, locals={**FORMULA_FUNCTIONS, **symbols})
    except (sympy.SympifyError, AttributeError, TypeError, SyntaxError) as error:
        raise InvalidInput(
            f"SymPy cannot read the formula {text!r} of the family {family!r} as a formula in its "
            f"numeric parameters ({', '.join(symbols) or 'none'})."
        ) from error
    if not isinstance(parsed, sympy.Basic):
        raise InvalidInput(
            f"The formula {text!r} of the family {family!r} is not a formula in its parameters. It "
            f"reads as {parsed!r}. An equation is written Eq(n, 1)."
        )
    unknown = sorted(str(symbol) for symbol in parsed.free_symbols - set(symbols.values()))
    if unknown:
        raise InvalidInput(
            f"The formula {text!r} of the family {family!r} may use its numeric parameters "
            f"({', '.join(symbols) or 'none'}) only. Got {', '.join(unknown)}."
        )
    return parsed
