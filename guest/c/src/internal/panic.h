/* The end of the guest. It allocates nothing, as memory may be what has run out. */
#ifndef WASMSANDBOX_PANIC_H
#define WASMSANDBOX_PANIC_H

#include "guest.h"

/* The first bytes of a C string. */
static wasmsandbox_slice clipped(const char *string, size_t longest) {
	wasmsandbox_slice slice = wasmsandbox_text(string);
	if (slice.length > longest) {
		slice.length = longest;
	}
	return slice;
}

void wasmsandbox_panic_at(const char *message, const char *file, uint32_t line) {
	static unsigned char buffer[4096];
	panic_message panic = {.message = clipped(message, 3 << 10), .file = clipped(file, 512), .line = line};
	encoder e = {.buffer = buffer, .capacity = sizeof buffer, .limit = sizeof buffer};
	wasmsandbox_slice encoded;
	wasmsandbox_encode(&e, &wasmsandbox_schemas[SCHEMA_PANIC], &panic, &encoded);
	wasmsandbox_import_fail(encoded.data, encoded.length);
	__builtin_trap();
}

#endif
