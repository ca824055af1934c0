/* The reader of messages. The first failure stays: from then on there are no more
 * fields, and every number is 0. */
#ifndef WASMSANDBOX_DECODE_H
#define WASMSANDBOX_DECODE_H

#include "arena.h"
#include "schema.h"
#include "utf8.h"

enum {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1, /* only in fields to skip */
	WIRE_LENGTH = 2,
	WIRE_FIXED32 = 5, /* only in fields to skip */
	LONGEST_VARINT = 10,
	MAX_DEPTH = 64,
	MAX_MESSAGES = 1 << 18,
	LAST_FIELD_NUMBER = (1 << 29) - 1,
};

typedef struct decoder {
	const unsigned char *data;
	size_t position;
	size_t end;   /* of the message that is read */
	size_t start; /* of the field that is read */
	uint32_t depth;    /* of the value that is read */
	uint32_t messages; /* embedded ones so far */
	decode_result result;
	arena *arena;
} decoder;

static void decode_message(decoder *d, const schema *s, unsigned char *message);

__attribute__((noinline)) static void decode_fail(decoder *d, decode_reason reason) {
	if (d->result.reason == DECODE_OK) {
		d->result.reason = reason;
		d->result.offset = d->start;
	}
	d->position = d->end;
}

/* Any varint. */
__attribute__((noinline)) static uint64_t decode_long_varint(decoder *d) {
	const unsigned char *next = d->data + d->position;
	const unsigned char *end = d->end - d->position < LONGEST_VARINT ? d->data + d->end : next + LONGEST_VARINT;
	uint64_t number = 0;
	for (unsigned shift = 0; next != end; shift += 7) {
		uint64_t byte = *next++;
		number |= (byte & 0x7f) << shift;
		if (byte < 0x80) {
			if (shift == 63 && byte > 1) {
				break;
			}
			d->position = (size_t)(next - d->data);
			return number;
		}
	}
	decode_fail(d, d->end - d->position < LONGEST_VARINT ? DECODE_TRUNCATED : DECODE_OVERFLOW);
	return 0;
}

/* A varint, which most often is one byte. */
__attribute__((always_inline)) static inline uint64_t decode_varint(decoder *d) {
	if (d->position < d->end && d->data[d->position] < 0x80) {
		return d->data[d->position++];
	}
	return decode_long_varint(d);
}

/* The length of what follows, all of which is there. */
static size_t decode_length(decoder *d) {
	uint64_t length = decode_varint(d);
	if (length > d->end - d->position) {
		decode_fail(d, DECODE_TRUNCATED);
		return 0;
	}
	return (size_t)length;
}

static void decode_advance(decoder *d, size_t size) {
	if (size > d->end - d->position) {
		decode_fail(d, DECODE_TRUNCATED);
		return;
	}
	d->position += size;
}

static void decode_skip(decoder *d, unsigned wire) {
	switch (wire) {
	case WIRE_VARINT:
		decode_long_varint(d);
		break;
	case WIRE_FIXED64:
		decode_advance(d, 8);
		break;
	case WIRE_LENGTH: {
		size_t length = decode_length(d); /* which moves the position */
		d->position += length;
		break;
	}
	case WIRE_FIXED32:
		decode_advance(d, 4);
		break;
	default:
		decode_fail(d, DECODE_WIRE_TYPE);
	}
}

static uint32_t decode_number32(decoder *d, uint64_t number) {
	if (number > UINT32_MAX) {
		decode_fail(d, DECODE_RANGE);
		return 0;
	}
	return (uint32_t)number;
}

static void decode_number(decoder *d, const schema_field *f, void *target) {
	uint64_t number = decode_varint(d);
	switch (f->type) {
	case TYPE_UINT64:
		*(uint64_t *)target = number;
		break;
	case TYPE_SINT64:
		*(uint64_t *)target = (number >> 1) ^ (0 - (number & 1));
		break;
	case TYPE_UINT32:
		*(uint32_t *)target = decode_number32(d, number);
		break;
	case TYPE_SINT32: {
		uint32_t n = decode_number32(d, number);
		*(uint32_t *)target = (n >> 1) ^ (0 - (n & 1));
		break;
	}
	case TYPE_BOOL:
		*(bool *)target = number != 0;
		break;
	case TYPE_ENUM:
	case TYPE_METHOD:
		if (number > f->detail || (f->type == TYPE_METHOD && number < WASMSANDBOX_METHOD_APPLY_PATCH)) {
			decode_fail(d, DECODE_ENUM);
			number = 0;
		}
		*(uint32_t *)target = (uint32_t)number;
		break;
	}
}

static void decode_bytes(decoder *d, const schema_field *f, wasmsandbox_slice *target) {
	size_t length = decode_length(d);
	target->data = length == 0 ? NULL : (const char *)d->data + d->position;
	target->length = length;
	d->position += length;
	if (f->type == TYPE_TEXT && utf8_valid_prefix(target->data, length) != length) {
		decode_fail(d, DECODE_INVALID_UTF8);
	} else if (f->type == TYPE_DIGEST && length != 0 && length != 32) {
		decode_fail(d, DECODE_DIGEST);
	}
}

