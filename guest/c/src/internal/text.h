/* Slices, and text that is made of them. */
#ifndef WASMSANDBOX_TEXT_H
#define WASMSANDBOX_TEXT_H

#include "guest.h"

wasmsandbox_slice wasmsandbox_text(const char *string) {
	return (wasmsandbox_slice){string, string == NULL ? 0 : strlen(string)};
}

__attribute__((noinline)) wasmsandbox_slice wasmsandbox_keep(wasmsandbox_slice bytes) {
	char *copy = wasmsandbox_alloc(bytes.length);
	copy_bytes(copy, bytes.data, bytes.length);
	return (wasmsandbox_slice){copy, bytes.length};
}

void wasmsandbox_drop(wasmsandbox_slice kept) { wasmsandbox_free((void *)(uintptr_t)kept.data); }

int wasmsandbox_compare(wasmsandbox_slice a, wasmsandbox_slice b) {
	size_t common = a.length < b.length ? a.length : b.length;
	int order = common == 0 ? 0 : memcmp(a.data, b.data, common);
	if (order == 0 && a.length != b.length) {
		order = a.length < b.length ? -1 : 1;
	}
	return order;
}

__attribute__((noinline)) bool wasmsandbox_equal(wasmsandbox_slice a, wasmsandbox_slice b) {
	return a.length == b.length && wasmsandbox_compare(a, b) == 0;
}

void wasmsandbox_append(wasmsandbox_builder *builder, wasmsandbox_slice text) {
	if (text.length > builder->capacity - builder->length) {
		if (text.length > SIZE_MAX / 2 - builder->length) {
			wasmsandbox_panic("out of memory for the call");
		}
		size_t capacity = 2 * (builder->length + text.length);
		char *data = wasmsandbox_scratch(capacity);
		copy_bytes(data, builder->data, builder->length);
		builder->data = data;
		builder->capacity = capacity;
	}
	if (text.length != 0) {
		memcpy(builder->data + builder->length, text.data, text.length);
		builder->length += text.length;
	}
}

wasmsandbox_slice wasmsandbox_built(const wasmsandbox_builder *builder) {
	return (wasmsandbox_slice){builder->data, builder->length};
}

wasmsandbox_slice wasmsandbox_join(const wasmsandbox_slice *parts, size_t count) {
	wasmsandbox_builder builder = {0};
	for (size_t i = 0; i < count; i++) {
		wasmsandbox_append(&builder, parts[i]);
	}
	return wasmsandbox_built(&builder);
}

static wasmsandbox_slice decimal(uint64_t magnitude, bool negative) {
	char digits[21];
	size_t first = sizeof digits;
	do {
		digits[--first] = (char)('0' + magnitude % 10);
		magnitude /= 10;
	} while (magnitude != 0);
	if (negative) {
		digits[--first] = '-';
	}
	char *text = wasmsandbox_scratch(sizeof digits - first);
	memcpy(text, digits + first, sizeof digits - first);
	return (wasmsandbox_slice){text, sizeof digits - first};
}

wasmsandbox_slice wasmsandbox_decimal(int64_t number) {
	return decimal(number < 0 ? 0 - (uint64_t)number : (uint64_t)number, number < 0);
}

wasmsandbox_slice wasmsandbox_decimal_unsigned(uint64_t number) { return decimal(number, false); }

wasmsandbox_slice wasmsandbox_hex(wasmsandbox_slice bytes) {
	static const char digits[] = "0123456789abcdef";
	if (bytes.length > SIZE_MAX / 2) {
		wasmsandbox_panic("out of memory for the call");
	}
	char *text = wasmsandbox_scratch(2 * bytes.length);
	for (size_t i = 0; i < bytes.length; i++) {
		unsigned char byte = (unsigned char)bytes.data[i];
		text[2 * i] = digits[byte >> 4];
		text[2 * i + 1] = digits[byte & 15];
	}
	return (wasmsandbox_slice){text, 2 * bytes.length};
}

bool wasmsandbox_parse(wasmsandbox_slice text, int64_t *number) {
	bool negative = text.length != 0 && text.data[0] == '-';
	uint64_t magnitude = 0, largest = (uint64_t)INT64_MAX + negative;
	if (text.length == negative) {
		return false;
	}
	for (size_t i = negative; i < text.length; i++) {
		unsigned char digit = (unsigned char)(text.data[i] - '0');
		if (digit > 9 || magnitude > (largest - digit) / 10) {
			return false;
		}
		magnitude = magnitude * 10 + digit;
	}
	*number = (int64_t)(negative ? 0 - magnitude : magnitude);
	return true;
}

#endif
