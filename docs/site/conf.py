"""Configuration of Sphinx, which reads the folder that `docs.site.staging` fills."""

from importlib.metadata import version as installed_version
from pathlib import Path

HERE = Path(__file__).parent

project = "lsclasses"
author = "the authors of lsclasses"
version = release = installed_version("lsclasses")
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "myst_parser",
    "docs.site.docstrings",
    "docs.site.mathml",
    "docs.site.navigation",
    "docs.site.searching",
]
exclude_patterns: list[str] = []
# Names in single backticks are links where there is such a thing, as in numpydoc.
default_role = "py:obj"
smartquotes = False

autodoc_member_order = "bysource"
autodoc_use_type_comments = False
napoleon_google_docstring = False
# Types are words, such as "sequence of int", and no links.
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]
add_module_names = False
python_use_unqualified_type_names = True
toc_object_entries = False

myst_enable_extensions = ["dollarmath"]
myst_dmath_allow_digits = False
# As on GitHub, every heading can be linked to.
myst_heading_anchors = 6
# If an annotation has two classes of one name, the link leads to the first.
suppress_warnings = ["myst.header", "ref.python"]
html_math_renderer = "mathml"

html_theme = "pydata_sphinx_theme"
html_title = "lsclasses"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("layout.js", "tables.js")]
# Links to headings and definitions are added by tables.js.
html_permalinks = False
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
# The summaries of search results are fetched, which browsers forbid for pages in files.
html_show_search_summary = False
templates_path = [str(HERE / "templates")]
html_sidebars = {"**": ["navigation.html"]}
html_search_scorer = str(HERE / "scorer.js")
html_use_index = False
html_domain_indices = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 8,
    "collapse_navigation": True,
    "show_nav_level": 1,
    "navigation_depth": 3,
    "show_toc_level": 2,
    "use_edit_page_button": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "primary_sidebar_end": [],
    "footer_start": [],
    "footer_end": [],
    "back_to_top_button": False,
}
