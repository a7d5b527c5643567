// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * env_quota.c - looks for a CPU quota on this process's cgroups and on all above them, v1 and v2.
 * Which directory that is follows from /proc/self/mountinfo and /proc/self/cgroup: in a container
 * the path of the latter may begin above what is mounted.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/env_read.h"

/* Where a hierarchy that can hold a CPU quota is mounted, and which part of it. */
struct mount {
	char *point; /* the directory */
	char *top;   /* the path within the hierarchy that is mounted there */
};

/*
 * Takes "ID PARENT DEVICE TOP POINT OPTIONS [TAGS] - TYPE SOURCE SUPER-OPTIONS" apart; true for a
 * cgroup mount of the version wanted. The mount points into the line.
 */
static bool parse_mount(char *line, bool v2, struct mount *mount)
{
	char *rest = NULL;
	char *tail = strstr(line, " - ");
	const char *type, *options;

	if (!tail)
		return false;
	*tail = '\0';
	type = strtok_r(tail + 3, " \n", &rest);
	if (!strtok_r(NULL, " \n", &rest))
		return false;
	options = strtok_r(NULL, " \n", &rest);
	if (!options || strcmp(type, v2 ? "cgroup2" : "cgroup") != 0)
		return false;
	if (!v2 && !env_has_word(options, ',', "cpu"))
		return false;
	strtok_r(line, " ", &rest);
	strtok_r(NULL, " ", &rest);
	strtok_r(NULL, " ", &rest);
	mount->top = strtok_r(NULL, " ", &rest);
	mount->point = strtok_r(NULL, " ", &rest);
	return mount->point;
}

/* This process's path in the hierarchy of a line "ID:CONTROLLERS:PATH", or NULL: another one. */
static char *parse_path(char *line, bool v2)
{
	char *controllers = strchr(line, ':');
	char *path = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!path)
		return NULL;
	*controllers++ = '\0';
	*path++ = '\0';
	path[strcspn(path, "\n")] = '\0';
	if (v2 ? strcmp(line, "0") != 0 || *controllers : !env_has_word(controllers, ',', "cpu"))
		return NULL;
	return path;
}

/* The CPUs that one directory grants; 0 when it sets no limit or cannot be read. */
static double quota(const char *root, const char *point, const char *path, bool v2)
{
	char line[64];
	int64_t microseconds, period;

	if (v2) {
		if (!env_line(env_open(root, "%s%s/cpu.max", point, path), line, sizeof(line)) ||
		    sscanf(line, "%" SCNd64 " %" SCNd64, &microseconds, &period) != 2)
			return 0; /* "max 100000" */
	} else {
		if (!env_line(env_open(root, "%s%s/cpu.cfs_quota_us", point, path), line,
			      sizeof(line)) ||
		    sscanf(line, "%" SCNd64, &microseconds) != 1)
			return 0;
		if (!env_line(env_open(root, "%s%s/cpu.cfs_period_us", point, path), line,
			      sizeof(line)) ||
		    sscanf(line, "%" SCNd64, &period) != 1)
			return 0;
	}
	if (microseconds <= 0 || period <= 0) /* -1: none */
		return 0;
	return (double)microseconds / (double)period;
}

/* Warns about the tightest quota from the path up to the top of the mount. */
static void climb(struct env *env, const char *root, const struct mount *mount, char *path, bool v2)
{
	const char *file = v2 ? "cpu.max" : "cpu.cfs_quota_us";
	size_t top = strcmp(mount->top, "/") == 0 ? 0 : strlen(mount->top);
	char tightest[96] = "";
	double least = 0;

	/* Of what lies outside the mount only the mount's own top can be seen. */
	if (strncmp(path, mount->top, top) == 0 && (path[top] == '/' || path[top] == '\0'))
		path += top;
	else
		path[0] = '\0';
	if (strncmp(path, "/..", 3) == 0 || strcmp(path, "/") == 0)
		path[0] = '\0';
	for (;;) {
		double cpus = quota(root, mount->point, path, v2);

		if (cpus > 0 && (least == 0 || cpus < least)) {
			least = cpus;
			snprintf(tightest, sizeof(tightest), "%s%s", mount->point, path);
		}
		if (!strrchr(path, '/'))
			break;
		*strrchr(path, '/') = '\0';
	}
	if (least > 0)
		env_warn(env,
			 "a cgroup quota stops the tasks whenever they have used %.2f CPUs: lift "
			 "%s in "
			 "%s, or run elsewhere",
			 least, file, tightest);
}

/* Warns about the quota in one version of cgroups; a host may use both. */
static void look(struct env *env, const char *root, bool v2)
{
	FILE *mounts = env_open(root, "/proc/self/mountinfo");
	FILE *cgroups = env_open(root, "/proc/self/cgroup");
	char *mount_line = NULL, *cgroup_line = NULL, *path = NULL;
	size_t mount_size = 0, cgroup_size = 0;
	struct mount mount = { NULL, NULL };
	bool mounted = false;

	while (mounts && !mounted && getline(&mount_line, &mount_size, mounts) > 0)
		mounted = parse_mount(mount_line, v2, &mount);
	while (cgroups && !path && getline(&cgroup_line, &cgroup_size, cgroups) > 0)
		path = parse_path(cgroup_line, v2);
	if (mounted && path)
		climb(env, root, &mount, path, v2);
	free(mount_line);
	free(cgroup_line);
	if (mounts)
		fclose(mounts);
	if (cgroups)
		fclose(cgroups);
}

void env_warn_quota(struct env *env, const char *root)
{
	look(env, root, true);
	look(env, root, false);
}
