/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - what the words of the arena are called: what units have said with m_name() and
 * m_name_part(), and struct task of its own. A report speaks of `zone[0].HIT`, not of addresses.
 */
#ifndef MACHINE_SIM_NAMES_H
#define MACHINE_SIM_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "machine/word.h"

#define SIM_NAME 64 /* longest name, with its end */

/* A field: neighbouring words of one name. */
struct sim_field {
	char name[SIM_NAME]; /* "commit.count"; of a slot's block "queue_next", without its slot */
	size_t first;	     /* byte that it begins with: in the arena, or in the slot's block */
	int slot;	     /* whose block; -1: shared by all */
	bool is_named;	     /* false: one word that nobody has named, its name is its offset */
};

struct sim_field sim_field_of(const m_word *word);
/* As a person reads it: "commit.count" or "task[3].queue_next". */
void sim_name_field(const struct sim_field *field, char text[SIM_NAME]);
void sim_name_word(const m_word *word, char text[SIM_NAME]);

/* At the end of a run. */
void sim_names_drop(void);

#endif
