// SPDX-License-Identifier: GPL-2.0-or-later
/* hand_getppid1.c - getppid1 as one would write it without the suite. */
#include "tests/bench/hand.h"

static unsigned long loop(void)
{
	unsigned long ops = 0;

	while (!hand_over) {
		/* cppcheck-suppress ignoredReturnValue */
		getppid();
		ops++;
	}
	return ops;
}

int main(int argc, char **argv)
{
	return hand_main(argc, argv, loop);
}
