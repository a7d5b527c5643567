// SPDX-License-Identifier: GPL-2.0-or-later
/* error.c - an error of the world as one line of text. */
#include "machine/error.h"

#include <stdarg.h>
#include <stdio.h>

int error_set(struct error *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	/* What somebody typed may stand in it: it stays one line and drives no terminal. */
	for (char *c = error->text; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			*c = '?';
	return -1;
}
