# SPDX-License-Identifier: GPL-2.0-or-later
# Makefile - builds runtest from the files it finds: a new counter or testcase needs no line here.

comma := ,
empty :=
space := $(empty) $(empty)

ifeq ($(origin CC),default)
CC := gcc
endif
OPT ?= -O2 -g
SAN ?=
WARN := -std=gnu11 -Wall -Wextra -Werror
BUILD := build/$(if $(SAN),$(subst $(comma),-,san-$(SAN)),plain)
RUNTEST := $(if $(SAN),$(BUILD)/runtest,runtest)
PYTHON := /usr/bin/python3
quiet = $(if $(V),,@printf '  %-7s %s\n' '$(1)' '$(2)';)

CFLAGS := $(OPT) $(WARN) $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all)
CPPFLAGS := -D_GNU_SOURCE -I. -MMD -MP
# One %fs load finds the task: runtest is a program, never a shared library.
CFLAGS += -ftls-model=local-exec
# A system call by way of the PLT touches one page more.
CFLAGS += -fno-plt
# Symbols are bound before main, once, not by each task that is forked.
LDFLAGS += -Wl,-z,now
LDLIBS := -lhwloc -linih -l:libboost_context.a -lm -lpthread

# What is linked once.
CORE := $(wildcard machine/*.c machine/native/*.c machine/sim/*.c counters/*.c)
# glue.c is compiled when a testcase of will-it-scale's form is: the program has its text.
RUNNER := $(filter-out runner/main.c runner/wis/glue.c,$(wildcard runner/*.c runner/wis/*.c))
CORE_OBJECTS := $(CORE:%.c=$(BUILD)/%.o)
# What is made of files that are compiled in as texts.
TEXTS := $(BUILD)/version.o $(BUILD)/profiles.o $(BUILD)/wis_glue.o
RUNNER_OBJECTS := $(RUNNER:%.c=$(BUILD)/%.o) $(TEXTS)

# Cells: for every testcases/KIND/NAME.c one with each counters/KIND/COUNTER.h, or a single one where
# the kind has no counters. A cell's name is KIND/TESTCASE+COUNTER; each is built for each machine.
MACHINES := native sim
COUNTERS_IN := counters
kinds := $(sort $(notdir $(patsubst %/,%,$(wildcard testcases/*/))))
names_in = $(sort $(basename $(notdir $(wildcard $(1)))))
counters_of = $(call names_in,$(COUNTERS_IN)/$(1)/*.h)
cells_of = $(foreach t,$(call names_in,testcases/$(1)/*.c),\
	$(if $(counters_of),$(foreach c,$(counters_of),$(1)/$(t)+$(c)),$(1)/$(t)+))
CELLS := $(foreach kind,$(kinds),$(call cells_of,$(kind)))
# Testcases of the kinds that have counters: what a search goes through.
searched = $(foreach kind,$(kinds),$(if $(call counters_of,$(kind)),$(call names_in,$\
	testcases/$(kind)/*.c)))
CELL_OBJECTS := $(foreach machine,$(MACHINES),$(CELLS:%=$(BUILD)/cells/$(machine)/%.o))
define_of = -DMACHINE_$(if $(filter sim,$(1)),SIM,NATIVE)

.DEFAULT_GOAL := all
.PHONY: all demo wis-bin check check-full check-c check-py check-browser lint setup bench gate
.PHONY: reproduce clean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

# Everything is set up before anything is compiled: a missing library is one sentence.
$(BUILD)/ready: scripts/setup
	@CC="$(CC)" scripts/setup build --check
	@mkdir -p $(@D)
	@touch $@

all: $(RUNTEST)  ## build runtest

$(RUNTEST): $(BUILD)/runner/main.o $(RUNNER_OBJECTS) $(CORE_OBJECTS) $(CELL_OBJECTS) $(BUILD)/cells.o
	$(call quiet,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: %.c $(BUILD)/ready
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(CPPFLAGS) $(call define_of,$(MACHINE)) $(CFLAGS) -c -o $@ $<

# What differs from cell to cell: the three files, and the names that it goes by.
cell_kind = $(firstword $(subst /, ,$(1)))
cell_testcase = $(firstword $(subst +, ,$(notdir $(1))))
cell_counter = $(word 2,$(subst +, ,$(notdir $(1))))
cell_symbol = cell_$(1)_$(subst -,_,$(subst +,_,$(subst /,_,$(2))))
cell_defines = $(call define_of,$(2)) -DKIND_FILE='"counters/$(cell_kind)_kind.h"' \
	-DCOUNTER_FILE='"$(COUNTERS_IN)/$(cell_kind)/$(cell_counter).h"' \
	-DTESTCASE_FILE='"testcases/$(cell_kind)/$(cell_testcase).c"' \
	-DCELL=$(call cell_symbol,$(2),$(1)) -DCELL_MACHINE='"$(2)"' -DCELL_KIND='"$(cell_kind)"' \
	-DCELL_TESTCASE='"$(cell_testcase)"' -DCELL_COUNTER='"$(cell_counter)"'

define cell_rule
$(BUILD)/cells/$(1)/%.o: testcases/cell.c $(BUILD)/ready
	@mkdir -p $$(@D)
	$$(call quiet,CELL,$(1)/$$*)$$(CC) $$(CPPFLAGS) $$(call cell_defines,$$*,$(1)) $$(CFLAGS) -c -o $$@ $$<
endef
$(foreach machine,$(MACHINES),$(eval $(call cell_rule,$(machine))))

cell_symbols = $(foreach m,$(MACHINES),$(foreach c,$(CELLS),$(call cell_symbol,$(m),$(c))))

# Rewritten only when the list of cells changes, so that a dropped-in file is linked at once.
$(BUILD)/cells.c: FORCE
	@mkdir -p $(@D)
	@{ printf '#include "testcases/cell.h"\n'; \
	   printf 'extern const struct cell %s;\n' $(call cell_symbols); \
	   printf 'const struct cell *const cells[] = {\n'; \
	   printf '\t&%s,\n' $(call cell_symbols); \
	   printf '\tNULL,\n};\n'; } > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

$(BUILD)/version.c: FORCE
	@mkdir -p $(@D)
	@{ printf '#include "runner/version.h"\n'; \
	   printf 'const char version_commit[] = "%s";\n' \
		"$$(git describe --always --dirty 2>/dev/null || echo unknown)"; \
	   printf 'const char version_compiler[] = "%s, %s";\n' \
		"$$($(CC) --version | head -n 1)" '$(OPT)$(if $(SAN), -fsanitize=$(SAN))'; } > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

# Machine profiles as they are, compiled in: the program finds them wherever it is started.
PROFILES := $(wildcard machine/sim/profiles/*.ini)
$(BUILD)/profiles.c: FORCE
	@mkdir -p $(@D)
	@{ printf '#include "machine/sim/profile.h"\n'; \
	   printf 'const struct sim_profile_text sim_profile_texts[] = {\n'; \
	   for file in $(PROFILES); do \
		printf '\t{ "%s",\n' "$$(basename "$$file" .ini)"; \
		sed 's/[\\"]/\\&/g; s/.*/\t  "&\\n"/' "$$file"; printf '\t},\n'; done; \
	   printf '\t{ NULL, NULL },\n};\n'; } > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

