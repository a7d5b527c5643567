/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibrate_figures.h - the numbers of a calibrated profile, each with where it comes from:
 * measured, or a default and why. By the keys of machine/sim/profile_keys.h.
 */
#ifndef RUNNER_CALIBRATE_FIGURES_H
#define RUNNER_CALIBRATE_FIGURES_H

#include <stdbool.h>
#include <stdio.h>

#include "machine/sim/profile_keys.h"

#define FIGURE_SOURCE 140 /* a profile's line holds no more than 190 characters */

struct figure {
	bool given;    /* there is a number */
	bool measured; /* on this host, now */
	bool lacking;  /* this host could not tell it, though others can */
	double value;  /* in the key's unit */
	char source[FIGURE_SOURCE];
};

struct figures {
	struct figure of[SIM_KEYS_MAX]; /* by sim_key_of() */
	char about[128];
	char topology[256], topology_source[FIGURE_SOURCE];
	char host[300]; /* kernel and processor, for the first lines */
};

/* The key must exist; values are brought into its range. */
void figure_measured(struct figures *figures, const char *key, double value, const char *format,
		     ...) __attribute__((format(printf, 4, 5)));

/* Could not be measured on this host, for that reason. */
void figure_lacks(struct figures *figures, const char *key, const char *why);
/* Is nothing that a host could tell. */
void figure_without(struct figures *figures, const char *key, const char *why);

/*
 * Every key that has no number yet gets its default, with the reason. What has no default is left
 * out: the simulated machine then skips what would need it.
 */
void figures_complete(struct figures *figures);
/* One line for each number that this host could not tell. */
void figures_tell_lacking(const struct figures *figures, FILE *out);

/* As a profile: what is written reads back as the same numbers. */
void figures_write(const struct figures *figures, FILE *file);

#endif
