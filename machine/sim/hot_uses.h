/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hot_uses.h - from what was asked of words to fields and lines, and who uses them. */
#ifndef MACHINE_SIM_HOT_USES_H
#define MACHINE_SIM_HOT_USES_H

#include "machine/sim/hot.h"
#include "machine/sim/names.h"

#define HOT_WHO 80 /* longest list of tasks, with its end */

/* A field of one line. */
struct hot_use {
	struct sim_field field;
	uint32_t line;
	size_t place;  /* byte where the line begins: of a block, or of the arena */
	bool is_block; /* it is a slot's, so that every slot has one like it */
	bool is_false; /* no task uses both it and another field of its line, and one is written */
	uint32_t first, end; /* what was asked of its words */
	struct sim_hot sum;
};

struct hot_uses {
	struct hot_use *list; /* the caller's to free; NULL: no memory */
	uint32_t count;
};

struct hot_uses hot_uses_by_line(const struct sim_hot_all *all);
/* The same line of all blocks together, its fields each with all blocks together. */
struct hot_uses hot_uses_by_place(const struct sim_hot_all *all);

void hot_add(struct sim_hot *sum, const struct sim_hot *more);

/* "shared+0x80", or of a block "task[3]+0x200", for all blocks "task[*]+0x200". */
void hot_name_line(const struct hot_use *use, bool all_blocks, char text[SIM_NAME]);

/*
 * How many tasks write or read these uses, and the three that do so most: "3:120;7:99;1:98", or for
 * people "144 tasks: 3, 7, 1".
 */
unsigned int hot_tell_who(const struct sim_hot_all *all, const struct hot_use *first,
			  const struct hot_use *end, bool writers, bool counts, char text[HOT_WHO]);

#endif
