/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_file.h - the text of a profile's file, refused when it cannot be one. */
#ifndef MACHINE_SIM_PROFILE_FILE_H
#define MACHINE_SIM_PROFILE_FILE_H

#include "machine/error.h"

/* The whole text, which the caller frees; NULL with the error set. */
char *sim_profile_file(const char *path, struct error *error);

#endif
