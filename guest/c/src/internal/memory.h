/* Memory that stays: malloc where there is a libc, else a small allocator, and the
 * four functions that a compiler expects to find. */
#ifndef WASMSANDBOX_MEMORY_H
#define WASMSANDBOX_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "../wasmsandbox.h"

#if defined(__wasm__) && !defined(__wasi__)

void *memcpy(void *restrict target, const void *restrict source, size_t size);
void *memmove(void *target, const void *source, size_t size);
void *memset(void *target, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *string);

#ifdef __wasm_bulk_memory__
/* Each of these is one instruction. */
__attribute__((weak)) void *memcpy(void *restrict target, const void *restrict source, size_t size) {
	return __builtin_memcpy(target, source, size);
}

__attribute__((weak)) void *memmove(void *target, const void *source, size_t size) {
	return __builtin_memmove(target, source, size);
}

__attribute__((weak)) void *memset(void *target, int byte, size_t size) {
	return __builtin_memset(target, byte, size);
}
#else
__attribute__((weak, no_builtin)) void *memmove(void *target, const void *source, size_t size) {
	unsigned char *t = target;
	const unsigned char *s = source;
	if ((uintptr_t)t <= (uintptr_t)s) {
		for (size_t i = 0; i < size; i++) {
			t[i] = s[i];
		}
	} else {
		while (size-- > 0) {
			t[size] = s[size];
		}
	}
	return target;
}

__attribute__((weak, no_builtin)) void *memcpy(void *restrict target, const void *restrict source, size_t size) {
	return memmove(target, source, size);
}

__attribute__((weak, no_builtin)) void *memset(void *target, int byte, size_t size) {
	unsigned char *t = target;
	while (size-- > 0) {
		t[size] = (unsigned char)byte;
	}
	return target;
}
#endif

__attribute__((weak, no_builtin)) int memcmp(const void *a, const void *b, size_t size) {
	const unsigned char *x = a, *y = b;
	for (size_t i = 0; i < size; i++) {
		if (x[i] != y[i]) {
			return x[i] < y[i] ? -1 : 1;
		}
	}
	return 0;
}

__attribute__((weak, no_builtin)) size_t strlen(const char *string) {
	size_t length = 0;
	while (string[length] != 0) {
		length++;
	}
	return length;
}

#include "heap.h"

static void *memory_try(size_t size) { return heap_alloc(size); }

static void *memory_try_resize(void *memory, size_t size) { return heap_resize(memory, size); }

__attribute__((noinline)) void wasmsandbox_free(void *memory) { heap_free(memory); }

#else

#include <stdlib.h>
#include <string.h>

static void *memory_try(size_t size) { return malloc(size == 0 ? 1 : size); }

static void *memory_try_resize(void *memory, size_t size) { return realloc(memory, size == 0 ? 1 : size); }

void wasmsandbox_free(void *memory) { free(memory); }

#endif

__attribute__((noinline, noreturn)) static void out_of_memory(void) { wasmsandbox_panic("out of memory"); }

static void *or_out_of_memory(void *memory) {
	if (memory == NULL) {
		out_of_memory();
	}
	return memory;
}

void *wasmsandbox_alloc(size_t size) { return or_out_of_memory(memory_try(size)); }

void *wasmsandbox_resize(void *memory, size_t size) { return or_out_of_memory(memory_try_resize(memory, size)); }

/* memcpy that takes NULL for no bytes. */
__attribute__((noinline)) static void copy_bytes(void *target, const void *source, size_t size) {
	if (size != 0) {
		memcpy(target, source, size);
	}
}

#endif