# Each line of it becomes a string, less the include of what stands before it.
$(BUILD)/wis_glue.c: runner/wis/abi.h runner/wis/glue.c Makefile $(BUILD)/ready
	@{ printf '#include "runner/wis/parts.h"\n'; \
	   printf 'const char wis_compiler[] = "%s";\n' '$(CC)'; \
	   printf 'const char wis_glue[] =\n'; \
	   sed -e '/#include "runner/d' -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' \
		runner/wis/abi.h runner/wis/glue.c; printf ';\n'; } > $@

$(BUILD)/cells.o $(TEXTS): %.o: %.c
	$(call quiet,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# C tests: each tests/test_NAME.c is a program of its own that is linked with all but main.
C_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(RUNNER_OBJECTS) $(CORE_OBJECTS) $(CELL_OBJECTS) $(BUILD)/cells.o
	$(call quiet,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)

# Tests of the simulated machine run on it.
$(BUILD)/tests/test_sim_%.o: MACHINE := sim
MACHINE := native

# Contract tests: tests/contract/KIND.c is compiled once with every counter of its kind, for each
# machine: contract/KIND+COUNTER natively, contract/sim/KIND+COUNTER simulated.
contracts_of = $(if $(wildcard tests/contract/$(1).c),$(call counters_of,$(1)))
CONTRACTS := $(foreach folder,contract contract/sim,$(foreach kind,$(kinds),\
	$(foreach c,$(call contracts_of,$(kind)),$(BUILD)/tests/$(folder)/$(kind)+$(c))))
.PHONY: contracts mutants
contracts: $(CONTRACTS)

define contract_rule
$(BUILD)/tests/contract/$(1)%.o: $(BUILD)/ready $(wildcard tests/contract/*.c)
	@mkdir -p $$(@D)
	$$(call quiet,CC,$$@)$$(CC) $$(CPPFLAGS) $(call define_of,$(2)) \
		-DCOUNTER_FILE='"$(COUNTERS_IN)/$$(subst +,/,$$*).h"' \
		$$(CFLAGS) -c -o $$@ tests/contract/$$(firstword $$(subst +, ,$$*)).c
endef
$(eval $(call contract_rule,sim/,sim))
$(eval $(call contract_rule,,native))

# Counters that are broken on purpose, each a real one with what tests/mutants/KIND/NAME.diff changes:
# built like the real ones, and the checks must catch them.
MUTANTS := $(BUILD)/mutants/counters
MUTANT_COUNTERS := $(patsubst tests/mutants/%.diff,$(MUTANTS)/%.h,$(wildcard tests/mutants/*/*.diff))
$(MUTANTS)/%.h: tests/mutants/%.diff $(wildcard counters/*/*.h)
	@mkdir -p $(@D)
	@patch --silent --output=$@ "$$(sed -n 's,^--- a/,,p' $<)" $<

mutants: $(MUTANT_COUNTERS)
	@$(MAKE) --no-print-directory OPT=-O1 COUNTERS_IN=$(MUTANTS) BUILD=$(BUILD)/mutants \
		RUNTEST=$(BUILD)/mutants/runtest all contracts

# gcc's thread sanitizer cannot place its shadow beside randomised maps of 32 bits.
NO_ASLR := $(if $(findstring thread,$(SAN)),setarch -R)

check:  ## set up, build, run every test
	@scripts/setup check
	@$(MAKE) --no-print-directory -j$$(nproc) all tests-built mutants
	@$(MAKE) --no-print-directory check-c check-py

# A simulated machine is one thread on many stacks: the thread sanitizer has nothing to find there.
TESTS_TO_RUN := $(C_TESTS) $(CONTRACTS)
ifneq ($(findstring thread,$(SAN)),)
TESTS_TO_RUN := $(filter-out $(BUILD)/tests/test_sim_% $(BUILD)/tests/contract/sim/%,$(TESTS_TO_RUN))
endif

check-full: check  ## and what takes long: 10 000 schedules of everything, will-it-scale's own testcases
	./$(RUNTEST) explore $(searched) --counter=all --seeds=10000
	@tests/full/wis

.PHONY: tests-built
tests-built: $(TESTS_TO_RUN)

check-c: $(TESTS_TO_RUN)
	@for test in $(TESTS_TO_RUN); do echo "== $$test"; $(NO_ASLR) $$test || exit 1; done

check-py: $(RUNTEST) mutants
	RUNTEST=$(RUNTEST) BUILD=$(BUILD) SAN=$(SAN) $(NO_ASLR) $(PYTHON) -m pytest -q -p no:cacheprovider tests

check-browser:  ## the report page in headless Chromium; screenshots in build/browser (npm)
	@scripts/setup browser
	tests/browser/run

lint:  ## format, static analysis, shell scripts
	@scripts/setup lint
	@scripts/lint

setup:  ## install what is missing (Debian packages)
	@scripts/setup build demo check lint browser

demo:  ## set up, build, run the main job for a few seconds, draw a chart
	@scripts/setup demo
	@$(MAKE) --no-print-directory all
	scripts/demo

reproduce: $(RUNTEST)  ## every published figure beside what is simulated (minutes)
	scripts/reproduce

bench: $(RUNTEST)  ## speeds: the harness, the counters, start-up (minutes)
	tests/bench/run

gate:  ## is it slower than BASE=<commit>? On simulated machines; NATIVE=1: on this one
	@scripts/gate $(if $(NATIVE),--native) "$(BASE)" $(NEW)

WIS_BIN := build/wis-bin
wis-bin: $(RUNTEST)  ## a folder like a built will-it-scale: WIS=its tests folder
	@scripts/wis-bin $(RUNTEST) $(WIS_BIN) $(WIS)

clean:  ## remove what was built
	rm -rf build runtest

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*  ## /\1\t/p' Makefile | expand -t 14
	@echo
	@echo 'Variants: SAN=address,undefined or SAN=thread; CC=clang; OPT=-O0; V=1 shows commands.'

FORCE:

# Not to be made: without this, make tries to build them as programs.
$(BUILD)/%.d: ;
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
