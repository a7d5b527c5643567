/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error.h - an error of the world as one line of text: what is wrong, where, what would be right.
 */
#ifndef MACHINE_ERROR_H
#define MACHINE_ERROR_H

struct error {
	char text[480];
};

/*
 * Sets the text (printf-style, cut to fit, what is not printable ASCII as ?); gives -1, so that
 * `return error_set(...)` works.
 */
int error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