static void decode_embedded(decoder *d, const schema *s, unsigned char *target) {
	if (++d->messages > MAX_MESSAGES) {
		decode_fail(d, DECODE_TOO_MANY);
		return;
	}
	if (s->is_value && d->depth == MAX_DEPTH) {
		decode_fail(d, DECODE_DEPTH);
		return;
	}
	size_t outer = d->end, length = decode_length(d);
	d->end = d->position + length;
	d->depth += s->is_value;
	decode_message(d, s, target);
	d->depth -= s->is_value;
	d->end = outer;
}

static size_t item_size(const schema_field *f) {
	switch (f->type) {
	case TYPE_MESSAGE:
		return wasmsandbox_schemas[f->detail].size;
	case TYPE_METHOD:
		return sizeof(uint32_t);
	default:
		return sizeof(wasmsandbox_slice);
	}
}

/* Adds an item to a repeated field. A message is zeroed; others are written whole. */
static unsigned char *decode_item(decoder *d, const schema_field *f, unsigned char *target) {
	array items;
	memcpy(&items, target, sizeof items);
	size_t size = item_size(f);
	items.items = arena_extend(d->arena, items.items, items.count, size);
	unsigned char *item = (unsigned char *)items.items + items.count * size;
	items.count++;
	memcpy(target, &items, sizeof items);
	if (f->type == TYPE_MESSAGE) {
		memset(item, 0, size);
	}
	return item;
}

static void decode_packed(decoder *d, const schema_field *f, unsigned wire, unsigned char *target) {
	if (wire == WIRE_VARINT) {
		decode_number(d, f, decode_item(d, f, target));
		return;
	}
	size_t outer = d->end, length = decode_length(d);
	d->end = d->position + length;
	while (d->position < d->end) {
		decode_number(d, f, decode_item(d, f, target));
	}
	d->end = outer;
}

static bool wire_fits(const schema_field *f, unsigned wire) {
	if (f->presence == PRESENCE_PACKED && wire == WIRE_LENGTH) {
		return true;
	}
	return wire == (f->type < TYPE_TEXT ? WIRE_VARINT : WIRE_LENGTH);
}

static void decode_field(decoder *d, const schema *s, uint32_t number, unsigned wire, unsigned char *message) {
	const schema_field *f = &wasmsandbox_fields[s->first + number - 1];
	if (!wire_fits(f, wire)) {
		decode_fail(d, DECODE_WIRE_TYPE);
		return;
	}
	unsigned char *target = message + f->offset;
	switch (f->presence) {
	case PRESENCE_FLAG:
		*(bool *)(message + f->detail) = true;
		break;
	case PRESENCE_ONEOF:
	case PRESENCE_ONEOF_NOT_EMPTY: {
		uint32_t *set = (uint32_t *)(void *)(message + s->case_offset);
		if (*set != number) {
			if (*set != 0) {
				memset(message + s->union_offset, 0, s->union_size);
			}
			*set = number;
		}
		break;
	}
	case PRESENCE_REPEATED:
		target = decode_item(d, f, target);
		break;
	case PRESENCE_PACKED:
		decode_packed(d, f, wire, target);
		return;
	}
	if (f->type == TYPE_MESSAGE) {
		decode_embedded(d, &wasmsandbox_schemas[f->detail], target);
	} else if (f->type >= TYPE_TEXT) {
		decode_bytes(d, f, (wasmsandbox_slice *)(void *)target);
	} else {
		decode_number(d, f, target);
	}
}

static void decode_message(decoder *d, const schema *s, unsigned char *message) {
	while (d->position < d->end) {
		d->start = d->position;
		uint64_t tag = decode_varint(d);
		uint64_t number = tag >> 3;
		if (d->result.reason != DECODE_OK) {
			return;
		}
		if (number == 0 || number > LAST_FIELD_NUMBER) {
			decode_fail(d, DECODE_FIELD_NUMBER);
		} else if (number <= s->count) {
			decode_field(d, s, (uint32_t)number, tag & 7, message);
		} else {
			decode_skip(d, tag & 7);
		}
	}
}

/* What has to be set at the end of a message. */
static bool decode_is_complete(const schema *s, const void *message) {
	if (s == &wasmsandbox_schemas[SCHEMA_CALL]) {
		return ((const wasmsandbox_call *)message)->method != 0;
	}
	if (s != &wasmsandbox_schemas[SCHEMA_REPLY]) {
		return true;
	}
	const reply_message *reply = message;
	if (reply->kind != REPLY_OUTCOME) {
		return reply->kind != REPLY_NONE;
	}
	const outcome_message *outcome = &reply->as.outcome;
	return outcome->kind != OUTCOME_NONE && (outcome->kind != OUTCOME_ERROR || outcome->as.error.code.length != 0);
}

decode_result wasmsandbox_decode(const schema *s, void *message, wasmsandbox_slice data, arena *a) {
	decoder d = {.data = (const unsigned char *)data.data, .end = data.length, .arena = a};
	decode_message(&d, s, message);
	if (d.result.reason == DECODE_OK && !decode_is_complete(s, message)) {
		d.result = (decode_result){DECODE_MISSING, data.length};
	}
	return d.result;
}

const char *wasmsandbox_reason_name(decode_reason reason) {
	static const char *const names[] = {"ok",    "truncated",    "overflow", "field_number", "wire_type", "range",
	                                    "invalid_utf8", "depth", "too_many", "missing",      "enum",      "digest"};
	return names[reason];
}

#endif
