/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim.h - what the parts of the simulated machine share. Nothing outside this folder includes it
 * but tests.
 *
 * The world of a run is one piece of memory: CPUs, requests, events, lines and the arena. So a hold
 * can copy it, let every task come to its next safe point, and put it back: a look at the counter
 * then leaves no trace in what is measured.
 *
 * Each CPU has a clock of its own, in picoseconds. What it does to shared lines happens in the
 * order of (time, event), whoever's turn it is; a CPU runs ahead of the others only while nothing
 * they may still do can reach the lines that it has at hand (its horizon).
 */
#ifndef MACHINE_SIM_SIM_H
#define MACHINE_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/check.h"
#include "machine/run.h"
#include "machine/sim/fiber.h"
#include "machine/sim/primitives.h"
#include "machine/sim/profile.h"
#include "machine/sim/profile_keys.h"

#define SIM_NEVER INT64_MAX
#define SIM_NOBODY (-1) /* a line that nobody has touched yet */
#define SIM_SHARED (-2) /* a line that several have, clean */

enum sim_kind { SIM_LOAD, SIM_STORE, SIM_ADD, SIM_SWAP, SIM_CAS };

/*
 * One access that needs a line. A CPU has two at most: the oldest store of its buffer, and what its
 * task waits for. Their numbers are those of the events too: stores 0 .. cpus - 1, tasks from cpus
 * on, so that of two at the same time an arrived store takes effect first.
 */
struct sim_request {
	m_word *word;
	int64_t value, expected;
	int64_t at;	/* when it was made */
	uint64_t order; /* among all */
	uint32_t line;
	int32_t next; /* in the line's queue */
	uint8_t kind; /* enum sim_kind */
	bool clean;   /* a read that the shared cache serves */
};

enum sim_state {
	SIM_IDLE,  /* has no task */
	SIM_READY, /* runs, or will at the time of its event */
	SIM_MISS,  /* its task waits for a line */
	SIM_DRAIN, /* for its store buffer */
	SIM_WAIT,  /* in m_wait_until */
	SIM_CALL,  /* in m_on_each_slot */
	SIM_HELD,  /* at a safe point */
	SIM_DONE,
};

struct sim_store {
	m_word *word;
	int64_t value;
};

struct sim_cpu {
	int64_t now;	 /* its clock */
	int64_t horizon; /* up to here lines at hand need nobody's leave */
	int32_t id;
	uint8_t state;	     /* enum sim_state */
	bool waits_for_room; /* in SIM_DRAIN: for one place, not for all */
	struct task *task;   /* its own */
	struct task *acting; /* whom it acts as, while others run */
	struct sim_where where;
	int32_t sibling; /* the next hardware thread of its core that has a CPU, in a ring */
	uint64_t jitter;
	struct sim_store stores[SIM_STORES_MAX]; /* oldest first, in a ring */
	uint32_t first_store, store_count;
	int64_t result; /* of the request */
	const m_word *watched;
	int64_t mask, value;
	int32_t next_watcher;
	uint32_t tie;	     /* who of several at the same time comes first: by the seed */
	const m_word *owned; /* the lock that it has, where locks are watched */
	struct fiber fiber;
};

struct sim_line {
	int64_t leave;	    /* from here on who has it may not use it: it is under way; or never */
	int64_t ready;	    /* not before this may it leave */
	int64_t read_ready; /* not before this is the next clean read served */
	int32_t owner;	    /* a CPU, SIM_NOBODY or SIM_SHARED */
	int32_t home;	    /* package that it came to last */
	uint32_t sharers;   /* record of who has it clean; 0: none */
	uint32_t queue;	    /* record of who waits for it; 0: none */
	int32_t watchers;   /* CPUs in m_wait_until on a word of it, -1 ends */
	bool to_share;	    /* under way for a read: who had it keeps a clean copy */
};

/* Kept by line, that is by offset in the arena: what was asked of it. */
struct sim_line_stats {
	uint64_t moves;	  /* to another CPU, for writing or from who had written */
	uint64_t reads;	  /* served clean */
	uint64_t wait_ps; /* from asking to having it, of all */
};

/* Records of one size: bits and lists by line, made where a line needs one. Number 0 is none. */
struct sim_pool {
	char *base;
	size_t bytes;  /* of a record */
	uint32_t made; /* so many have ever been in use */
	uint32_t limit;
	uint32_t unused; /* a list of those that are not */
};

struct sim_event {
	int64_t at;
	uint32_t tie; /* the least comes first of those at the same time, then the least id */
	int32_t id;
};

struct sim {
	struct m_run *run; /* the arena begins with it */
	const struct sim_profile *profile;
	size_t world_bytes; /* of all but the pools' room */
	int64_t now;	    /* of the event that is dealt with */
	int64_t until;	    /* the conductor's turn */
	bool give_way;	    /* the conductor must look, whatever the time */
	uint32_t cpu_count, task_cpus;
	uint32_t line_count, line_shift;
	char *arena;
	size_t arena_bytes;
	uint32_t packages, caches;
	int64_t request_ps[SIM_LEVELS]; /* the part of each latency before a line leaves */
	int64_t near_ps;		/* no CPU's request takes less, siblings' apart */
	int64_t path_ps[SIM_PATH_COUNT];
	uint64_t orders;

	struct sim_cpu *cpus;
	struct sim_request *requests;
	int64_t *event_at; /* by number, SIM_NEVER: none */
	struct sim_event *heap;
	uint32_t heap_count;
	struct sim_line *lines;
	struct sim_line_stats *line_stats;
	struct sim_pool sharers, queues;

