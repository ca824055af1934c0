/* Encoding and decoding of messages, and the guest's half of the ABI in terms of
 * encoded messages: what the native host of wasmsandbox_testing.c drives. */
#ifndef WASMSANDBOX_CODEC_H
#define WASMSANDBOX_CODEC_H

#include "schema.h"

/* Memory that is given back all at once. Starts as zeroes. */
typedef struct arena {
	struct arena_chunk *chunks; /* the newest first */
	size_t used;                /* of the newest */
} arena;

/* Gives everything back, but keeps the first chunk for what comes next. */
void wasmsandbox_arena_reset(arena *a);

/* Why a message can't be decoded. */
typedef enum decode_reason {
	DECODE_OK = 0,
	DECODE_TRUNCATED,
	DECODE_OVERFLOW,
	DECODE_FIELD_NUMBER,
	DECODE_WIRE_TYPE,
	DECODE_RANGE,
	DECODE_INVALID_UTF8,
	DECODE_DEPTH,
	DECODE_TOO_MANY,
	DECODE_MISSING,
	DECODE_ENUM,
	DECODE_DIGEST,
} decode_reason;

typedef struct decode_result {
	decode_reason reason;
	size_t offset; /* of the field's first byte; the length with DECODE_MISSING */
} decode_result;

/* Decodes into the message, which the caller has zeroed. What it holds lies in the
 * data and in the arena. */
decode_result wasmsandbox_decode(const schema *s, void *message, wasmsandbox_slice data, arena *a);

/* The reason's name in the specification, such as "truncated". Static. */
const char *wasmsandbox_reason_name(decode_reason reason);

/* A buffer that is filled from its end. Starts as zeroes but for the limit. */
typedef struct encoder {
	unsigned char *buffer; /* of wasmsandbox_alloc; it stays the encoder's */
	size_t capacity;
	size_t position; /* of the first byte that is written */
	size_t lowest;   /* position: below it the buffer or the limit ends */
	uint64_t limit;  /* longest message */
	bool too_long;
} encoder;

/* Encodes the message in place of what was there. False if it is longer than the
 * limit. The bytes are the encoder's until it is used again. */
bool wasmsandbox_encode(encoder *e, const schema *s, const void *message, wasmsandbox_slice *encoded);

/* The input buffer, at least `size` bytes, or NULL for a size that no message has
 * or that memory doesn't hold. */
void *wasmsandbox_guest_buffer(uint32_t size);

/* These take a message of the length given from the input buffer, and give an
 * encoded reply, which is valid until the next of them is called. */
const wasmsandbox_slice *wasmsandbox_guest_describe(void);
const wasmsandbox_slice *wasmsandbox_guest_open(uint32_t length);
const wasmsandbox_slice *wasmsandbox_guest_match(uint32_t id, uint32_t length);
const wasmsandbox_slice *wasmsandbox_guest_respond(uint32_t id, uint32_t length);
const wasmsandbox_slice *wasmsandbox_guest_close(void);

#endif
