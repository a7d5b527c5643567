// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lines.c - coherence: who has a line, who waits for it, and how long it takes to come.
 *
 * A line is Modified in one CPU or Shared by several. A request for it takes `request_pct` of the
 * latency to reach who has it; then, and not before the line has been used for what it came for, it
 * leaves and takes the rest. So transfers overlap with the requests behind them, and an owner in a
 * tight loop gets a second atomic in. One transfer at a time; all other requests queue at the line.
 * Clean copies come from the shared cache, one in `read_busy_ns`, and several may be under way.
 */
#include <string.h>

#include "machine/sim/sim.h"

/* Of one line: requests that wait, first come first within each package. */
struct queue {
	uint32_t count;
	uint32_t streak; /* grants in a row within a package while others waited */
	struct {
		int32_t first, last;
	} package[];
};

static unsigned char *cpu_bits(const struct sim_line *line)
{
	return sim_record(&sim->sharers, line->sharers);
}

/* By cache and package: they tell where a clean copy comes from. */
static unsigned char *cache_bits(const struct sim_line *line)
{
	return cpu_bits(line) + sim->cpu_count / 8 + 1;
}

static unsigned char *package_bits(const struct sim_line *line)
{
	return cache_bits(line) + sim->caches / 8 + 1;
}

/* What all sharers have in common (-1: nothing), which tells how far the farthest is. */
static struct sim_where *common_of(const struct sim_line *line)
{
	char *end = (char *)cpu_bits(line) + sim->sharers.bytes;

	return (struct sim_where *)(end - sizeof(struct sim_where));
}

static void set_bit(unsigned char *bits, int n)
{
	if (n >= 0)
		bits[n >> 3] |= (unsigned char)(1 << (n & 7));
}

static bool has_bit(const unsigned char *bits, int n)
{
	return n >= 0 && (bits[n >> 3] >> (n & 7) & 1);
}

static void add_sharer(struct sim_line *line, const struct sim_cpu *cpu)
{
	struct sim_where *common = common_of(line);

	set_bit(cpu_bits(line), cpu->id);
	set_bit(cache_bits(line), cpu->where.cache);
	set_bit(package_bits(line), cpu->where.package);
	if (common->core != cpu->where.core)
		common->core = -1;
	if (common->cache != cpu->where.cache)
		common->cache = -1;
	if (common->package != cpu->where.package)
		common->package = -1;
	if (common->group != cpu->where.group)
		common->group = -1;
}

static void begin_sharing(struct sim_line *line, const struct sim_cpu *first)
{
	line->sharers = sim_pool_take(&sim->sharers);
	line->owner = SIM_SHARED;
	*common_of(line) = first->where;
	add_sharer(line, first);
}

static void drop_sharers(struct sim_line *line)
{
	if (line->sharers)
		sim_pool_give(&sim->sharers, line->sharers);
	line->sharers = 0;
}

/* How far the farthest is who must give the line up, or the one who has it. */
static enum sim_level farthest(const struct sim_line *line, const struct sim_cpu *cpu)
{
	struct sim_where where;

	if (line->owner != SIM_SHARED)
		return sim_level_of(&sim->cpus[line->owner].where, &cpu->where);
	where = *common_of(line);
	if (where.core >= 0 && where.core == cpu->where.core)
		return SIM_CORE;
	where.core = -1;
	return sim_level_of(&where, &cpu->where);
}

/* How far the nearest clean copy is. */
static int64_t clean_latency(const struct sim_line *line, const struct sim_cpu *cpu)
{
	struct sim_where where = *common_of(line);

	if (has_bit(cache_bits(line), cpu->where.cache))
		return sim->profile->read_ps;
	if (has_bit(package_bits(line), cpu->where.package))
		return cpu->where.cache < 0 ? sim->profile->read_ps
					    : sim->profile->latency_ps[SIM_PACKAGE];
	where.core = -1;
	return sim->profile->latency_ps[sim_level_of(&where, &cpu->where)];
}

static void read_clean(struct sim_line *line, struct sim_request *request, int32_t id, int64_t from)
{
	struct sim_cpu *cpu = sim_cpu_of_event(id);
	int64_t served = sim_most(from, line->read_ready);
	int64_t comes = served + clean_latency(line, cpu);

	line->read_ready = served + sim->profile->read_busy_ps;
	/* Who wants to write waits for copies that are under way, lest they be stale at once. */
	line->ready = sim_most(line->ready, comes);
	request->clean = true;
	add_sharer(line, cpu);
	sim_event_add(id, comes);
}

static void start_move(struct sim_line *line, struct sim_request *request, int32_t id)
{
	enum sim_level level = farthest(line, sim_cpu_of_event(id));
	int64_t latency = sim->profile->latency_ps[level];
	int64_t asking = sim->request_ps[level];

	line->leave = sim_most(request->at + asking, line->ready);
	line->to_share = request->kind == SIM_LOAD;
	request->clean = false;
	sim_event_add(id, line->leave + latency - asking);
}

