/* UTF-8: finding what isn't. */
#ifndef WASMSANDBOX_UTF8_H
#define WASMSANDBOX_UTF8_H

#include "../wasmsandbox.h"

/* The length of the character that begins at `p`, of which `left` bytes are there,
 * or 0 if none does: overlong forms, surrogates and what lies above U+10FFFF are
 * none. */
static size_t utf8_character(const unsigned char *p, size_t left) {
	unsigned char low = 0x80, high = 0xbf; /* of the second byte */
	size_t length;
	if (p[0] < 0x80) {
		return 1;
	} else if (p[0] >= 0xc2 && p[0] <= 0xdf) {
		length = 2;
	} else if (p[0] >= 0xe0 && p[0] <= 0xef) {
		length = 3;
		low = p[0] == 0xe0 ? 0xa0 : 0x80;
		high = p[0] == 0xed ? 0x9f : 0xbf;
	} else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
		length = 4;
		low = p[0] == 0xf0 ? 0x90 : 0x80;
		high = p[0] == 0xf4 ? 0x8f : 0xbf;
	} else {
		return 0;
	}
	if (length > left || p[1] < low || p[1] > high) {
		return 0;
	}
	for (size_t k = 2; k < length; k++) {
		if (p[k] < 0x80 || p[k] > 0xbf) {
			return 0;
		}
	}
	return length;
}

/* How many bytes from the start on are valid. */
static size_t utf8_valid_prefix(const char *text, size_t size) {
	size_t i = 0;
	while (i < size) {
		size_t length = (unsigned char)text[i] < 0x80 ? 1 : utf8_character((const unsigned char *)text + i, size - i);
		if (length == 0) {
			break;
		}
		i += length;
	}
	return i;
}

#endif
