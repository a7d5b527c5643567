// SPDX-License-Identifier: GPL-2.0-or-later
/* pool.c - records of one size, taken and given back; their room is reserved and filled as used. */
#include <string.h>

#include "machine/sim/sim.h"

uint32_t sim_pool_take(struct sim_pool *pool)
{
	uint32_t record = pool->unused;

	if (record) {
		pool->unused = *(uint32_t *)sim_record(pool, record);
	} else {
		CHECK(pool->made + 1 < pool->limit);
		record = ++pool->made;
	}
	memset(sim_record(pool, record), 0, pool->bytes);
	return record;
}

void sim_pool_give(struct sim_pool *pool, uint32_t record)
{
	*(uint32_t *)sim_record(pool, record) = pool->unused;
	pool->unused = record;
}
