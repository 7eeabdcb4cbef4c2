"""The concepts of a class as experts: in a table where it can be written out, else in groups."""

from __future__ import annotations

from learners.playing.expert_sources.base import ExpertSource, require_several
from learners.playing.expert_sources.grouped import LISTED_UP_TO, ClassExperts, _unlisted
from learners.playing.expert_sources.listed import TableExperts
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import TooLarge
from lsclasses.packing import BYTE_LIMIT
from lsclasses.table import Table


def experts_of(concept_class: ConceptClass) -> ExpertSource:
    """The concepts of a class as experts: a table if it can be written out, else in groups.

    Parameters
    ----------
    concept_class : ConceptClass

    Raises
    ------
    InvalidInput
        If it has fewer than two concepts: there is nothing to be learned.
    TooLarge
        If there are infinitely many, or too many to be listed and no formula counts them.

    Examples
    --------
    >>> import catalog
    >>> print(type(experts_of(catalog.build("thresholds:n=7"))).__name__)
    TableExperts
    >>> print(experts_of(catalog.build("thresholds:n=2^64")))
    18446744073709551617 concepts
    """
    try:
        size = concept_class.size
    except TooLarge as error:
        raise _unlisted(f"{concept_class!r} has too many concepts to be listed") from error
    if size is None:
        raise _unlisted(f"{concept_class!r} has infinitely many concepts")
    require_several(size, repr(concept_class))
    points = concept_class.domain.size
    if isinstance(concept_class, Table):
        return TableExperts(concept_class)
    if points is not None and size <= LISTED_UP_TO and size * points <= BYTE_LIMIT:
        return TableExperts(concept_class.to_table())
    return ClassExperts(concept_class)
