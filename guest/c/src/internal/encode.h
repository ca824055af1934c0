/* The writer of messages. It writes from the end to the start, so that the length
 * of an embedded message is known when it is written before it, and nothing has to
 * be moved or measured in advance. */
#ifndef WASMSANDBOX_ENCODE_H
#define WASMSANDBOX_ENCODE_H

#include "decode.h"

static void encode_message(encoder *e, const schema *s, const unsigned char *message);

/* Begins to write at a position. */
static void encode_at(encoder *e, size_t position) {
	e->position = position;
	e->lowest = e->limit < e->capacity ? e->capacity - (size_t)e->limit : 0;
}

/* Makes the buffer larger by at least `size` bytes, unless that is too long: then
 * there is no room any more, and it is false. */
__attribute__((noinline)) static bool encode_grow(encoder *e, size_t size) {
	size_t written = e->capacity - e->position;
	if (e->too_long || size > e->limit - written) {
		e->too_long = true;
		e->lowest = e->position;
		return false;
	}
	size_t capacity = 2 * e->capacity > written + size ? 2 * e->capacity : written + size + 1024;
	unsigned char *buffer = wasmsandbox_alloc(capacity);
	copy_bytes(buffer + (capacity - written), e->buffer + e->position, written);
	wasmsandbox_free(e->buffer);
	e->buffer = buffer;
	e->capacity = capacity;
	encode_at(e, capacity - written);
	return true;
}

/* Room for `size` bytes before what is written, or NULL when it is too long. */
static unsigned char *encode_room(encoder *e, size_t size) {
	if (size > e->position - e->lowest && !encode_grow(e, size)) {
		return NULL;
	}
	e->position -= size;
	return e->buffer + e->position;
}

static void encode_varint(encoder *e, uint64_t number) {
	/* a byte for each 7 bits, of which there is at least one */
	unsigned bits = 64 - (unsigned)__builtin_clzll(number | 1);
	unsigned char *room = encode_room(e, (9 * bits + 64) / 64);
	if (room == NULL) {
		return;
	}
	for (; number >= 0x80; number >>= 7) {
		*room++ = (unsigned char)(number | 0x80);
	}
	*room = (unsigned char)number;
}

static void encode_tag(encoder *e, uint32_t number, unsigned wire) { encode_varint(e, number << 3 | wire); }

static void encode_raw(encoder *e, const char *bytes, size_t length) {
	unsigned char *room = encode_room(e, length);
	if (room != NULL) {
		copy_bytes(room, bytes, length);
	}
}

/* Text in which each run of bytes that isn't UTF-8 becomes one
 * U+FFFD. The writer goes backwards, so that the runs are found from the end: a
 * character is at most 4 bytes long. */
static void encode_repaired(encoder *e, const char *text, size_t end) {
	bool broken = false;
	while (end > 0) {
		size_t length = 0;
		for (size_t k = 1; k <= 4 && k <= end && length == 0; k++) {
			length = utf8_character((const unsigned char *)text + end - k, k) == k ? k : 0;
		}
		if (length != 0) {
			encode_raw(e, text + end - length, length);
		} else if (!broken) {
			encode_raw(e, "\xef\xbf\xbd", 3);
		}
		broken = length == 0;
		end -= length == 0 ? 1 : length;
	}
}

static void encode_bytes(encoder *e, const schema_field *f, uint32_t number, const wasmsandbox_slice *bytes) {
	size_t end = e->capacity - e->position;
	if (f->type == TYPE_TEXT && utf8_valid_prefix(bytes->data, bytes->length) != bytes->length) {
		encode_repaired(e, bytes->data, bytes->length);
	} else {
		encode_raw(e, bytes->data, bytes->length);
	}
	encode_varint(e, e->capacity - e->position - end);
	encode_tag(e, number, WIRE_LENGTH);
}

