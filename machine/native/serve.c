// SPDX-License-Identifier: GPL-2.0-or-later
/* serve.c - m_on_each_slot from the conductor, who serves the slots that have no task. */
#include <setjmp.h>

#include "machine/native/native.h"

#define CHECK_SPINS 2000 /* some tens of microseconds of waiting between two looks */

/*
 * Serving a slot may mean waiting for a lock behind a task that has died or was stopped. The wait
 * then ends by a jump back into native_each: the lock's queue is past use, and so is the run.
 */
static struct {
	struct m_run *run; /* NULL: nobody to jump to */
	struct error *error;
	enum m_event event;
	jmp_buf leave;
} serving;

bool native_conducts;

void native_wait_conducting(m_word *word, int64_t mask, int64_t value)
{
	struct m_run *run = m_task()->run;

	for (unsigned int spins = 1; (m_load_acquire(word) & mask) != value; spins++) {
		m_pause();
		if (spins % CHECK_SPINS)
			continue;
		if (run->oversubscribed)
			native_sleep(word, m_load(word), NATIVE_NAP_NS);
		if (!serving.run)
			continue;
		serving.event = native_nap(serving.run, native_now(), false, serving.error);
		if (serving.event != M_OK)
			longjmp(serving.leave, 1);
	}
}

static enum m_event serve_slots(struct native_run *native, void (*fn)(void *), void *arg,
				struct error *error)
{
	enum m_event event = M_OK;

	while (event == M_OK && !native_call_try(native, fn, arg))
		event = native_nap(&native->run, native_now() + NATIVE_NAP_NS, false, error);
	while (event == M_OK && !native_call_done(native))
		event = native_nap(&native->run, native_now() + NATIVE_NAP_NS, false, error);
	return event;
}

enum m_event native_each(struct m_run *run, void (*fn)(void *), void *arg, struct error *error)
{
	enum m_event event;

	serving.run = run;
	serving.error = error;
	if (setjmp(serving.leave) == 0) {
		event = serve_slots(native_run_of(run), fn, arg, error);
	} else {
		native_self = m_task_of(run, run->block_count - 1);
		event = serving.event;
	}
	serving.run = NULL;
	return event;
}
