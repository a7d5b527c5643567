// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * env_cgroup.c - finds this process's cgroups and all above them, v1 and v2. Which directories
 * those are follows from /proc/self/mountinfo and /proc/self/cgroup: in a container the path of the
 * latter may begin above what is mounted.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/env_read.h"

/* Where a hierarchy is mounted, and which part of it. */
struct mount {
	char *point; /* the directory */
	char *top;   /* the path within the hierarchy that is mounted there */
};

/*
 * Takes "ID PARENT DEVICE TOP POINT OPTIONS [TAGS] - TYPE SOURCE SUPER-OPTIONS" apart; true for a
 * cgroup mount of the version wanted, v1 with the controller. The mount points into the line.
 */
static bool parse_mount(char *line, bool v2, const char *controller, struct mount *mount)
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
	if (!v2 && !env_has_word(options, ',', controller))
		return false;
	strtok_r(line, " ", &rest);
	strtok_r(NULL, " ", &rest);
	strtok_r(NULL, " ", &rest);
	mount->top = strtok_r(NULL, " ", &rest);
	mount->point = strtok_r(NULL, " ", &rest);
	return mount->point;
}

/* This process's path in the hierarchy of a line "ID:CONTROLLERS:PATH", or NULL: another one. */
static char *parse_path(char *line, bool v2, const char *controller)
{
	char *listed = strchr(line, ':');
	char *path = listed ? strchr(listed + 1, ':') : NULL;

	if (!path)
		return NULL;
	*listed++ = '\0';
	*path++ = '\0';
	path[strcspn(path, "\n")] = '\0';
	if (v2 ? strcmp(line, "0") != 0 || *listed : !env_has_word(listed, ',', controller))
		return NULL;
	return path;
}

/* Visits the path and all above it up to the top of the mount. */
static void climb(const struct mount *mount, char *path, bool v2,
		  void (*visit)(const char *folder, bool v2, void *arg), void *arg)
{
	size_t top = strcmp(mount->top, "/") == 0 ? 0 : strlen(mount->top);
	char folder[PATH_MAX];

	/* Of what lies outside the mount only the mount's own top can be seen. */
	if (strncmp(path, mount->top, top) == 0 && (path[top] == '/' || path[top] == '\0'))
		path += top;
	else
		path[0] = '\0';
	if (strncmp(path, "/..", 3) == 0 || strcmp(path, "/") == 0)
		path[0] = '\0';
	for (;;) {
		if (snprintf(folder, sizeof(folder), "%s%s", mount->point, path) <
		    (int)sizeof(folder))
			visit(folder, v2, arg);
		if (!strrchr(path, '/'))
			break;
		*strrchr(path, '/') = '\0';
	}
}

/* One version of cgroups; a host may use both. */
static void look(const char *root, const char *controller, bool v2,
		 void (*visit)(const char *folder, bool v2, void *arg), void *arg)
{
	FILE *mounts = env_open(root, "/proc/self/mountinfo");
	FILE *cgroups = env_open(root, "/proc/self/cgroup");
	char *mount_line = NULL, *cgroup_line = NULL, *path = NULL;
	size_t mount_size = 0, cgroup_size = 0;
	struct mount mount = { NULL, NULL };
	bool mounted = false;

	while (mounts && !mounted && getline(&mount_line, &mount_size, mounts) > 0)
		mounted = parse_mount(mount_line, v2, controller, &mount);
	while (cgroups && !path && getline(&cgroup_line, &cgroup_size, cgroups) > 0)
		path = parse_path(cgroup_line, v2, controller);
	if (mounted && path)
		climb(&mount, path, v2, visit, arg);
	free(mount_line);
	free(cgroup_line);
	if (mounts)
		fclose(mounts);
	if (cgroups)
		fclose(cgroups);
}

void env_cgroups(const char *root, const char *controller,
		 void (*visit)(const char *folder, bool v2, void *arg), void *arg)
{
	look(root, controller, true, visit, arg);
	look(root, controller, false, visit, arg);
}
