// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * conduct.c - the control plane of the native machine (struct m_ops): opening the arena, starting,
 * holding and stopping the tasks. The conductor sleeps in sigtimedwait, so that a child's death
 * and the user's Ctrl-C end a wait at once.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "machine/native/native.h"
#include "machine/native/ops.h"
#include "machine/native/stay.h"
#include "machine/topology.h"

#define LATE_NAPS 1000 /* a tenth of a second in which tasks could have run */
#define PAGE 4096

/*
 * A load that agrees in the low 12 bits of its address with a store just before is taken for its
 * reader and waits, on Intel and AMD alike. A loop stores at the head of its block, which begins a
 * page, and to its parts right behind. So what it only loads, the counter's pointer and batch, is
 * put where a block has neither.
 */
#define HEAD_OFFSET 2176
#define PARTS_BYTES 1024 /* of parts that the above holds for */

_Static_assert(sizeof(struct task) + PARTS_BYTES <= HEAD_OFFSET, "the head's low bits are taken");
_Static_assert(HEAD_OFFSET % M_LINE_PAIR_BYTES == 0, "lines stay lines");

sigset_t native_signals_before;
static sigset_t watched; /* what the conductor sleeps for; blocked from the program's start */
static int interrupted;	 /* SIGINT or SIGTERM once one has come */

static void native_init(void)
{
	sigemptyset(&watched);
	sigaddset(&watched, SIGCHLD);
	sigaddset(&watched, SIGINT);
	sigaddset(&watched, SIGTERM);
	sigprocmask(SIG_BLOCK, &watched, &native_signals_before);
}

/* Also sees a signal that came between two points, when nobody slept for it. */
static int native_interrupted(void)
{
	const struct timespec at_once = { 0 };
	sigset_t ends = watched;
	int signal;

	sigdelset(&ends, SIGCHLD);
	signal = sigtimedwait(&ends, NULL, &at_once);
	if (signal > 0)
		interrupted = signal;
	return interrupted;
}

static size_t round_up(size_t value, size_t align)
{
	return (value + align - 1) / align * align;
}

static char *map_arena(size_t bytes, struct error *error)
{
	struct rlimit limit;
	char *arena = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (arena != MAP_FAILED)
		return arena;
	if (errno == ENOMEM && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		error_set(error, "cannot map the arena of %zu bytes: RLIMIT_AS is %llu (ulimit -v)",
			  bytes, (unsigned long long)limit.rlim_cur);
	else
		error_set(error, "cannot map the arena of %zu bytes: %s", bytes, strerror(errno));
	return NULL;
}

/*
 * Binds each slot's block to the NUMA node of its place. Neighbours on one node go in one call, so
 * that a machine with a single node gets no binding at all and its forks no longer list of areas.
 */
static void bind_blocks(struct m_run *run)
{
	hwloc_topology_t hwloc = run->setup.topology->hwloc;
	hwloc_bitmap_t nodes = hwloc_bitmap_alloc();
	unsigned int end;

	if (hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_NUMANODE) < 2) {
		hwloc_bitmap_free(nodes);
		return;
	}
	for (unsigned int slot = 0; slot + 1 < run->block_count; slot = end) {
		int node = run->setup.places[slot].node;

		for (end = slot + 1;
		     end + 1 < run->block_count && run->setup.places[end].node == node; end++)
			;
		hwloc_bitmap_only(nodes, (unsigned int)node);
		if (hwloc_set_area_membind(hwloc, m_task_of(run, slot), (end - slot) * run->stride,
					   nodes, HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET) != 0)
			error_set(&run->warning,
				  "the host refuses to bind memory to NUMA node %d: %s", node,
				  strerror(errno));
	}
	hwloc_bitmap_free(nodes);
}

static uint64_t seed_of(uint64_t seed, unsigned int slot)
{
	/* splitmix64: neighbouring seeds must not give neighbouring sequences; never 0. */
	uint64_t value = seed + (slot + 1) * 0x9e3779b97f4a7c15ULL;

	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ULL;
	value = (value ^ value >> 27) * 0x94d049bb133111ebULL;
	return (value ^ value >> 31) | 1;
}

