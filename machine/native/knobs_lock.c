// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * knobs_lock.c - the lock file of the kernel's knobs: /run/will-it-batch.knobs. Two locks of open
 * file descriptions on two of its bytes: who changes the file holds the first, for a moment; who
 * uses the knobs holds the second, shared by those who want the same. In it stand who came first,
 * what for, and what was in force before: whoever leaves last puts that back. A file that nobody
 * holds is what a killed guardian left.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/native/env_read.h"
#include "machine/native/knobs_parts.h"

#define LOCK_FILE "/run/will-it-batch.knobs"
#define NONE "-" /* in place of an empty text */

enum { BYTE_CHANGE, BYTE_USE };

struct contents {
	int runner;
	char want[256];
	char command[200];
	struct knob_record record[KNOBS];
};

int knob_read(const char *root, const char *sysctl, char *value, struct error *error)
{
	if (env_line(env_open(root, "/proc/sys/%s", sysctl), value, KNOB_TEXT))
		return 0;
	return error_set(error, "cannot read /proc/sys/%s", sysctl);
}

int knob_write(const char *root, const char *sysctl, const char *value, struct error *error)
{
	char path[PATH_MAX];
	ssize_t length = (ssize_t)strlen(value);
	int fd, cause;
	bool written;

	snprintf(path, sizeof(path), "%s/proc/sys/%s", root, sysctl);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	written = fd >= 0 && write(fd, value, (size_t)length) == length;
	cause = errno;
	if (fd >= 0)
		close(fd);
	if (written)
		return 0;
	return error_set(error, "cannot write %s to /proc/sys/%s: %s", value, sysctl,
			 strerror(cause));
}

static int take(int fd, int byte, short type, bool wait)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };

	return fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
}

/* A text of the file: one word, or the rest of the line. */
static void load(int fd, struct contents *contents)
{
	FILE *file = fdopen(dup(fd), "r");
	char line[320];

	*contents = (struct contents){ .runner = 0 };
	if (!file)
		return;
	rewind(file);
	while (fgets(line, sizeof(line), file)) {
		struct knob_record record = { .saved = true };
		int id;

		sscanf(line, "runner %d", &contents->runner);
		sscanf(line, "want %255[^\n]", contents->want);
		sscanf(line, "command %199[^\n]", contents->command);
		if (sscanf(line, "knob %d %15s %15s %15s", &id, record.before,
			   record.before_instead, record.now) == 4 &&
		    id >= 0 && id < KNOBS)
			contents->record[id] = record;
	}
	fclose(file);
}

static int store(int fd, const struct contents *contents, struct error *error)
{
	char text[1024];
	size_t used;

	used = (size_t)snprintf(text, sizeof(text), "runner %d\nwant %s\ncommand %s\n",
				contents->runner, contents->want, contents->command);
	for (int id = 0; id < KNOBS; id++) {
		const struct knob_record *record = &contents->record[id];

		if (record->saved)
			used += (size_t)snprintf(text + used, sizeof(text) - used,
						 "knob %d %s %s %s\n", id, record->before,
						 record->before_instead, record->now);
	}
	if (pwrite(fd, text, used, 0) != (ssize_t)used || ftruncate(fd, (off_t)used) != 0)
		return error_set(error, "cannot write " LOCK_FILE ": %s", strerror(errno));
	return 0;
}

/* Opens the file and holds its first byte. One that was removed meanwhile is no lock: once more. */
static int open_for_change(struct knob_lock *lock, struct error *error)
{
	char path[PATH_MAX];
	struct stat there;

	snprintf(path, sizeof(path), "%s" LOCK_FILE, lock->root);
	for (;;) {
		lock->fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (lock->fd < 0 || take(lock->fd, BYTE_CHANGE, F_WRLCK, true) != 0 ||
		    fstat(lock->fd, &there) != 0)
			return error_set(error, "cannot lock " LOCK_FILE ": %s", strerror(errno));
		if (there.st_nlink > 0)
			return 0;
		close(lock->fd);
	}
}

/*
 * Puts one knob back, unless somebody else has changed it since: that is then theirs. Ratio and
 * kbytes are one setting in two files.
 */
static int put_back(const char *root, enum knob_id id, const struct knob_record *record,
		    struct error *error)
{
	const struct knob *knob = &knobs[id];
	char found[KNOB_TEXT];

