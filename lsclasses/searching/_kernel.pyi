from collections.abc import Callable
from typing import final

INTERFACE: int
PLACES: int
LEVELS: tuple[str, ...]

@final
class Search:
    def __init__(
        self,
        level: str | None = None,
        normal_from: int = ...,
        shared_from: int = ...,
        alone: int = ...,
    ) -> None: ...
    def at_least(
        self,
        columns: bytes,
        concepts: int,
        depth: int,
        memory: int,
        threads: int,
        check: Callable[[], object],
        /,
    ) -> bool | None: ...
    def expected_depth(
        self,
        columns: bytes,
        concepts: int,
        memory: int,
        check: Callable[[], object],
        /,
    ) -> tuple[int, int] | None: ...
    def first_shattered(
        self,
        columns: bytes,
        concepts: int,
        size: int,
        fixed: int,
        any: bool,
        plan: bytes,
        memory: int,
        patience: int,
        check: Callable[[], object],
        /,
    ) -> list[int] | None: ...
    def compute(
        self,
        name: str,
        columns: bytes,
        points: int,
        concepts: int,
        number: int,
        work: int,
        arrays: tuple[object, ...],
        check: Callable[[], object],
        /,
    ) -> tuple[int, int]: ...
    @property
    def used(self) -> int: ...
    @property
    def limited(self) -> bool: ...
    @property
    def nodes(self) -> int: ...
    @property
    def level(self) -> str: ...
