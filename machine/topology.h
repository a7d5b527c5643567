/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology.h - what a machine looks like: packages, caches, cores, PUs (hardware threads), NUMA
 * nodes and memory, read through hwloc from this host, an XML export or a synthetic string.
 */
#ifndef MACHINE_TOPOLOGY_H
#define MACHINE_TOPOLOGY_H

#include <hwloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/error.h"

/* The most PUs that a topology may have: what Linux supports on x86 with MAXSMP. */
#define TOPOLOGY_PU_MAX 8192

/*
 * `hwloc` describes the whole machine: it also holds PUs that are not usable, so that packages,
 * caches and cores keep the numbers that lstopo and others show. Never count its PUs to know how
 * many tasks fit; ask `usable`.
 */
struct topology {
	hwloc_topology_t hwloc;
	hwloc_bitmap_t usable; /* OS indices of the PUs that tasks may run on */
	bool this_host;	       /* only then may tasks be bound */
};

/*
 * Opens a topology: NULL or "native" is this host, "synthetic:..." an hwloc synthetic string,
 * anything that ends in .xml a file. On this host `usable` is what cpuset, cgroup, the inherited
 * affinity mask (taskset) and offline CPUs leave. Returns 0, or -1 with the error set: what is
 * wrong with which string or file.
 */
int topology_open(struct topology *topology, const char *spec, struct error *error);
void topology_close(struct topology *topology);

unsigned int topology_usable_pus(const struct topology *topology);
/* All PUs that the machine has, usable or not: the kernel's present CPUs. */
unsigned int topology_present_pus(const struct topology *topology);
/*
 * Bytes of memory on all NUMA nodes; on this host MemTotal of /proc/meminfo. 0 when not known: also
 * for a synthetic string without memory=, for which hwloc makes up 1 GiB a node. In those strings
 * hwloc takes 64GB as decimal, 64GiB as one means it.
 */
uint64_t topology_memory_bytes(const struct topology *topology);
/* OS index of the nth NUMA node that has memory; -1: there are fewer. */
int topology_node(const struct topology *topology, unsigned int nth);

/* One line for people and for the CSV header, as "2 packages, 44 cores, 88 PUs, 2 NUMA nodes". */
void topology_describe(const struct topology *topology, char *text, size_t size);
/*
 * OS indices of the PUs of one NUMA node (by OS index), usable or not; the caller does not free it.
 * NULL: no such node, or a node without PUs.
 */
hwloc_const_bitmap_t topology_node_pus(const struct topology *topology, int node);
/*
 * OS index of the node that memory for a PU should come from: on a node without memory a binding
 * fails, or moves silently elsewhere. That is its own node, or the nearest with memory by the
 * machine's latencies, or the first with memory where it tells none or `pu` is NULL. An export
 * that tells no node's memory is taken as if all had some.
 */
int topology_nearest_node(const struct topology *topology, hwloc_obj_t pu);
/* NUMA nodes of the machine, at least 1; and the place of one (by OS index) among them, from 0. */
unsigned int topology_nodes(const struct topology *topology);
int topology_node_index(const struct topology *topology, int node);
/* The last-level cache above an object, or NULL. Its level may differ between kinds of core. */
hwloc_obj_t topology_last_cache(hwloc_obj_t object);

#endif
