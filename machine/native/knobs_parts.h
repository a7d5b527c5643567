/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knobs_parts.h - what the guardian of the kernel's knobs is made of. For knobs*.c alone. */
#ifndef MACHINE_NATIVE_KNOBS_PARTS_H
#define MACHINE_NATIVE_KNOBS_PARTS_H

#include <sys/types.h>

#include "machine/native/knobs.h"

/* What was in force before the first run of those that share set the knob, and what is set now. */
struct knob_record {
	bool saved;
	char before[KNOB_TEXT];
	char before_instead[KNOB_TEXT]; /* of the second file */
	char now[KNOB_TEXT];
};

/* The lock file: who holds the knobs, what for, and what is to be put back. */
struct knob_lock {
	const char *root;
	int fd;
};

/*
 * Joins those who hold the knobs, or is the first. -1 with the error set: others want other values.
 * What a guardian that was killed has left behind is put back first.
 */
int knob_lock_enter(struct knob_lock *lock, const struct knob_request *request, pid_t runner,
		    struct error *error);
/* Sets values ("" for those to leave alone), keeping what was there before. */
int knob_lock_set(const struct knob_lock *lock, char (*values)[KNOB_TEXT], struct error *error);
/* The last one puts all back. -1 with the error set. */
int knob_lock_leave(struct knob_lock *lock, struct error *error);

/* Writes or reads a file below root/proc/sys. */
int knob_write(const char *root, const char *sysctl, const char *value, struct error *error);
int knob_read(const char *root, const char *sysctl, char *value, struct error *error);

/* The guardian's whole life: answers on the socket until the runner closes it or is gone. */
void knob_guardian(int socket, int runner_pidfd, const struct knob_request *request, pid_t runner)
	__attribute__((noreturn));

/* Between runner and guardian; an empty text leaves a knob alone. */
struct knob_order {
	bool close; /* put all back, and end */
	char values[KNOBS][KNOB_TEXT];
};

struct knob_answer {
	int result;
	struct error error;
};

#endif
