// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * access.c - the primitives: the short way for a line that is at hand, which needs nobody's leave
 * up to the caller's horizon, and the long way through the order of events.
 */
#include "machine/sim/sim.h"

/* The caller waits in that state until somebody wakes it. */
static void wait_as(struct sim_cpu *me, enum sim_state state)
{
	me->state = (uint8_t)state;
	sim_dispatch();
	sim->now = me->now;
}

void sim_drain(struct sim_cpu *me)
{
	while (me->store_count > 0) {
		me->waits_for_room = false;
		wait_as(me, SIM_DRAIN);
	}
}

static int64_t fetch(struct sim_cpu *me, const struct sim_request *access)
{
	int32_t id = sim_task_event(me);

	sim->requests[id] = *access;
	sim_ask(&sim->requests[id], id, me->now);
	me->state = SIM_MISS;
	sim_dispatch();
	sim->now = me->now;
	return me->result;
}

/* The newest store of the caller to that word, and whether one to its line is on its way. */
static const struct sim_store *buffered(struct sim_cpu *me, const m_word *word, bool *same_line)
{
	const struct sim_line *line = sim_line_of(word);

	*same_line = false;
	for (uint32_t i = me->store_count; i-- > 0;) {
		const struct sim_store *store = &me->stores[(me->first_store + i) % SIM_STORES_MAX];

		if (store->word == word)
			return store;
		if (sim_line_of(store->word) == line)
			*same_line = true;
	}
	return NULL;
}

static int64_t load_long(struct sim_cpu *me, const m_word *word)
{
	struct sim_line *line = sim_line_of(word);
	const struct sim_store *store;
	bool same_line;
	int64_t value;

	sim_sync(me);
	store = buffered(me, word, &same_line);
	if (store) {
		me->now += sim->profile->hit_ps;
		value = store->value;
	} else {
		if (same_line && !sim_may_read(line, me->id, me->now))
			sim_drain(me);
		if (line->owner == SIM_NOBODY)
			line->owner = me->id;
		if (sim_may_read(line, me->id, me->now)) {
			value = word->opaque;
			me->now += sim->profile->hit_ps;
		} else {
			value = fetch(me, &(struct sim_request){ .word = (m_word *)word,
								 .kind = SIM_LOAD });
		}
	}
	sim_set_horizon(me);
	return value;
}

int64_t sim_load(const m_word *word)
{
	struct sim_cpu *me = sim_self;

	if (likely(me->now < me->horizon)) {
		const struct sim_line *line = sim_line_of(word);

		if (sim_may_read(line, me->id, me->now)) {
			me->now += sim->profile->hit_ps;
			return word->opaque;
		}
	}
	if (me == &sim_outside)
		return word->opaque;
	return load_long(me, word);
}

static void store_long(struct sim_cpu *me, m_word *word, int64_t value)
{
	struct sim_line *line = sim_line_of(word);

	sim_sync(me);
	if (line->owner == SIM_NOBODY)
		line->owner = me->id;
	if (me->store_count == 0 && sim_may_write(line, me->id, me->now)) {
		word->opaque = value;
		sim_changed(word);
	} else {
		while (me->store_count >= sim->profile->stores) {
			me->waits_for_room = true;
			wait_as(me, SIM_DRAIN);
		}
		me->stores[(me->first_store + me->store_count++) % SIM_STORES_MAX] =
			(struct sim_store){ word, value };
		if (me->store_count == 1)
			sim_stores_go_on(me, me->now);
	}
	me->now += sim->profile->hit_ps;
	sim_set_horizon(me);
}

void sim_store(m_word *word, int64_t value)
{
	struct sim_cpu *me = sim_self;

	if (likely(me->now < me->horizon)) {
		const struct sim_line *line = sim_line_of(word);

		if (sim_may_write(line, me->id, me->now) && line->watchers < 0) {
			word->opaque = value;
			me->now += sim->profile->hit_ps;
			return;
		}
	}
	if (me == &sim_outside) {
		word->opaque = value;
		sim_changed(word);
		return;
	}
	store_long(me, word, value);
}

