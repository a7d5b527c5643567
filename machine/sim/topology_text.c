// SPDX-License-Identifier: GPL-2.0-or-later
/* topology_text.c - a topology as the text that a profile's key machine.topology takes. */
#include "machine/sim/topology_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine/sim/profile_keys.h"
#include "machine/topology_spec.h"

static bool same_place(const struct topology *a, hwloc_obj_t pu_a, const struct topology *b,
		       hwloc_obj_t pu_b)
{
	struct sim_where where_a, where_b;

	sim_where(a, pu_a, &where_a);
	sim_where(b, pu_b, &where_b);
	return where_a.core == where_b.core && where_a.cache == where_b.cache &&
	       where_a.package == where_b.package && where_a.group == where_b.group &&
	       topology_node_index(a, topology_nearest_node(a, pu_a)) ==
		       topology_node_index(b, topology_nearest_node(b, pu_b));
}

static bool says_as_much(const struct topology *topology, const char *text)
{
	struct topology read;
	struct error ignored;
	hwloc_obj_t pu = NULL, pu_read = NULL;
	bool same;

	if (topology_open(&read, text, &ignored) != 0)
		return false;
	same = topology_nodes(&read) == topology_nodes(topology);
	do {
		pu = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PU, pu);
		pu_read = hwloc_get_next_obj_by_type(read.hwloc, HWLOC_OBJ_PU, pu_read);
		same = same && !pu == !pu_read;
		same = same && (!pu || same_place(topology, pu, &read, pu_read));
	} while (same && pu);
	topology_close(&read);
	return same;
}

enum topology_text topology_text(const struct topology *topology, char *text, size_t size)
{
	const unsigned long flags = HWLOC_TOPOLOGY_EXPORT_SYNTHETIC_FLAG_NO_ATTRS;
	const size_t prefix = strlen(SYNTHETIC_PREFIX);

	if (!hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_CORE)) {
		snprintf(text, size, SYNTHETIC_PREFIX "package:1 core:%u pu:1",
			 topology_present_pus(topology));
		return TOPOLOGY_TEXT_NO_CORES;
	}
	snprintf(text, size, SYNTHETIC_PREFIX);
	if (hwloc_topology_export_synthetic(topology->hwloc, text + prefix, size - prefix, flags) >
		    0 &&
	    strlen(text) + 1 < size && says_as_much(topology, text))
		return TOPOLOGY_TEXT_STRING;
	return TOPOLOGY_TEXT_XML;
}

int topology_write_xml(const struct topology *topology, const char *path, struct error *error)
{
	errno = 0;
	if (hwloc_topology_export_xml(topology->hwloc, path, 0) != 0)
		return error_set(error, "cannot write %.200s: %s", path,
				 errno ? strerror(errno) : "hwloc refuses");
	return 0;
}
