/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile.h - what a simulated machine is like: its shape, latencies and path costs, as read from a
 * profile (profiles/NAME.ini, compiled in, or a file of the user's). Times are whole picoseconds.
 */
#ifndef MACHINE_SIM_PROFILE_H
#define MACHINE_SIM_PROFILE_H

#include <stdint.h>

#include "machine/error.h"
#include "machine/sim/paths.h"
#include "machine/topology.h"

/* The nearest that two CPUs have in common; the farther the later. */
enum sim_level {
	SIM_CORE,    /* hardware threads of one core */
	SIM_CACHE,   /* share the last-level cache */
	SIM_PACKAGE, /* share the package, but no cache */
	SIM_GROUP,   /* packages of one group */
	SIM_MACHINE, /* nothing but the machine */
	SIM_LEVELS,
};

#define SIM_ABSENT (-1) /* of a time that a profile may leave out and has */
#define SIM_STORES_MAX 64

struct sim_profile {
	char name[64];
	char about[128];
	char topology[256]; /* as topology_open() takes it */
	int64_t memory_gib;
	int64_t clock_mhz;
	int64_t line_bytes; /* unit of coherence: 64 or 128 */
	int64_t hit_ps;	    /* a primitive whose line is at hand */
	int64_t atomic_ps;  /* an atomic operation, likewise */
	int64_t latency_ps[SIM_LEVELS];
	int64_t read_ps;      /* a line that is clean in the shared cache, */
	int64_t read_busy_ps; /* which is handed out once in this time */
	int64_t request_pct;  /* part of a latency before the line leaves who has it */
	int64_t near_grants;  /* in a row within a package while others wait */
	int64_t stores;	      /* that a CPU's store buffer holds */
	int64_t smt_pct;      /* of a path cost while a sibling runs too */
	int64_t jitter_pct;   /* path costs vary by at most this, up and down */
	int64_t path_ps[SIM_PATH_COUNT];
	uint64_t hash; /* of all the values above but name and about, and of the machine's shape */
};

/* One profile that is compiled in. */
struct sim_profile_text {
	const char *name;
	const char *text; /* the file as it is in profiles/ */
};

/* Made by the Makefile from the files it found; ends with a name of NULL. */
extern const struct sim_profile_text sim_profile_texts[];

/*
 * Reads a profile: the name of one that is compiled in, or a path that ends in .ini. -1 with the
 * error set: file, line and key, what is wrong and what would be right. Opens its topology too,
 * which the caller closes, since latencies are checked against it.
 */
int sim_profile_open(const char *spec, struct sim_profile *profile, struct topology *topology,
		     struct error *error);
/* Whether `spec` is meant as a profile, though it may be a bad one. */
bool sim_profile_is(const char *spec);

/* Keys as "section.name", their values and the comment behind each, in the file's order. */
void sim_profile_each(const char *text,
		      void (*each)(void *arg, const char *key, const char *value,
				   const char *source),
		      void *arg);

/* The name of a path cost, "map", and of its key, "path.map_ns". */
extern const char *const sim_path_names[SIM_PATH_COUNT];

#endif