/* A number as it is on the wire. */
static uint64_t encoded_number(const schema_field *f, const void *source) {
	switch (f->type) {
	case TYPE_UINT64:
		return *(const uint64_t *)source;
	case TYPE_SINT64: {
		uint64_t number = *(const uint64_t *)source;
		return (number << 1) ^ (0 - (number >> 63));
	}
	case TYPE_SINT32: {
		uint32_t number = *(const uint32_t *)source;
		return (number << 1) ^ (0 - (number >> 31));
	}
	case TYPE_BOOL:
		return *(const bool *)source;
	default:
		return *(const uint32_t *)source;
	}
}

/* An embedded message. One that is empty is left out unless it is kept. */
static void encode_embedded(encoder *e, const schema_field *f, uint32_t number, const unsigned char *source, bool keep) {
	size_t end = e->capacity - e->position;
	encode_message(e, &wasmsandbox_schemas[f->detail], source);
	size_t length = e->capacity - e->position - end;
	if (length != 0 || keep) {
		encode_varint(e, length);
		encode_tag(e, number, WIRE_LENGTH);
	}
}

static void encode_repeated(encoder *e, const schema_field *f, uint32_t number, const unsigned char *source) {
	array items;
	memcpy(&items, source, sizeof items);
	size_t size = item_size(f), end = e->capacity - e->position;
	for (size_t i = items.count; i-- > 0 && !e->too_long;) {
		const unsigned char *item = (const unsigned char *)items.items + i * size;
		if (f->presence == PRESENCE_PACKED) {
			encode_varint(e, encoded_number(f, item));
		} else if (f->type == TYPE_MESSAGE) {
			encode_embedded(e, f, number, item, true);
		} else {
			encode_bytes(e, f, number, (const wasmsandbox_slice *)(const void *)item);
		}
	}
	if (f->presence == PRESENCE_PACKED && items.count != 0) {
		encode_varint(e, e->capacity - e->position - end);
		encode_tag(e, number, WIRE_LENGTH);
	}
}

static void encode_field(encoder *e, const schema *s, uint32_t number, const unsigned char *message) {
	const schema_field *f = &wasmsandbox_fields[s->first + number - 1];
	const unsigned char *source = message + f->offset;
	bool keep = false; /* also when it is empty */
	switch (f->presence) {
	case PRESENCE_REPEATED:
	case PRESENCE_PACKED:
		encode_repeated(e, f, number, source);
		return;
	case PRESENCE_FLAG:
		if (!*(const bool *)(message + f->detail)) {
			return;
		}
		keep = true;
		break;
	case PRESENCE_ONEOF:
	case PRESENCE_ONEOF_NOT_EMPTY:
		if (*(const uint32_t *)(const void *)(message + s->case_offset) != number) {
			return;
		}
		keep = f->presence == PRESENCE_ONEOF;
		break;
	}
	if (f->type == TYPE_MESSAGE) {
		encode_embedded(e, f, number, source, keep);
	} else if (f->type >= TYPE_TEXT) {
		const wasmsandbox_slice *bytes = (const wasmsandbox_slice *)(const void *)source;
		if (bytes->length != 0 || keep) {
			encode_bytes(e, f, number, bytes);
		}
	} else {
		uint64_t value = encoded_number(f, source);
		if (value != 0 || keep) {
			encode_varint(e, value);
			encode_tag(e, number, WIRE_VARINT);
		}
	}
}

static void encode_message(encoder *e, const schema *s, const unsigned char *message) {
	if (s->is_oneof) {
		uint32_t number = *(const uint32_t *)(const void *)(message + s->case_offset);
		if (number != 0 && number <= s->count) {
			encode_field(e, s, number, message);
		}
		return;
	}
	for (uint32_t number = s->count; number > 0 && !e->too_long; number--) {
		encode_field(e, s, number, message);
	}
}

bool wasmsandbox_encode(encoder *e, const schema *s, const void *message, wasmsandbox_slice *encoded) {
	e->too_long = false;
	encode_at(e, e->capacity);
	encode_message(e, s, message);
	encoded->data = e->position == e->capacity ? NULL : (const char *)e->buffer + e->position;
	encoded->length = e->capacity - e->position;
	return !e->too_long;
}

#endif
