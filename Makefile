PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# What a new checkout installs. Modules are compiled when they are first imported: of those that are
# installed, most never are.
EXTRAS := dev
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable

# Modules, and the tests that pytest rewrites, are compiled once.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help installed verify test tests deep kernel mutants mutants-changed lint bench coverage
.PHONY: margins audits conjectures site release proved clean

# What there is; what `make` alone prints.
help:
	@echo "make verify           recompute every fact of the catalog and every claim about learners"
	@echo "make test             formatter, linter, types, doctests, unit and property tests, examples"
	@echo "make tests            without formatter, linter and types; CHANGED=1: what a change touches"
	@echo "make lint             formatter, linter and types alone"
	@echo "make deep             all tests: exhaustive searches, large audits, long games, 100 inputs"
	@echo "make kernel           the compiled engine under sanitizers, the searches without it"
	@echo "make mutants          mistakes made on purpose; one module with MODULE=learners/coins/words.py"
	@echo "make mutants-changed  a few of them in the modules changed last"
	@echo "make bench            measurements, each beside its baseline"
	@echo "make coverage         the pages about papers, errata and cited works, from their records"
	@echo "make margins          the same, with the numbers of what make verify finds"
	@echo "make audits           the table of what each audit sees, measured into docs/privacy.md"
	@echo "make conjectures      new conjectures, and counterexamples to open ones; two hours"
	@echo "make site             all pages and the reference, into build/site; some minutes"
	@echo "make release          wheel and sdist, installed and tried in a clean environment"
	@echo "make proved           the checker of certificates, proved in Coq; skipped where there is no Coq"
	@echo "make clean            removes what was built"

installed: $(INSTALLED)

# The main job: recompute every fact that the catalog states and every claim about learners. The tests
# do not compute again what is kept here, if it is from the same sources.
export LSCLASSES_VERIFIED ?= $(CURDIR)/build/verified.jsonl
verify: $(INSTALLED)
	mkdir -p $(dir $(LSCLASSES_VERIFIED))
	rm -f $(LSCLASSES_VERIFIED)
	$(BIN)/lsclasses verify --resume $(LSCLASSES_VERIFIED)

# Formatter, linter, types, doctests, unit and property tests, the examples of README and docs.
test: lint tests

# Without formatter, linter and types. With CHANGED=1, only what runs the functions that were changed
# since the last time (the first time it is all tests, more slowly); then exit status 5 means none.
tests: $(INSTALLED)
	$(BIN)/python -m pytest --numprocesses auto \
	    $(if $(CHANGED),--testmon --testmon-forceselect || test $$? -eq 5)

# Before a release: all tests, also exhaustive searches, large audits and long games, each property on
# 100 inputs; and what `make verify` leaves out.
deep: $(INSTALLED)
	$(BIN)/python -m pytest --numprocesses auto -m '' --hypothesis-profile deep
	$(BIN)/lsclasses verify --slow

# The compiled kernel: under sanitizers, its threads under that for races, and left out of a package that is built without a compiler;
# the tests of the searches on NumPy's engine. (`make test` runs them on the kernel where it is there.)
KERNEL := lsclasses/searching/_kernel.c
HARNESS := tests/lsclasses/searching/kernel_harness.c
HARNESS_FLAGS := -std=c11 -pthread -g -O1 -Wall -Wextra -Werror
SANITIZED := build/kernel_harness
RACES := build/kernel_races
# What asks for the engine that is chosen; the other tests of the searches run on each, or on one that they name.
SEARCHES := $(patsubst %,tests/lsclasses/searching/test_%.py,keys littlestone_search numpy_depths numpy_engine) \
    tests/lsclasses/certificates tests/lsclasses/dimensions
# The rules that certificates are checked by, forged files and the proved checker search for nothing.
CHECKER := $(patsubst %,--ignore-glob 'tests/lsclasses/certificates/test_%.py',certificate_rule* certificate_forgeries forged_files proved)