/* An atomic operation; gives what the word was. */
static int64_t atomic(struct sim_request access)
{
	struct sim_cpu *me = sim_self;
	struct sim_line *line = sim_line_of(access.word);
	int64_t old;

	if (me->now < me->horizon && sim_may_write(line, me->id, me->now) && line->watchers < 0) {
		me->now += sim->profile->atomic_ps;
		return sim_apply(&access);
	}
	if (me == &sim_outside)
		return sim_apply(&access);
	sim_sync(me);
	sim_drain(me);
	if (line->owner == SIM_NOBODY)
		line->owner = me->id;
	if (sim_may_write(line, me->id, me->now)) {
		old = sim_apply(&access);
		me->now += sim->profile->atomic_ps;
	} else {
		old = fetch(me, &access);
	}
	sim_set_horizon(me);
	return old;
}

int64_t sim_add(m_word *word, int64_t value)
{
	return atomic((struct sim_request){ .word = word, .value = value, .kind = SIM_ADD });
}

int64_t sim_swap(m_word *word, int64_t value)
{
	return atomic((struct sim_request){ .word = word, .value = value, .kind = SIM_SWAP });
}

bool sim_cas(m_word *word, int64_t old, int64_t value)
{
	return atomic((struct sim_request){
		       .word = word, .value = value, .expected = old, .kind = SIM_CAS }) == old;
}

void sim_wait(m_word *word, int64_t mask, int64_t value)
{
	struct sim_cpu *me = sim_self;
	int64_t since;

	if (me == &sim_outside) {
		sim_wait_outside(word, mask, value);
		return;
	}
	while ((sim_load(word) & mask) != value) {
		/* Not at hand any more: look again, lest a change in between is not seen. */
		sim_sync(me);
		if ((word->opaque & mask) == value)
			continue;
		since = me->now;
		sim_watch(me, word, mask, value);
		sim_dispatch();
		sim->now = me->now;
		if (unlikely(sim_hot_on))
			sim_hot_waited(word, me, since);
	}
}

int64_t sim_clock_ns(void)
{
	return (sim_self == &sim_outside ? sim->now : sim_self->now) / 1000;
}

/* Whether a sibling runs too, and is not parked: only then do they slow each other. */
static bool sibling_runs(const struct sim_cpu *me)
{
	for (int32_t id = me->sibling; id != me->id; id = sim->cpus[id].sibling) {
		enum sim_state state = sim->cpus[id].state;

		if (state == SIM_READY || state == SIM_MISS || state == SIM_DRAIN)
			return true;
	}
	return false;
}

/* Uniform in [-jitter_pct, +jitter_pct] of the cost, in whole picoseconds. */
static int64_t jittered(struct sim_cpu *me, int64_t cost_ps)
{
	uint64_t width = (uint64_t)(cost_ps * 2 * sim->profile->jitter_pct / 100);

	me->jitter ^= me->jitter >> 12;
	me->jitter ^= me->jitter << 25;
	me->jitter ^= me->jitter >> 27;
	if (width == 0)
		return cost_ps;
	return cost_ps - (int64_t)(width / 2) +
	       (int64_t)((me->jitter * 0x2545f4914f6cdd1dULL >> 11) % (width + 1));
}

void sim_path(enum sim_path path, int64_t times)
{
	struct sim_cpu *me = sim_self;
	int64_t cost = sim->profile->path_ps[path];

	if (me == &sim_outside)
		return;
	sim_sync(me);
	if (cost == SIM_ABSENT) {
		sim_fail(M_SKIPPED, "the profile %s gives no cost of %s (path.%s_ns)",
			 sim->profile->name, sim_path_names[path], sim_path_names[path]);
		wait_as(me, SIM_DONE);
	}
	cost = jittered(me, cost * times);
	me->now += sibling_runs(me) ? cost * sim->profile->smt_pct / 100 : cost;
	/* Nothing behind it, the count of operations included, may be done before it is over. */
	sim_sync(me);
	sim_set_horizon(me);
}

void sim_give_up(struct task *task, const char *reason)
{
	sim_fail(M_FAILED, "task %u: %s", task->slot, reason);
	wait_as(sim_self, SIM_DONE);
	__builtin_unreachable();
}

/*
 * Too short to give others a turn, or to be other than a hit that takes longer. Siblings that have
 * a task at all count as running, so that whose turn it was makes no difference.
 */
void sim_path_if_known(enum sim_path path)
{
	struct sim_cpu *me = sim_self;
	int64_t cost = sim->profile->path_ps[path];

	if (me == &sim_outside || cost == SIM_ABSENT)
		return;
	for (int32_t id = me->sibling; id != me->id; id = sim->cpus[id].sibling)
		if (sim->cpus[id].state != SIM_IDLE) {
			cost = cost * sim->profile->smt_pct / 100;
			break;
		}
	me->now += cost;
}
