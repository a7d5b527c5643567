// SPDX-License-Identifier: GPL-2.0-or-later
/* topology.c - opens a machine's topology through hwloc: this host, an XML export, a string. */
#include "machine/topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"
#include "machine/topology_spec.h"

static bool is_xml(const char *spec)
{
	size_t length = strlen(spec);

	return length >= 4 && !strcmp(spec + length - 4, ".xml");
}

static int load_synthetic(hwloc_topology_t hwloc, const char *spec, struct error *error)
{
	int pus;

	if (topology_check_synthetic(spec, &pus, error))
		return -1;
	if (hwloc_topology_set_synthetic(hwloc, spec + strlen(SYNTHETIC_PREFIX)) ||
	    hwloc_topology_load(hwloc))
		return error_set(error,
				 "machine \"%.100s\": hwloc cannot read this string; right would be"
				 " TYPE:COUNT from the outermost level down to pu, as in \"%s\"",
				 spec, SYNTHETIC_EXAMPLE);
	/* hwloc silently drops a PU whose index another one has. */
	if (hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PU) != pus)
		return error_set(error,
				 "machine \"%.100s\": its indexes= do not number all %d PUs, each"
				 " once",
				 spec, pus);
	return 0;
}

static int load_xml(hwloc_topology_t hwloc, const char *path, struct error *error)
{
	if (topology_check_xml(path, error))
		return -1;
	if (hwloc_topology_set_xml(hwloc, path) || hwloc_topology_load(hwloc))
		return error_set(error,
				 "%.200s: is not a topology that hwloc can read; right would be "
				 "a file as lstopo writes it",
				 path);
	return 0;
}

static int load(struct topology *topology, const char *spec, struct error *error)
{
	int set;

	/* hwloc reads it once, at its first message; who sets it to 0 wants to see them all. */
	setenv("HWLOC_HIDE_ERRORS", "2", 0);
	if (hwloc_topology_init(&topology->hwloc))
		return error_set(error, "hwloc cannot start: %s", strerror(errno));
	set = hwloc_topology_set_flags(topology->hwloc, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	CHECK(set == 0);
	if (!strcmp(spec, "native")) {
		if (hwloc_topology_load(topology->hwloc))
			return error_set(error, "hwloc cannot read this machine's topology: %s",
					 strerror(errno));
		/* Not so when HWLOC_XMLFILE or HWLOC_SYNTHETIC show another machine instead. */
		topology->this_host = hwloc_topology_is_thissystem(topology->hwloc);
		return 0;
	}
	/* HWLOC_THISSYSTEM may claim that these are this host; we were told another machine. */
	if (!strncmp(spec, SYNTHETIC_PREFIX, strlen(SYNTHETIC_PREFIX)))
		return load_synthetic(topology->hwloc, spec, error);
	if (is_xml(spec))
		return load_xml(topology->hwloc, spec, error);
	return error_set(error,
			 "machine \"%.100s\" is not known; right would be native, FILE.xml as "
			 "lstopo writes it, or a string as \"%s\"",
			 spec, SYNTHETIC_EXAMPLE);
}

/*
 * hwloc's allowed set knows cgroups and cpusets but not the affinity mask that taskset leaves to
 * its children: binding elsewhere would silently take CPUs that the user keeps for others. An
 * export's sets may name PUs that it then does not describe, so it is the objects that count.
 */
static int find_usable(struct topology *topology, const char *spec, struct error *error)
{
	hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology->hwloc);
	hwloc_bitmap_t mask = hwloc_bitmap_alloc_full();
	hwloc_obj_t pu = NULL;

	topology->usable = hwloc_bitmap_alloc();
	if (!mask || !topology->usable) {
		hwloc_bitmap_free(mask);
		return error_set(error, "out of memory while reading the topology");
	}
	if (topology->this_host && hwloc_get_cpubind(topology->hwloc, mask, HWLOC_CPUBIND_THREAD))
		hwloc_bitmap_fill(mask);
	while ((pu = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PU, pu)))
		if (hwloc_bitmap_isset(allowed, pu->os_index) &&
		    hwloc_bitmap_isset(mask, pu->os_index))
			hwloc_bitmap_set(topology->usable, pu->os_index);
	hwloc_bitmap_free(mask);
	if (hwloc_bitmap_iszero(topology->usable))
		return error_set(error, "machine \"%.100s\": no CPU may be used: %s", spec,
				 topology->this_host
					 ? "cgroup, cpuset and affinity mask (taskset) leave none"
					 : "the topology describes none, or allows none");
	if (hwloc_bitmap_last(topology->usable) >= TOPOLOGY_PU_MAX)
		return error_set(error,
				 "machine \"%.100s\": CPU %d is too large: CPUs are numbered up to"
				 " %d",
				 spec, hwloc_bitmap_last(topology->usable), TOPOLOGY_PU_MAX - 1);
	return 0;
}

