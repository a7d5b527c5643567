// SPDX-License-Identifier: GPL-2.0-or-later
/* hand_mmap1.c - mmap1 as one would write it without the suite. */
#include "tests/bench/hand.h"

#define SIZE (128UL << 20)

static unsigned long loop(void)
{
	unsigned long ops = 0;

	while (!hand_over) {
		void *area = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

		if (area == MAP_FAILED || munmap(area, SIZE) != 0)
			exit(1);
		ops++;
	}
	return ops;
}

int main(int argc, char **argv)
{
	return hand_main(argc, argv, loop);
}
