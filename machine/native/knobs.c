// SPDX-License-Identifier: GPL-2.0-or-later
/* knobs.c - the running kernel's knobs: what there is, and the runner's side of setting them. */
#include "machine/native/knobs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/native/env_read.h"
#include "machine/native/knobs_parts.h"

static const char *const policies[] = { "guess", "always", "never", NULL };

const struct knob knobs[KNOBS] = {
	[KNOB_RATIO] = { .option = "kernel-overcommit-ratio",
			 .arg = "N",
			 .help = "set the running kernel's vm.overcommit_ratio (root)",
			 .sysctl = "vm/overcommit_ratio",
			 .instead = "vm/overcommit_kbytes",
			 .high = 1000 },
	[KNOB_NUMA_STAT] = { .option = "kernel-numa-stat",
			     .arg = "0|1",
			     .help = "set the running kernel's vm.numa_stat (root)",
			     .sysctl = "vm/numa_stat",
			     .high = 1 },
	[KNOB_POLICY] = { .option = "kernel-policy",
			  .arg = "guess|always|never",
			  .help = "set the running kernel's vm.overcommit_memory (root)",
			  .sysctl = "vm/overcommit_memory",
			  .choices = policies },
};

struct knob_guard {
	const char *root;
	int socket;
};

static int parse_choice(const struct knob *knob, const char *text, int64_t *value,
			struct error *error)
{
	for (int i = 0; knob->choices[i]; i++) {
		if (strcmp(knob->choices[i], text) == 0) {
			*value = i;
			return 0;
		}
	}
	return error_set(error, "'%.40s' must be one of %s", text, knob->arg);
}

int knob_parse(enum knob_id id, const char *text, int64_t *value, struct error *error)
{
	const struct knob *knob = &knobs[id];
	char *rest;

	if (knob->choices)
		return parse_choice(knob, text, value, error);
	*value = strtol(text, &rest, 10);
	if (strspn(text, "0123456789") != strlen(text) || rest == text || *value > knob->high)
		return error_set(error, "'%.40s' must be a number from 0 to %lld", text,
				 (long long)knob->high);
	return 0;
}

/* Before anything is done: may each of them be written at all? */
static int check_access(const struct knob_request *request, struct error *error)
{
	for (int id = 0; id < KNOBS; id++) {
		const struct knob *knob = &knobs[id];
		char path[PATH_MAX];

		if (!request->wanted[id])
			continue;
		snprintf(path, sizeof(path), "%s/proc/sys/%s", request->root, knob->sysctl);
		if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0)
			continue;
		if (errno == ENOENT)
			return error_set(error, "--%s: this kernel has no /proc/sys/%s",
					 knob->option, knob->sysctl);
		if (errno == EROFS)
			return error_set(error,
					 "--%s: /proc/sys is read-only here, as in a container: "
					 "run on the host itself, as root",
					 knob->option);
		return error_set(error, "--%s needs root, to write /proc/sys/%s: %s", knob->option,
				 knob->sysctl, strerror(errno));
	}
	return 0;
}

static int receive(int socket, struct error *error)
{
	struct knob_answer answer;
	ssize_t got;

	do
		got = recv(socket, &answer, sizeof(answer), 0);
	while (got < 0 && errno == EINTR);
	if (got != sizeof(answer))
		return error_set(error, "the guardian of the kernel's knobs has gone: look at "
					"vm.overcommit_memory, vm.overcommit_ratio and "
					"vm.numa_stat");
	*error = answer.error;
	return answer.result;
}

/*
 * Twice forked, so that it is nobody's child: neither the point's reaping of dead tasks nor the
 * user's Ctrl-C has to do with it.
 */
static int start_guardian(const struct knob_request *request, const int pair[2],
			  struct error *error)
{
	pid_t runner = getpid();
	int pidfd = (int)syscall(SYS_pidfd_open, runner, 0);
	pid_t child;

	if (pidfd < 0)
		return error_set(error, "cannot watch over the runner (pidfd_open): %s",
				 strerror(errno));
	fflush(NULL);
	child = fork();
	if (child == 0) {
		setsid();
		if (fork() == 0)
			knob_guardian(pair[1], pidfd, request, runner);
		_exit(0);
	}
	close(pidfd);
	if (child < 0)
		return error_set(error, "cannot start the guardian: %s", strerror(errno));
	waitpid(child, NULL, 0);
	return 0;
}

struct knob_guard *knobs_open(const struct knob_request *request, struct error *error)
{
	struct knob_guard *guard;
	int pair[2];

	if (check_access(request, error) != 0)
		return NULL;
	guard = calloc(1, sizeof(*guard));
	if (!guard || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		error_set(error, "cannot start the guardian: %s", strerror(errno));
		free(guard);
		return NULL;
	}
	*guard = (struct knob_guard){ .root = request->root, .socket = pair[0] };
	if (start_guardian(request, pair, error) == 0) {
		close(pair[1]);
		/* Its first word: whether it got the lock. */
		if (receive(guard->socket, error) == 0)
			return guard;
	} else {
		close(pair[1]);
	}
	close(guard->socket);
	free(guard);
	return NULL;
}

static int order(const struct knob_guard *guard, const struct knob_order *order,
		 struct error *error)
{
	ssize_t sent = send(guard->socket, order, sizeof(*order), MSG_NOSIGNAL);

	if (sent != sizeof(*order))
		return error_set(error, "the guardian of the kernel's knobs has gone: %s",
				 strerror(errno));
	return receive(guard->socket, error);
}

static void to_number(enum knob_id id, const char *text, char *number)
{
	struct error error;
	int64_t value = 0;

	number[0] = '\0';
	if (text && knob_parse(id, text, &value, &error) == 0)
		snprintf(number, KNOB_TEXT, "%lld", (long long)value);
}

int knobs_set(struct knob_guard *guard, const struct knob_values *values, struct error *error)
{
	struct knob_order wanted = { .close = false };

	for (int id = 0; id < KNOBS; id++)
		to_number((enum knob_id)id, values->text[id], wanted.values[id]);
	return order(guard, &wanted, error);
}

int knobs_check(const struct knob_guard *guard, const struct knob_values *values,
		struct error *error)
{
	for (int id = 0; id < KNOBS; id++) {
		char wanted[KNOB_TEXT], found[KNOB_TEXT];

		to_number((enum knob_id)id, values->text[id], wanted);
		if (!wanted[0])
			continue;
		if (knob_read(guard->root, knobs[id].sysctl, found, error) != 0)
			return -1;
		if (strcmp(found, wanted) != 0)
			return error_set(error,
					 "somebody else set /proc/sys/%s to %s while it was to be "
					 "%s",
					 knobs[id].sysctl, found, wanted);
	}
	return 0;
}

int knobs_close(struct knob_guard *guard, struct error *error)
{
	struct knob_order end = { .close = true };
	int result = order(guard, &end, error);

	close(guard->socket);
	free(guard);
	return result;
}
