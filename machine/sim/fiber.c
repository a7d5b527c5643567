// SPDX-License-Identifier: GPL-2.0-or-later
/* fiber.c - fibers over Boost.Context's C functions. */
#include "machine/sim/fiber.h"

#include <stdint.h>
#include <sys/mman.h>

#include "machine/check.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif

#ifdef ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

/* Of the program's own stack, learned at the first switch away from it. */
static const void *program_stack;
static size_t program_stack_bytes;
#endif

/* Boost.Context's own header is C++; these two have C linkage. */
struct transfer {
	void *context;
	void *data;
};

struct transfer jump_fcontext(void *to, void *data);
void *make_fcontext(void *stack_top, size_t size, void (*entry)(struct transfer));

char *fiber_stacks(unsigned int count)
{
	size_t each = FIBER_STACK_BYTES + FIBER_GUARD_BYTES;
	char *stacks = mmap(NULL, count * each, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (stacks == MAP_FAILED)
		return NULL;
	for (unsigned int n = 0; n < count; n++) {
		if (mprotect(stacks + n * each, FIBER_GUARD_BYTES, PROT_NONE) != 0) {
			fiber_stacks_free(stacks, count);
			return NULL;
		}
	}
	return stacks;
}

void fiber_stacks_free(char *stacks, unsigned int count)
{
	size_t bytes = count * (size_t)(FIBER_STACK_BYTES + FIBER_GUARD_BYTES);

#ifdef ADDRESS_SANITIZER
	__asan_unpoison_memory_region(stacks, bytes);
#endif
	munmap(stacks, bytes);
}

char *fiber_stack(char *stacks, unsigned int n)
{
	return stacks + n * (size_t)(FIBER_STACK_BYTES + FIBER_GUARD_BYTES) + FIBER_GUARD_BYTES;
}

static void begin_switch(struct fiber *from, const struct fiber *to)
{
#ifdef ADDRESS_SANITIZER
	__sanitizer_start_switch_fiber(&from->fake, to->stack ? to->stack : program_stack,
				       to->stack ? FIBER_STACK_BYTES : program_stack_bytes);
#else
	(void)from, (void)to;
#endif
}

static void end_switch(struct fiber *now, struct fiber *before)
{
#ifdef ADDRESS_SANITIZER
	const void *stack;
	size_t bytes;

	__sanitizer_finish_switch_fiber(now->fake, &stack, &bytes);
	if (!before->stack) {
		program_stack = stack;
		program_stack_bytes = bytes;
	}
#else
	(void)now, (void)before;
#endif
}

/* What a jump hands over: who left, and who goes on. */
struct pair {
	struct fiber *from, *to;
};

static void arrived(struct transfer transfer)
{
	struct pair *pair = transfer.data;

	pair->from->context = transfer.context;
	end_switch(pair->to, pair->from);
}

static void entry(struct transfer transfer)
{
	struct fiber *self = ((struct pair *)transfer.data)->to;

	arrived(transfer);
	self->main(self->arg);
	CHECK(!"a fiber's main has returned");
}

void fiber_make(struct fiber *fiber, char *stack, void (*main)(void *), void *arg)
{
	*fiber = (struct fiber){ .stack = stack, .main = main, .arg = arg };
	fiber->context = make_fcontext(stack + FIBER_STACK_BYTES, FIBER_STACK_BYTES, entry);
}

void fiber_switch(struct fiber *from, struct fiber *to)
{
	struct pair pair = { from, to };
	void *context = to->context;

	to->context = NULL;
	begin_switch(from, to);
	arrived(jump_fcontext(context, &pair));
}

void fiber_stack_changed(struct fiber *fiber)
{
#ifdef ADDRESS_SANITIZER
	__asan_unpoison_memory_region(fiber->stack, FIBER_STACK_BYTES);
#else
	(void)fiber;
#endif
}