static void set_up_slots(struct m_run *run)
{
	const struct m_setup *setup = &run->setup;

	for (unsigned int slot = 0; slot < run->block_count; slot++) {
		struct task *task = m_task_of(run, slot);

		task->run = run;
		task->slot = slot;
		task->is_reader = slot >= run->slots && slot + 1 < run->block_count;
		task->random = seed_of(setup->seed, slot);
		task->place = setup->places[slot + 1 < run->block_count ? slot : 0];
		task->node = (unsigned int)task->place.node_index;
	}
}

/* How the arena is laid out: the head and what is shared, then a block for each slot. */
struct layout {
	unsigned int blocks;
	size_t shared, stride, bytes;
};

static struct layout lay_out(const struct m_setup *setup)
{
	size_t head = HEAD_OFFSET + sizeof(struct native_run);
	struct layout layout = {
		.blocks = setup->slots + setup->readers + 1,
		.shared = round_up(head + setup->shared_bytes, PAGE) - head,
		.stride = round_up(sizeof(struct task) + setup->block_bytes, PAGE),
	};

	layout.bytes = head + layout.shared + layout.blocks * layout.stride;
	return layout;
}

size_t native_arena_bytes(const struct m_setup *setup)
{
	return lay_out(setup).bytes;
}

/*
 * Where tasks outnumber the CPUs, who conducts would wait for a turn behind all of them: half a
 * second and more each time it wants to look. In real time it has none to wait for, if it may (that
 * takes CAP_SYS_NICE); it sleeps nearly always. What it forks inherits this, and a task ends it.
 */
void native_at_once(const struct m_run *run, bool on)
{
	const struct sched_param param = { .sched_priority = on ? 1 : 0 };

	if (run->oversubscribed)
		sched_setscheduler(0, on ? SCHED_RR : SCHED_OTHER, &param);
}

static struct m_run *native_open(const struct m_setup *setup, struct error *error)
{
	struct layout layout = lay_out(setup);
	unsigned int blocks = layout.blocks;
	size_t shared = layout.shared, stride = layout.stride, bytes = layout.bytes;
	char *arena = map_arena(bytes, error);
	struct native_run *native;

	if (!arena)
		return NULL;
	native = (struct native_run *)(arena + HEAD_OFFSET);
	native->bytes = bytes;
	native->children = calloc(1, sizeof(*native->children) +
					     (setup->tasks + setup->readers) * sizeof(pid_t));
	CHECK(native->children);
	native->deadline_ns = native_now() + setup->timeout_ns;
	native->run.setup = *setup;
	native->run.shared = (char *)(native + 1);
	native->run.shared_bytes = shared;
	native->run.blocks = native->run.shared + shared;
	native->run.stride = stride;
	native->run.block_bytes = stride - sizeof(struct task);
	native->run.slots = setup->slots;
	native->run.block_count = blocks;
	native->run.oversubscribed = setup->tasks + setup->readers > setup->cpus;
	native_at_once(&native->run, true);
	set_up_slots(&native->run);
	native_conducts = true;
	native->self_before = native_self;
	native_self = m_task_of(&native->run, blocks - 1);
	return &native->run;
}

enum m_event native_nap(struct m_run *run, int64_t until_ns, bool ending_is_right,
			struct error *error)
{
	struct native_run *native = native_run_of(run);
	int64_t now = native_now();
	struct timespec left;

	if (now >= native->deadline_ns) {
		error_set(error, "timeout: not done within %.3g s (--timeout)",
			  (double)run->setup.timeout_ns / 1e9);
		return M_FAILED;
	}
	if (until_ns > native->deadline_ns)
		until_ns = native->deadline_ns;
	left.tv_sec = until_ns > now ? (until_ns - now) / 1000000000 : 0;
	left.tv_nsec = until_ns > now ? (until_ns - now) % 1000000000 : 0;
	switch (sigtimedwait(&watched, NULL, &left)) {
	case SIGINT:
		interrupted = SIGINT;
		return M_INTERRUPTED;
	case SIGTERM:
		interrupted = SIGTERM;
		return M_INTERRUPTED;
	case SIGCHLD:
		if (native_reap(native, ending_is_right, error) != 0)
			return M_FAILED;
	}
	return M_OK;
}

