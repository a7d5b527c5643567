// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dir.c - the private directory of a run: what a testcase makes by a name below /tmp lies in it,
 * and goes with it. The guardian makes and removes it. Its name is in memory that the runner shares
 * too, which removes it when the guardian was killed.
 */
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/wis/parts.h"

#define OPEN_FOLDERS 32 /* while removing: deeper ones are opened anew */

static char base[PATH_MAX];
static char *path; /* of the present run, shared; empty: there is none */

int wis_dir_init(const char *tmpdir, struct error *error)
{
	const char *from_environment = getenv("TMPDIR");

	if (!tmpdir)
		tmpdir = from_environment && *from_environment ? from_environment : "/tmp";
	/* Relative names would change their meaning once a task has gone into its directory. */
	if (!realpath(tmpdir, base))
		return error_set(error, "--tmpdir=%s: %s", tmpdir, strerror(errno));
	if (access(base, W_OK | X_OK) != 0)
		return error_set(error, "--tmpdir=%s: %s", tmpdir, strerror(errno));
	if (strlen(base) + 64 > PATH_MAX)
		return error_set(error, "--tmpdir=%s: the name is too long", tmpdir);
	path = mmap(NULL, PATH_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (path == MAP_FAILED)
		return error_set(error, "no memory for a path: %s", strerror(errno));
	return 0;
}

int wis_dir_make(struct error *error)
{
	static const char *const inside[] = { "tmp", "var", "var/tmp" };
	char name[PATH_MAX + 16];

	snprintf(path, PATH_MAX, "%.*s/will-it-batch.XXXXXX", PATH_MAX - 32, base);
	if (!mkdtemp(path)) {
		int cause = errno;

		path[0] = '\0';
		return error_set(error, "cannot make a directory in %s: %s: give another --tmpdir",
				 base, strerror(cause));
	}
	for (unsigned int i = 0; i < sizeof(inside) / sizeof(inside[0]); i++) {
		snprintf(name, sizeof(name), "%s/%s", path, inside[i]);
		if (mkdir(name, 0700) != 0)
			return error_set(error, "cannot make %s: %s", name, strerror(errno));
	}
	return 0;
}

int wis_dir_enter(struct error *error)
{
	if (chdir(path) != 0)
		return error_set(error, "cannot go into %s: %s", path, strerror(errno));
	return setenv("TMPDIR", path, 1) == 0 ? 0 : error_set(error, "no memory");
}

static int remove_one(const char *name, const struct stat *status, int type, struct FTW *at)
{
	(void)status, (void)type, (void)at;
	remove(name);
	return 0; /* what cannot be removed must not keep the rest */
}

void wis_dir_remove(void)
{
	if (!path || !path[0])
		return;
	nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
	path[0] = '\0';
}
