/* An allocator over memory that only grows. Sizes are rounded up to one of four
 * steps for each power of two, and what is freed is kept in a list for its step. */
#ifndef WASMSANDBOX_HEAP_H
#define WASMSANDBOX_HEAP_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Tests define it, and with it heap_start and heap_grow. */
#ifndef WASMSANDBOX_HEAP_SOURCE
extern unsigned char __heap_base;

/* Where unused memory begins and ends. */
static void heap_start(uintptr_t *begin, uintptr_t *end) {
	*begin = (uintptr_t)&__heap_base;
	*end = (uintptr_t)__builtin_wasm_memory_size(0) << 16;
}

/* Adds at least `size` bytes, and gives where they begin and end. */
static int heap_grow(size_t size, uintptr_t *begin, uintptr_t *end) {
	size_t pages = (size >> 16) + ((size & 0xffff) != 0);
	size_t old = __builtin_wasm_memory_grow(0, pages);
	if (old == SIZE_MAX) {
		return 0;
	}
	*begin = (uintptr_t)old << 16;
	*end = *begin + (pages << 16);
	return 1;
}
#endif

enum { HEAP_ALIGN = 16, HEAP_STEPS = 4 * 26 };

/* What lies before each block. */
typedef union heap_block {
	struct {
		uint32_t step;
		union heap_block *next; /* of a block that is free */
	} header;
	unsigned char align[HEAP_ALIGN];
} heap_block;

static struct {
	uintptr_t begin, end; /* what was never used; the end wraps to 0 at 4 GiB */
	heap_block *released[HEAP_STEPS];
} heap;

/* The step of a block with its header, of 1 to 2^31 bytes. */
static uint32_t heap_step(uint32_t total) {
	if (total <= 64) {
		return 0;
	}
	uint32_t log = 31 - (uint32_t)__builtin_clz(total - 1);
	return (log - 6) * 4 + (((total - 1) >> (log - 2)) & 3) + 1;
}

static size_t heap_step_size(uint32_t step) {
	return step == 0 ? 64 : (size_t)(5 + (step - 1) % 4) << ((step - 1) / 4 + 4);
}

/* Unused memory of the size, which is a multiple of the alignment. */
static heap_block *heap_carve(size_t size) {
	if (heap.begin == 0) {
		heap_start(&heap.begin, &heap.end);
		heap.begin = (heap.begin + HEAP_ALIGN - 1) & ~(uintptr_t)(HEAP_ALIGN - 1);
	}
	if (size > heap.end - heap.begin) {
		uintptr_t begin, end;
		if (!heap_grow(size, &begin, &end)) {
			return NULL;
		}
		if (begin != heap.end) { /* somebody else has grown the memory */
			heap.begin = begin;
		}
		heap.end = end;
	}
	heap_block *block = (heap_block *)heap.begin;
	heap.begin += size;
	return block;
}

/* At least `size` bytes, or NULL. */
static void *heap_alloc(size_t size) {
	if (size > (size_t)INT_MAX - HEAP_ALIGN) {
		return NULL;
	}
	uint32_t step = heap_step((uint32_t)size + HEAP_ALIGN);
	heap_block *block = heap.released[step];
	if (block != NULL) {
		heap.released[step] = block->header.next;
		return block + 1;
	}
	block = heap_carve(heap_step_size(step));
	if (block == NULL) {
		return NULL;
	}
	block->header.step = step;
	return block + 1;
}

static void heap_free(void *memory) {
	if (memory == NULL) {
		return;
	}
	heap_block *block = (heap_block *)memory - 1;
	block->header.next = heap.released[block->header.step];
	heap.released[block->header.step] = block;
}

static void *heap_resize(void *memory, size_t size) {
	if (memory == NULL) {
		return heap_alloc(size);
	}
	size_t room = heap_step_size(((heap_block *)memory - 1)->header.step) - HEAP_ALIGN;
	if (size <= room) {
		return memory;
	}
	void *moved = heap_alloc(size);
	if (moved != NULL) {
		__builtin_memcpy(moved, memory, room);
		heap_free(memory);
	}
	return moved;
}

#endif
