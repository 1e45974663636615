# Everything a fresh machine needs: Python 3.11+ with venv, and make.
PYTHON ?= python3
PORT ?= 8420
PLAYERS ?= Ada,Ben,Cleo
VENV := .venv
BIN := $(VENV)/bin

.PHONY: play test run setup bench lint format lock clean

play: $(VENV)/run.stamp  ## a Discord on this machine, the bot in it, a page to play on; no token
	$(BIN)/wordmoot play --port $(PORT) --players $(PLAYERS)

test: $(VENV)/dev.stamp  ## every test, in two processes
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

run: $(VENV)/run.stamp  ## real Discord; the token comes from WORDMOOT_TOKEN
	$(BIN)/wordmoot run

setup: $(VENV)/dev.stamp

bench: $(VENV)/dev.stamp  ## one JSON line a figure
	$(BIN)/wordmoot bench

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/run.stamp: requirements.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp requirements-dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.txt
	touch $@

lock:  ## pin anew, after a change of pyproject.toml; wants uv on the PATH
	uv pip compile pyproject.toml --extra build --universal --python-version 3.11 --generate-hashes \
		--no-header --no-emit-index-url --no-emit-find-links -q -o requirements.txt
	uv pip compile pyproject.toml --extra build --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-header --no-emit-index-url --no-emit-find-links -q -o requirements-dev.txt

clean:
	rm -rf $(VENV) *.egg-info
