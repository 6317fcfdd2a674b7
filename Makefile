# Every target sets up what it needs in .venv; `make help` lists them.
PYTHON ?= python3
JAIL ?= auto
BIN := .venv/bin
DEMO := build/demo

.PHONY: help demo test mutants seeds bench check lint types format build release clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: .venv/installed ## grade the sample submissions and show the result
	$(BIN)/autograder grade examples/submissions --out $(DEMO) --jail $(JAIL)
	@echo "What the instructor sees: $(DEMO)/summary.html; what a student sees: $(DEMO)/bo/feedback.html"

test: .venv/installed ## the tests of the kit
	$(BIN)/python -m pytest -n 2

mutants: .venv/installed ## do the hidden graders catch every small mistake? minutes, before a release
	$(BIN)/python tools/mutants.py

seeds: .venv/installed ## does a verdict change with the course seed? half an hour, before a release
	$(BIN)/python tools/seeds.py

bench: .venv/installed ## how fast is it, against nbgrader, otter and the floor? a quarter of an hour, on a quiet machine
	$(BIN)/python -m benchmarks

check: lint types ## lint, types, and the content checks itself
	$(BIN)/autograder build --check

lint: .venv/installed ## ruff: lint and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/installed ## mypy
	$(BIN)/mypy

format: .venv/installed ## let ruff format and mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

build: .venv/installed ## stubs and notebook cells from solutions/
	$(BIN)/autograder build

release: .venv/installed ## what students get, in release/
	$(BIN)/autograder release

clean: ## remove what the targets above made
	rm -rf .venv build release