static void enqueue(struct sim_line *line, struct sim_request *request, int32_t id)
{
	int package = sim_cpu_of_event(id)->where.package;
	struct queue *queue;

	if (!line->queue) {
		line->queue = sim_pool_take(&sim->queues);
		queue = sim_record(&sim->queues, line->queue);
		for (uint32_t i = 0; i < sim->packages; i++)
			queue->package[i].first = queue->package[i].last = -1;
	}
	queue = sim_record(&sim->queues, line->queue);
	request->next = -1;
	if (queue->package[package].last >= 0)
		sim->requests[queue->package[package].last].next = id;
	else
		queue->package[package].first = id;
	queue->package[package].last = id;
	queue->count++;
}

/* The oldest of all other packages; -1: none waits. */
static int oldest_elsewhere(const struct queue *queue, int home)
{
	int found = -1;

	for (int i = 0; i < (int)sim->packages; i++) {
		int32_t first = queue->package[i].first;

		if (i == home || first < 0)
			continue;
		if (found < 0 ||
		    sim->requests[first].order < sim->requests[queue->package[found].first].order)
			found = i;
	}
	return found;
}

/* Near requests first, but no more than near_grants in a row while one from elsewhere waits. */
static int32_t dequeue(struct sim_line *line)
{
	struct queue *queue = sim_record(&sim->queues, line->queue);
	int elsewhere = oldest_elsewhere(queue, line->home);
	int package = line->home;
	int32_t id;

	if (queue->package[package].first < 0 ||
	    (elsewhere >= 0 && queue->streak >= sim->profile->near_grants)) {
		package = elsewhere;
		queue->streak = 0;
	}
	queue->streak = elsewhere >= 0 ? queue->streak + 1 : 0;
	id = queue->package[package].first;
	queue->package[package].first = sim->requests[id].next;
	if (sim->requests[id].next < 0)
		queue->package[package].last = -1;
	if (--queue->count == 0) {
		sim_pool_give(&sim->queues, line->queue);
		line->queue = 0;
	}
	return id;
}

/* What can be granted now: one transfer, or clean reads up to the first that is none. */
static void serve_queue(struct sim_line *line)
{
	while (line->queue && line->leave == SIM_NEVER) {
		int32_t id = dequeue(line);
		struct sim_request *request = &sim->requests[id];

		if (request->kind == SIM_LOAD && line->owner == SIM_SHARED)
			read_clean(line, request, id, sim->now);
		else
			start_move(line, request, id);
	}
}

void sim_ask(struct sim_request *request, int32_t id, int64_t at)
{
	struct sim_line *line = sim_line_of(request->word);

	request->at = at;
	request->order = sim->orders++;
	request->line = (uint32_t)(line - sim->lines);
	if (line->queue || line->leave != SIM_NEVER)
		enqueue(line, request, id);
	else if (request->kind == SIM_LOAD && line->owner == SIM_SHARED)
		read_clean(line, request, id, at);
	else
		start_move(line, request, id);
}

int64_t sim_apply(struct sim_request *request)
{
	m_word *word = request->word;
	int64_t old = word->opaque;

	switch ((enum sim_kind)request->kind) {
	case SIM_LOAD:
		return old;
	case SIM_STORE:
	case SIM_SWAP:
		word->opaque = request->value;
		break;
	case SIM_ADD:
		word->opaque = (int64_t)((uint64_t)old + (uint64_t)request->value);
		break;
	case SIM_CAS:
		if (old != request->expected)
			return old;
		word->opaque = request->value;
		break;
	}
	sim_changed(word);
	return old;
}

static void hand_over(struct sim_line *line, const struct sim_request *request,
		      const struct sim_cpu *cpu)
{
	bool is_atomic = request->kind >= SIM_ADD;

	if (request->kind == SIM_LOAD) {
		if (line->owner != SIM_SHARED)
			begin_sharing(line, &sim->cpus[line->owner]);
		add_sharer(line, cpu);
		line->read_ready = sim->now;
	} else {
		drop_sharers(line);
		line->owner = cpu->id;
	}
	line->home = cpu->where.package;
	line->leave = SIM_NEVER;
	line->to_share = false;
	line->ready = sim->now + (is_atomic ? sim->profile->atomic_ps : sim->profile->hit_ps);
}

void sim_arrive(int32_t id)
{
	struct sim_request *request = &sim->requests[id];
	struct sim_line *line = &sim->lines[request->line];
	struct sim_line_stats *stats = &sim->line_stats[request->line];
	struct sim_cpu *cpu = sim_cpu_of_event(id);

	stats->wait_ps += (uint64_t)(sim->now - request->at);
	if (unlikely(sim_hot_on))
		sim_hot_came(request, cpu);
	if (request->clean) {
		stats->reads++;
	} else {
		stats->moves++;
		hand_over(line, request, cpu);
	}
	cpu->result = sim_apply(request);
	serve_queue(line);
}