kernel: $(INSTALLED) $(SANITIZED)
	ASAN_OPTIONS=quarantine_size_mb=4 $(SANITIZED)
	@if echo 'int main(void) { return 0; }' \
	    | $(CC) -x c -fsanitize=thread -o $(RACES) - 2> /dev/null && $(RACES); then \
	    $(CC) $(HARNESS_FLAGS) -fsanitize=thread -o $(RACES) $(HARNESS) && $(RACES) threads; \
	else echo '*** ThreadSanitizer was SKIPPED: it is not there, or does not run here'; fi
	LSCLASSES_ENGINE=numpy $(BIN)/python -m pytest --numprocesses auto $(SEARCHES) $(CHECKER)
	rm -rf build/uncompiled
	CC=/bin/false $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/uncompiled .
	$(BIN)/python -m tests.uncompiled build/uncompiled

$(SANITIZED): $(HARNESS) $(KERNEL)
	mkdir -p build
	$(CC) $(HARNESS_FLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all -o $@ $<

# Mistakes made on purpose in the modules that carry guarantees: would the tests notice? One module
# with MODULE=learners/coins/words.py. What is found stays in build/mutants; a run that was stopped goes on.
mutants: $(INSTALLED)
	$(BIN)/python -m tests.mutants --page $(MODULE)

# A few mutants of the modules that were changed last, against a second of each one's own tests: at
# most three minutes from a fresh checkout, where the tests have to be recorded first.
mutants-changed: $(INSTALLED)
	$(BIN)/python -m tests.mutants --changed --own --count 4 --enough 1 --seconds 60 --patience 45

lint: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The pages that say which statements of the papers are recomputed, what is said against them, and
# which works are cited.
coverage: $(INSTALLED)
	$(BIN)/python -m learners.papers docs
	$(BIN)/python -m lsclasses.bibliography docs/bibliography.md
	$(BIN)/python -m catalog.family_pages docs

# The same, with what every check has computed now.
margins: verify
	$(BIN)/python -m learners.papers docs $(LSCLASSES_VERIFIED)
	$(BIN)/python -m lsclasses.bibliography docs/bibliography.md
	$(BIN)/python -m catalog.family_pages docs

# The table in docs/privacy.md of what the audits measure and which broken twins they flag; a few
# minutes.
audits: $(INSTALLED)
	$(BIN)/python -m tests.learners.audit_table docs/privacy.md

# Look for new conjectures, search for classes for which open ones are false, and write the page.
# All classes on five points are taken if `lsclasses atlas build` has been run. The local search takes
# 15 minutes for each open conjecture. An interrupted search continues from the results file.
conjectures: $(INSTALLED)
	mkdir -p build
	$(BIN)/python -m catalog.refuting.conjectures docs/conjectures.md --mine --survey \
	    --search 900 --resume build/conjectures.jsonl

# Pages of hand, pages from registries and the reference of all modules: build/site/index.html, which
# needs neither a server nor the net. Whatever Sphinx warns of and links that lead nowhere are errors.
site: $(VENV)/.site
	$(BIN)/python -m docs.site build/site

$(VENV)/.site: $(INSTALLED)
	$(INSTALL) '.[site]'
	touch $@

# Wheel and sdist, installed in a clean environment and tried there without the checkout.
release: $(INSTALLED)
	$(BIN)/python -m tests.release

# The checker of certificates that is proved sound: compile the proofs, see that they rest on no axiom
# and that the OCaml code is what they are about, and build it. Skipped where there is no Coq.
proved:
	@if (command -v coqc && command -v coqchk && command -v ocamlopt) > /dev/null; then \
	    $(MAKE) -C proof all; else \
	    echo '*** make proved was SKIPPED: Coq and OCaml are not installed (apt-get install coq ocaml)'; fi

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist *.egg-info lsclasses/searching/*.so .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(INSTALLED): pyproject.toml setup.py lsclasses/searching/_kernel.c
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) '.[$(EXTRAS)]'
	touch $@
	$(if $(findstring site,$(EXTRAS)),touch $(VENV)/.site)