	if (knob_read(root, knob->sysctl, found, error) != 0)
		return -1;
	if (strcmp(found, record->now) != 0 && strcmp(found, record->before) != 0)
		return error_set(error,
				 "/proc/sys/%s is left at %s, which somebody else set it to "
				 "meanwhile (before the run it was %s)",
				 knob->sysctl, found, record->before);
	if (knob->instead && strcmp(record->before_instead, NONE) != 0)
		return knob_write(root, knob->instead, record->before_instead, error);
	if (strcmp(found, record->before) == 0)
		return 0;
	return knob_write(root, knob->sysctl, record->before, error);
}

/* Backwards: NEVER goes before the ratio that made room for it. */
static int put_all_back(const char *root, const struct contents *contents, struct error *error)
{
	struct error one;
	int result = 0;

	for (int id = KNOBS - 1; id >= 0; id--) {
		if (!contents->record[id].saved ||
		    put_back(root, (enum knob_id)id, &contents->record[id], &one) == 0)
			continue;
		*error = one;
		result = -1;
	}
	return result;
}

static int refuse(const struct contents *holder, struct error *error)
{
	return error_set(error,
			 "the kernel's knobs are held by another run, process %d (%s), which wants "
			 "%s: wait for its end, or ask for the same",
			 holder->runner, holder->command, holder->want);
}

int knob_lock_enter(struct knob_lock *lock, const struct knob_request *request, pid_t runner,
		    struct error *error)
{
	struct contents contents;
	struct error ignored;
	int result = 0;

	if (open_for_change(lock, error) != 0)
		return -1;
	load(lock->fd, &contents);
	if (take(lock->fd, BYTE_USE, F_WRLCK, false) == 0) {
		put_all_back(lock->root, &contents, &ignored);
		contents = (struct contents){ .runner = (int)runner };
		snprintf(contents.want, sizeof(contents.want), "%s", request->want);
		snprintf(contents.command, sizeof(contents.command), "%s", request->command);
		result = store(lock->fd, &contents, error);
		if (!request->alone)
			take(lock->fd, BYTE_USE, F_RDLCK, false);
	} else if (strncmp(contents.want, request->want, sizeof(contents.want) - 1) != 0 ||
		   take(lock->fd, BYTE_USE, F_RDLCK, false) != 0) {
		result = refuse(&contents, error);
	}
	take(lock->fd, BYTE_CHANGE, F_UNLCK, false);
	if (result != 0)
		close(lock->fd);
	return result;
}

static int save(const char *root, enum knob_id id, struct knob_record *record, struct error *error)
{
	const char *instead = knobs[id].instead;

	*record = (struct knob_record){ .before_instead = NONE };
	if (knob_read(root, knobs[id].sysctl, record->before, error) != 0)
		return -1;
	if (instead && (knob_read(root, instead, record->before_instead, error) != 0 ||
			strcmp(record->before_instead, "0") == 0))
		memcpy(record->before_instead, NONE, sizeof(NONE));
	record->saved = true;
	return 0;
}

/* The file tells of a change before it is made, lest one be forgotten that was. */
static int set(const struct knob_lock *lock, struct contents *contents, enum knob_id id,
	       const char *value, struct error *error)
{
	struct knob_record *record = &contents->record[id];

	if (!record->saved && save(lock->root, id, record, error) != 0)
		return -1;
	snprintf(record->now, sizeof(record->now), "%s", value);
	if (store(lock->fd, contents, error) != 0)
		return -1;
	return knob_write(lock->root, knobs[id].sysctl, value, error);
}

int knob_lock_set(const struct knob_lock *lock, char (*values)[KNOB_TEXT], struct error *error)
{
	struct contents contents;
	int result = 0;

	take(lock->fd, BYTE_CHANGE, F_WRLCK, true);
	load(lock->fd, &contents);
	for (int id = 0; id < KNOBS && result == 0; id++) {
		char found[KNOB_TEXT];

		if (!values[id][0])
			continue;
		if (contents.record[id].saved &&
		    knob_read(lock->root, knobs[id].sysctl, found, error) == 0 &&
		    strcmp(found, values[id]) == 0)
			continue;
		result = set(lock, &contents, (enum knob_id)id, values[id], error);
	}
	take(lock->fd, BYTE_CHANGE, F_UNLCK, false);
	return result;
}

int knob_lock_leave(struct knob_lock *lock, struct error *error)
{
	char path[PATH_MAX];
	struct contents contents;
	int result = 0;

	take(lock->fd, BYTE_CHANGE, F_WRLCK, true);
	if (take(lock->fd, BYTE_USE, F_WRLCK, false) == 0) {
		load(lock->fd, &contents);
		result = put_all_back(lock->root, &contents, error);
		snprintf(path, sizeof(path), "%s" LOCK_FILE, lock->root);
		unlink(path);
	}
	close(lock->fd);
	return result;
}
