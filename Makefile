# make demo    documents in, cited answers out (make demo ARGS=--no-serve ends by itself)
# make test    every check and every test, as CI runs them
# make bench   search measured against other engines, in an environment of their own (ARGS as in benchmarks/search.py)
# make bench-also    the same with txtai and LlamaIndex, in another one
# make test-adapters    the examples for other frameworks, each in an environment of its own (docs/adapters.md)
# All make .venv here and install into it what they need; a second run finds it there.

PYTHON ?= python3
VENV := .venv
BENCH := .venv-bench
ALSO := .venv-bench-also
KERNELS := src/refdesk/index/local/kernels/kernels.c
PIP := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test bench bench-also test-adapters weights clean
.DELETE_ON_ERROR:

help:
	@sed -n '1,6s/^# //p' $(MAKEFILE_LIST)

demo: $(VENV)/.run weights
	@$(VENV)/bin/refdesk --home ./desk demo $(ARGS)

test: $(VENV)/.dev
	@scripts/check
	@scripts/test

bench: $(VENV)/.dev $(BENCH)/.made weights
	@$(VENV)/bin/python benchmarks/search.py $(ARGS)

bench-also: $(VENV)/.dev $(BENCH)/.made $(ALSO)/.made weights
	@$(VENV)/bin/python benchmarks/search.py --also txtai llamaindex $(ARGS)

test-adapters: $(VENV)/.dev
	@scripts/test-adapters $(ARGS)

# Without the weights of the embedding model everything works by keyword.
weights: $(VENV)/.run
	@$(VENV)/bin/refdesk models pull > /dev/null || echo "Going on without the embedding model: search works by keyword."

clean:
	@rm -rf $(VENV) $(BENCH) $(ALSO) .venv-adapters desk

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2> /dev/null || { \
		is=$$(command -v $(PYTHON) > /dev/null && $(PYTHON) -V 2>&1 || echo "not there"); \
		echo "Refdesk needs Python 3.11, 3.12 or 3.13, and '$(PYTHON)' is $$is." >&2; \
		echo "Say which one to take: make demo PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: requirements/run.lock pyproject.toml hatch_build.py $(KERNELS) $(VENV)/.made
	@echo "Installing Refdesk into $(VENV) (once; about a minute) ..."
	@$(PIP) --require-hashes -r requirements/run.lock
	@$(PIP) --no-deps -e .
	@touch $@

$(VENV)/.dev: requirements/dev.lock $(VENV)/.run
	@echo "Installing what the tests need into $(VENV) (once) ..."
	@$(PIP) --require-hashes -r requirements/dev.lock
	@touch $@

$(BENCH)/.made: benchmarks/requirements.txt
$(ALSO)/.made: benchmarks/requirements-also.txt
$(BENCH)/.made $(ALSO)/.made: $(VENV)/.made
	@echo "Installing engines to compare with into $(@D) (once) ..."
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r $(filter %.txt,$^)
	@touch $@
