"""Self-contained HTML pages, with games to play, games to replay and reports.

| module | contents |
|---|---|
| `document` | a whole page with its style and its scripts |
| `play_page` | the page of a game, and of a stream through the SOA, with all positions |
| `class_report` | parts of reports: tables, an enumerated class, a tree that unfolds |
| `exercise_sheet` | sheets of exercises and solutions |
"""

from lsclasses.pages.document import Page, document
from lsclasses.pages.play_page import game_page, replay_page

__all__ = ["Page", "document", "game_page", "replay_page"]
