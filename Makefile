PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: verify test slow lint bench coverage clean

# The main job: recompute every fact that the catalog states and every claim about learners.
verify: $(INSTALLED)
	$(BIN)/lsclasses verify

# Formatter, linter, types, doctests, unit and property tests, the examples of README and docs.
test: lint
	$(BIN)/python -m pytest --numprocesses auto

# Exhaustive searches that `make test` does in part.
slow: $(INSTALLED)
	$(BIN)/python -m pytest --numprocesses auto -m slow

lint: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The pages that say which statements of the papers are recomputed, and which works are cited.
coverage: $(INSTALLED)
	$(BIN)/python -m learners.papers docs/coverage.md
	$(BIN)/python -m lsclasses.bibliography docs/bibliography.md

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
