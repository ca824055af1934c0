/* Every valid vector is decoded and encoded again; every malformed one is refused
 * for its reason. */
#include <stdlib.h>

#include "check.h"
#include "empty_guest.h"
#include "vectors.h"

static void check_valid(const vector *v, arena *a) {
	any_message message;
	encoder e = {.limit = UINT32_MAX};
	wasmsandbox_slice encoded;
	memset(&message, 0, sizeof message);
	decode_result result =
		wasmsandbox_decode(v->schema, &message, (wasmsandbox_slice){(const char *)v->bytes, v->length}, a);
	CHECK(result.reason == DECODE_OK, v->name);
	CHECK(wasmsandbox_encode(&e, v->schema, &message, &encoded), v->name);
	const unsigned char *want = v->has_canonical ? v->canonical : v->bytes;
	size_t length = v->has_canonical ? v->canonical_length : v->length;
	CHECK(encoded.length == length && (length == 0 || memcmp(encoded.data, want, length) == 0), v->name);
	if (length > 0) {
		e.limit = length - 1;
		CHECK(!wasmsandbox_encode(&e, v->schema, &message, &encoded), v->name);
	}
	wasmsandbox_free(e.buffer);
}

static void check_malformed(const vector *v, arena *a) {
	any_message message;
	memset(&message, 0, sizeof message);
	decode_result result =
		wasmsandbox_decode(v->schema, &message, (wasmsandbox_slice){(const char *)v->bytes, v->length}, a);
	CHECK(strcmp(wasmsandbox_reason_name(result.reason), v->reason) == 0, v->name);
	CHECK(result.offset <= v->length, v->name);
}

/* More embedded messages than are allowed, which no file holds. */
static void check_too_many(arena *a) {
	enum { MOST = 1 << 18 };
	for (size_t count = MOST; count <= MOST + 1; count++) {
		char *bytes = calloc(count, 2);
		for (size_t i = 0; i < count; i++) {
			bytes[2 * i] = 0x0a; /* an empty entry of Open.config */
		}
		wasmsandbox_session open = {0};
		decode_result result =
			wasmsandbox_decode(&wasmsandbox_schemas[SCHEMA_OPEN], &open, (wasmsandbox_slice){bytes, 2 * count}, a);
		CHECK(result.reason == (count > MOST ? DECODE_TOO_MANY : DECODE_OK), "number of messages");
		wasmsandbox_arena_reset(a);
		free(bytes);
	}
}

/* Text that isn't UTF-8 is repaired when it is sent: a run becomes one U+FFFD. */
static void check_repair(void) {
	static const struct {
		const char *text, *want;
	} cases[] = {{"a\xff\xfe"
	              "b",
	              "a\xef\xbf\xbd"
	              "b"},
	             {"\xc3", "\xef\xbf\xbd"},
	             {"\xed\xa0\x80", "\xef\xbf\xbd"},
	             {"\xc3\xa9\xa9", "\xc3\xa9\xef\xbf\xbd"},
	             {"\xf0\x9f\x91\x8b\xf0\x9f", "\xf0\x9f\x91\x8b\xef\xbf\xbd"}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		reply_message reply = {.kind = REPLY_ERROR, .as.error.message = wasmsandbox_text(cases[i].text)}, got = {0};
		encoder e = {.limit = UINT32_MAX};
		wasmsandbox_slice encoded;
		arena a = {0};
		CHECK(wasmsandbox_encode(&e, &wasmsandbox_schemas[SCHEMA_REPLY], &reply, &encoded), "repair");
		CHECK(wasmsandbox_decode(&wasmsandbox_schemas[SCHEMA_REPLY], &got, encoded, &a).reason == DECODE_OK, "repair");
		CHECK_TEXT(got.as.error.message, cases[i].want);
		wasmsandbox_free(e.buffer);
		wasmsandbox_free(a.chunks);
	}
}

int main(int argc, char **argv) {
	const char *folder = argc > 1 ? argv[1] : "../../testdata/abi/v1";
	const char *const parts[] = {"valid", "malformed"};
	arena a = {0};
	for (size_t p = 0; p < 2; p++) {
		char path[1024];
		size_t count;
		snprintf(path, sizeof path, "%s/%s", folder, parts[p]);
		vector *vectors = load_vectors(path, &count);
		for (size_t i = 0; i < count; i++) {
			if (p == 0) {
				check_valid(&vectors[i], &a);
			} else {
				check_malformed(&vectors[i], &a);
			}
			wasmsandbox_arena_reset(&a);
		}
		printf("%zu %s vectors\n", count, parts[p]);
		free_vectors(vectors, count);
	}
	check_too_many(&a);
	check_repair();
	wasmsandbox_arena_reset(&a);
	wasmsandbox_free(a.chunks);
	return check_result("vectors_test");
}