int topology_open(struct topology *topology, const char *spec, struct error *error)
{
	if (!spec)
		spec = "native";
	memset(topology, 0, sizeof(*topology));
	if (load(topology, spec, error) || find_usable(topology, spec, error)) {
		topology_close(topology);
		return -1;
	}
	return 0;
}

void topology_close(struct topology *topology)
{
	hwloc_bitmap_free(topology->usable);
	if (topology->hwloc)
		hwloc_topology_destroy(topology->hwloc);
	memset(topology, 0, sizeof(*topology));
}

unsigned int topology_usable_pus(const struct topology *topology)
{
	return hwloc_bitmap_weight(topology->usable);
}

/* The first line of a small file of the kernel, or false. */
static bool read_line(const char *path, char *line, int size)
{
	FILE *file = fopen(path, "re");
	bool good = file && fgets(line, size, file);

	if (file)
		fclose(file);
	return good;
}

/*
 * hwloc's complete set is made of what it could look at: in a container or VM it can miss CPUs. The
 * kernel sizes its batches by its own list of present CPUs, so on this host that list is asked.
 */
unsigned int topology_present_pus(const struct topology *topology)
{
	hwloc_bitmap_t present;
	char line[4096];
	int weight = 0;

	if (topology->this_host &&
	    read_line("/sys/devices/system/cpu/present", line, sizeof(line))) {
		present = hwloc_bitmap_alloc();
		if (present && !hwloc_bitmap_list_sscanf(present, line))
			weight = hwloc_bitmap_weight(present);
		hwloc_bitmap_free(present);
	}
	if (weight <= 0)
		weight = hwloc_bitmap_weight(hwloc_topology_get_complete_cpuset(topology->hwloc));
	return weight;
}

uint64_t topology_memory_bytes(const struct topology *topology)
{
	hwloc_obj_t root = hwloc_get_root_obj(topology->hwloc);
	const char *synthetic = hwloc_obj_get_info_by_name(root, "SyntheticDescription");
	unsigned long long kib;
	char line[256];

	if (topology->this_host && read_line("/proc/meminfo", line, sizeof(line)) &&
	    sscanf(line, "MemTotal: %llu kB", &kib) == 1)
		return kib << 10;
	if (synthetic && !strstr(synthetic, "memory="))
		return 0;
	return root->total_memory;
}

hwloc_const_bitmap_t topology_node_pus(const struct topology *topology, int node)
{
	hwloc_obj_t object =
		node < 0 ? NULL : hwloc_get_numanode_obj_by_os_index(topology->hwloc, node);

	return object && !hwloc_bitmap_iszero(object->cpuset) ? object->cpuset : NULL;
}

unsigned int topology_nodes(const struct topology *topology)
{
	int count = hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_NUMANODE);

	return count > 0 ? (unsigned int)count : 1;
}

