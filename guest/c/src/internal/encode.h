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

__attribute__((noinline)) static void encode_varint(encoder *e, uint64_t number) {
	if (number < 0x80 && e->position > e->lowest) { /* as most are */
		e->buffer[--e->position] = (unsigned char)number;
		return;
	}
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

/* A number, or the length of what is written, with the tag of its field. */
static void encode_tagged(encoder *e, uint32_t field, unsigned wire, uint64_t number) {
	encode_varint(e, number);
	encode_varint(e, field << 3 | wire);
}

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

static void encode_bytes(encoder *e, const schema_field *f, const wasmsandbox_slice *bytes) {
	if (f->type == TYPE_TEXT && utf8_valid_prefix(bytes->data, bytes->length) != bytes->length) {
		encode_repaired(e, bytes->data, bytes->length);
	} else {
		encode_raw(e, bytes->data, bytes->length);
	}
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

/* How many bytes are written. */
static size_t encoded_size(const encoder *e) { return e->capacity - e->position; }

/* One item of a field. One that is empty is left out unless it is kept. */
static void encode_item(encoder *e, const schema_field *f, uint32_t number, const unsigned char *item, bool keep) {
	size_t end = encoded_size(e);
	if (f->type < TYPE_TEXT) {
		uint64_t value = encoded_number(f, item);
		if (f->presence == PRESENCE_PACKED) {
			encode_varint(e, value);
		} else if (value != 0 || keep) {
			encode_tagged(e, number, WIRE_VARINT, value);
		}
		return;
	}
	if (f->type == TYPE_MESSAGE) {
		encode_message(e, &wasmsandbox_schemas[f->detail], item);
	} else {
		encode_bytes(e, f, (const wasmsandbox_slice *)(const void *)item);
	}
	if (encoded_size(e) != end || keep) {
		encode_tagged(e, number, WIRE_LENGTH, encoded_size(e) - end);
	}
}

static void encode_field(encoder *e, const schema *s, uint32_t number, const unsigned char *message) {
	const schema_field *f = &wasmsandbox_fields[s->first + number - 1];
	const unsigned char *source = message + f->offset;
	size_t count = 1, size = 0, end = encoded_size(e);
	bool keep = false; /* also when it is empty */
	switch (f->presence) {
	case PRESENCE_REPEATED:
	case PRESENCE_PACKED: {
		array items;
		memcpy(&items, source, sizeof items);
		source = items.items;
		count = items.count;
		size = item_size(f);
		keep = true;
		break;
	}
	case PRESENCE_FLAG:
		keep = *(const bool *)(message + f->detail);
		count = keep;
		break;
	case PRESENCE_ONEOF:
	case PRESENCE_ONEOF_NOT_EMPTY:
		count = *(const uint32_t *)(const void *)(message + s->case_offset) == number;
		keep = f->presence == PRESENCE_ONEOF;
		break;
	}
	for (size_t i = count; i-- > 0 && !e->too_long;) {
		encode_item(e, f, number, source + i * size, keep);
	}
	if (f->presence == PRESENCE_PACKED && count != 0) {
		encode_tagged(e, number, WIRE_LENGTH, encoded_size(e) - end);
	}
}

static void encode_message(encoder *e, const schema *s, const unsigned char *message) {
	uint32_t number = s->count, last = 1;
	if (s->is_oneof) {
		last = *(const uint32_t *)(const void *)(message + s->case_offset);
		if (last == 0 || last > number) {
			return;
		}
		number = last;
	}
	for (; number >= last && !e->too_long; number--) {
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
