/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch.h - what may stand in --batch: a multiple (64x), a number (4096), or default. The same for
 * all kinds; each kind says what a multiple is a multiple of.
 */
#ifndef COUNTERS_BATCH_H
#define COUNTERS_BATCH_H

#include <stdint.h>

#include "machine/error.h"

enum batch_form {
	BATCH_DEFAULT,
	BATCH_MULTIPLE,
	BATCH_NUMBER,
};

struct batch_spec {
	enum batch_form form;
	int64_t value; /* the multiple or the number, >= 1 */
};

/* Parses one item; `limit` is the largest number allowed. -1 with the error set. */
int batch_parse(const char *text, int64_t limit, struct batch_spec *spec, struct error *error);

#endif
