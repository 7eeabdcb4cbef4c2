"""The site: ``python -m docs.site build/site``, which is what ``make site`` runs.

Pages of three kinds become one folder of HTML. Those written by hand (README, ``docs/*.md``) are
taken as they are, so that their links work in the repository, too. The reference is made of
docstrings. The rest, one module here for each, is made of registries when the site is built, so
that what is added to a registry has its page without an edit.

Sphinx builds it, with the extra ``site`` of ``pyproject.toml``. Nothing is loaded from the net,
neither by the pages nor when they are built: formulas are MathML, the search is Sphinx's own.
"""
