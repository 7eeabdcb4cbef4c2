PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# Extras of a new checkout. Modules are compiled at their first import, because most installed modules
# are never imported.
EXTRAS := dev
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable

# Python keeps compiled modules and compiled tests between runs.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help installed verify test tests deep kernel mutants mutants-changed lint bench coverage
.PHONY: margins slow-margins audits conjectures site release proved lean clean

# List the targets. This is the default target.
help:
	@echo "make verify           recompute the facts of the catalog and the claims about learners"
	@echo "make test             lint, doctests, unit and property tests, examples"
	@echo "make tests            all tests without lint. CHANGED=1: only tests of changed functions"
	@echo "make lint             formatter, linter, prose check and types"
	@echo "make deep             all tests: exhaustive searches, large audits, long games, 100 inputs"
	@echo "make kernel           the compiled engine under sanitizers, the searches without it"
	@echo "make mutants          mutation tests, or of one module with MODULE=learners/coins/words.py"
	@echo "make mutants-changed  some mutation tests of the modules changed last"
	@echo "make bench            measurements, each with its baseline"
	@echo "make coverage         write the pages about papers, errata and cited works"
	@echo "make margins          make coverage, with the margins that make verify computes"
	@echo "make slow-margins     make margins, with the rows of slow checks (half an hour)"
	@echo "make audits           measure the table of audits in docs/privacy.md"
	@echo "make conjectures      search for conjectures and counterexamples (two hours)"
	@echo "make site             build the site in build/site (some minutes)"
	@echo "make release          build wheel and sdist, and test them in a clean environment"
	@echo "make proved           build the proved checker, if Coq is installed"
	@echo "make lean             check the exported files for Lean, if Lean can be installed"
	@echo "make clean            remove built files"

installed: $(INSTALLED)

# Recompute every fact of the catalog and every claim about learners. The tests reuse these results if
# the sources did not change.
export LSCLASSES_VERIFIED ?= $(CURDIR)/build/verified.jsonl
verify: $(INSTALLED)
	mkdir -p $(dir $(LSCLASSES_VERIFIED))
	rm -f $(LSCLASSES_VERIFIED)
	$(BIN)/lsclasses verify --resume $(LSCLASSES_VERIFIED)

# Run the formatter, the linter, the prose check, the type checker and all tests. The type checker uses
# one processor, so lint and tests run at once.
test: $(INSTALLED)
	$(MAKE) --jobs 2 lint tests

# Run all tests. With CHANGED=1, run only tests of functions that changed since the last run. The first
# run with CHANGED=1 runs all tests. Exit status 5 means that no test is affected. By work stealing,
# the tests of a module run in one process, which makes their fixtures once.
tests: $(INSTALLED)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal \
	    $(if $(CHANGED),--testmon --testmon-forceselect || test $$? -eq 5)

# Before a release: run all tests with exhaustive searches, large audits, long games and 100 inputs per
# property. Also run the slow checks that `make verify` omits.
deep: $(INSTALLED)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m '' --hypothesis-profile deep
	$(BIN)/lsclasses verify --slow

# Test the compiled kernel under sanitizers (its threads under ThreadSanitizer) and a package that is
# built without a compiler. Run the tests of the searches on NumPy's engine, because `make test` runs
# them on the kernel.
KERNEL := lsclasses/searching/_kernel.c
HARNESS := tests/lsclasses/searching/kernel_harness.c
HARNESS_FLAGS := -std=c11 -pthread -g -O1 -Wall -Wextra -Werror
SANITIZED := build/kernel_harness
RACES := build/kernel_races
# Tests that use the chosen engine. The other tests of the searches name their engines.
SEARCHES := $(patsubst %,tests/lsclasses/searching/test_%.py,keys littlestone_search numpy_depths numpy_engine) \
    tests/lsclasses/certificates tests/lsclasses/dimensions
# Tests of certificate rules, forged files and the proved checker use no search.
CHECKER := $(patsubst %,--ignore-glob 'tests/lsclasses/certificates/test_%.py',certificate_rule* certificate_forgeries forged_files proved)

kernel: $(INSTALLED) $(SANITIZED)
	ASAN_OPTIONS=quarantine_size_mb=4 $(SANITIZED)
	@if echo 'int main(void) { return 0; }' \
	    | $(CC) -x c -fsanitize=thread -o $(RACES) - 2> /dev/null && $(RACES); then \
	    $(CC) $(HARNESS_FLAGS) -fsanitize=thread -o $(RACES) $(HARNESS) && $(RACES) threads; \
	else echo '*** ThreadSanitizer was SKIPPED: it is missing or does not run on this machine'; fi
	LSCLASSES_ENGINE=numpy $(BIN)/python -m pytest --numprocesses auto --dist worksteal $(SEARCHES) $(CHECKER)
	rm -rf build/uncompiled
	CC=/bin/false $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/uncompiled .
	$(BIN)/python -m tests.uncompiled build/uncompiled

