/* The functions that the host calls. */
#ifndef WASMSANDBOX_EXPORTS_H
#define WASMSANDBOX_EXPORTS_H

#include "calls.h"

#ifdef __wasm__

#ifndef __wasi__
/* Defined by the linker: runs constructors, of which C has none unless it asks for
 * them. With wasi-libc this is the libc's. */
extern void __wasm_call_ctors(void);

WASMSANDBOX_EXPORT("_initialize") void wasmsandbox_export_initialize(void) { __wasm_call_ctors(); }
#endif

/* The place of a reply: the address above the length. */
static int64_t placed(const wasmsandbox_slice *reply) {
	return (int64_t)((uint64_t)(uintptr_t)reply->data << 32 | reply->length);
}

/* The minor version of the ABI that the guest needs. */
WASMSANDBOX_EXPORT("wasmsandbox_abi_v1") int32_t wasmsandbox_export_abi_v1(void) { return 0; }

WASMSANDBOX_EXPORT("wasmsandbox_buffer") void *wasmsandbox_export_buffer(uint32_t size) {
	return wasmsandbox_guest_buffer(size);
}

WASMSANDBOX_EXPORT("wasmsandbox_describe") int64_t wasmsandbox_export_describe(void) {
	return placed(wasmsandbox_guest_describe());
}

WASMSANDBOX_EXPORT("wasmsandbox_open") int64_t wasmsandbox_export_open(uint32_t length) {
	return placed(wasmsandbox_guest_open(length));
}

WASMSANDBOX_EXPORT("wasmsandbox_match") int64_t wasmsandbox_export_match(uint32_t id, uint32_t length) {
	return placed(wasmsandbox_guest_match(id, length));
}

WASMSANDBOX_EXPORT("wasmsandbox_respond") int64_t wasmsandbox_export_respond(uint32_t id, uint32_t length) {
	return placed(wasmsandbox_guest_respond(id, length));
}

WASMSANDBOX_EXPORT("wasmsandbox_close") int64_t wasmsandbox_export_close(void) {
	return placed(wasmsandbox_guest_close());
}

#endif

#endif
