/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - the runner's own options as one table: parsing and --help both come from it. */
#ifndef RUNNER_OPTIONS_H
#define RUNNER_OPTIONS_H

#include "runner/config.h"

struct flag {
	const char *name;
	int key;	 /* a character is the short form, a number above 255 none */
	const char *arg; /* what --help shows behind the =; NULL: takes none; ?ARG: may be absent */
	const char *help;
	int (*apply)(struct config *config, const char *arg, struct error *error);
};

#define FLAGS_MAX 64
extern const struct flag flags[]; /* a name of NULL ends it */

/* Adds copies of the items of "a,b,c". -1 with the error set: an item is empty, or too many. */
int list_parse(struct list *list, const char *text, struct error *error);
void list_free(struct list *list);

/* Sets a unit's own option from the command line. */
int setting_parse(struct setting *setting, const char *text, struct error *error);

#endif
