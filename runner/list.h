/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - the `list` subcommand: what there is to run. */
#ifndef RUNNER_LIST_H
#define RUNNER_LIST_H

#include <stdbool.h>

/* For people, or with `csv` one row a thing: what,kind,name,modes,default,about. */
void list_print(bool csv);

#endif
