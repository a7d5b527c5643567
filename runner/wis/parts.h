/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parts.h - what the files of this folder share: building, the private directory, the host. */
#ifndef RUNNER_WIS_PARTS_H
#define RUNNER_WIS_PARTS_H

#include "runner/wis/wis.h"

/* Builds the file, unless what was built before is still right; sets library and hash. -1 with the
 * error set: names the file and the compiler's first complaint. */
int wis_build(struct wis_file *file, struct error *error);
/* Loads what was built, to see that it can be, and takes over its description. */
int wis_describe(struct wis_file *file, struct error *error);

/* Where runs make their private directories from now on. */
int wis_dir_init(const char *tmpdir, struct error *error);
/* Makes one, with tmp and var/tmp in it. */
int wis_dir_make(struct error *error);
/* Goes into it. */
int wis_dir_enter(struct error *error);
/* Removes it with all that is in it; again: does nothing. */
void wis_dir_remove(void);

extern const struct m_host wis_host;
void wis_body(struct task *task);

/* Made by the Makefile. */
extern const char wis_compiler[];
extern const char wis_glue[]; /* the text of abi.h and glue.c */

#endif
