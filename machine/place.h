/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.h - where one task runs: the result of a placement, and part of every task. */
#ifndef MACHINE_PLACE_H
#define MACHINE_PLACE_H

struct place {
	int pu;	  /* OS index of the PU; -1: not bound */
	int node; /* OS index of the nearest NUMA node with memory; 0 when the machine has none */
	int node_index; /* of that node among the machine's, from 0: what m_node() gives */
	int package;	/* logical index; -1: not known */
	int cache;	/* logical index of the last-level cache, -1: not known */
	int core;	/* logical index; -1: not known */
	int sibling;	/* 0 for the first PU of its core that may be used, 1 for the second, ... */
	int kind;  /* rank of the CPU kind on a hybrid machine, the fastest highest; -1: one kind */
	int round; /* 0 while every task has a PU of its own, 1 once PUs are used twice, ... */
};

#endif