$(SANITIZED): $(HARNESS) $(KERNEL)
	mkdir -p build
	$(CC) $(HARNESS_FLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all -o $@ $<

# Mutation tests of the modules with guarantees, or of one module with MODULE=learners/coins/words.py.
# The results stay in build/mutants, so that a stopped run can continue.
mutants: $(INSTALLED)
	$(BIN)/python -m tests.mutants --page $(MODULE)

# Some mutants of the modules that changed last, each with a second of the module's tests. A fresh
# checkout records the tests first and needs at most three minutes.
mutants-changed: $(INSTALLED)
	$(BIN)/python -m tests.mutants --changed --own --count 4 --enough 1 --seconds 60 --patience 45

lint: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m tests.prose
	$(BIN)/mypy

# Write the generated pages: coverage of the papers, errata, bibliography and families.
coverage: $(INSTALLED)
	$(BIN)/python -m learners.papers docs
	$(BIN)/python -m lsclasses.bibliography docs/bibliography.md
	$(BIN)/python -m catalog.family_pages docs

# Write the generated pages with the margins of a new run of `make verify`.
margins: verify
	$(BIN)/python -m learners.papers docs $(LSCLASSES_VERIFIED)
	$(BIN)/python -m lsclasses.bibliography docs/bibliography.md
	$(BIN)/python -m catalog.family_pages docs

# Write the generated pages with the rows and the day of a new run of all checks, slow checks included
# (about half an hour on one processor). Then take the rows of quick checks from a run without slow
# checks, as `make margins` does.
slow-margins: $(INSTALLED)
	mkdir -p build
	rm -f build/slow.jsonl
	$(BIN)/lsclasses verify --slow --resume build/slow.jsonl
	$(BIN)/python -m learners.papers docs build/slow.jsonl
	$(MAKE) margins

# Measure the table of audits and incorrect variants in docs/privacy.md (some minutes).
audits: $(INSTALLED)
	$(BIN)/python -m tests.learners.audit_table docs/privacy.md

# Look for new conjectures, search for classes for which open ones are false, and write the page.
# All classes on five points are taken if `lsclasses atlas build` has been run. The local search takes
# 15 minutes for each open conjecture. An interrupted search continues from the results file.
conjectures: $(INSTALLED)
	mkdir -p build
	$(BIN)/python -m catalog.refuting.conjectures docs/conjectures.md --mine --survey \
	    --search 900 --resume build/conjectures.jsonl

# Build the site build/site/index.html, which needs no server and no network. Warnings of Sphinx and
# dead links are errors.
site: $(VENV)/.site
	$(BIN)/python -m docs.site build/site

$(VENV)/.site: $(INSTALLED)
	$(INSTALL) '.[site]'
	touch $@

# Build wheel and sdist, and test them in a clean environment without the checkout.
release: $(INSTALLED)
	$(BIN)/python -m tests.release

# Compile the soundness proofs of the certificate checker, check that they use no axiom and that they are
# about the OCaml code, and build the checker. Without Coq, the target is skipped.
proved:
	@if (command -v coqc && command -v coqchk && command -v ocamlopt) > /dev/null; then \
	    $(MAKE) -C proof all; else \
	    echo '*** make proved was SKIPPED: Coq and OCaml are not installed (apt-get install coq ocaml)'; fi

# Check the exported files by an installed Lean, or by its compiler from PyPI with a small core library.
LEAN_BUILT := $(CURDIR)/build/proof/lean
lean:
	@mkdir -p build/proof
	@if command -v lean > /dev/null; then $(MAKE) -C proof lean; \
	elif $(MAKE) -C proof lean-library PIP='$(PYTHON) -m pip' > build/proof/lean-library.log 2>&1; then \
	    $(MAKE) -C proof lean-compiler PIP=false && \
	    LEAN_PATH=$(LEAN_BUILT) $(MAKE) -C proof lean LEAN=$(LEAN_BUILT)/lean; else \
	    cat build/proof/lean-library.log; \
	    echo '*** make lean was SKIPPED: Lean is not installed, and its compiler cannot be installed from PyPI'; fi

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist *.egg-info lsclasses/searching/*.so .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(INSTALLED): pyproject.toml setup.py lsclasses/searching/_kernel.c
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) '.[$(EXTRAS)]'
	touch $@
	$(if $(findstring site,$(EXTRAS)),touch $(VENV)/.site)
