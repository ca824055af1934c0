// Guests have stacks of their own: those of threads are too small for them, and of
// another size on every machine. A call switches to the guest's stack, and back to
// the thread's for each import, since Go wants to be called on no other.
#ifndef WASMSANDBOX_STACK_H
#define WASMSANDBOX_STACK_H

#include <stddef.h>
#include <stdint.h>

#if !defined(_WIN32) && (defined(__x86_64__) || defined(__aarch64__))
#define WASMSANDBOX_SWITCHES_STACKS 1
#endif

enum {
#ifdef WASMSANDBOX_SWITCHES_STACKS
	wasmsandbox_switches_stacks = 1,
	wasmsandbox_stack_size = 64 << 20,
	wasmsandbox_guest_share = 63 << 20, // the engine has the rest
#else
	wasmsandbox_switches_stacks = 0, // guests go on where the thread is, and may nest
	wasmsandbox_stack_size = 256 << 10,
	wasmsandbox_guest_share = 256 << 10,
#endif
};

// wasmsandbox_stack_new makes a stack, with a page below it that can't be touched.
// The system gives it memory as it is used. 0 if there is no room for it.
uintptr_t wasmsandbox_stack_new(void);
void wasmsandbox_stack_delete(uintptr_t stack);

// wasmsandbox_stack_clear takes the memory from a stack that isn't in use, but for
// what most calls need.
void wasmsandbox_stack_clear(uintptr_t stack);

// wasmsandbox_stack_top is where an empty stack begins.
void *wasmsandbox_stack_top(uintptr_t stack);

// wasmsandbox_stack_run calls a function on the stack that goes on below top, or on
// this one if that is NULL. It leaves in *left where this one can go on meanwhile.
void wasmsandbox_stack_run(void *top, void **left, void (*function)(void *), void *argument);

#endif
