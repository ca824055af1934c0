/* The allocator of guests without a libc, over memory of this program. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "empty_guest.h"

#define WASMSANDBOX_HEAP_SOURCE

static _Alignas(16) unsigned char source[1 << 20];
static size_t granted;

static void heap_start(uintptr_t *begin, uintptr_t *end) {
	*begin = (uintptr_t)source;
	*end = *begin + 1000;
	granted = 1000;
}

static int heap_grow(size_t size, uintptr_t *begin, uintptr_t *end) {
	if (size > sizeof source - granted) {
		return 0;
	}
	*begin = (uintptr_t)source + granted;
	*end = *begin + size;
	granted += size;
	return 1;
}

#include "internal/heap.h"

static void check_steps(void) {
	uint32_t last = 0;
	for (uint32_t total = 1; total < 1 << 22; total += total < 4096 ? 1 : 997) {
		uint32_t step = heap_step(total);
		CHECK(heap_step_size(step) >= total, "a step is large enough");
		CHECK(step == 0 || heap_step_size(step - 1) < total, "a step isn't larger than needed");
		CHECK(step >= last && heap_step_size(step) % HEAP_ALIGN == 0, "steps ascend, and are aligned");
		last = step;
	}
	CHECK(heap_step(1u << 31) < HEAP_STEPS && heap_step_size(heap_step(1u << 31)) == (size_t)1 << 31, "the last step");
}

/* Blocks keep what is in them while others come and go. */
static void check_blocks(void) {
	enum { BLOCKS = 64, ROUNDS = 20000 };
	unsigned char *blocks[BLOCKS] = {0};
	size_t sizes[BLOCKS] = {0};
	uint64_t state = 88172645463325252;
	for (int round = 0; round < ROUNDS; round++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		size_t i = state % BLOCKS, size = (state >> 8) % 3000, kept = size < sizes[i] ? size : sizes[i];
		bool intact = true;
		for (size_t k = 0; k < sizes[i]; k++) {
			intact &= blocks[i][k] == (unsigned char)i;
		}
		CHECK(intact, "a block is intact");
		if ((state >> 32) % 3 == 0) {
			heap_free(blocks[i]);
			blocks[i] = NULL;
			sizes[i] = 0;
			continue;
		}
		blocks[i] = heap_resize(blocks[i], size);
		CHECK(blocks[i] != NULL && (uintptr_t)blocks[i] % HEAP_ALIGN == 0, "a block is there, and aligned");
		if (blocks[i] == NULL) {
			return;
		}
		for (size_t k = 0; k < kept; k++) {
			intact &= blocks[i][k] == (unsigned char)i;
		}
		CHECK(intact, "a resized block keeps its bytes");
		memset(blocks[i], (int)i, size);
		sizes[i] = size;
	}
	CHECK(granted < sizeof source, "freed blocks are used again");
}

static void check_exhaustion(void) {
	CHECK(heap_alloc(sizeof source) == NULL, "more than there is");
	CHECK(heap_alloc((size_t)INT_MAX) == NULL, "more than a block can have");
	CHECK(heap_alloc(SIZE_MAX) == NULL, "the largest number");
	size_t blocks = 0;
	while (heap_alloc(1000) != NULL) {
		blocks++;
	}
	CHECK(blocks > 0, "what is left");
	heap_free(NULL);
}

int main(void) {
	check_steps();
	check_blocks();
	check_exhaustion();
	return check_result("heap_test");
}
