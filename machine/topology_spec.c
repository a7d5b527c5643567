// SPDX-License-Identifier: GPL-2.0-or-later
/* topology_spec.c - looks at a topology's string or file before hwloc does. */
#include "machine/topology_spec.h"

#include <ctype.h>
#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "machine/topology.h"

#define NODES_MAX 1024
#define XML_SIZE_MAX (64L << 20)

/*
 * hwloc would ask for gigabytes, or run for hours, on a large index or count before it gave up. So
 * the numbers of an indexes= attribute are looked at here; those of memory= may be as they like.
 */
static int check_attributes(const char *spec, const char *from, const char *end,
			    struct error *error)
{
	const char *at = strstr(from, "indexes=");
	unsigned long value;
	char *after;

	if (!at)
		return 0;
	while (at < end && *at != ' ') {
		if (!isdigit((unsigned char)*at)) {
			at++;
			continue;
		}
		value = strtoul(at, &after, 10);
		if (value >= TOPOLOGY_PU_MAX)
			return error_set(error,
					 "machine \"%.100s\": index %.*s is too large: PUs are "
					 "numbered up to %d",
					 spec, (int)(after - at), at, TOPOLOGY_PU_MAX - 1);
		at = after;
	}
	return 0;
}

/* One level, as "core:18", "l3:2(size=8MB)" or a bare count; *pus becomes the product so far. */
static int check_level(const char *spec, const char *level, size_t length, int *pus,
		       struct error *error)
{
	const char *colon = memchr(level, ':', length);
	const char *count = colon ? colon + 1 : level;
	hwloc_obj_type_t type = HWLOC_OBJ_MACHINE;
	unsigned long arity;
	char name[32];

	snprintf(name, sizeof(name), "%.*s", colon ? (int)(colon - level) : 0, level);
	if (colon && hwloc_type_sscanf(name, &type, NULL, 0) < 0)
		return error_set(error,
				 "machine \"%.100s\": \"%s\" is no kind of object; right would be"
				 " package, die, numa, l3, l2, core or pu, as in \"%s\"",
				 spec, name, SYNTHETIC_EXAMPLE);
	if (!isdigit((unsigned char)*count))
		return error_set(error,
				 "machine \"%.100s\": \"%.*s\" has no count; right would be as "
				 "in \"%s\"",
				 spec, (int)(length < 32 ? length : 32), level, SYNTHETIC_EXAMPLE);
	arity = strtoul(count, NULL, 10);
	if (arity > TOPOLOGY_PU_MAX || arity * *pus > TOPOLOGY_PU_MAX)
		return error_set(error,
				 "machine \"%.100s\": more than %d PUs, which is the most that can"
				 " be modelled; use smaller counts",
				 spec, TOPOLOGY_PU_MAX);
	*pus *= arity;
	if (type == HWLOC_OBJ_NUMANODE && *pus > NODES_MAX)
		return error_set(error,
				 "machine \"%.100s\": more than %d NUMA nodes, the most that Linux"
				 " has; use a smaller count",
				 spec, NODES_MAX);
	return 0;
}

int topology_check_synthetic(const char *spec, int *pus, struct error *error)
{
	const char *at = spec + strlen(SYNTHETIC_PREFIX);
	const char *end;
	size_t length;

	*pus = 1;
	while (*at) {
		if (*at == '(' || *at == '[') {
			end = strchr(at, *at == '(' ? ')' : ']');
			if (!end)
				return error_set(error,
						 "machine \"%.100s\": a \"%c\" is never closed",
						 spec, *at);
			if (*at == '[' && *pus > NODES_MAX)
				return error_set(error,
						 "machine \"%.100s\": more than %d NUMA nodes",
						 spec, NODES_MAX);
			if (check_attributes(spec, at, end, error))
				return -1;
			at = end + 1;
			continue;
		}
		length = strcspn(at, " ([");
		if (length && check_level(spec, at, length, pus, error))
			return -1;
		at += length;
		at += strspn(at, " ");
	}
	return 0;
}

/* Tells apart, for who typed the name, what hwloc would report as "Invalid argument". */
int topology_check_xml(const char *path, struct error *error)
{
	static const char key[] = "<topology version=\"";
	int major = HWLOC_API_VERSION >> 16;
	struct stat status;
	char head[2048] = "";
	const char *version;
	FILE *file;

	if (stat(path, &status))
		return error_set(error, "%.200s: %s", path, strerror(errno));
	/* Before the open: that of a FIFO would wait for its writer for ever. */
	if (!S_ISREG(status.st_mode) || status.st_size == 0 || status.st_size > XML_SIZE_MAX)
		return error_set(error, "%.200s: is %s; right would be a file as lstopo writes it",
				 path,
				 S_ISDIR(status.st_mode)    ? "a directory"
				 : !S_ISREG(status.st_mode) ? "not a regular file"
				 : status.st_size	    ? "too large for a topology"
							    : "empty");
	file = fopen(path, "re");
	if (!file)
		return error_set(error, "%.200s: %s", path, strerror(errno));
	head[fread(head, 1, sizeof(head) - 1, file)] = '\0';
	fclose(file);
	version = strstr(head, key);
	if (version && strtol(version + strlen(key), NULL, 10) > major)
		return error_set(error,
				 "%.200s: written by a newer hwloc than the %d.x used here; "
				 "write it anew with lstopo --export-xml-flags V%d",
				 path, major, major);
	return 0;
}
