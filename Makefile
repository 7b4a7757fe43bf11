# brisca-table. `make run` plays the demo game on the dashboard, `make test` checks everything that needs no [train].
PYTHON ?= python3
VENV   ?= .venv
SOURCE ?= demo
ARGS   ?=
BIN     = $(VENV)/bin

.PHONY: run test lint types imports check train-env test-train bench films docs clean

run: $(VENV)/.play
	$(BIN)/brisca watch --source $(SOURCE) $(ARGS)

test: $(VENV)/.dev
	$(BIN)/python -m pytest -q -m "not train and not slow" $(ARGS)

$(VENV)/.play: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.play
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

# The small torch build: on Linux x86-64 plain PyPI brings the CUDA build (several GB); see docs/training.md.
$(VENV)/.train: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --editable ".[dev,train]"
	touch $@

train-env: $(VENV)/.train

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

check: test lint types imports

test-train: $(VENV)/.train
	$(BIN)/python -m pytest -q -m "train or slow" $(ARGS)

bench: $(VENV)/.dev
	$(BIN)/python -m bench

# Hours of computing the first time; goes on where it was broken off. The tables of docs/accuracy.md come from here.
films: $(VENV)/.dev
	$(BIN)/brisca films --page docs/accuracy.md $(ARGS)

docs: $(VENV)/.dev
	$(BIN)/python -m server.cli.document > docs/cli.md

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
