// SPDX-License-Identifier: GPL-2.0-or-later
/* futex.c - sleeping on a word, for tasks at a gate and for waiters when CPUs are scarce. */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "machine/native/native.h"

/*
 * A sleep is never longer: a waker that was killed between its store and its wake must not leave
 * the others asleep for ever.
 */
#define SLEEP_LIMIT_NS 1000000000

/* The kernel compares 32 bits: the half that holds the low bits. */
static const uint32_t *futex_of(const m_word *word)
{
	const uint32_t *halves = (const uint32_t *)&word->opaque;

	return halves + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1 : 0);
}

void native_sleep(const m_word *word, int64_t expected, int64_t ns)
{
	struct timespec limit = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	syscall(SYS_futex, futex_of(word), FUTEX_WAIT, (uint32_t)expected, ns < 0 ? NULL : &limit,
		NULL, 0);
}

static void wake(const m_word *word, int count)
{
	syscall(SYS_futex, futex_of(word), FUTEX_WAKE, count, NULL, NULL, 0);
}

void native_wake_chain(const m_word *word)
{
	wake(word, 2);
}

/*
 * Sleeper and waker each write first and then look at what the other wrote, with a full fence
 * between: either the waker sees a sleeper, or the kernel's own comparison sees the new value.
 */
void native_wait_slow(m_word *word, int64_t mask, int64_t value)
{
	struct native_run *native = native_run_of(m_task()->run);
	int64_t now;

	__atomic_fetch_add(&native->sleepers.opaque, 1, __ATOMIC_SEQ_CST);
	while (now = m_load_acquire(word), (now & mask) != value)
		native_sleep(word, now, SLEEP_LIMIT_NS);
	__atomic_fetch_sub(&native->sleepers.opaque, 1, __ATOMIC_SEQ_CST);
}

void native_wake_slow(const m_word *word)
{
	struct native_run *native = native_run_of(m_task()->run);

	/* A fetch-add of nothing as the fence, since the thread sanitizer knows no fences. */
	if (__atomic_fetch_add(&native->sleepers.opaque, 0, __ATOMIC_SEQ_CST) != 0)
		wake(word, 1);
}
