"""Self-contained HTML pages, with games to play, games to replay and reports.

| file | what is in it |
|---|---|
| `document` | a whole page, its style and its scripts inside |
| `positions` | the positions of a game, computed before they are shown |
| `game` | the page of a game, and of a stream through the SOA |
| `tables` | parts of pages: tables, a class written out, a tree that unfolds |
"""

from lsclasses.pages.document import Page, document
from lsclasses.pages.play_page import game_page, replay_page

__all__ = ["Page", "document", "game_page", "replay_page"]
