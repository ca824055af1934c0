//go:build cgo

#include "stack.h"

#ifdef WASMSANDBOX_SWITCHES_STACKS

#include <sys/mman.h>

enum {
	guard = 64 << 10, // no less than a page of any system
	keep = 64 << 10,
	red_zone = 256, // below the end of a stack, which a function may use unasked
};

uintptr_t wasmsandbox_stack_new(void) {
	int flags = MAP_PRIVATE | MAP_ANON;
#ifdef MAP_NORESERVE
	flags |= MAP_NORESERVE;
#endif
	char *stack = mmap(NULL, guard + wasmsandbox_stack_size, PROT_NONE, flags, -1, 0);
	if (stack == MAP_FAILED) {
		return 0;
	}
	if (mprotect(stack + guard, wasmsandbox_stack_size, PROT_READ | PROT_WRITE) != 0) {
		munmap(stack, guard + wasmsandbox_stack_size);
		return 0;
	}
	return (uintptr_t)stack;
}

void wasmsandbox_stack_delete(uintptr_t stack) {
	munmap((void *)stack, guard + wasmsandbox_stack_size);
}

void wasmsandbox_stack_clear(uintptr_t stack) {
	madvise((char *)stack + guard, wasmsandbox_stack_size - keep, MADV_DONTNEED);
}

void *wasmsandbox_stack_top(uintptr_t stack) { return (char *)stack + guard + wasmsandbox_stack_size; }

void wasmsandbox_stack_run(void *top, void **left, void (*function)(void *), void *argument) {
	if (top == NULL) {
		*left = NULL;
		function(argument);
		return;
	}
	top = (void *)(((uintptr_t)top - red_zone) & ~(uintptr_t)15);
#ifdef __x86_64__
	__asm__ volatile("movq %%rsp, %%rbx\n\t"
	                 "movq %%rsp, (%1)\n\t"
	                 "movq %0, %%rsp\n\t"
	                 "callq *%2\n\t"
	                 "movq %%rbx, %%rsp"
	                 : "+r"(top), "+r"(left), "+r"(function), "+D"(argument)
	                 :
	                 : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3",
	                   "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
	                   "xmm14", "xmm15", "memory", "cc");
#else
	register void *x0 __asm__("x0") = argument;
	__asm__ volatile("mov x19, sp\n\t"
	                 "str x19, [%2]\n\t"
	                 "mov sp, %1\n\t"
	                 "blr %3\n\t"
	                 "mov sp, x19"
	                 : "+r"(x0)
	                 : "r"(top), "r"(left), "r"(function)
	                 : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
	                   "x15", "x16", "x17", "x19", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",
	                   "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21",
	                   "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "memory", "cc");
#endif
}

#else

uintptr_t wasmsandbox_stack_new(void) { return 0; }
void wasmsandbox_stack_delete(uintptr_t stack) { (void)stack; }
void wasmsandbox_stack_clear(uintptr_t stack) { (void)stack; }
void *wasmsandbox_stack_top(uintptr_t stack) { return (void *)stack; }
void wasmsandbox_stack_run(void *top, void **left, void (*function)(void *), void *argument) {
	*left = top;
	function(argument);
}

#endif
