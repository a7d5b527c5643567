/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.h - the system calls whose cost a profile may give, in its section [path] as NAME_ns. A
 * new m_sys_X takes its name here and its function in sys.h, and nothing else (a loop in
 * native/probes.c lets calibrate measure it): a profile without the cost makes a point that
 * needs it a skipped one.
 */
#ifndef MACHINE_SIM_PATHS_H
#define MACHINE_SIM_PATHS_H

/* clang-format off */
#define SIM_PATHS(PATH) \
	PATH(map) \
	PATH(unmap) \
	PATH(brk) \
	PATH(protect) \
	PATH(getppid) \
	PATH(fault) \
	PATH(discard) \
	PATH(page_alloc) \
	PATH(zone_inc) \
	PATH(numa_inc) \
	PATH(lru_link) \
	PATH(touch)
/* clang-format on */

#define SIM_PATH_ENUM(name) SIM_PATH_##name,
enum sim_path { SIM_PATHS(SIM_PATH_ENUM) SIM_PATH_COUNT };
#undef SIM_PATH_ENUM

#endif