int topology_node_index(const struct topology *topology, int node)
{
	hwloc_obj_t object =
		node < 0 ? NULL : hwloc_get_numanode_obj_by_os_index(topology->hwloc, node);

	return object ? (int)object->logical_index : 0;
}

hwloc_obj_t topology_last_cache(hwloc_obj_t object)
{
	hwloc_obj_t last = NULL;

	for (; object; object = object->parent)
		if (hwloc_obj_type_is_dcache(object->type))
			last = object;
	return last;
}

static bool has_memory(hwloc_obj_t node)
{
	return node->attr->numanode.local_memory > 0;
}

/* The latency from one node to another, or UINT64_MAX when the matrix does not hold both. */
static uint64_t latency(struct hwloc_distances_s *distances, hwloc_obj_t from, hwloc_obj_t to)
{
	hwloc_uint64_t there;
	hwloc_uint64_t back;

	if (!distances || hwloc_distances_obj_pair_values(distances, from, to, &there, &back))
		return UINT64_MAX;
	return there;
}

static struct hwloc_distances_s *get_latencies(hwloc_topology_t hwloc)
{
	struct hwloc_distances_s *distances = NULL;
	unsigned int count = 1;

	if (hwloc_distances_get_by_type(hwloc, HWLOC_OBJ_NUMANODE, &count, &distances,
					HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0))
		return NULL;
	return distances;
}

int topology_nearest_node(const struct topology *topology, hwloc_obj_t pu)
{
	hwloc_topology_t hwloc = topology->hwloc;
	struct hwloc_distances_s *distances;
	hwloc_obj_t local = NULL;
	hwloc_obj_t best = NULL;
	uint64_t best_latency = UINT64_MAX;
	hwloc_obj_t node = NULL;
	uint64_t this_latency;

	while ((node = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_NUMANODE, node))) {
		if (!pu || !hwloc_bitmap_isset(node->cpuset, pu->os_index))
			continue;
		if (has_memory(node))
			return node->os_index;
		if (!local)
			local = node;
	}
	distances = local ? get_latencies(hwloc) : NULL;
	while ((node = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_NUMANODE, node))) {
		if (!has_memory(node))
			continue;
		this_latency = local ? latency(distances, local, node) : UINT64_MAX;
		if (!best || this_latency < best_latency) {
			best = node;
			best_latency = this_latency;
		}
	}
	if (distances)
		hwloc_distances_release(hwloc, distances);
	if (!best)
		best = local ? local : hwloc_get_obj_by_type(hwloc, HWLOC_OBJ_NUMANODE, 0);
	return best ? (int)best->os_index : 0;
}

/* Appends "SEPARATOR COUNT NAME(s)"; nothing for a level that the machine does not tell. */
static void add_count(char *text, size_t size, int count, const char *name)
{
	size_t used = strlen(text);

	if (count > 0 && used < size)
		snprintf(text + used, size - used, "%s%d %s%s", used ? ", " : "", count, name,
			 count == 1 ? "" : "s");
}

int topology_node(const struct topology *topology, unsigned int nth)
{
	hwloc_obj_t node = NULL;

	while ((node = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_NUMANODE, node)))
		if (node->attr->numanode.local_memory > 0 && nth-- == 0)
			return (int)node->os_index;
	return -1;
}

void topology_describe(const struct topology *topology, char *text, size_t size)
{
	hwloc_topology_t hwloc = topology->hwloc;
	unsigned int usable = topology_usable_pus(topology);
	unsigned int present = topology_present_pus(topology);
	size_t used;

	CHECK(size > 0);
	*text = '\0';
	add_count(text, size, hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PACKAGE), "package");
	add_count(text, size, hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_CORE), "core");
	add_count(text, size, present, "PU");
	used = strlen(text);
	if (usable < present)
		snprintf(text + used, size - used, " (%u usable)", usable);
	add_count(text, size, hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_NUMANODE), "NUMA node");
}
