/* Memory that is given back all at once: chunks, each with many pieces. */
#ifndef WASMSANDBOX_ARENA_H
#define WASMSANDBOX_ARENA_H

#include "codec.h"
#include "memory.h"

enum { ARENA_ALIGN = _Alignof(max_align_t), ARENA_CHUNK = 16 << 10 };

typedef struct arena_chunk {
	struct arena_chunk *next;
	size_t capacity;
	_Alignas(max_align_t) unsigned char memory[];
} arena_chunk;

static void *arena_grow(arena *a, size_t size) {
	size_t capacity = size > ARENA_CHUNK ? size : ARENA_CHUNK;
	arena_chunk *chunk = NULL;
	if (capacity <= PTRDIFF_MAX - sizeof *chunk) {
		chunk = memory_try(sizeof *chunk + capacity);
	}
	if (chunk == NULL) {
		out_of_memory();
	}
	chunk->next = a->chunks;
	chunk->capacity = capacity;
	a->chunks = chunk;
	a->used = size;
	return chunk->memory;
}

/* Never returns NULL. */
static void *arena_alloc(arena *a, size_t size) {
	if (size > SIZE_MAX - ARENA_ALIGN) {
		out_of_memory();
	}
	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	if (a->chunks == NULL || size > a->chunks->capacity - a->used) {
		return arena_grow(a, size);
	}
	void *memory = a->chunks->memory + a->used;
	a->used += size;
	return memory;
}

void wasmsandbox_arena_reset(arena *a) {
	while (a->chunks != NULL && (a->chunks->next != NULL || a->chunks->capacity > ARENA_CHUNK)) {
		arena_chunk *next = a->chunks->next;
		wasmsandbox_free(a->chunks);
		a->chunks = next;
	}
	a->used = 0;
}

/* Makes room for one more of `count` items of an array that only this function
 * has grown, and returns the array. Room is for 4 items, 8, 16 and so on. */
static void *arena_extend(arena *a, void *items, size_t count, size_t item_size) {
	if (count != 0 && (count < 4 || (count & (count - 1)) != 0)) {
		return items;
	}
	size_t room = count == 0 ? 4 : 2 * count;
	if (room > SIZE_MAX / item_size) {
		out_of_memory();
	}
	void *moved = arena_alloc(a, room * item_size);
	copy_bytes(moved, items, count * item_size);
	return moved;
}

#endif
