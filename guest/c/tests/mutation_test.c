/* No truncation and no mutation of a vector makes the reader misbehave: under the
 * sanitizers, a read out of bounds or undefined behaviour ends the program. What is
 * still valid has to encode, and to decode to the same bytes again. */
#include <stdlib.h>

#include "check.h"
#include "empty_guest.h"
#include "vectors.h"

enum { MUTATIONS = 400 };

/* xorshift64: the same mutations in each run. */
static uint64_t state = 88172645463325252;

static uint32_t random_below(size_t limit) {
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 11) % limit);
}

/* Decodes; if that works, encoding and decoding once more has to give the same. */
static bool try_bytes(const schema *s, const unsigned char *bytes, size_t length, const char *name) {
	arena a = {0};
	encoder first = {.limit = UINT32_MAX}, second = {.limit = UINT32_MAX};
	any_message message;
	memset(&message, 0, sizeof message);
	bool valid =
		wasmsandbox_decode(s, &message, (wasmsandbox_slice){(const char *)bytes, length}, &a).reason == DECODE_OK;
	if (valid) {
		wasmsandbox_slice once, twice;
		CHECK(wasmsandbox_encode(&first, s, &message, &once), name);
		memset(&message, 0, sizeof message);
		CHECK(wasmsandbox_decode(s, &message, once, &a).reason == DECODE_OK, name);
		CHECK(wasmsandbox_encode(&second, s, &message, &twice), name);
		CHECK(wasmsandbox_equal(once, twice), name);
	}
	wasmsandbox_free(first.buffer);
	wasmsandbox_free(second.buffer);
	wasmsandbox_arena_reset(&a);
	wasmsandbox_free(a.chunks);
	return valid;
}

/* Changes, inserts, removes or swaps a few bytes. The result is of the exact size. */
static unsigned char *mutate(const vector *v, size_t *length) {
	unsigned char *bytes = malloc(v->length + 8);
	memcpy(bytes, v->bytes, v->length);
	*length = v->length;
	for (uint32_t n = 1 + random_below(4); n > 0 && *length > 0; n--) {
		size_t at = random_below(*length);
		switch (random_below(4)) {
		case 0:
			bytes[at] = (unsigned char)random_below(256);
			break;
		case 1:
			bytes[at] ^= (unsigned char)(1u << random_below(8));
			break;
		case 2:
			memmove(bytes + at + 1, bytes + at, *length - at);
			bytes[at] = random_below(2) == 0 ? 0xff : (unsigned char)random_below(256);
			++*length;
			break;
		default:
			memmove(bytes + at, bytes + at + 1, *length - at - 1);
			--*length;
		}
	}
	unsigned char *exact = malloc(*length == 0 ? 1 : *length);
	memcpy(exact, bytes, *length);
	free(bytes);
	return exact;
}

static void check_vector(const vector *v, size_t *tried, size_t *valid) {
	for (size_t length = 0; length <= v->length; length++) {
		unsigned char *exact = malloc(length == 0 ? 1 : length);
		memcpy(exact, v->bytes, length);
		*valid += try_bytes(v->schema, exact, length, v->name);
		++*tried;
		free(exact);
	}
	for (int i = 0; i < MUTATIONS; i++) {
		size_t length;
		unsigned char *bytes = mutate(v, &length);
		*valid += try_bytes(v->schema, bytes, length, v->name);
		++*tried;
		free(bytes);
	}
}

int main(int argc, char **argv) {
	const char *folder = argc > 1 ? argv[1] : "../../testdata/abi/v1";
	const char *const parts[] = {"valid", "malformed"};
	size_t tried = 0, valid = 0;
	for (size_t p = 0; p < 2; p++) {
		char path[1024];
		size_t count;
		snprintf(path, sizeof path, "%s/%s", folder, parts[p]);
		vector *vectors = load_vectors(path, &count);
		for (size_t i = 0; i < count; i++) {
			check_vector(&vectors[i], &tried, &valid);
		}
		free_vectors(vectors, count);
	}
	printf("%zu messages, %zu of them valid\n", tried, valid);
	CHECK(valid > 1000 && valid < tried, "a mix of valid and malformed messages");
	return check_result("mutation_test");
}
