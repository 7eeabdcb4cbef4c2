"""The site, which ``make site`` builds by ``python -m docs.site build/site``.

Pages of three types become one folder of HTML. Handwritten pages (README, ``docs/*.md``) are used
unchanged, so that their links work in the repository, too. The reference is made of docstrings. The
remaining pages are made of registries when the site is built, by one module of this package each.
So a new entry of a registry has its page without an edit.

Sphinx builds the site, with the extra ``site`` of ``pyproject.toml``. Neither the pages nor the
build load files from the net. Formulas are MathML, and the search is Sphinx's search.
"""
