/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * word.h - the opaque word that all shared state is made of. It is a struct so that `c->n++` on it
 * does not compile: what does not go through a primitive, the simulator cannot see.
 */
#ifndef MACHINE_WORD_H
#define MACHINE_WORD_H

#include <stdint.h>

typedef struct {
	int64_t opaque;
} m_word;

/* Where the per-CPU parts are: the distance of each from the start of its slot's block, in bytes.
 * A word, since the kernel's fast path reads this pointer from the counter's own line. */
struct m_percpu {
	m_word offset;
};

/* The line, and what keeps two things from sharing one also where lines are fetched in pairs. */
#define M_LINE_BYTES 64
#define M_LINE_PAIR_BYTES 128
#define M_LINE_APART __attribute__((aligned(M_LINE_PAIR_BYTES)))

#endif
