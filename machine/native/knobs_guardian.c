// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * knobs_guardian.c - the process that sets the kernel's knobs and puts them back. It shares nothing
 * with the runner but a socket, and watches it through a pidfd: the tasks have copies of the
 * runner's end, so that the socket alone would not tell of its death.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "machine/native/knobs_parts.h"

#define SOCKET 3
#define PIDFD 4

/* Keeps standard error, for what goes wrong when the runner is gone, and nothing else. */
static void keep_only(int socket, int pidfd)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, 0);
	dup2(null, 1);
	/* By way of numbers that neither has, so that one does not overwrite the other. */
	socket = fcntl(socket, F_DUPFD, 16);
	pidfd = fcntl(pidfd, F_DUPFD, 16);
	dup2(socket, SOCKET);
	dup2(pidfd, PIDFD);
	close_range(PIDFD + 1, ~0U, 0);
}

/* Whatever is sent to the runner's group or its terminal, and a kernel short of memory. */
static void become_hard_to_end(void)
{
	FILE *file = fopen("/proc/self/oom_score_adj", "we");
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "runtest-guard");
	if (file) {
		fputs("-1000", file);
		fclose(file);
	}
	if (chdir("/") != 0)
		return; /* then it keeps a folder from being unmounted, no more */
}

static void answer(int result, const struct error *error)
{
	struct knob_answer text = { .result = result };

	if (result != 0)
		text.error = *error;
	send(SOCKET, &text, sizeof(text), MSG_NOSIGNAL);
}

/* True with the order filled in; false: the runner is gone. */
static bool next_order(struct knob_order *order)
{
	struct pollfd watched[] = { { .fd = SOCKET, .events = POLLIN },
				    { .fd = PIDFD, .events = POLLIN } };

	while (poll(watched, 2, -1) < 0)
		;
	if (watched[1].revents)
		return false;
	return recv(SOCKET, order, sizeof(*order), 0) == sizeof(*order);
}

void knob_guardian(int socket, int runner_pidfd, const struct knob_request *request, pid_t runner)
{
	struct knob_lock lock = { .root = request->root, .fd = -1 };
	struct knob_order order;
	struct error error;

	become_hard_to_end();
	keep_only(socket, runner_pidfd);
	if (knob_lock_enter(&lock, request, runner, &error) != 0) {
		answer(-1, &error);
		_exit(1);
	}
	answer(0, NULL);
	while (next_order(&order)) {
		if (order.close) {
			answer(knob_lock_leave(&lock, &error), &error);
			_exit(0);
		}
		answer(knob_lock_set(&lock, order.values, &error), &error);
	}
	if (knob_lock_leave(&lock, &error) != 0)
		dprintf(2, "runtest: %s\n", error.text);
	_exit(0);
}