static enum m_event wait_for_all(struct m_run *run, const m_word *count, struct error *error)
{
	while (__atomic_load_n(&count->opaque, __ATOMIC_SEQ_CST) != native_workers(run)) {
		enum m_event event = native_nap(run, native_now() + NATIVE_NAP_NS, false, error);

		if (event != M_OK)
			return event;
	}
	return M_OK;
}

static enum m_event native_start(struct m_run *run, struct error *error)
{
	bind_blocks(run);
	if (native_spawn(run, error) != 0)
		return M_FAILED;
	return wait_for_all(run, &native_run_of(run)->ready, error);
}

static void native_gate(struct m_run *run)
{
	struct native_run *native = native_run_of(run);

	m_store_release(&native->gate, 1);
	native_wake_chain(&native->gate);
}

static enum m_event native_advance(struct m_run *run, int64_t until_ns, struct error *error)
{
	while (native_now() < until_ns) {
		enum m_event event = native_nap(run, until_ns, false, error);

		if (event != M_OK)
			return event;
	}
	return M_OK;
}

/* Changes the flags that tasks see; the number above them makes every change visible. */
static void signal_tasks(struct m_run *run, int64_t set, int64_t clear)
{
	int64_t signal = m_load(&run->signal);

	/* In one order with the count of held tasks: see stay_held(). */
	while (!__atomic_compare_exchange_n(&run->signal.opaque, &signal,
					    ((signal | set) & ~clear) + SIGNAL_NEXT, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
	native_alert(run);
}

static enum m_event native_hold(struct m_run *run, struct error *error)
{
	signal_tasks(run, SIGNAL_HOLD, 0);
	return wait_for_all(run, &native_run_of(run)->held, error);
}

static void native_release(struct m_run *run)
{
	signal_tasks(run, 0, SIGNAL_HOLD);
}

static enum m_event native_stop(struct m_run *run, struct error *error)
{
	struct native_run *native = native_run_of(run);
	int64_t give_up = native_now() + run->setup.grace_ns;
	unsigned int late = 0;

	/* While they are there to be asked: a task that has ended tells nothing. */
	if (native_check_places(run, "", error) != 0)
		return M_FAILED;
	if (run->host)
		native_guard_stop(run);
	else
		signal_tasks(run, SIGNAL_STOP, SIGNAL_HOLD);
	while (native->children->count > 0) {
		enum m_event event = native_nap(run, native_now() + NATIVE_NAP_NS, true, error);

		if (event != M_OK)
			return event;
		if (native_reap(native, true, error) != 0)
			return M_FAILED;
		/* The clock goes on while a virtual machine is stopped: late alone is no proof. */
		if (native->children->count > 0 && !run->host && native_now() > give_up &&
		    ++late > LATE_NAPS) {
			error_set(error, "a task did not stop within the grace period of %.3g s",
				  (double)run->setup.grace_ns / 1e9);
			return M_FAILED;
		}
	}
	return M_OK;
}

static void native_close(struct m_run *run)
{
	struct native_run *native = native_run_of(run);

	native_profile_end(native);
	if (run->host)
		native_guard_end(run);
	else
		native_kill(run);
	native_at_once(run, false);
	native_self = native->self_before;
	native_conducts = false;
	free(native->children);
	munmap((char *)native - HEAD_OFFSET, native->bytes);
}

const struct m_ops native_ops = {
	.name = "native",
	.init = native_init,
	.interrupted = native_interrupted,
	.open = native_open,
	.start = native_start,
	.gate = native_gate,
	.advance = native_advance,
	.hold = native_hold,
	.release = native_release,
	.on_each_slot = native_each,
	.stop = native_stop,
	.close = native_close,
	.now = native_now,
	.profiler = &native_profiler,
};
