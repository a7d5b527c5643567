/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hand.h - the least that a loop written by hand needs around it: forked children, each on a CPU,
 * that count until the alarm. It shares nothing with the suite, on purpose: it is what the suite is
 * compared with. Usage of a program made so: NAME SECONDS TASKS; it prints operations per second.
 */
#ifndef TESTS_BENCH_HAND_H
#define TESTS_BENCH_HAND_H

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t hand_over;

static void hand_alarm(int signal)
{
	(void)signal;
	hand_over = 1;
}

static double hand_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Loops until hand_over and gives the operations done. */
typedef unsigned long (*hand_loop)(void);

static double hand_child(hand_loop loop, int cpu, double seconds)
{
	struct itimerval timer = {
		.it_value = { (time_t)seconds, (suseconds_t)((seconds - (time_t)seconds) * 1e6) }
	};
	unsigned long ops;
	double from;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		return -1;
	signal(SIGALRM, hand_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
	from = hand_now();
	ops = loop();
	return (double)ops / (hand_now() - from);
}

static int hand_main(int argc, char **argv, hand_loop loop)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	int tasks = argc > 2 ? atoi(argv[2]) : 1;
	double *rate = mmap(NULL, (size_t)tasks * sizeof(*rate), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double all = 0;

	if (rate == MAP_FAILED)
		return 1;
	for (int i = 0; i < tasks; i++) {
		if (fork() == 0) {
			rate[i] = hand_child(loop, i, seconds);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	for (int i = 0; i < tasks; i++) {
		if (rate[i] <= 0)
			return 1;
		all += rate[i];
	}
	printf("%.1f\n", all);
	return 0;
}

#endif
