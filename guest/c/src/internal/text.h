/* Slices, and text that is made of them. */
#ifndef WASMSANDBOX_TEXT_H
#define WASMSANDBOX_TEXT_H

#include "guest.h"

char *wasmsandbox_keep_bytes(const char *bytes, size_t length) {
	char *copy = wasmsandbox_alloc(length);
	copy_bytes(copy, bytes, length);
	return copy;
}

int wasmsandbox_compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length) {
	size_t common = a_length < b_length ? a_length : b_length;
	int order = common == 0 ? 0 : memcmp(a, b, common);
	if (order == 0 && a_length != b_length) {
		order = a_length < b_length ? -1 : 1;
	}
	return order;
}

__attribute__((noinline)) bool wasmsandbox_equal_bytes(const char *a, size_t a_length, const char *b, size_t b_length) {
	return a_length == b_length && (a_length == 0 || memcmp(a, b, a_length) == 0);
}

__attribute__((noinline)) void wasmsandbox_append_bytes(wasmsandbox_builder *builder, const char *text, size_t length) {
	if (length > builder->capacity - builder->length) {
		if (length > SIZE_MAX / 2 - builder->length) {
			out_of_memory();
		}
		size_t capacity = 2 * (builder->length + length);
		char *data = wasmsandbox_scratch(capacity);
		copy_bytes(data, builder->data, builder->length);
		builder->data = data;
		builder->capacity = capacity;
	}
	if (length != 0) {
		memcpy(builder->data + builder->length, text, length);
		builder->length += length;
	}
}

wasmsandbox_slice wasmsandbox_join(const wasmsandbox_slice *parts, size_t count) {
	wasmsandbox_builder builder = {0};
	for (size_t i = 0; i < count; i++) {
		wasmsandbox_append(&builder, parts[i]);
	}
	return wasmsandbox_built(&builder);
}

__attribute__((noinline)) static void append_decimal(wasmsandbox_builder *builder, uint64_t magnitude, bool negative) {
	char digits[20]; /* of UINT64_MAX, or of INT64_MIN with its sign */
	size_t first = sizeof digits;
	do {
		digits[--first] = (char)('0' + magnitude % 10);
		magnitude /= 10;
	} while (magnitude != 0);
	if (negative) {
		digits[--first] = '-';
	}
	wasmsandbox_append_bytes(builder, digits + first, sizeof digits - first);
}

void wasmsandbox_append_decimal(wasmsandbox_builder *builder, int64_t number) {
	append_decimal(builder, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, number < 0);
}

void wasmsandbox_append_decimal_unsigned(wasmsandbox_builder *builder, uint64_t number) {
	append_decimal(builder, number, false);
}

wasmsandbox_slice wasmsandbox_decimal(int64_t number) {
	wasmsandbox_builder builder = {0};
	wasmsandbox_append_decimal(&builder, number);
	return wasmsandbox_built(&builder);
}

wasmsandbox_slice wasmsandbox_decimal_unsigned(uint64_t number) {
	wasmsandbox_builder builder = {0};
	append_decimal(&builder, number, false);
	return wasmsandbox_built(&builder);
}

/* For texts of the SDK itself: the digits as a C string, and up to four C strings one
 * after the other. */
static const char *decimal_string(uint64_t number) {
	wasmsandbox_builder builder = {0};
	append_decimal(&builder, number, false);
	wasmsandbox_append_bytes(&builder, "", 1);
	return builder.data;
}

static void append_string(wasmsandbox_builder *builder, const char *string) {
	wasmsandbox_append_bytes(builder, string, strlen(string));
}

__attribute__((noinline)) static void set_text(wasmsandbox_slice *text, const char *a, const char *b, const char *c,
                                               const char *d) {
	wasmsandbox_builder builder = {0};
	append_string(&builder, a);
	append_string(&builder, b);
	append_string(&builder, c);
	append_string(&builder, d);
	*text = wasmsandbox_built(&builder);
}

char *wasmsandbox_hex_digits(const char *bytes, size_t length) {
	static const char digits[] = "0123456789abcdef";
	if (length > SIZE_MAX / 2) {
		out_of_memory();
	}
	char *text = wasmsandbox_scratch(2 * length);
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		text[2 * i] = digits[byte >> 4];
		text[2 * i + 1] = digits[byte & 15];
	}
	return text;
}

bool wasmsandbox_parse_bytes(const char *text, size_t length, int64_t *number) {
	bool negative = length != 0 && text[0] == '-';
	uint64_t magnitude = 0, largest = (uint64_t)INT64_MAX + negative;
	if (length == negative) {
		return false;
	}
	for (size_t i = negative; i < length; i++) {
		unsigned char digit = (unsigned char)(text[i] - '0');
		if (digit > 9 || magnitude > (largest - digit) / 10) {
			return false;
		}
		magnitude = magnitude * 10 + digit;
	}
	*number = (int64_t)(negative ? 0 - magnitude : magnitude);
	return true;
}

#endif