	uint32_t running; /* tasks that have not left their loops */
	uint32_t held;
	bool holding, stopping;

	/* The call on each slot that is under way. */
	bool calling;
	int64_t call;
	void (*call_fn)(void *);
	void *call_arg;
	uint32_t call_pending;
	int32_t caller; /* a CPU, or -1: the conductor */

	enum m_event event; /* not M_OK: the run has failed, for this reason */
	struct error error;
};

/* What tests and searches may set before a run; all zero otherwise. */
struct sim_tuning {
	bool always_switch; /* nobody runs ahead: slow, and the same in every figure */
	/* Asked at every scheduling point; ps that this CPU loses there, as a search likes. */
	int64_t (*delay_ps)(void *arg, unsigned int cpu, int64_t now_ps);
	void *arg;
	bool watch_locks; /* no two may own one */
};

extern struct sim_tuning sim_tuning;
extern struct sim *sim;		   /* the run that is open */
extern struct sim_cpu *sim_self;   /* whose turn it is */
extern struct sim_cpu sim_outside; /* the conductor, who is no part of the machine */

/* sched.c */
void sim_event_add(int32_t id, int64_t at);
void sim_wake(struct sim_cpu *cpu, int64_t at);
/* Lets others run until the caller's turn has come; its state says why it waits. */
void sim_dispatch(void);
/* Makes the caller the earliest of all. */
void sim_sync(struct sim_cpu *me);
void sim_set_horizon(struct sim_cpu *me);
/* From the conductor: all that happens before `until`. */
enum m_event sim_run_until(int64_t until, struct error *error);
void sim_fail(enum m_event event, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* lines.c */
void sim_ask(struct sim_request *request, int32_t id, int64_t at);
/* The line has come to request `id`, at sim->now. */
void sim_arrive(int32_t id);
int64_t sim_apply(struct sim_request *request);

/* stores.c */
void sim_stores_go_on(struct sim_cpu *cpu, int64_t at);
void sim_store_arrived(struct sim_cpu *cpu);

/* conduct.c: the n-th of independent sequences that a seed stands for; never 0 */
uint64_t sim_seed_of(uint64_t seed, uint64_t n);

/* hot.c: told only while a profile is taken */
extern bool sim_hot_on;
extern const struct m_profiler sim_profiler;
void sim_hot_drop(void);
void sim_hot_came(const struct sim_request *request, const struct sim_cpu *cpu);
void sim_hot_waited(const m_word *word, const struct sim_cpu *cpu, int64_t since);

/* access.c */
/* Waits until all stores of the caller have taken effect. */
void sim_drain(struct sim_cpu *me);

/* waiting.c */
void sim_watch(struct sim_cpu *cpu, const m_word *word, int64_t mask, int64_t value);
void sim_changed(const m_word *word);

/* pool.c */
uint32_t sim_pool_take(struct sim_pool *pool);
void sim_pool_give(struct sim_pool *pool, uint32_t record);

/* world.c */
struct sim *sim_world_open(const struct m_setup *setup, struct error *error);
void sim_world_close(struct sim *world);

/* snapshot.c */
bool sim_snapshot_take(void);
void sim_snapshot_put_back(void);
void sim_snapshot_drop(void);

/* calls.c */
void sim_wait_outside(m_word *word, int64_t mask, int64_t value);
void sim_serve(struct task *task);
enum m_event sim_each(struct m_run *run, void (*fn)(void *), void *arg, struct error *error);
void sim_alert(void);

static inline void *sim_record(const struct sim_pool *pool, uint32_t record)
{
	return pool->base + record * pool->bytes;
}

static inline struct sim_line *sim_line_of(const m_word *word)
{
	size_t offset = (size_t)((const char *)word - sim->arena);

	CHECK(offset < sim->arena_bytes);
	return &sim->lines[offset >> sim->line_shift];
}

static inline int32_t sim_task_event(const struct sim_cpu *cpu)
{
	return (int32_t)sim->cpu_count + cpu->id;
}

/* Stores come before tasks, whatever the seed. */
static inline uint32_t sim_tie_of(int32_t id)
{
	if (id < (int32_t)sim->cpu_count)
		return sim->cpus[id].tie >> 1;
	return sim->cpus[id - (int32_t)sim->cpu_count].tie >> 1 | 1U << 31;
}

static inline struct sim_cpu *sim_cpu_of_event(int32_t id)
{
	return &sim->cpus[id < (int32_t)sim->cpu_count ? id : id - (int32_t)sim->cpu_count];
}

static inline int64_t sim_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t sim_most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Whether a clean copy of the line is in that CPU's own cache. */
static inline bool sim_shares(const struct sim_line *line, int32_t cpu)
{
	const unsigned char *bits = sim_record(&sim->sharers, line->sharers);

	return bits[cpu >> 3] >> (cpu & 7) & 1;
}

/* Whether the line is at hand: an access then is a hit. */
static inline bool sim_may_write(const struct sim_line *line, int32_t cpu, int64_t now)
{
	return line->owner == cpu && now < line->leave;
}

static inline bool sim_may_read(const struct sim_line *line, int32_t cpu, int64_t now)
{
	if (line->owner == cpu)
		return now < line->leave || line->to_share;
	return line->owner == SIM_SHARED && now < line->leave && sim_shares(line, cpu);
}

#endif
