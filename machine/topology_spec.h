/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_spec.h - looks at a topology's string or file before hwloc does, which answers every
 * mistake with "Invalid argument" and a mistyped count with hours of work. For topology.c alone.
 */
#ifndef MACHINE_TOPOLOGY_SPEC_H
#define MACHINE_TOPOLOGY_SPEC_H

#include "machine/error.h"

#define SYNTHETIC_PREFIX "synthetic:"
#define SYNTHETIC_EXAMPLE "synthetic:package:2 core:4 pu:2"

/*
 * Both return 0, or -1 with the error set; 0 does not promise that hwloc agrees. `spec` begins with
 * its prefix; *pus becomes the number of PUs that it describes.
 */
int topology_check_synthetic(const char *spec, int *pus, struct error *error);
int topology_check_xml(const char *path, struct error *error);

#endif
