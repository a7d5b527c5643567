/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_text.h - a topology as the text that a profile's key machine.topology takes: a synthetic
 * string where that says as much, else an XML file.
 */
#ifndef MACHINE_SIM_TOPOLOGY_TEXT_H
#define MACHINE_SIM_TOPOLOGY_TEXT_H

#include "machine/error.h"
#include "machine/topology.h"

enum topology_text {
	TOPOLOGY_TEXT_STRING,	/* text is the synthetic string */
	TOPOLOGY_TEXT_XML,	/* no string says it: an XML file must */
	TOPOLOGY_TEXT_NO_CORES, /* the host tells none: text is a string with a core for each PU */
};

/*
 * A string is taken only when, read back, it gives as many PUs, which stand to each other, to
 * cores, caches, packages, groups and NUMA nodes as they did.
 */
enum topology_text topology_text(const struct topology *topology, char *text, size_t size);

/* -1 with the error set. */
int topology_write_xml(const struct topology *topology, const char *path, struct error *error);

#endif
